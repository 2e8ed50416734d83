#pragma once
/// A robot that a program holds: the same calls on every backend.
///
///     Robot robot("franka", {.backend = "kinematic"});
///     robot.initialize();                    // motors on; the robot holds where it stands
///     robot.move_to(goal);
///     robot.wait();
///
/// In a control loop a step is a cycle of the robot. A call between begin_step() and end_step()
/// acts in the cycle that end_step() runs; what that cycle reads and decides is what the next step
/// sees:
///
///     while (robot.status() == "ok") {
///       robot.begin_step();
///       robot.set_velocity(law(robot.sensed_position()));
///       robot.end_step();
///     }
///
/// A command replaces what its joints did before, and changes their mode as needed. All becomes
/// commands and plans of the stack (control/core/command.h): nothing here controls a joint.
///
/// A call that can't be obeyed is refused whole, by an exception with the stack's sentence:
/// Refused. Positions, speeds and limits are checked in the call itself, with nothing changed. A
/// condition that depends on the robot's state is checked by the loop, and end_step() or wait()
/// throws; the robot goes on with what it did. Tools of arms: robot_arm.h; grippers:
/// robot_gripper.h. Sizes and names that don't fit are std::invalid_argument.
///
/// Vectors have one value for each joint of the robot, or of the part, in its order: [rad or m],
/// [rad/s or m/s], [N·m or N]. Times are seconds. One thread; from several: async_robot.h.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "app/robot/filters.h"
#include "control/backend.h"
#include "control/core/arm.h"
#include "control/core/asked_reach.h"
#include "control/core/asked_trajectory.h"
#include "control/core/command.h"
#include "control/core/obstacle.h"
#include "control/core/robot_config.h"
#include "control/core/snapshot.h"

namespace jointrig {

class RobotArm;      // robot_arm.h: calls for the tool of an arm
class RobotGripper;  // robot_gripper.h
class RobotCore;

/// Error: a command was refused, and nothing of it moves.
class Refused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A law of one's own that the program links, beside those of robot.yaml (docs/laws.md).
struct LinkedLaw {
  std::string name{};
  std::vector<std::string> joints{};  ///< of joints, parts or arms, in the law's order
  UserLawMaker make{};                ///< [] { return std::make_shared<Spring>(); }
  ModeSet modes{ControlMode::kTorque};
  bool on = true;                               ///< at the start
  double budget = 100e-6;                       ///< largest time that it may take in a cycle [s]
  std::vector<LawParameterValue> parameters{};  ///< in place of those that it declares
};

/// An arm of a program's own, for a model whose robot.yaml has none, or beside those.
struct ArmOfProgram {
  std::string name{};
  std::vector<std::string> joints{};  ///< all that move its tool; or one name, of a part
  std::string tool{};                 ///< a site or a body of the model
  std::string base{};  ///< frame of its targets, likewise; empty: what its first joint is on
};

struct RobotOptions {
  std::string backend{};   ///< "sim", "kinematic", "boards" or "hw"; empty: the robot's own
  std::string settings{};  ///< keys of robot.yaml, over the file's; YAML; empty: none
  /// A step waits for the clock. On backend hw always, but for the virtual boards of `jointrig
  /// board` in lockstep, which go with the program's steps.
  bool realtime = false;
  std::optional<std::uint64_t> seed{};  ///< none: the robot's
  /// None: 1; on real drives, and with a driver of one's own, the robot's.
  std::optional<double> speed_override{};
  /// A driver of one's own in the place of `backend`, for this robot: control/backend.h. It needs
  /// no more than positions in and out; its wait() keeps the clock, so `realtime` isn't for it.
  std::function<std::unique_ptr<Backend>(const RobotConfig&)> driver{};
  std::vector<LinkedLaw> laws{};
  /// As if robot.yaml had them: refused like its keys, by name.
  std::vector<ArmOfProgram> arms{};
};

/// Limits of joints, one value for each; an empty list leaves those that there are.
struct LimitsOfJoints {
  std::vector<double> low{};           ///< of references: robot.yaml's soft limits or further in
  std::vector<double> high{};          ///< likewise [rad or m]
  std::vector<double> speed{};         ///< at most robot.yaml's [rad/s or m/s]
  std::vector<double> acceleration{};  ///< likewise [rad/s² or m/s²]
};

/// Looked at before a trajectory is followed, and watched on the way.
struct WatchOptions {
  /// One for each joint's reference, in the part's order; 0: not watched. Empty: none is.
  std::vector<AskedTrajectory::Tolerance> tolerances{};
  double settling_time = 1.0;     ///< in which the goal's tolerance is met after the end [s]
  bool checks_collisions = true;  ///< with the robot itself, its scene, obstacles told of
  PlanExecution execution = PlanExecution::kInverseDynamics;
};

/// Options of a motion by milestones.
struct PiecewiseOptions : WatchOptions {
  /// The times are those of clock(), after the present one; else from now on.
  bool is_absolute = false;
  /// A linear motion goes past the milestones at speed, each corner rounded as closely as a_max
  /// allows (docs/robot.md); else it rests in each of them.
  bool rounds_corners = false;
};

/// The trajectory that joints follow.
struct TrajectoryStatus {
  std::uint32_t number = 0;    ///< among those that this program had followed, from 1; 0: another's
  std::uint32_t waypoint = 0;  ///< last one that was passed, from 1; 0: none yet
  std::uint32_t waypoints = 0;  ///< of all
  double time = 0.0;            ///< on the trajectory, at a speed override of 1 [s]
  double duration = 0.0;        ///< likewise [s]
  std::size_t waiting = 0;      ///< motions behind it

