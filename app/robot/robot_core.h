#pragma once
/// Common parts of Robot and its parts: the rig, the loop in lockstep with the caller, and what is
/// sent in each of its cycles.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/planner/planner.h"
#include "app/realtime/wall_clock_pacer.h"
#include "app/rig/rig.h"
#include "app/robot/arm_drives.h"
#include "app/robot/filter_chains.h"
#include "app/robot/joint_streams.h"
#include "app/robot/motion_queue.h"
#include "app/robot/narrowed_limits.h"
#include "app/robot/robot.h"
#include "app/robot/sensor_filters.h"
#include "control/exchange/robot_client.h"
#include "control/planning/asked_planner.h"
#include "control/safety/admission.h"

namespace jointrig {

/// A trajectory as a program asks for it.
struct AskedMotion {
  AskedTrajectory asked;
  /// For an arm: in mode cartesian, with this. Null: in mode position, or that of the motion
  /// before.
  const SetInteractionControl* interaction = nullptr;
  /// Told the plan before it is followed; may throw what end_step() throws.
  std::function<void(const JointPlan&)> allows{};
  bool is_appended = false;  ///< begins where the motions before end
  /// From where the waypoints' times count. From the call: in the midst of another trajectory; else
  /// from the start of the motion.
  enum class Times : std::uint8_t { kFromStart, kFromCall, kOfClock };
  Times times = Times::kFromStart;
  std::optional<double> duration{};  ///< where it is known [s]
};

class RobotCore {
 public:
  /// Throws as Robot's constructor.
  RobotCore(const std::string& robot, const RobotOptions& options);

  [[nodiscard]] app::Rig& rig() noexcept { return *rig_; }
  /// As the loop has it, with the program's own arms behind the loop's.
  [[nodiscard]] const RobotConfig& config() const noexcept { return config_; }
  [[nodiscard]] const Snapshot& now() const noexcept { return rig_->stack().snapshot(); }
  [[nodiscard]] double period() const noexcept { return to_seconds(config().period_ns); }
  /// The robot's kinematics, loaded when first needed. Throws ModelError.
  [[nodiscard]] const KinematicTree& tree() { return paths_->tree(); }

  // Arms that were added while the robot runs -----------------------------------------------------

  /// Throws as Robot::add_arm().
  ArmIndex add_arm(const ArmOfProgram& arm);
  /// False: the arm is the program's own.
  [[nodiscard]] bool is_in_loop(ArmIndex arm) const noexcept { return arm < now().arms.size(); }
  /// Pose of an arm's tool in its flange.
  [[nodiscard]] const ToolPose& offset_of(ArmIndex arm) const noexcept;
  void set_own_offset(ArmIndex arm, const ToolPose& offset);
  /// The last cycle, with the tools of own arms: for who plans.
  [[nodiscard]] Snapshot with_own_arms(const Snapshot& now) const;
  /// Throws Refused for a velocity whose rotations the joints can't hold (control/stack).
  void check_rotations(const DriveTool& command);

  void begin_step();
  void end_step();
  [[nodiscard]] bool is_in_step() const noexcept { return in_step_; }
  [[nodiscard]] bool has_ended() const noexcept { return ended_; }

  // Commands --------------------------------------------------------------------------------------

  /// Throws Refused with the stack's sentence.
  [[noreturn]] void refuse(CommandKind command, const Refusal& why, const std::string& remark = {},
                           const ObstacleName& obstacle = {}, ArmIndex arm = kNoArm) const;
  /// Throws Refused during an emergency stop.
  void check_open() const;
  /// Checks shape and ranges as the loop's first gate does. Throws Refused; nothing is sent.
  template <HasValues C>
  void check(const C& command) const {
    check_open();
    constexpr CommandKind kind = kind_of<C>();
    if (const Refusal r = check_shape(command, config().joints.size(), config().arms.size())) {
      refuse(kind, r);
    }
    std::size_t place = 0;
    for (std::size_t i = 0; i < config().joints.size(); ++i) {
      if (!command.joints[i]) continue;
      const auto index = static_cast<JointIndex>(i);
      const JointConfig& joint = limits.robot()->joints[i];
      const Refusal r = check_values(command.values[place++], joint, index, here(i));
      if (r) refuse(kind, r);
    }
  }
  /// Where a joint is, by its reference and by its encoder.
  [[nodiscard]] Interval here(std::size_t joint) const;
  /// Sends a command; its refusal ends this step with Refused.
  void post(const Request& request, const JointSet& joints);
  void post(Command& command, const JointSet& joints);
  /// Sends a command as it is. The joints that it moves, or whose mode it asks for, take it in the
  /// place of what they do.
  void send(const Request& request);
  /// Asks for a mode where it isn't the joint's yet.
  void enter(const JointSet& joints, ControlMode mode);
  /// Forgets what these joints do for another command.
  void release(const JointSet& joints);
  /// Likewise, but for their streams, which the command replaces.
  void leave_motions(const JointSet& joints);

