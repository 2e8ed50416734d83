#include "app/gui/remote_follower.h"

#include <chrono>
#include <exception>
#include <stdexcept>
#include <utility>

#include "app/run/connection_end.h"

namespace jointrig::app {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLookForCycle{20};   ///< for a cycle, before wishes are looked at
constexpr double kStatesNobodyReads = 1.0;  ///< a second: of the connection that brings cycles

}  // namespace

RemoteFollower::RemoteFollower(RemoteLoop& loop) : loop_(&loop) {
  loop.watch_posts([this](const Request& request, std::uint64_t number) {
    const std::shared_ptr<remote::Connection> by = loop_->connection();
    const std::lock_guard lock(mutex_);
    if (!log_ || !by) return;
    Command command;
    command.request = request;
    command.number = number;  // as its answer has
    command.sender = commands_.number_of(by->sender());
    sent_.push_back(command);
  });
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

RemoteFollower::~RemoteFollower() {
  loop_->watch_posts({});
  thread_.request_stop();
  thread_.join();
}

// The window's thread ----------------------------------------------------------------------------

ScenarioStage& RemoteFollower::play(const harness::Scenario& scenario) {
  std::shared_ptr<remote::Connection> connection = loop_->connection();
  if (!connection) throw std::runtime_error("the connection is lost");
  Snapshot now;
  loop_->newest(now);
  harness::RunSetup setup;
  setup.config = &loop_->config();
  setup.boards = &loop_->facts().boards;
  setup.inbox = &commands_.inbox();
  setup.backend = loop_->facts().backend;
  setup.force_torque_sensors = now.force_torque.size();
  setup.is_elsewhere = true;
  setup.plans_elsewhere = &commands_;
  auto next = std::make_unique<ScenarioStage>(scenario, setup);
  const std::lock_guard lock(mutex_);
  stage_ = std::move(next);
  panels_ = connection;
  commands_.use(std::move(connection));
  static_cast<void>(loop_->take_refusals_of_others());  // of a run before
  wanted_.notify_all();
  return *stage_;
}

void RemoteFollower::start_log(const std::string& path, harness::RobotLogOptions options) {
  const std::lock_guard lock(mutex_);
  log_.emplace(path, loop_->config(), commands_.inbox(), std::move(options));
  why_log_ended_.clear();
  wanted_.notify_all();
}

harness::RobotLogStatus RemoteFollower::log_status() const {
  const std::lock_guard lock(mutex_);
  harness::RobotLogStatus status = log_->status();
  if (status.ok && !why_log_ended_.empty()) {
    status.ok = false;
    status.message = why_log_ended_;
  }
  return status;
}

harness::RobotLogStatus RemoteFollower::stop_log() {
  harness::RobotLogStatus status = log_status();
  const std::lock_guard lock(mutex_);
  const harness::RobotLogStatus closed = log_->close();
  log_.reset();
  return status.ok ? closed : status;
}

// Its thread -------------------------------------------------------------------------------------

bool RemoteFollower::is_wanted() const { return is_playing() || (log_ && why_log_ended_.empty()); }

void RemoteFollower::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    {
      std::unique_lock lock(mutex_);
      if (!wanted_.wait(lock, stop, [this] { return is_wanted(); })) break;
    }
    try {
      follow(stop);
    } catch (const std::exception& error) {
      end(error.what(), harness::Outcome::kCouldNotRun);
    }
    cycles_.reset();
  }
  end("the panel was closed", harness::Outcome::kSafetyStop);
}

std::unique_ptr<remote::Connection> RemoteFollower::connect() const {
  std::unique_ptr<remote::Connection> made = loop_->connect_beside("cycles", kStatesNobodyReads);
  if (const std::string why = made->follow_cycles(); !why.empty()) throw std::runtime_error(why);
  return made;
}

void RemoteFollower::follow(const std::stop_token& stop) {
  cycles_ = connect();
  while (!stop.stop_requested()) {
    const bool came = cycles_->next_cycle(kLookForCycle, *snapshot_, events_);
    const std::lock_guard lock(mutex_);
    if (came) take_cycle();
    look();
    if (!is_wanted()) return;
  }
}

/// Under the mutex, as all that follows.
void RemoteFollower::take_cycle() {
  commands_.translate(events_, *cycles_);
  if (is_playing()) {
    stage_->note_missed(cycles_->cycles_missed(), cycles_->events_missed());
    stage_->on_cycle(*snapshot_, events_);
  }
  if (log_) log_->push(*snapshot_, events_, sent_);
  sent_.clear();
  send();
}

void RemoteFollower::send() {
  if (!stage_) return;
  const std::string why_not = commands_.send(sent_);
  if (!why_not.empty()) stage_->close(why_not);
}

void RemoteFollower::look() {
  if (is_playing()) {
    stage_->heed();
    if (const std::string why = why_ended(); !why.empty()) stage_->close(why);
    send();
  }
  if (log_ && why_log_ended_.empty()) why_log_ended_ = cycles_->lost();
}

std::string RemoteFollower::why_ended() {
  if (const std::string lost = cycles_->lost(); !lost.empty()) {
    return "the connection is lost: " + lost;
  }
  if (std::string ended = app::why_ended(*panels_); !ended.empty()) return ended;
  const std::vector<remote::CommandAnswer> refused = loop_->take_refusals_of_others();
  return refused.empty() ? std::string() : refused.front().event.sentence;
}

void RemoteFollower::end(const std::string& why, harness::Outcome outcome) {
  const std::lock_guard lock(mutex_);
  if (is_playing()) {
    stage_->close(why, outcome);
    send();
  }
  if (log_ && why_log_ended_.empty()) why_log_ended_ = why;
}

}  // namespace jointrig::app