  bool operator==(const TrajectoryStatus&) const = default;
};

struct FollowOptions : WatchOptions {
  /// At the waypoints' times; otherwise as fast as their shares of the limits allow.
  bool at_times = false;
};

/// Bounds of a motion to a target, one for each joint; empty: the joints' own.
struct TargetOptions {
  std::vector<double> v{};             ///< velocity at a position; empty: at rest
  std::vector<double> speed{};         ///< of a motion to a position
  std::vector<double> acceleration{};  ///< [rad/s² or m/s²]
  std::vector<double> jerk{};          ///< [rad/s³ or m/s³]
  Synchronisation synchronise = Synchronisation::kTime;
  MotionShape shape = MotionShape::kJerkLimited;
};

/// Some joints of a robot: a part, or all of them. A copy speaks of the same robot, which outlives
/// it.
class RobotPart {
 public:
  using Values = std::vector<double>;

  RobotPart(RobotCore& core, std::string name, const JointSet& joints);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::size_t joint_count() const noexcept { return index_.size(); }
  [[nodiscard]] std::vector<std::string> joint_names() const;
  /// Number of each joint in the robot.
  [[nodiscard]] const std::vector<JointIndex>& indices() const noexcept { return index_; }

  [[nodiscard]] Values sensed_position() const;
  [[nodiscard]] Values sensed_velocity() const;
  [[nodiscard]] Values sensed_torque() const;
  /// The reference. Where a mode has none (idle, torque) the sensed position, at rest.
  [[nodiscard]] Values commanded_position() const;
  [[nodiscard]] Values commanded_velocity() const;
  /// As sent to the boards, after safety; 0 where a board closes its loop itself.
  [[nodiscard]] Values commanded_torque() const;

  // Filters: filters.h ----------------------------------------------------------------------------

  /// Adds a filter behind those that this part has, or in the place of the one of this name. Throws
  /// std::invalid_argument where it isn't for this count of joints.
  void set_filter(FilterOn on, const std::string& name, FilterPtr filter);
  /// Throws std::invalid_argument with the nearest name.
  void remove_filter(FilterOn on, const std::string& name);
  /// In the order in which they act.
  [[nodiscard]] std::vector<std::string> filter_names(FilterOn on) const;

  // Limits and protection -------------------------------------------------------------------------

