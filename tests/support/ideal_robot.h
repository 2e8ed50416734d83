#pragma once
/// A robot whose physics can be worked out by hand: each joint a mass of its own, I dv/dt = tau +
/// load.

#include <vector>

#include "control/backend.h"
#include "control/core/robot_config.h"

namespace jointrig::testing {

/// Gains of a joint of inertia 1 at 10 Hz and critical damping, as discovery would choose them.
RobotConfig ideal_config(std::size_t joints);

/// Implements the port on ideal joints. A command acts one cycle after the state it was computed
/// from; a board enables `enable_cycles` after it is first driven.
class IdealRobot : public Backend {
 public:
  explicit IdealRobot(const RobotConfig& config);

  [[nodiscard]] const BackendDescription& description() const noexcept override {
    return described;
  }
  void start() override {}
  Tick wait() noexcept override;
  void read(RobotState& state) noexcept override;
  void write(const RobotCommand& command) noexcept override;
  void stop() noexcept override {}

  struct Joint {
    double q = 0.0;
    double v = 0.0;
    double load = 0.0;                  ///< torque of the world on the joint
    double q_low = -1e9, q_high = 1e9;  ///< rigid stops
    int enabled_for = 0;
    BoardStatus status = BoardStatus::kReady;
    FaultCode fault = FaultCode::kNone;
    bool fault_cause = false;  ///< clear_fault works once this is gone
    bool silent = false;       ///< the board is lost
    bool stale = false;        ///< its samples come three cycles late, and it goes on
    std::uint32_t missed = 0;
    double tau = 0.0;  ///< that acted in the last cycle
    int calibrating_for = 0;
    double zero = 0.0;  ///< 0.25 once calibrated
  };
  std::vector<Joint> joint;
  BackendDescription described{.name = "ideal"};
  std::vector<JointCapabilities>& capabilities = described.joints;
  int enable_cycles = 2;
  double inertia = 1.0;
  std::uint64_t cycles = 0;

 private:
  void step_board(Joint& j, const JointSetpoint& setpoint) const noexcept;

  RobotCommand latched_;  ///< acts in the step that comes
  RobotCommand written_;  ///< of the last cycle
};

}  // namespace jointrig::testing
