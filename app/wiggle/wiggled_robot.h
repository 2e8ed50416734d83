#pragma once
/// The robot under a wiggle test: in this program's loop, or served elsewhere
/// (app/wiggle/served_wiggle.h).

#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "control/exchange/command_inbox.h"
#include "control/stack/loop.h"

namespace jointrig::app {

class WiggledRobot {
 public:
  WiggledRobot() = default;
  WiggledRobot(const WiggledRobot&) = delete;
  WiggledRobot& operator=(const WiggledRobot&) = delete;
  virtual ~WiggledRobot() = default;

  [[nodiscard]] virtual const RobotConfig& config() const = 0;
  /// Commands in it act in the next cycle.
  [[nodiscard]] virtual CommandInbox& inbox() = 0;
  /// Lets one cycle pass. Returns false once the backend has ended; throws std::runtime_error with
  /// a sentence.
  virtual bool step() = 0;
  /// The last cycle's; the same object each time.
  [[nodiscard]] virtual const Snapshot& snapshot() const = 0;
};

/// The robot of a loop here. `loop` drives a backend that was started; both outlive it.
class LoopedRobot final : public WiggledRobot {
 public:
  LoopedRobot(Loop& loop, Stack& stack) : loop_(&loop), stack_(&stack) {}
  [[nodiscard]] const RobotConfig& config() const override { return stack_->config(); }
  [[nodiscard]] CommandInbox& inbox() override { return stack_->inbox(); }
  bool step() override { return loop_->step(); }
  [[nodiscard]] const Snapshot& snapshot() const override { return stack_->snapshot(); }

 private:
  Loop* loop_;
  Stack* stack_;
};

}  // namespace jointrig::app
