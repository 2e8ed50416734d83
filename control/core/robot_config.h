#pragma once
/// A robot as the stack sees it: plain data, filled from an MJCF model and an optional robot.yaml
/// beside it, checked before a loop is built, constant while it runs.

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "control/core/arm.h"
#include "control/core/capabilities.h"
#include "control/core/drive_config.h"
#include "control/core/enumeration.h"
#include "control/core/gripper.h"
#include "control/core/law_config.h"
#include "control/core/protection.h"
#include "control/core/types.h"
#include "control/core/whole_body_config.h"

namespace jointrig {

/// Reaction of a streamed mode when its commands stop.
///
///     hold        brake at 4 a_max (at a_max out of torque and openloop), then hold
///     decelerate  brake at a_max, then hold
///     damp        torque opposes motion (a tenth of the stiff law's damping); no position is held
///     idle        motor off
///
/// After hold and decelerate velocity, torque and openloop become position: the mode says that the
/// joint holds, and a late sample is refused. Position_direct and mixed hold a position in any
/// case, and go on with the next sample.
#define JOINTRIG_TIMEOUT_REACTIONS(X) \
  X(kHold, "hold")                    \
  X(kDecelerate, "decelerate")        \
  X(kDamp, "damp")                    \
  X(kIdle, "idle")
JOINTRIG_ENUM(TimeoutReaction, JOINTRIG_TIMEOUT_REACTIONS)

/// Limits that safety enforces last. [rad, m] [rad/s, m/s] [rad/s², m/s²] [N·m, N] [N·m/s, N/s]
struct JointLimits {
  double q_min = -std::numeric_limits<double>::infinity();  ///< hard limit; the model's range
  double q_max = std::numeric_limits<double>::infinity();
  double soft_margin = 0.0;  ///< references stay this far inside q_min..q_max
  double v_max = 2.0;
  double a_max = 10.0;
  double tau_max = 0.0;  ///< 0: unknown, refused when the stack is built
  double tau_rate_max = 0.0;
  double step_max = 0.0;  ///< largest step of one position_direct sample [rad or m]
  bool operator==(const JointLimits&) const = default;
};

/// Gains of the laws that close the loop in the stack on boards that take torque:
///
///     stiff      computed torque (stack/computed_torque.h), with bandwidth and damping_ratio; or
///                with is_pid: tau = kp e + ki ∫e dt + kd de/dt + g(q) + I a_ref
///     compliant  tau = stiffness e + damping de/dt + g(q)
struct JointGains {
  /// I: inertia that the motor feels, 1/(M⁻¹)ᵢᵢ of a usual pose [kg·m² or kg]
  double inertia = 0.0;
  double kp = 0.0;         ///< [N·m/rad or N/m]
  double ki = 0.0;         ///< [N·m/(rad·s) or N/(m·s)]
  double kd = 0.0;         ///< [N·m·s/rad or N·s/m]
  double stiffness = 0.0;  ///< stiffness of compliant, until a command changes it [N·m/rad or N/m]
  double damping = 0.0;  ///< damping of compliant, until a command changes it [N·m·s/rad or N·s/m]
  double viscous = 0.0;   ///< b: damping of the joint itself, in the model [N·m·s/rad or N·s/m]
  double friction = 0.0;  ///< Coulomb friction of the joint itself, as laws know it [N·m or N]
  double bandwidth_hz = 0.0;   ///< ω / 2π of computed torque; 0: as fast as the loop allows
  double damping_ratio = 1.0;  ///< ζ of computed torque
  bool is_pid = false;         ///< kp, ki or kd was given: the stiff law is that PID
  bool operator==(const JointGains&) const = default;
};

struct StreamTimeout {
  double seconds = 0.2;
  TimeoutReaction reaction = TimeoutReaction::kHold;
  bool operator==(const StreamTimeout&) const = default;
};

/// The drive electronics of one joint, as the simulated board emulates it. Torques and speeds are
/// those of the joint, after the gear. Defaults are those of a mid-size servo drive (a choice).
struct BoardConfig {
  DriveModes drive_modes{DriveMode::kOff, DriveMode::kDuty, DriveMode::kTorque,
                         DriveMode::kVelocity, DriveMode::kPosition};
  bool needs_calibration = false;
  double calibration_offset = 0.0;  ///< true zero minus the encoder's zero at power-on [rad or m]
  double calibration_tolerance = 0.1;  ///< an offset further from the last known one is implausible
  double calibration_speed = 0.2;      ///< [rad/s or m/s]
  double encoder_step = 2.0e-6;        ///< resolution at the joint [rad or m]; 0: ideal
  /// Bandwidth of the board's velocity estimator; 0: plain difference.
  double velocity_bandwidth_hz = 200.0;
  /// Bandwidth of the current loop, first order; 0: instantaneous.
  double torque_bandwidth_hz = 0.0;
  double spring_stiffness = 0.0;    ///< between motor and joint [N·m/rad or N/m]; 0: a rigid joint
  double spring_damping = 0.0;      ///< damping of that spring [N·m·s/rad or N·s/m]
  double deflection_step = 2.0e-6;  ///< resolution of its sensor [rad or m]; 0: ideal
  /// Bandwidth of the board's torque loop on the deflection.
  double deflection_bandwidth_hz = 40.0;
  double torque_noise = 0.0;  ///< standard deviation of the torque sensor [N·m or N]
  double hysteresis = 0.0;  ///< largest torque that the spring's material adds [N·m or N]; 0: none
  /// Deflection in which the hysteresis reverses, to 1/e [rad or m]
  double hysteresis_deflection = 0.0;
  /// Share of the hysteresis that the board's torque sensor corrects.
  double hysteresis_known = 1.0;
  double crosstalk = 0.0;        ///< share of the previous joint's torque that this sensor measures
  double torque_constant = 0.0;  ///< joint torque per ampere [N·m/A]; 0: tau_max at 10 A
  double current_max_A = 0.0;    ///< 0: the current for tau_max, plus a fifth
  double supply_V = 0.0;         ///< 0: 48, or more where tau_max at 1.5 v_max needs it
  double resistance_ohm = 0.5;   ///< resistance of the winding
  double temperature_max_C = 90.0;
  double thermal_resistance_C_per_W = 1.0;  ///< winding to air
  double thermal_time_s = 300.0;            ///< time constant of the winding
  double ambient_C = 25.0;
  /// The board stops the motor and faults after so long without a setpoint.
  double watchdog_s = 0.1;
  std::optional<double> armature;  ///< reflected inertia [kg·m² or kg]; absent: the model's
  std::optional<double> friction;  ///< Coulomb friction [N·m or N]; absent: the model's
  std::optional<double> viscous;  ///< viscous friction [N·m·s/rad or N·s/m]; absent: the model's
  bool operator==(const BoardConfig&) const = default;
};

/// A holding brake, closed by its springs and opened by current: it acts on the joint as Coulomb
/// friction while it is closed. The joint's drive opens it after its motor has torque, and takes
/// the torque away after it has closed. A fault and a loss of power close it at once.
struct BrakeConfig {
  double holding_torque = 0.0;  ///< [N·m or N]; 0: the joint has no brake
  double engage_s = 0.03;       ///< from the loss of current until it holds
  double release_s = 0.05;      ///< from the current until it is open
  bool operator==(const BrakeConfig&) const = default;