  /// Narrows the limits of these joints for what is asked of this object from now on, or widens
  /// them up to robot.yaml's. Goals and paths beyond are refused as beyond the file's. Samples sent
  /// at once are kept within, behind all filters: a velocity brakes before the end of its range. A
  /// joint outside may come back. Torque has no position; grippers, send() and motions under way
  /// have the file's range; speed and acceleration are limits of the loop, for all that it does.
  /// Throws Refused with the joint, the value and the limit.
  void set_joint_limits(const LimitsOfJoints& bounds);
  /// Those of robot.yaml again.
  void clear_joint_limits();
  [[nodiscard]] LimitsOfJoints joint_limits() const;
  /// Whether collision avoidance acts on these joints (docs/collisions.md); at first as robot.yaml
  /// says. Joints without it are neither pushed nor stopped. Throws Refused where the robot has
  /// none.
  void set_collision_protection(bool on);

  // At once, until the next command ---------------------------------------------------------------

  /// Goes there as fast as step limit and speed allow, and holds it (mode position_direct).
  void set_position(const Values& q);
  /// Ramps to a velocity (mode velocity).
  /// @param ttl  time to live [s]: then the joints brake and hold. None: until the next command
  void set_velocity(const Values& v, std::optional<double> ttl = std::nullopt);
  /// Likewise of a torque (mode torque); gravity is added where robot.yaml says so.
  void set_torque(const Values& tau, std::optional<double> ttl = std::nullopt);
  /// A sample of a path with its speed and acceleration, fed forward by the model (mode
  /// position_direct); the path goes on from it. Silence is the joint's command timeout.
  /// @param a    empty: 0
  /// @param tau  added to the law's torque until the next sample [N·m or N]; empty: 0. Boards that
  ///             close their own loop take it where they can add it; the others refuse it
  void set_pid(const Values& q, const Values& v, const Values& a = {}, const Values& tau = {});
  /// Makes the stiff law a PID: [N·m/rad], [N·m/(rad s)], [N·m·s/rad]
  void set_pid_gains(const Values& kp, const Values& ki, const Values& kd);
  /// Brakes, then holds.
  void stop();
  /// Gives targets up: slows down within their bounds, along the path that joints have in common,
  /// then holds. Any other motion ends as by stop().
  void cancel();

  // Motions ---------------------------------------------------------------------------------------

  /// Each joint along a path of least jerk.
  /// @param speed  greatest speed, as a share of each joint's v_max: above 0, at most 1
  void move_to(const Values& q, double speed = 0.5);
  /// Straight from one milestone to the next, at rest in each of them at its time:
  /// q = q_k + (q_{k+1} − q_k) σ(t), σ of the fifth degree. Peak speed: 15/8 of the mean.
  ///
  /// Limits are checked in the call. Collisions are looked for on a thread of its own, as of
  /// follow(): a path on which bodies meet is refused by end_step(), with both, the milestone and
  /// the time; a first milestone at time 0 has no number. checks_collisions switches it off.
  /// @param times  from now, rising; 0 is where the joints are commanded to be
  void set_piecewise_linear(const Values& times, const std::vector<Values>& milestones,
                            const PiecewiseOptions& options = {});
  /// Polynomials of the third degree through milestones with their velocities. Behind a last one
  /// other than 0 the joints brake together, at up to a_max, unless another cubic or trajectory is
  /// appended before they are there: that goes on from the milestone, at speed.
  /// In the midst of such a motion, or of a linear one, the new one begins where that is, as of
  /// follow(). From another the joints brake first, and times from now on count from their rest.
  void set_piecewise_cubic(const Values& times, const std::vector<Values>& milestones,
                           const std::vector<Values>& velocities,
                           const PiecewiseOptions& options = {});

  // Behind what the joints do: each begins at rest where the motions before it end, in their mode;
  // but a plan behind a cubic of the same joints that ends with a velocity goes on with that.
  // A refusal of one forgets those behind it too, and the motion before goes on. Behind a stream
  // (set_position and the like) the joints brake first.

  /// Behind a cubic that ends with a velocity all joints go on with it, as by append_follow().
  void append_move_to(const Values& q, double speed = 0.5);
  /// Times count from the end of the motion before: absolute ones throw std::invalid_argument.
  void append_piecewise_linear(const Values& times, const std::vector<Values>& milestones,
                               const PiecewiseOptions& options = {});
  void append_piecewise_cubic(const Values& times, const std::vector<Values>& milestones,
                              const std::vector<Values>& velocities,
                              const WatchOptions& options = {});
  void append_follow(const std::vector<AskedWaypoint>& waypoints,
                     const FollowOptions& options = {});