  /// Has a tool follow a velocity: in the loop, or by samples of each cycle where a filter of
  /// commands or a narrowed range acts on a joint of the arm, or on one of a tool that goes
  /// together with it.
  /// @param ttl  [s]; none: until another command
  void drive(const DriveTool& command, std::optional<double> ttl);
  [[nodiscard]] bool needs_samples(const DriveTool& command) const;

  /// Has the joints follow a trajectory, which is planned and checked on a thread of its own.
  /// Throws Refused during an emergency stop, and for an endpoint that isn't there.
  void follow(const AskedMotion& motion);
  /// True if the last motion of these joints passes its end at a speed, and is before it yet.
  [[nodiscard]] bool ends_at_speed(const JointSet& joints) const;
  /// Sends a command once the motions of its joints have ended and they stand.
  /// @param move  at the joints' goals
  void append_move(const Move& move);
  /// Where a trajectory of these joints would begin if it were asked for now.
  [[nodiscard]] QueuedMotion::Start start_of(const JointSet& joints, bool is_appended) const;
  /// Time until a start in the midst of a plan; of another 0 [s].
  [[nodiscard]] double lead_to(const QueuedMotion::Start& start) const;
  /// Brings the times of a trajectory to its start, and drops a waypoint that is the start.
  /// @param lead  time until the start, from where its times count [s]
  [[nodiscard]] PlanFailure begin_at(AskedTrajectory& asked, const TrajectoryStart& start,
                                     double lead) const;
  /// Throws Refused for a plan that can't be made.
  void check(const JointPlan& plan) const;

  /// @param goal  of a joint, and the time at which its reference is expected there [s]
  void expect(JointIndex joint, double goal, double arrival);
  /// Likewise for what is asked for at once.
  /// @param index  of these joints, in the order of the goals
  void expect_now(const JointSet& joints, const std::vector<JointIndex>& index,
                  const std::vector<double>& goals);
  /// For a command that is sent now.
  void expect_moved(const Move& move);
  void expect_nothing(const JointSet& joints);
  /// By joint, after all that was asked for.
  [[nodiscard]] std::vector<ExpectedEnd> expected() const;

  [[nodiscard]] bool has_reference(JointIndex joint) const;
  [[nodiscard]] bool is_moving(const JointSet& joints) const;
  /// By anything but the motions of the queue.
  [[nodiscard]] bool is_moved_otherwise(const JointSet& joints) const;

  // Filters ---------------------------------------------------------------------------------------

  /// Behind the filters.
  [[nodiscard]] double sensed(FilterOn on, JointIndex joint) const {
    const std::vector<double>& filtered = filtered_[static_cast<std::size_t>(on)];
    return filtered.empty() ? present(on, joint) : filtered[joint];
  }
  /// For all joints.
  [[nodiscard]] std::vector<double> sensed(FilterOn on) const;
  /// Sites of force/torque sensors, then of IMUs, that the backend reads.
  [[nodiscard]] std::vector<std::string> sensor_sites() const;
  /// As the sensor has it. Throws UnknownName with the nearest one.
  [[nodiscard]] SensorReading sensor(std::string_view site) const;
  /// Where a filter of a quantity begins: what its joint has now.
  [[nodiscard]] double present(FilterOn on, JointIndex joint) const;
  /// For all joints.
  [[nodiscard]] std::vector<double> present(FilterOn on) const;

  // Collision avoidance ---------------------------------------------------------------------------

  /// Whether it acts on these joints. Throws Refused where the robot has none.
  void protect(const JointSet& joints, bool on);

  // An emergency stop -----------------------------------------------------------------------------

