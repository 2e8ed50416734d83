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

/// What came of waiting for a cycle.
enum class Tick : std::uint8_t {
  kCycle,  ///< a cycle is due: read, decide, write
  kEnd,    ///< no more cycles: the run is over, or the backend was closed
};

/// What gives a RobotState each cycle and takes a RobotCommand.
///
/// Life: constructed and start()ed by one thread; then wait, read, write are called by the loop's
/// thread alone, in that order, once a cycle; stop() when the loop has ended. A command written in
/// cycle k acts from cycle k + 1 on, as it does on a bus.
///
/// wait, read and write neither throw nor allocate nor lock. What goes wrong while running is
/// reported in the state: a lost board counts up JointState::missed, a fault is a status.
class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  /// "sim", "kinematic", "hw", or a name of your own: for logs and messages.
  [[nodiscard]] virtual std::string_view name() const noexcept = 0;

  /// The joints of this robot in the order of every PerJoint that is read or written. Fixed for
  /// life.
  [[nodiscard]] virtual const std::vector<JointCapabilities>& joints() const noexcept = 0;

  /// Sites of the force/torque sensors in RobotState::force_torque, in its order. Fixed for life.
  [[nodiscard]] virtual std::vector<std::string> force_torque_sites() const { return {}; }

  /// Time from one cycle to the next.
  [[nodiscard]] virtual TimeNs period_ns() const noexcept = 0;

  /// Makes the robot ready to be read; motors stay off. Throws std::runtime_error with a sentence
  /// that says what is missing.
  virtual void start() = 0;

  /// Returns when the next cycle is due: at once in headless simulation, on the clock or the SYNC
  /// otherwise. The state of that cycle is then ready to be read.
  virtual Tick wait() noexcept = 0;

  /// How late the last wait() returned, where cycles are paced by a clock or a SYNC [ns].
  [[nodiscard]] virtual std::optional<std::int64_t> late_ns() const noexcept {
    return std::nullopt;
  }

  /// Fills in the state of this cycle. `state.joints` has the size of joints().
  virtual void read(RobotState& state) noexcept = 0;

  /// What happened beside, up to this cycle, one at a time; nothing when all has been told. Asked
  /// after read().
  virtual std::optional<BoardNotice> next_notice() noexcept { return std::nullopt; }

  /// Sends the command of this cycle.
  virtual void write(const RobotCommand& command) noexcept = 0;

  /// Motors off, whatever was written last. Safe to call twice.
  virtual void stop() noexcept = 0;
};

}  // namespace jointrig