  /// Through waypoints without stopping in them: time-optimal under v_max and a_max, or at times
  /// (docs/motion.md). NaN in a waypoint: that joint as in the point before. In the midst of such a
  /// motion, or of a piecewise one, of these joints, or of some while the others rest, the new one
  /// begins where that is; from another motion the joints brake first. Planned on a thread of its
  /// own; a command for any of the joints cancels it. A path that can't be followed, or on which
  /// bodies meet, is refused by end_step(), with the waypoint and the number.
  void follow(const std::vector<AskedWaypoint>& waypoints, const FollowOptions& options = {});
  /// Share of a plan's making that is done, 0 to 1; none: no plan is being made.
  [[nodiscard]] std::optional<double> planning() const;
  /// The trajectory that any of the joints follow; none: they follow none.
  [[nodiscard]] std::optional<TrajectoryStatus> trajectory() const;
  /// To a position from any motion in the shortest time under bounds of velocity, acceleration and
  /// jerk, all joints arriving together or each as soon as it can. Another target may replace it in
  /// each step. A target with a velocity is replaced within the joint's command timeout after it is
  /// reached, or the joint slows down to rest. is_moving() tells the arrival, destination_time()
  /// doesn't foretell it.
  void set_target(const Values& q, const TargetOptions& options = {});
  /// Likewise to a velocity; `v` and `speed` of the options have no meaning.
  void set_velocity_target(const Values& v, const TargetOptions& options = {});

  /// Where the joints will be after all that was asked for; while velocity or torque are set, where
  /// they are commanded to be. The end of a tool's path is known once its plan is made: until then
  /// that of the motion before.
  [[nodiscard]] Values destination() const;
  /// clock() at which the references are expected there; with nothing to do that time has passed.
  /// Infinite until the plans that tell it are made.
  [[nodiscard]] double destination_time() const;
  [[nodiscard]] bool is_moving() const;

 protected:
  [[nodiscard]] RobotCore& core() const noexcept { return *core_; }
  [[nodiscard]] const JointSet& joints() const noexcept { return joints_; }
  /// Throws std::invalid_argument where sizes don't fit.
  [[nodiscard]] AskedTrajectory asked_of(std::string_view call,
                                         const std::vector<AskedWaypoint>& waypoints,
                                         const FollowOptions& options) const;
  void take_options(const WatchOptions& options, AskedTrajectory& asked) const;

  /// False while only a plan that is being made tells the destination.
  [[nodiscard]] bool knows_destination() const;
  [[nodiscard]] static std::optional<double> duration_of(
      const std::vector<AskedWaypoint>& waypoints, const FollowOptions& options);

 private:
  struct Timed;
  [[nodiscard]] Values sensed(FilterOn on) const;
  void check_size(std::string_view what, const Values& values) const;
  void check_range(JointIndex joint, double low, double high) const;
  void keep_limits(const LimitsOfJoints& all) const;
  [[nodiscard]] Move move_of(std::string_view call, const Values& q, double speed) const;
  [[nodiscard]] AskedTrajectory asked_of(const Timed& motion) const;
  void run(const Timed& motion) const;
  void send_target(std::string_view call, const Values& wanted, TargetKind kind,
                   const TargetOptions& options);

  RobotCore* core_;
  std::string name_;
  JointSet joints_;
  std::vector<JointIndex> index_;
};

/// Reading of a sensor that isn't a joint's.
struct SensorReading {
  bool is_imu = false;
  /// Force [N], or acceleration with gravity [m/s²]; in the frame of its site.
  std::array<double, 3> linear{};
  std::array<double, 3> angular{};  ///< torque [N·m], or angular velocity [rad/s]
  double age = 0.0;                 ///< since the last fresh sample [s]
};

/// A twist for the tool of an arm: linear [m/s], then angular [rad/s].
struct ToolTwist {
  std::string arm;
  std::array<double, 6> twist{};
};

class Robot {
 public:
  using Options = RobotOptions;
  using Values = RobotPart::Values;