  [[nodiscard]] bool is_there() const noexcept { return holding_torque > 0.0; }
};

/// Backends: physics in this program; no dynamics; virtual boards on modelled buses in this
/// program; boards on buses.
#define JOINTRIG_BACKEND_KINDS(X) \
  X(kSim, "sim")                  \
  X(kKinematic, "kinematic")      \
  X(kBoards, "boards")            \
  X(kHw, "hw")
JOINTRIG_ENUM(BackendKind, JOINTRIG_BACKEND_KINDS)

struct JointConfig {
  std::string name;    ///< as in the MJCF
  bool slide = false;  ///< slide joint: m and N in place of rad and N·m
  double q_start = 0.0;
  JointLimits limits;
  JointGains gains;
  StreamTimeout timeout;
  double impact_torque = 0.0;  ///< sudden torque that counts as an impact [N·m or N]; 0: by tau_max
  /// External torque that counts as a squish [N·m or N]; 0: by tau_max.
  double squish_torque = 0.0;
  bool is_of_hand = false;  ///< behind an arm that the model seems to have (discovery/arm_guess.h)
  BoardConfig board;
  BrakeConfig brake;
  DriveConfig drive;
  bool gravity_in_torque = true;       ///< torque mode adds g(q) to the commanded torque
  bool board_closes_position = false;  ///< use the board's own position loop though it takes torque
  std::optional<BackendKind> backend;  ///< that drives this joint; absent: the robot's
  TimeNs cycle_ns = 0;  ///< between two commands on sim or kinematic; 0: the robot's period
  bool operator==(const JointConfig&) const = default;
};

/// A named group of joints.
struct PartConfig {
  std::string name;
  std::vector<JointIndex> joints;
  bool operator==(const PartConfig&) const = default;
};

/// A named pose; joints that it does not name keep their positions.
struct PoseConfig {
  std::string name;
  std::vector<std::optional<double>> q;  ///< one per joint
  bool operator==(const PoseConfig&) const = default;
};

/// A mass that the plant carries and the controller's model does not include.
struct PayloadConfig {
  std::string body;
  double mass = 0.0;
  std::vector<double> centre{0.0, 0.0, 0.0};  ///< in the body's frame [m]
  LoadInertia inertia{};                      ///< about `centre`, along the body's axes (load.h)
  bool operator==(const PayloadConfig&) const = default;
};

/// Differences between the plant and the controller's model.
struct PlantConfig {
  std::vector<PayloadConfig> payloads;
  double mass_scale = 1.0;      ///< factor of all link masses and inertias
  double friction_scale = 1.0;  ///< factor of Coulomb and viscous friction
  bool keep_overlaps = false;   ///< links that start inside each other push apart
  double encoder_noise = 0.0;   ///< standard deviation [rad or m]
  double torque_noise = 0.0;    ///< noise added to the boards' own [N·m or N]
  std::uint64_t seed = 1;
  bool operator==(const PlantConfig&) const = default;
};

struct RobotConfig {
  std::string name;
  std::string model_path;                 ///< the MJCF or URDF
  std::vector<std::string> package_path;  ///< where the meshes of a URDF are searched first
  std::string scene_path;                 ///< scene around the robot; may be empty
  std::string
      keyframe;  ///< start pose; empty: "home" if the model has it, else its first, else qpos0
  bool pin_base = false;  ///< bolt a floating base to the world where it starts
  /// Acceleration of a falling body in the world frame of the model [m/s²]; none: the model's.
  std::optional<std::array<double, 3>> gravity;
  bool motors = false;  ///< a motor at each joint that has no actuator
  TimeNs period_ns = 1'000'000;
  int delay_cycles = 1;  ///< cycles from a command to its action, in simulation
  std::vector<JointConfig> joints;
  std::vector<PartConfig> parts;
  std::vector<PoseConfig> poses;
  std::vector<ArmConfig> arms;
  std::vector<GripperConfig> grippers;
  std::vector<LawConfig> laws;                        ///< of one's own
  std::optional<WholeBodyConfig> whole_body;          ///< acts unless the base is pinned
  std::optional<CollisionAvoidanceConfig> avoidance;  ///< absent: no arms, can't be switched on
  std::optional<CollisionDetectionConfig> detection;  ///< absent: no arms, can't be switched on
  std::vector<BusConfig> buses;
  std::string virtual_boards;  ///< address of `jointrig board` for this robot, host:port
  BackendKind backend = BackendKind::kSim;  ///< used unless another backend is asked for
  /// Joints of the model that another backend drives: part_of() (backend_parts.h) sets it in the
  /// configuration of each part's backend, no file does.
  JointSet elsewhere;
  double speed_override = 0.1;  ///< initial factor on all speeds in a run on real drives
  ExternalTorqueConfig external_torque;
  PlantConfig plant;
  bool operator==(const RobotConfig&) const = default;
};

/// Default of a robot with arms: collision avoidance and collision detection are there and on.
/// Values that its configuration has already stay.
inline void protect_arms(RobotConfig& robot) {
  if (!robot.avoidance) robot.avoidance.emplace().on = true;
  if (!robot.detection) robot.detection.emplace().on = true;
}

}  // namespace jointrig
