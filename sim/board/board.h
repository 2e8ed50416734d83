#pragma once
/// The drive electronics of one joint, written like firmware. It knows its own joint and the
/// setpoints that arrive, and nothing else: no physics engine, no backend, no bus. One thread.
///
/// At each of its cycles t_k the board
///
///     sense(truth)    samples encoder, current, torque sensor, temperature, supply at t_k;
///                     estimates the speed; checks for faults; its report() then belongs to t_k
///     act(setpoint)   takes the setpoint that arrived up to t_k; returns the torque of [t_k, t_k +
///     period)
///
/// A setpoint holds until the next one; after watchdog_s without one a running motor stops with the
/// fault command_lost. A setpoint that isn't finite counts as none.
///
/// clear_fault acts on its rising edge and leads out of hw_fault only if no cause remains.
/// calibrate starts on its rising edge, with the motor off; the board then moves the joint by
/// itself (calibration.h) as long as the request is held. In configured a board doesn't drive.
///
/// Uncalibrated it reads q = q_true + calibration_offset; once the zero is found q = q_true. A zero
/// further than calibration_tolerance from the last known one (calibration_offset, kept in its
/// flash) is refused: fault calibration_failed.
///
/// The torque sensor measures the motor's torque after the gear: friction, the rotor's inertia and
/// an injected gain_loss lie beyond it. With a spring between motor and joint (series elasticity,
/// series_spring.h) the sensor measures the spring's deflection, the motor's inertia lies before
/// it, and every torque of the board goes through its torque loop (deflection_loop.h), which keeps
/// to tau_max; current_max alone then limits the motor's own torque.
///
/// The board switches the joint's brake (brake.h), if there is one. When the motor is to drive, it
/// gets its torque first, then the brake its current; the board reports `enabled` once the brake is
/// open. When the motor is to rest, the brake loses its current first, and the motor holds the
/// joint at rest until the brake has closed. A fault or a loss of power takes both currents away at
/// once.
///
/// The board computes the hysteresis torque of the spring's material (spring_hysteresis.h) from the
/// measured deflection, and corrects the share hysteresis_known of it. Every torque sensor also
/// measures the share `crosstalk` of the torque of the joint before it.

#include <type_traits>

#include "control/core/robot_io.h"
#include "sim/board/board_spec.h"
#include "sim/board/brake.h"
#include "sim/board/calibration.h"
#include "sim/board/deflection_loop.h"
#include "sim/board/encoder.h"
#include "sim/board/fault_injection.h"
#include "sim/board/local_loops.h"
#include "sim/board/monitors.h"
#include "sim/board/motor.h"
#include "sim/board/random.h"
#include "sim/board/spring_hysteresis.h"
#include "sim/board/state_hash.h"
#include "sim/board/status_machine.h"

namespace jointrig::sim {

/// True state of the joint, which the simulated sensors measure.
struct JointTruth {
  double q = 0.0;  ///< [rad or m]
  double v = 0.0;  ///< [rad/s or m/s]
  /// For a motor behind a spring: its angle and speed ahead of the joint, after the gear.
  double deflection = 0.0;
  double deflection_speed = 0.0;
  /// Torque of the joint before it, on the way to the base: leaks into the torque sensor [N·m or
  /// N].
  double torque_before = 0.0;
};

/// State of a board while it runs. Copy it to save or restore a board.
struct BoardState {
  Random random;
  InjectedFaults faults;
  EncoderState encoder;
  MotorState motor;
  BrakeState brake;
  LoopState loop;
  CalibrationState calibration;
  MonitorState monitor;
  double reading_before = 0.0;
  double velocity = 0.0;       ///< estimate
  double zero = 0.0;           ///< q = reading - zero
  double torque_sample = 0.0;  ///< last sample of the torque sensor
  double deflection = 0.0;     ///< deflection of that sample [rad or m]
  double bend = 0.0;           ///< state of the spring's material, as the board models it
  double torque_leak = 0.0;    ///< part of it from the joint before [N·m or N]
  double torque_sensor_age = 0.0;
  /// Torque at the joint in the last interval, as far as the board decides it.
  double torque_now = 0.0;
  double torque_rate = 0.0;   ///< estimate, for a spring [N·m/s or N/s]
  double motor_torque = 0.0;  ///< torque of a motor behind a spring, in the last interval
  double motor_speed = 0.0;   ///< at the last sample
  double silence = 0.0;       ///< time since the last setpoint [s]
  JointSetpoint setpoint;     ///< last setpoint that arrived
  JointState report;          ///< last report that was sent
  BoardStatus status = BoardStatus::kNotConfigured;
  FoundFault fault;         ///< latched
  FoundFault found;         ///< found by the last check for faults
  bool calibrated = false;  ///< the zero is known
  bool must_rest = false;   ///< true after a fault: a setpoint without drive must come first
  bool dark = false;        ///< without power
  bool lingers = false;  ///< the motor is to rest, and holds the joint until the brake has closed
  bool had_torque = false;  ///< the motor was on in the last interval
  double hold_tau = 0.0;    ///< feed-forward of the last setpoint that drove [N·m or N]
  BrakeOrder brake_order = BrakeOrder::kBySequence;
};
static_assert(std::is_trivially_copyable_v<BoardState>);

class SimBoard {
 public:
  /// Warm range below the temperature limit, and share of torque that is left at the limit: a drive
  /// warns there, and allows less torque the warmer it gets [K, 1]. Both are choices.
  static constexpr double kWarmBelow = 10.0;
  static constexpr double kLeastShare = 0.5;