  /// Starts the backend and runs its first cycle; the motors stay off.
  /// @param robot  a robot's name, its robot.yaml, an MJCF or a URDF
  /// Throws std::runtime_error or std::invalid_argument with a sentence.
  explicit Robot(const std::string& robot, const RobotOptions& options = {});
  ~Robot();
  Robot(const Robot&) = delete;
  Robot& operator=(const Robot&) = delete;

  // Steps and status ------------------------------------------------------------------------------

  /// Turns the motors on, and runs cycles until each joint is held where it stands, calibrating
  /// those that need it. Throws std::runtime_error with the joint that doesn't come on within
  /// `longest` [s].
  void initialize(double longest = 5.0);
  /// Asks for what is missing, as initialize() does before each of its steps. Throws likewise from
  /// `end` on, a time of clock() [s].
  /// @return  true: every joint is held
  bool come_on(double end);
  void begin_step();
  /// Runs a cycle. Throws Refused, and std::runtime_error when the backend has ended the run.
  void end_step();
  /// Both, with nothing in between.
  void step();
  /// Both, with a function in between. The cycle runs though the function throws; what it throws
  /// comes before a refusal.
  void step(const std::function<void()>& f);
  /// Steps until nothing moves any more. Throws Refused; std::runtime_error if a fault, a contact
  /// or a tolerance ends the motion, if `longest` [s] pass, and at once if a velocity or a torque
  /// without time to live is set.
  void wait(double longest = 60.0);

  /// "ok", or a sentence: the first joint with a fault, an emergency stop.
  [[nodiscard]] std::string status() const;
  /// Time of the robot [s].
  [[nodiscard]] double clock() const;
  [[nodiscard]] double control_rate() const;  ///< [Hz]
  [[nodiscard]] std::string backend() const;
  /// Ends an emergency stop and clears faults whose cause has gone. Joints of parts with a fault
  /// hold afterwards, those that had it are idle: initialize() turns them on.
  void reset();
  /// All joints brake and hold, and every command is refused until reset(). Their motors stay on,
  /// so that no arm falls; this is no safety function.
  void estop();
  void soft_stop() { all_.stop(); }

  // Joints and parts ------------------------------------------------------------------------------

  [[nodiscard]] std::vector<std::string> part_names() const;
  /// A part of robot.yaml, one that was added, an arm, or a joint. Throws UnknownName with the
  /// nearest one.
  [[nodiscard]] RobotPart part(std::string_view name) const;
  /// A part of joints of one's own choice, in the robot's order; from now on among part_names().
  /// Throws UnknownName with the nearest joint, std::invalid_argument for a name that is taken.
  RobotPart add_part(const std::string& name, const std::vector<std::string>& joints);
  [[nodiscard]] RobotPart& all() noexcept { return all_; }
  /// An arm of joints of one's own choice, or of a part that was added, while the robot runs; from
  /// now on among its arms. The loop doesn't know of it: all that its tool does is made of
  /// positions of its joints, and what wants torque (force, interaction, a load) is refused. The
  /// model is read again, which takes as long as at the start. Throws as the constructor for what
  /// robot.yaml would refuse, and std::invalid_argument while a plan is being made, beyond kMaxArms
  /// and for a name that is taken.
  RobotArm add_arm(const ArmOfProgram& arm);
  /// An arm of robot.yaml, or one that was added. Throws UnknownName with the nearest one.
  [[nodiscard]] RobotArm arm(std::string_view name) const;

  /// Several tools follow their twists together: where one can't have its own, all go by the same
  /// share, so that what they carry stays between them. Checked whole before any of them moves.
  /// @param ttl, frame, free  as of RobotArm::set_cartesian_velocity
  void set_cartesian_velocities(const std::vector<ToolTwist>& twists,
                                std::optional<double> ttl = std::nullopt,
                                ToolFrame frame = ToolFrame::kWorld,
                                FreeRotation free = FreeRotation::kNone);

