#pragma once
/// Signals by name, as expressions, plots and streams use them; filled once a cycle from a
/// snapshot.
///
///     time, cycle                         [s] since the robot's start; cycles
///     <joint>.q  v  tau                   as measured [rad, rad/s, N·m or m, m/s, N]
///     <joint>.q_ref  v_ref  a_ref  tau_ref  duty_ref       its reference in this cycle
///     <joint>.q_err  v_err                reference minus measurement
///     <joint>.q_cmd  v_cmd  tau_cmd  duty                  setpoint sent to its board
///     <joint>.tau_gravity_only            torque that holds it at rest, by the model
///     <joint>.tau_model  tau_interaction  parts of tau_cmd: model, impedance
///     <joint>.tau_laws                    torque of laws of one's own, before the limits
///     <joint>.tau_external  knows_external   external torque; 1 while it is computed
///     <joint>.tau_hysteresis  hysteresis_state  tau_crosstalk   in tau, of a series spring's board
///     <joint>.limit_cycles.torque ...     number of cycles in which that limit acted
///     <joint>.stiffness  damping          gains of compliant, also while stored
///     <joint>.temperature [°C]  current [A]  supply [V]  progress (of a calibration, 0..1)
///     <joint>.mode  fault  status  interaction  drive      words: compare with == and !=
///     <joint>.moving  limited  timed_out                   0 or 1
///     <joint>.limited.torque ...          1 while that limit acts (words of Limit)
///     <joint>.timeout_left  missed        [s]; cycles
///     <joint>.plan_time  plan_duration    of the plan that it follows: [s], as planned; 0: none
///     <joint>.plan_waypoint  plan_waypoints  plan_pace   last passed; all; planned s per second
///     <joint>.q_min  q_max  v_max  a_max  tau_max  tau_rate  step_max    settings of robot.yaml
///     <arm>.tool.x ...  <joint>.tau_<term>    of arms: arm_signals.h
///     law.<law>.state  took_us            of a law of one's own: word; [µs]
///     law.<law>.<name>                    its signals and parameters, as it has declared them
///     gripper.<gripper>.width  share      of a gripper: [m]; 0 closed, 1 open
///     gripper.<gripper>.force  asked      with which it presses, and is to press [N]
///     gripper.<gripper>.state             word
///     base.x y z  vx vy vz                of a floating base, in the world
///     ft<n>.fx fy fz tx ty tz             of the n-th force/torque sensor, from 0
///     body.* site.* contact.* truth.*     of the plant: world.h
///
/// `each` stands for the joint of an expression (expression.h).

#include <deque>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "harness/runner/world.h"

namespace jointrig::harness {

/// Position of `each` in the name of a signal, `each.q` or `truth.each.q`; npos without it.
inline constexpr std::string_view kEach = "each";
std::size_t find_each(std::string_view name) noexcept;

/// A joint's name in expressions: quoted unless it consists of letters, digits and `_`.
std::string quoted_where_odd(const std::string& joint);

/// Kind of a signal's value, for messages and plots.
enum class SignalKind { kNumber, kWord, kTruth };  // kTruth: 0 or 1

struct Signal {
  std::string name;  ///< with the joint's name in place of `each`
  std::string unit;  ///< "rad", "N·m"; "" without a unit
  SignalKind kind = SignalKind::kNumber;
  JointIndex joint = kNoJoint;
  bool is_fixed = false;  ///< setting of robot.yaml: never changes
  const double* value = nullptr;
};

/// A value that depends on past signals, computed once a cycle after them (history.h).
class Derived {
 public:
  Derived() = default;
  Derived(const Derived&) = delete;
  Derived& operator=(const Derived&) = delete;
  virtual ~Derived() = default;
  virtual void update() noexcept = 0;
  /// Called if the mark of that number was set in this cycle, after update().
  virtual void on_mark(std::size_t /*mark*/) noexcept {}
};

/// Error: no signal of that name; the message suggests the nearest.
class UnknownSignal : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Error: a signal of the truth, on a backend without a World.
class NoTruth : public UnknownSignal {
 public:
  using UnknownSignal::UnknownSignal;
};

/// Built before the run (throws, allocates); update and set_mark are for the cycle.
class SignalTable {
 public:
  /// @param world  nullptr: no truth. Must outlive the table.
  /// @param force_torque_sensors  number of sensors of the backend
  explicit SignalTable(const RobotConfig& config, World* world = nullptr,
                       std::size_t force_torque_sensors = 0);
  SignalTable(const SignalTable&) = delete;
  SignalTable& operator=(const SignalTable&) = delete;
  ~SignalTable();

  /// Throws UnknownSignal. A signal is read once a cycle, however often it is used.
  const Signal& find(std::string_view name, JointIndex each = kNoJoint);

  /// Names that `at(x, mark)` and windows may use.
  void define_mark(std::string name);
  [[nodiscard]] std::optional<std::size_t> find_mark(std::string_view name) const noexcept;
  [[nodiscard]] const std::vector<std::string>& marks() const noexcept { return marks_; }

  void add(std::unique_ptr<Derived> derived) { derived_.push_back(std::move(derived)); }

  /// Names of the signals of the truth among them.
  [[nodiscard]] std::vector<std::string> truth_names() const;

  /// Every signal found so far.
  [[nodiscard]] const std::deque<Signal>& signals() const noexcept { return signals_; }

  /// Reads every signal found so far from a snapshot, then computes the derived values.
  void update(const Snapshot& snapshot) noexcept;
  void set_mark(std::size_t mark) noexcept;

  [[nodiscard]] const RobotConfig& config() const noexcept { return *config_; }
  [[nodiscard]] World* world() const noexcept { return world_; }
  [[nodiscard]] double period() const noexcept { return to_seconds(config_->period_ns); }

 private:
  struct Source;
  std::optional<Source> source_of(std::string_view name) const;
  std::optional<Source> joint_source(std::string_view name) const;
  std::optional<Source> truth_source(std::string_view name) const;
  std::optional<Source> sensor_source(std::string_view name) const;
  std::optional<Source> gripper_source(std::string_view name) const;
  std::optional<Source> law_source(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> known_names(std::string_view like) const;

  const RobotConfig* config_;
  World* world_;
  std::size_t force_torque_sensors_;
  std::deque<Signal> signals_;  // deques: pointers into them stay valid
  std::deque<double> values_;
  std::vector<Source> sources_;
  std::vector<std::unique_ptr<Derived>> derived_;
  std::vector<std::string> marks_;
};

}  // namespace jointrig::harness
