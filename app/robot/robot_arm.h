#pragma once
/// An arm of a robot, with the calls for its tool.
///
///     RobotArm arm = robot.arm("arm");
///     ToolPose pose = arm.commanded_tool_pose();
///     pose.position[2] -= 0.1;
///     arm.move_linear(pose);
///     robot.wait();
///
/// Poses are those of the tool: position [m] and orientation w x y z; twists and wrenches are six
/// numbers, linear first: [m/s, rad/s], [N, N·m]. `frame` says where they are: in the world, in the
/// arm's base, or at the tool as it is commanded now.
///
/// `free` is a rotation that the call doesn't hold, for an arm that can't hold all three or a tool
/// that needn't (control/core/free_rotation.h): x, y and z are axes of `frame`, with `tool` of the
/// base. With `all` the pose's orientation doesn't count. The joints go the shortest way.
///
/// All but force are made of positions of the joints, by inverse kinematics, on every backend.
/// Loads, limits and refusals are as in robot.h.

#include "app/robot/robot.h"
#include "control/core/arm_commands.h"
#include "control/core/asked_trajectory.h"
#include "control/core/free_rotation.h"
#include "control/core/load.h"

namespace jointrig {

struct ToolPathOptions : WatchOptions {
  ToolFrame frame = ToolFrame::kWorld;  ///< of poses, as of ArmTrajectory (control/planning)
  std::string endpoint{};  ///< a site or body that goes along the path; empty: the arm's tool
  FreeRotation free_rotation = FreeRotation::kNone;  ///< along the whole path
  /// In mode cartesian, with this along each axis; none: in mode position.
  std::optional<InteractionSettings> interaction{};
};

class RobotArm : public RobotPart {
 public:
  /// @param q  of the arm's joints, in its order
  using Feasible = std::function<bool(const Values& q)>;

  RobotArm(RobotCore& core, ArmIndex arm);

  [[nodiscard]] ToolPose sensed_tool_pose(ToolFrame frame = ToolFrame::kWorld) const;
  /// By the joints' references.
  [[nodiscard]] ToolPose commanded_tool_pose(ToolFrame frame = ToolFrame::kWorld) const;

  // Tool and load ---------------------------------------------------------------------------------

  /// Pose of the tool in the flange frame: the frame that robot.yaml names as the arm's tool.
  [[nodiscard]] ToolPose tool_coordinates() const;
  void set_tool_coordinates(const ToolPose& in_flange);
  /// Whether the weight of arm and load is carried while a tool is held by torque, and a load at
  /// the flange, which counts in every mode.
  void set_gravity_compensation(bool on, const KnownPayload& load = {});

  // At once, until the next command ---------------------------------------------------------------

  /// The joints go to a solution for the pose, each as fast as it may (as set_position).
  void set_cartesian_position(const ToolPose& pose, ToolFrame frame = ToolFrame::kWorld,
                              FreeRotation free = FreeRotation::kNone);
  /// The tool follows a twist, as far as the joints can have it
  /// (control/planning/cartesian_drive.h). An arm whose joints can't hold the three rotations leads
  /// the place of its tool alone, and takes no angular part, unless `free` is one beside which they
  /// hold the others. A part about `free` doesn't count. The loop follows it; with a filter of
  /// commands or a narrowed range on a joint of the arm it is followed here, by samples that go
  /// through them (mode position_direct).
  /// @param ttl  time to live [s]: then it brakes and holds. None: until the next command; a
  ///             program that steps no more holds within 0.1 s, by samples within the joints'
  ///             command timeout
  void set_cartesian_velocity(const Six& twist, std::optional<double> ttl = std::nullopt,
                              ToolFrame frame = ToolFrame::kWorld,
                              FreeRotation free = FreeRotation::kNone);
  /// Share of the twist that was had in the last cycle, 0 to 1; 1 where none is followed.
  [[nodiscard]] double progress() const;
  /// The tool pushes with a wrench, and gives way along all axes (mode cartesian, interaction
  /// control): for boards that take torque.
  void set_cartesian_force(const Six& wrench, std::optional<double> ttl = std::nullopt,
                           ToolFrame frame = ToolFrame::kWorld);

