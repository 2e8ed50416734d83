#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "app/robot/robot.h"

namespace jointrig {

/// Steps a robot on a thread of its own, and runs there what other threads ask for.
class RobotThread {
 public:
  using Job = std::function<void(Robot&)>;

  RobotThread(const std::string& robot, const RobotOptions& options);
  ~RobotThread() { end(); }
  RobotThread(const RobotThread&) = delete;
  RobotThread& operator=(const RobotThread&) = delete;

  /// Runs it between two steps; exceptions reach the caller.
  void read(const Job& job) { run(job, false); }
  /// Runs it in a step of its own. A refusal of that step reaches the caller, too.
  void command(const Job& job) { run(job, true); }

  /// Brakes all joints, steps until they stand, and ends the thread.
  void end();
  /// Why the robot has ended by itself; empty: it steps.
  [[nodiscard]] std::string why_ended() const;

  /// Number of failures so far of steps that nobody waited for, and the last one's sentence.
  struct Troubles {
    std::uint64_t count = 0;
    std::string last;
  };
  [[nodiscard]] Troubles troubles() const;

  /// For the robot's thread, and before it and after it.
  [[nodiscard]] Robot& robot() noexcept { return robot_; }

 private:
  /// Result of a job. The caller alone holds an exception in the end: a promise would share it, and
  /// the thread sanitizer doesn't see the count of its holders.
  class Answer {
   public:
    /// @param failed  empty: it was done
    void give(std::exception_ptr failed);
    /// Waits for it. Throws what failed.
    void take();

   private:
    std::mutex mutex_;
    std::condition_variable given_;
    bool is_given_ = false;
    std::exception_ptr failed_;
  };
  struct Asked {
    Job job;
    bool is_command = false;
    std::shared_ptr<Answer> answer = std::make_shared<Answer>();
  };
  void run(const Job& job, bool is_command);
  void work();
  void work_off(std::deque<Asked>& asked);
  void step(Asked* command);
  void step_on(std::exception_ptr& answer, bool is_asked = false);
  void note(const std::string& trouble);
  void brake();
  void close(const std::string& why, std::deque<Asked>& late);

  Robot robot_;
  mutable std::mutex mutex_;
  // Behind the mutex.
  std::deque<Asked> asked_;
  bool ends_ = false;    ///< end() was called
  bool closed_ = false;  ///< nothing is taken any more
  std::string why_;
  Troubles troubles_;

  std::atomic<std::thread::id> own_id_{};
  std::thread thread_;  // last: it uses the others
};

}  // namespace jointrig