  /// Positions of joints that bring one tool or several to poses, from where the robot is, near to
  /// a posture (docs/inverse-kinematics.md); nothing moves. An answer with a refusal has the
  /// positions that come nearest. Throws std::invalid_argument for what makes no sense on any pose.
  [[nodiscard]] ReachAnswer reach(const AskedReach& asked) const;

  /// A gripper of robot.yaml; without a name the only one. Throws UnknownName with the nearest one.
  [[nodiscard]] RobotGripper gripper(std::string_view name = {}) const;

  // Sensors ---------------------------------------------------------------------------------------

  /// Sites of the model with a force/torque sensor or an IMU that this backend reads.
  [[nodiscard]] std::vector<std::string> sensor_names() const;
  /// As of the last cycle. Throws UnknownName with the nearest one.
  [[nodiscard]] SensorReading sensor(std::string_view site) const;
  /// Adds a filter on a sensor, behind those that it has, or in the place of the one of this name
  /// (filters.h): it passes six numbers, linear and then angular. The loop goes on with the
  /// sensor's own. Throws UnknownName, and std::invalid_argument from the filter's start.
  void set_sensor_filter(std::string_view site, const std::string& name, FilterPtr filter);
  /// Throws UnknownName, and std::invalid_argument: there is no such filter.
  void remove_sensor_filter(std::string_view site, const std::string& name);
  [[nodiscard]] std::vector<std::string> sensor_filter_names(std::string_view site) const;

  // Commands without a call of their own ----------------------------------------------------------

  /// Any command of control/core/command.h, as it is: parameters, laws, protection, messages of the
  /// whole body. Joints that it moves, or whose mode it asks for, take it in the place of what they
  /// do. A refusal ends this step with Refused.
  void send(const Request& request);
  /// Factor on the speed of all references from now on, of motions under way, too: 0 to 1.
  void set_speed_override(double factor);
  [[nodiscard]] double speed_override() const noexcept;

  // Gravity ---------------------------------------------------------------------------------------

  /// Tells the controller how bodies fall, in the model's world frame [m/s²]: the robot hangs on a
  /// wall. It goes there within kGravityTurns. A simulated plant keeps the model's own. Throws
  /// Refused where the vector is longer than kMostGravity; where the base floats or a board
  /// compensates gravity by itself, end_step() does.
  void set_gravity(const std::array<double, 3>& gravity = {0.0, 0.0, -9.81});
  /// That the controller reckons with, as of the last cycle.
  [[nodiscard]] const std::array<double, 3>& gravity() const noexcept;

  // Obstacles -------------------------------------------------------------------------------------

  /// Tells the robot of an obstacle, or where the one of this name is now: collision avoidance and
  /// the paths of move_linear take it (docs/collisions.md). Throws Refused with the number that is
  /// out of range, and where there are kMaxObstacles others.
  void set_obstacle(const SetObstacle& obstacle);
  void remove_obstacle(std::string_view name);
  /// Those that the robot knows, as of the last cycle, in the world.
  [[nodiscard]] const KnownObstacles& obstacles() const noexcept;

