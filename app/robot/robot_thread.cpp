#include "app/robot/robot_thread.h"

#include <utility>

#include "app/robot/robot_core.h"

namespace jointrig {
namespace {

/// Joints that don't stand by then are left to their boards [s]: a choice.
constexpr double kLongestBraking = 3.0;

RobotOptions on_the_clock(RobotOptions options) {
  options.realtime = !options.driver;  // which waits by itself
  return options;
}

}  // namespace

RobotThread::RobotThread(const std::string& robot, const RobotOptions& options)
    : robot_(robot, on_the_clock(options)), thread_([this] { work(); }) {}

void RobotThread::run(const Job& job, bool is_command) {
  if (std::this_thread::get_id() == own_id_.load()) {
    throw std::logic_error("a function that the robot's thread runs calls the robot's thread");
  }
  std::shared_ptr<Answer> answer;
  {
    const std::lock_guard lock(mutex_);
    if (closed_) throw std::runtime_error(why_);
    if (ends_) throw std::runtime_error("the robot is being ended");
    Asked& asked = asked_.emplace_back();
    asked.job = job;
    asked.is_command = is_command;
    answer = asked.answer;
  }
  answer->take();
}

void RobotThread::Answer::give(std::exception_ptr failed) {
  const std::lock_guard lock(mutex_);
  failed_ = std::move(failed);
  is_given_ = true;
  given_.notify_one();
}

void RobotThread::Answer::take() {
  std::unique_lock lock(mutex_);
  given_.wait(lock, [this] { return is_given_; });
  if (failed_) std::rethrow_exception(std::exchange(failed_, nullptr));
}

RobotThread::Troubles RobotThread::troubles() const {
  const std::lock_guard lock(mutex_);
  return troubles_;
}

std::string RobotThread::why_ended() const {
  const std::lock_guard lock(mutex_);
  return why_;
}

void RobotThread::end() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  thread_.join();
}

// The robot's thread ------------------------------------------------------------------------------

void RobotThread::work() {
  own_id_ = std::this_thread::get_id();
  std::deque<Asked> asked;
  while (true) {
    bool ends = false;
    {
      const std::lock_guard lock(mutex_);
      for (Asked& each : asked_) asked.push_back(std::move(each));
      asked_.clear();
      ends = ends_;
    }
    work_off(asked);
    if (robot_.has_ended()) return close(troubles().last, asked);
    if (ends && asked.empty()) break;
  }
  brake();
  close("the robot has ended", asked);
}

/// Runs what is asked for up to the first command, which has this step to itself.
void RobotThread::work_off(std::deque<Asked>& asked) {
  while (!asked.empty() && !asked.front().is_command) {
    Asked reading = std::move(asked.front());
    asked.pop_front();
    std::exception_ptr failed;
    try {
      reading.job(robot_);
    } catch (...) {
      failed = std::current_exception();
    }
    if (robot_.core().is_in_step()) {
      step_on(failed);
      if (!failed) {
        failed = std::make_exception_ptr(std::logic_error("a reading began a step: use command()"));
      }
    }
    reading.answer->give(std::move(failed));
  }
  if (asked.empty()) return step(nullptr);
  Asked command = std::move(asked.front());
  asked.pop_front();
  step(&command);
}

void RobotThread::step(Asked* command) {
  std::exception_ptr refused;
  bool has_begun = true;
  try {
    robot_.begin_step();
    if (command != nullptr) command->job(robot_);
  } catch (...) {
    refused = std::current_exception();
    has_begun = robot_.core().is_in_step();
  }
  if (has_begun) step_on(refused, command != nullptr);
  if (const std::string trouble = robot_.core().take_trouble(); !trouble.empty()) note(trouble);
  if (command != nullptr) command->answer->give(std::move(refused));
}

/// Ends the step. A refusal of the loop, or its end, is the command's answer where it has none yet.
void RobotThread::step_on(std::exception_ptr& answer, bool is_asked) {
  const bool is_told = is_asked && !answer;
  try {
    robot_.end_step();
  } catch (const Refused& error) {
    if (is_told) answer = std::current_exception();
    if (!is_told) note(error.what());
  } catch (const std::exception& error) {
    if (is_told && robot_.has_ended()) answer = std::current_exception();
    note(error.what());
  } catch (...) {
    note("a step threw what is no std::exception");
  }
}

void RobotThread::note(const std::string& trouble) {
  const std::lock_guard lock(mutex_);
  ++troubles_.count;
  troubles_.last = trouble;
}

void RobotThread::brake() {
  const double end = robot_.clock() + kLongestBraking;
  try {
    if (!robot_.core().is_stopped()) robot_.soft_stop();
    do {
      step(nullptr);
    } while (!robot_.has_ended() && robot_.is_moving() && robot_.clock() < end);
  } catch (const std::exception& error) {
    note(error.what());
  }
}

/// @param late  what can't be run any more
void RobotThread::close(const std::string& why, std::deque<Asked>& late) {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    why_ = why;
    for (Asked& each : asked_) late.push_back(std::move(each));
    asked_.clear();
  }
  for (Asked& each : late) {
    each.answer->give(std::make_exception_ptr(std::runtime_error(why)));
  }
}

}  // namespace jointrig
