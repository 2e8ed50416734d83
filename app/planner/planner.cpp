#include "app/planner/planner.h"

#include <algorithm>
#include <utility>

namespace jointrig::app {

// A job -------------------------------------------------------------------------------------------

PlanJobState PlanJob::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

std::string PlanJob::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

void PlanJob::end(PlanJobState how) {
  const std::lock_guard lock(mutex_);
  if (state_ > PlanJobState::kMade) return;
  state_ = how;
  plan_.reset();
  watch_.cancel();
  done_.notify_all();
}

bool PlanJob::wait_for(std::chrono::milliseconds longest) {
  std::unique_lock lock(mutex_);
  return done_.wait_for(lock, longest, [this] { return is_done(); });
}

void PlanJob::wait() {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return is_done(); });
}

std::optional<JointPlan> PlanJob::take() {
  const std::lock_guard lock(mutex_);
  if (state_ != PlanJobState::kMade) return std::nullopt;
  state_ = PlanJobState::kTaken;
  return std::exchange(plan_, std::nullopt);
}

void PlanJob::conclude(PlanJobState how, std::optional<JointPlan> plan, std::string error) {
  const std::lock_guard lock(mutex_);
  if (state_ != PlanJobState::kPlanning) return;  // it was ended meanwhile
  state_ = how;
  plan_ = std::move(plan);
  error_ = std::move(error);
  done_.notify_all();
}

void PlanJob::run() {
  {
    const std::lock_guard lock(mutex_);
    if (state_ != PlanJobState::kWaiting) return;
    state_ = PlanJobState::kPlanning;
  }
  try {
    JointPlan plan = make_(watch_);
    watch_.begin_part(1.0, 1.0);
    watch_.reach(1.0);
    conclude(PlanJobState::kMade, std::move(plan), {});
  } catch (const PlanCancelled&) {  // end() has said so
  } catch (const std::exception& error) {
    conclude(PlanJobState::kBroken, std::nullopt, error.what());
  }
  make_ = {};  // and what it holds
}

// The thread --------------------------------------------------------------------------------------

Planner::Planner() : thread_([this](const std::stop_token& stop) { run(stop); }) {}

Planner::~Planner() {
  thread_.request_stop();
  const std::lock_guard lock(mutex_);
  for (const std::weak_ptr<PlanJob>& live : live_) {
    if (const Job job = live.lock()) job->cancel();
  }
}

Planner::Job Planner::submit(const JointSet& joints, MakePlan make) {
  auto job = std::make_shared<PlanJob>(joints, std::move(make));
  const std::lock_guard lock(mutex_);
  for (const std::weak_ptr<PlanJob>& live : live_) {
    const Job other = live.lock();
    if (other && (other->joints() & joints).any()) other->end(PlanJobState::kSuperseded);
  }
  std::erase_if(live_, [](const std::weak_ptr<PlanJob>& live) {
    const Job other = live.lock();
    return !other || other->state() > PlanJobState::kMade;
  });
  live_.push_back(job);
  waiting_.push_back(job);
  has_work_.notify_one();
  return job;
}

Planner::Job Planner::next(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  if (!has_work_.wait(lock, stop, [this] { return !waiting_.empty(); })) return nullptr;
  Job job = std::move(waiting_.front());
  waiting_.pop_front();
  return job;
}

void Planner::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    if (const Job job = next(stop)) job->run();
  }
}

}  // namespace jointrig::app