  void latch_stop();
  void unlatch_stop() noexcept { stopped_ = false; }
  [[nodiscard]] bool is_stopped() const noexcept { return stopped_; }

  /// The first event since the last call that ends a motion before its goal; empty: none.
  [[nodiscard]] std::string take_trouble();

  JointStreams streams;
  ArmDrives drives;
  MotionQueue queue;
  FilterChains filters;
  SensorFilters sensor_filters;
  NarrowedLimits limits;
  std::vector<std::pair<std::string, JointSet>> own_parts;  ///< of the program

 private:
  struct Posted {
    std::uint64_t number = 0;
    JointSet joints;
  };
  app::Planner::Job ask_for_plan(const AskedTrajectory& asked, const TrajectoryStart& start,
                                 const Snapshot& now, const PlanFailure& failure);
  [[nodiscard]] bool is_streamed(const JointSet& joints) const;
  [[nodiscard]] ControlMode mode_behind(const JointSet& joints) const;
  void leave_streams(const JointSet& joints);
  void brake(const JointSet& joints);
  void brake_behind(const AskedTrajectory& asked, QueuedMotion& motion) const;
  void expect_end(const JointPlan& plan, double begin);
  void take_back_plan(const JointSet& joints);
  [[nodiscard]] bool can_join(const JointSet& joints, const QueuedMotion::Start& start) const;
  void run_cycle();
  void see_modes();
  void note_mode(const JointSet& joints, ControlMode mode);
  [[nodiscard]] const JointSet& in_mode(ControlMode mode) const noexcept {
    return in_mode_[static_cast<std::size_t>(mode)];
  }
  [[nodiscard]] bool are_in(ControlMode mode, const JointSet& joints) const noexcept {
    return (joints & joints_ & ~in_mode(mode)).none();
  }
  void take_answers();
  void post_of(const Request& request);
  void drive_here(const ArmDrives::Asked& asked);
  void take_drives_from_loop();
  std::vector<Request> commands_of_drives(TimeNs time);
  /// Orientation of a frame in the world, by the joints' references.
  [[nodiscard]] Eigen::Matrix3d world_of(const TreeFrame& frame);
  [[nodiscard]] JointSet commanded() const noexcept;
  void send_streams();
  void renew_suppression(TimeNs time);
  JointSet filter_streams(FilterOn on, const JointSet& joints, std::vector<double>& values,
                          TimeNs time);
  void post_stop();
  void sense();
  void sense_sites();
  void see_trouble(const Event& event);
  [[nodiscard]] std::string sentence_of(const Event& event) const;

  [[nodiscard]] RobotConfig read_with(const ArmOfProgram& arm) const;

  // Before the members that are made with it.
  std::optional<app::WallClockPacer> pacer_;
  std::unique_ptr<app::Rig> rig_;
  RobotConfig config_;
  std::string source_;                 ///< of the robot, as the program named it
  RobotOptions options_;               ///< likewise
  std::vector<ToolPose> own_offsets_;  ///< of the program's own arms
  std::optional<RobotClient> client_;
  std::optional<EventRing::Reader> reader_;
  std::vector<Posted> posted_;  ///< in this step
  /// By mode: the joints that are in it, or for which it was asked in this step.
  std::array<JointSet, kAllControlMode.size()> in_mode_;
  std::vector<ExpectedEnd> ends_;      ///< by joint: after what is sent
  std::vector<std::string> refusals_;  ///< of this step
  std::string trouble_;
  /// All joints by quantity: the first three of FilterOn. Empty: no filter acts on it.
  std::array<std::vector<double>, 3> filtered_;
  std::string bad_sensor_;                 ///< a filter that failed in this step; empty: none
  std::optional<AskedPlanner> paths_;      ///< its plan() on the planner's thread
  std::unique_ptr<app::Planner> planner_;  ///< made when needed; its thread uses `paths_`
  JointSet joints_;                        ///< all of the robot
  JointSet expecting_;                     ///< those of `ends_` that have a goal
  JointSet protected_;                     ///< from collisions, by the loop
  std::optional<TimeNs> suppressed_at_;    ///< last message of suppression for the others
  bool in_step_ = false;
  bool stopped_ = false;
  bool ended_ = false;
  JointSet late_stop_;  ///< joints of an emergency stop that isn't posted yet
};

}  // namespace jointrig
