#pragma once
/// The port between the stack and a robot: implement this header to drive another simulator,
/// another bus or a mock-up. tests/control/stack/minimal_backend_test.cpp has the smallest useful
/// implementation.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "control/core/board_notice.h"
#include "control/core/capabilities.h"
#include "control/core/robot_io.h"

namespace jointrig {

/// Facts about a robot that the stack needs before the first cycle.
struct BackendDescription {
  std::string name;  ///< "sim", "kinematic", "hw", or a name of your own: for logs and messages
  std::vector<JointCapabilities> joints{};  ///< in the order of every PerJoint
  TimeNs period_ns = 1'000'000;             ///< from one cycle to the next
  /// Sites of the sensors in RobotState::force_torque, in the same order.
  std::vector<std::string> force_torque_sites{};
  /// Sites of the sensors in RobotState::imus, in the same order.
  std::vector<std::string> imu_sites{};
  bool gives_base = false;  ///< RobotState::base is that of the robot; for whole-body control
};

/// The result of waiting for a cycle.
struct Tick {
  bool is_due = true;  ///< a cycle: read, decide, write; false: the run is over
  /// Delay of wait()'s return, where a clock or a SYNC paces the cycles [ns].
  std::optional<std::int64_t> late_ns{};
};
inline constexpr Tick kRunIsOver{.is_due = false};

/// Gives a RobotState each cycle and takes a RobotCommand.
///
/// Life: one thread constructs it and calls start(); then the loop's thread alone calls wait, read,
/// write, in that order, once a cycle; stop() when the loop has ended. A command written in cycle k
/// acts from cycle k + 1 on, as it does on a bus.
///
/// wait, read, next_notice and write neither throw nor allocate nor lock. The state reports what
/// goes wrong while running: a lost board counts up JointState::missed, a fault is a status.
class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  /// Constant as long as the backend exists.
  [[nodiscard]] virtual const BackendDescription& description() const noexcept = 0;

  /// Makes the robot ready to be read; motors stay off. Throws std::runtime_error with a sentence
  /// that names what is missing.
  virtual void start() = 0;

  /// Returns when the next cycle is due: at once in headless simulation, on the clock or the SYNC
  /// otherwise. The state of that cycle can then be read.
  virtual Tick wait() noexcept = 0;

  /// Fills in the state of this cycle. `state.joints` has the size of description().joints.
  virtual void read(RobotState& state) noexcept = 0;

  /// Returns the next event that is not in the state, or nothing when all were returned. The loop
  /// calls it after read(), a bounded number of times a cycle.
  virtual std::optional<BoardNotice> next_notice() noexcept { return std::nullopt; }

  /// Sends the command of this cycle.
  virtual void write(const RobotCommand& command) noexcept = 0;

  /// Turns the motors off, whatever was written last. Safe to call twice.
  virtual void stop() noexcept = 0;
};

}  // namespace jointrig