  // Motions ---------------------------------------------------------------------------------------

  /// The joints go to a solution for the pose, along paths of least jerk: the tool's way results
  /// from them.
  /// @param speed  as of move_to
  void move_cartesian(const ToolPose& pose, double speed = 0.5, ToolFrame frame = ToolFrame::kWorld,
                      FreeRotation free = FreeRotation::kNone);
  /// The tool goes straight, turning about one axis. Begins at rest: joints that move brake first.
  /// Planned on a thread of its own; a command for any of the joints cancels it. A path that can't
  /// be followed, or on which bodies meet, is refused by end_step().
  /// @param speed  share of the arm's linear and rotational speed: above 0, at most 1
  void move_linear(const ToolPose& pose, double speed = 1.0, ToolFrame frame = ToolFrame::kWorld,
                   FreeRotation free = FreeRotation::kNone);
  /// The same where the whole way is feasible by a function of one's own, which is asked for the
  /// arm's positions every 5 ms of it, when the plan is made: else end_step() throws Refused with
  /// the time of the first that isn't. Collisions are looked for in any case.
  void move_linear_if(const ToolPose& pose, const Feasible& is_feasible, double speed = 1.0,
                      ToolFrame frame = ToolFrame::kWorld, FreeRotation free = FreeRotation::kNone);
  /// The same in mode cartesian, with impedance or force along each axis while the tool moves and
  /// after it (docs/interaction.md): for boards that take torque. Settings out of their range are
  /// refused by end_step().
  void move_linear_with(const InteractionSettings& interaction, const ToolPose& pose,
                        double speed = 1.0, ToolFrame frame = ToolFrame::kWorld,
                        FreeRotation free = FreeRotation::kNone);
  /// The tool goes along straight lines from pose to pose, with arcs at the corners that have a
  /// distance, each on its own speeds and accelerations (docs/motion.md). Otherwise as move_linear,
  /// or as move_linear_with where the options have an interaction.
  void follow_tool(const std::vector<ArmWaypoint>& waypoints, const ToolPathOptions& options = {});
  // Behind what the joints do, as append_move_to(). A pose at the tool is at the tool's goal.

  void append_move_cartesian(const ToolPose& pose, double speed = 0.5,
                             ToolFrame frame = ToolFrame::kWorld,
                             FreeRotation free = FreeRotation::kNone);
  void append_move_linear(const ToolPose& pose, double speed = 1.0,
                          ToolFrame frame = ToolFrame::kWorld,
                          FreeRotation free = FreeRotation::kNone);
  /// The interaction is that of the motion before: options have none.
  void append_follow_tool(const std::vector<ArmWaypoint>& waypoints,
                          const ToolPathOptions& options = {});
  /// As follow(), in mode cartesian with an interaction.
  void follow_with(const InteractionSettings& interaction,
                   const std::vector<AskedWaypoint>& waypoints, const FollowOptions& options = {});

 private:
  struct Line;
  void go_straight(const Line& line);
  friend class Robot;
  /// Throws Refused and std::invalid_argument; changes nothing.
  [[nodiscard]] DriveTool checked_velocity(const Six& twist, std::optional<double> ttl,
                                           ToolFrame frame, FreeRotation free) const;
  void check_in_loop(std::string_view call) const;
  void check_own_tool(const ToolPose& in_flange) const;
  [[nodiscard]] SetInteractionControl control_of(const InteractionSettings* interaction) const;
  [[nodiscard]] AskedTrajectory asked_of_tool(const std::vector<ArmWaypoint>& waypoints,
                                              const ToolPathOptions& options) const;
  /// Positions of the robot's joints from which a motion begins.
  [[nodiscard]] Values before(std::string_view call, bool is_appended, ToolFrame frame) const;
  [[nodiscard]] Values solution(std::string_view call, const ToolPose& pose, ToolFrame frame,
                                FreeRotation free, bool is_appended = false) const;

  ArmIndex arm_;
};

}  // namespace jointrig