  explicit SimBoard(const BoardSpec& spec, std::uint64_t seed = 1) noexcept;

  /// Power-on: resets everything but the injected faults, reads the sensors, becomes configured or
  /// ready.
  void power_on(const JointTruth& truth) noexcept;

  void sense(const JointTruth& truth) noexcept;

  /// @param setpoint  null: none arrived since the last cycle
  /// @return          torque of the motor after the gear: at the joint, or on its spring [N·m or N]
  double act(const JointSetpoint* setpoint) noexcept;

  /// Calls sense and act, for a board whose setpoints come a cycle late anyway.
  double step(const JointSetpoint* setpoint, const JointTruth& truth) noexcept {
    sense(truth);
    return act(setpoint);
  }

  /// The last report; JointState::missed counts the cycles in which the board could not send.
  [[nodiscard]] const JointState& report() const noexcept { return state_.report; }

  /// @param cycles duration; for missed_cycles the value replaces it, if given
  void inject(SimFault fault, double value = 0.0,
              std::uint64_t cycles = InjectedFaults::kForever) noexcept;
  void end(SimFault fault) noexcept { state_.faults.end(fault); }

  /// Coulomb friction that the closed brake and an injected stiction_step add to the joint, for the
  /// plant [N·m or N].
  [[nodiscard]] double added_friction() const noexcept {
    const double brake = brake_closed() ? spec_.brake.holding_torque : 0.0;
    return brake + state_.faults.value(SimFault::kStictionStep);
  }

  /// Takes the brake out of the board's own sequence, or gives it back to it.
  void order_brake(BrakeOrder order) noexcept { state_.brake_order = order; }
  [[nodiscard]] bool brake_closed() const noexcept {
    return spec_.brake.is_there() && state_.brake.closed;
  }

  /// Share of a spring's torque that reaches the joint: below 1 under an injected gain_loss.
  [[nodiscard]] double spring_share() const noexcept {
    return state_.faults.has(SimFault::kGainLoss) ? state_.faults.value(SimFault::kGainLoss) : 1.0;
  }

  [[nodiscard]] BoardStatus status() const noexcept { return state_.status; }
  /// Without power: nothing of it is heard, and its motor is off.
  [[nodiscard]] bool is_dark() const noexcept { return state_.dark; }
  [[nodiscard]] const BoardSpec& spec() const noexcept { return spec_; }

  [[nodiscard]] const BoardState& state() const noexcept { return state_; }
  void restore(const BoardState& state) noexcept { state_ = state; }
  void add_to(StateHash& hash) const noexcept;

 private:
  void go(DriveTrigger trigger) noexcept { state_.status = next_status(state_.status, trigger); }
  void lose_power() noexcept;
  void latch(const FoundFault& finding) noexcept;
  void clear_fault() noexcept;

  void sample_torque(const JointTruth& truth) noexcept;
  [[nodiscard]] double read_spring(double deflection) noexcept;
  [[nodiscard]] double torque_by_motor(const JointTruth& truth) const noexcept;
  [[nodiscard]] FoundFault look_for_faults(const JointTruth& truth) noexcept;
  [[nodiscard]] bool at_switch(double q_true) const noexcept;
  void send_report() noexcept;

  void hear(const JointSetpoint* setpoint) noexcept;
  void heed_request(BoardRequest before) noexcept;
  void heed_drive() noexcept;
  [[nodiscard]] double wanted_current() noexcept;
  [[nodiscard]] double current_for(double torque) noexcept;
  [[nodiscard]] double calibration_torque() noexcept;
  void switch_brake() noexcept;
  [[nodiscard]] double torque_that_holds() noexcept;
  [[nodiscard]] BoardStatus status_to_report() const noexcept;
  void finish_calibration() noexcept;

  [[nodiscard]] bool motor_on() const noexcept {
    return state_.status == BoardStatus::kEnabled || state_.status == BoardStatus::kCalibrating;
  }
  [[nodiscard]] bool has_torque() const noexcept { return motor_on() || state_.lingers; }
  [[nodiscard]] double position() const noexcept { return state_.encoder.reading - state_.zero; }
  [[nodiscard]] double supply() const noexcept;
  [[nodiscard]] double measured_current() const noexcept;
  [[nodiscard]] double measured_temperature() const noexcept;
  /// Share of its torque limit: falls in the warm range below the temperature limit.
  [[nodiscard]] double torque_share() const noexcept;

  BoardSpec spec_;
  Encoder encoder_;
  VelocityEstimator estimator_;
  Motor motor_;
  LocalLoops loops_;
  DeflectionLoop deflection_;
  SpringHysteresis material_;
  Calibration calibration_;
  Monitors monitors_;
  BoardState state_;
};

}  // namespace jointrig::sim