  // For all joints, as in RobotPart.
  [[nodiscard]] std::size_t joint_count() const noexcept { return all_.joint_count(); }
  [[nodiscard]] std::vector<std::string> joint_names() const { return all_.joint_names(); }
  [[nodiscard]] Values sensed_position() const { return all_.sensed_position(); }
  [[nodiscard]] Values sensed_velocity() const { return all_.sensed_velocity(); }
  [[nodiscard]] Values sensed_torque() const { return all_.sensed_torque(); }
  [[nodiscard]] Values commanded_position() const { return all_.commanded_position(); }
  [[nodiscard]] Values commanded_velocity() const { return all_.commanded_velocity(); }
  [[nodiscard]] Values commanded_torque() const { return all_.commanded_torque(); }
  void set_position(const Values& q) { all_.set_position(q); }
  void set_velocity(const Values& v, std::optional<double> ttl = std::nullopt) {
    all_.set_velocity(v, ttl);
  }
  void set_torque(const Values& tau, std::optional<double> ttl = std::nullopt) {
    all_.set_torque(tau, ttl);
  }
  void set_pid(const Values& q, const Values& v, const Values& a = {}, const Values& tau = {}) {
    all_.set_pid(q, v, a, tau);
  }
  void move_to(const Values& q, double speed = 0.5) { all_.move_to(q, speed); }
  void set_piecewise_linear(const Values& times, const std::vector<Values>& milestones,
                            const PiecewiseOptions& options = {}) {
    all_.set_piecewise_linear(times, milestones, options);
  }
  void set_piecewise_cubic(const Values& times, const std::vector<Values>& milestones,
                           const std::vector<Values>& velocities,
                           const PiecewiseOptions& options = {}) {
    all_.set_piecewise_cubic(times, milestones, velocities, options);
  }
  void append_move_to(const Values& q, double speed = 0.5) { all_.append_move_to(q, speed); }
  void append_piecewise_linear(const Values& times, const std::vector<Values>& milestones,
                               const PiecewiseOptions& options = {}) {
    all_.append_piecewise_linear(times, milestones, options);
  }
  void append_piecewise_cubic(const Values& times, const std::vector<Values>& milestones,
                              const std::vector<Values>& velocities,
                              const WatchOptions& options = {}) {
    all_.append_piecewise_cubic(times, milestones, velocities, options);
  }
  void follow(const std::vector<AskedWaypoint>& waypoints, const FollowOptions& options = {}) {
    all_.follow(waypoints, options);
  }
  void append_follow(const std::vector<AskedWaypoint>& waypoints,
                     const FollowOptions& options = {}) {
    all_.append_follow(waypoints, options);
  }
  void set_target(const Values& q, const TargetOptions& options = {}) {
    all_.set_target(q, options);
  }
  void set_velocity_target(const Values& v, const TargetOptions& options = {}) {
    all_.set_velocity_target(v, options);
  }
  [[nodiscard]] Values destination() const { return all_.destination(); }
  [[nodiscard]] double destination_time() const { return all_.destination_time(); }
  [[nodiscard]] bool is_moving() const { return all_.is_moving(); }
  [[nodiscard]] std::optional<TrajectoryStatus> trajectory() const { return all_.trajectory(); }

  void set_filter(FilterOn on, const std::string& name, FilterPtr filter) {
    all_.set_filter(on, name, std::move(filter));
  }
  void remove_filter(FilterOn on, const std::string& name) { all_.remove_filter(on, name); }
  void set_joint_limits(const LimitsOfJoints& bounds) { all_.set_joint_limits(bounds); }
  void clear_joint_limits() { all_.clear_joint_limits(); }
  void set_collision_protection(bool on) { all_.set_collision_protection(on); }

  // Lower layers ----------------------------------------------------------------------------------

  [[nodiscard]] const RobotConfig& config() const noexcept;
  /// All that the last cycle read, decided and sent.
  [[nodiscard]] const Snapshot& snapshot() const noexcept;
  /// Hash of the state of physics and boards: equal for equal runs.
  [[nodiscard]] std::uint64_t hash() const noexcept;

 private:
  friend class AsyncRobot;
  friend class RobotThread;
  [[nodiscard]] RobotCore& core() noexcept { return *core_; }
  void check_new(std::string_view call, const std::string& name, bool has_joints) const;
  /// Throws std::runtime_error where a velocity, a torque or a twist goes on without an end.
  void check_that_all_ends() const;
  /// The backend has ended the run.
  [[nodiscard]] bool has_ended() const noexcept;

  std::unique_ptr<RobotCore> core_;
  RobotPart all_;
};

/// Measures of a timed loop.
struct TimedRun {
  std::uint64_t steps = 0;
  std::uint64_t overruns =
      0;                 ///< steps whose function took longer than a period, by the wall clock
  double longest = 0.0;  ///< time of the slowest call [s]
};

/// Calls `f` in each step, at the control rate, until it returns false. A robot without `realtime`
/// runs as fast as it can; an overrun counts all the same.
TimedRun run_timed(Robot& robot, const std::function<bool(Robot&)>& f);

}  // namespace jointrig
