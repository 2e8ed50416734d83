#pragma once
/// The controller's kinematics and dynamics of a robot, on a model and data of its own, never the
/// plant's. Built once; call update() in each cycle, then the other functions.
///
/// Everything is expressed in the world frame. After construction nothing allocates or throws.
/// One thread at a time.

#include <Eigen/Core>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "control/core/robot_config.h"
#include "control/core/robot_io.h"
#include "control/model/coupling.h"
#include "control/model/loop_closure.h"
#include "control/model/mjcf.h"

namespace jointrig {

/// A site or a body by name, of one model.
struct FrameId {
  mjtObj type = mjOBJ_UNKNOWN;
  int id = -1;
};

struct FramePose {
  Eigen::Vector3d position;  ///< of the frame's origin in the world [m]
  Eigen::Matrix3d rotation;  ///< columns: the frame's axes in the world
};

using FrameJacobian = Eigen::Matrix<double, 6, Eigen::Dynamic>;

class RobotModel {
 public:
  /// Loads the configuration's model. Throws ModelError: a missing file, a joint that does not
  /// exist or isn't a hinge or slide.
  explicit RobotModel(const RobotConfig& robot);

  /// Sets the joints' positions and the base's pose, places followers of joint equalities, closes
  /// kinematic loops (loop_closure.h) and computes gravity. Passive joints of these loops count as
  /// followers in what is said below. If a position isn't finite, or is beyond any robot (1e6 rad
  /// or m), the joint keeps its last position.
  void update(const RobotState& state) noexcept;

  /// Pairs of the robot's joints that an equality of the model ties to each other.
  [[nodiscard]] const std::vector<std::pair<std::size_t, std::size_t>>& tied_joints()
      const noexcept {
    return ties_;
  }

  /// Torque of the motor that holds the pose of the last update at rest: gravity minus the model's
  /// springs and its gravity compensation, followers included [N·m or N].
  [[nodiscard]] double gravity(JointIndex joint) const noexcept { return gravity_[joint]; }

  /// Sets the joints' velocities, at the positions of the last update. A velocity that isn't
  /// finite, or is beyond any robot, counts as 0. The base counts as at rest; followers move with
  /// their present slope.
  void update_velocities(const RobotState& state) noexcept;

  /// Computes the torques of velocity. Call after the update_velocities() that follows the last
  /// update().
  void update_coriolis() noexcept;

  /// Coriolis and centrifugal torque C(q, v) v, followers included, of the last update_coriolis();
  /// 0 before it [N·m or N].
  [[nodiscard]] double coriolis(JointIndex joint) const noexcept { return coriolis_[joint]; }

  /// A load (core/load.h) on the robot that its model doesn't include.
  struct CarriedBody {
    FrameId frame;  ///< flange: the frame that it is fixed to
    KnownPayload now;
    KnownPayload before;  ///< as it was in the cycle before; for momentum_change()
  };

  /// Sets the loads that the robot carries from the next update() on, at most kMaxArms. They count
  /// in mass_matrix(), coriolis() and momentum(); carried_gravity() has their weight, gravity()
  /// leaves it out.
  void carry(std::span<const CarriedBody> carried) noexcept;

  /// Computes the joints' momentum and related terms. Call as update_coriolis().
  void update_momentum() noexcept;

  /// p = M(q) v of all masses behind the torque sensor, followers and loads included, at
  /// the last update_momentum(). A motor's own inertia is left out if it turns before a series
  /// spring. [N·m·s or N·s]
  [[nodiscard]] double momentum(JointIndex joint) const noexcept { return momentum_[joint]; }

  /// ∂/∂q ½ vᵀ M(q) v = C(q, v)ᵀ v, with dM/dt = C + Cᵀ, of the last update_momentum() [N·m or N].
  [[nodiscard]] double energy_gradient(JointIndex joint) const noexcept {
    return energy_gradient_[joint];
  }

  /// Part of momentum() that comes from the loads' change since the cycle before, and from no
  /// torque [N·m·s or N·s].
  [[nodiscard]] double momentum_change(JointIndex joint) const noexcept {
    return momentum_change_[joint];
  }

  /// Torque that holds the loads at rest, followers included, at the last update() [N·m or N].
  [[nodiscard]] double carried_gravity(JointIndex joint) const noexcept {
    return carried_gravity_[joint];
  }

  /// Mass and centre of a frame's body with all bodies that it carries, at the last update.
  struct Hanging {
    double mass = 0.0;       ///< [kg]
    Eigen::Vector3d centre;  ///< in the world [m]
  };
  [[nodiscard]] Hanging hanging_on(FrameId frame) const noexcept;

  /// Acceleration of free fall in the world [m/s²]
  [[nodiscard]] Eigen::Vector3d free_fall() const noexcept;
  /// Sets it, from the next update() on; finite.
  void set_free_fall(const Eigen::Vector3d& gravity) noexcept;

  /// True if a free joint carries the robot.
  [[nodiscard]] bool floats() const noexcept { return base_.joint >= 0; }

  [[nodiscard]] std::size_t joint_count() const noexcept { return joints_.size(); }

  /// The compiled model without what only physics needs, its data, and the joints that follow
  /// others: for a tree of the same robot.
  [[nodiscard]] const mjModel& compiled() const noexcept { return *model_; }
  [[nodiscard]] const mjData& data() const noexcept { return *data_; }
  [[nodiscard]] const std::vector<Coupling>& couplings() const noexcept { return couplings_; }

  /// Throws ModelError with the nearest known name.
  [[nodiscard]] FrameId find_frame(std::string_view site_or_body) const;

  /// True if the MJCF has a force and a torque sensor at that site.
  [[nodiscard]] bool has_force_torque(std::string_view site) const noexcept;

  /// True if a frame is fixed to the body of another frame, or to a body that this one carries.
  [[nodiscard]] bool hangs_on(FrameId frame, FrameId on) const noexcept;

  /// The body that the joint's own body is mounted on.
  [[nodiscard]] FrameId mount_of(JointIndex joint) const noexcept;

  /// True if the frame moves with the joint.
  [[nodiscard]] bool is_behind(FrameId frame, JointIndex joint) const noexcept;

  /// A point on the joint's axis, in the world, at the last update [m].
  [[nodiscard]] Eigen::Vector3d anchor(JointIndex joint) const noexcept;

  /// Length of the links from a joint to the origin of a body that it moves, fully stretched: in no
  /// pose is that origin further from the joint's anchor, except by the travel of slides in between
  /// [m].
  [[nodiscard]] double chain_length(JointIndex joint, int body) const noexcept;

  /// How far a joint can move any point within a distance of a body's origin.
  struct Lever {
    int dof = -1;  ///< degree of freedom that moves the body: the joint's own, or a follower's
    JointIndex joint = kNoJoint;
    double most = 0.0;  ///< in any pose, per motion of the joint [m/rad or 1]
  };
  /// All levers between the world and a body. Of a follower whose slope changes, as at the last
  /// update. Allocates.
  /// @param radius  distance of the points from the body's origin [m]
  [[nodiscard]] std::vector<Lever> levers(int body, double radius) const;

  /// Pose of a frame at the last update.
  [[nodiscard]] FramePose pose(FrameId frame) const noexcept;

  /// Puts a second robot where these joints are elsewhere, and all else is as at the last update.
  /// For the cycle; costs kinematics of the whole robot.
  /// @param q  by joint of `joints` [rad or m]
  void look_elsewhere(std::span<const JointIndex> joints, std::span<const double> q) noexcept;
  /// Pose of a frame of the robot that look_elsewhere() placed.
  [[nodiscard]] FramePose pose_elsewhere(FrameId frame) const noexcept;

  /// d(twist of the frame) / d(joint velocities): rows linear [m/rad or 1], then angular, columns
  /// the robot's joints in order, each with its followers. `jacobian` has joint_count() columns.
  void jacobian(FrameId frame, Eigen::Ref<FrameJacobian> jacobian) noexcept;

  /// Adds the torques of the robot's joints, followers included, that give a force at a point of a
  /// body: tau += Jᵀ f, at the last update.
  /// @param body  id in the MJCF; for 0, the world, nothing is added
  /// @param point  in the world [m]
  /// @param force  in the world [N], or a unit vector for d(point along it)/dq
  /// @param tau  one per joint; added to
  void add_force(int body, const Eigen::Vector3d& point, const Eigen::Vector3d& force,
                 std::span<double> tau) noexcept;

  /// Inertia over the robot's joints, followers included, base held: Tᵀ M T, with T the velocities
  /// of all degrees of freedom per velocity of the robot's joints. Motors count with
  /// felt_armature(), springs of loops as free. (n, n) [kg·m², kg]
  void mass_matrix(Eigen::Ref<Eigen::MatrixXd> inertia) noexcept;
  /// The same with springs of loops as standing: what motions feel that are slow for these springs
  /// (loop_closure.h). Without such springs it is mass_matrix().
  void slow_mass_matrix(Eigen::Ref<Eigen::MatrixXd> inertia) noexcept;
  [[nodiscard]] bool has_springs_in_loops() const noexcept { return loops_.has_springs(); }

 private:
  [[nodiscard]] static FramePose pose_in(const mjData& data, FrameId frame) noexcept;
  struct Address {
    int q = -1;
    int dof = -1;
    int joint = -1;
  };

  using Spatial = Eigen::Matrix<double, 6, 1>;  ///< angular, then linear, as in MuJoCo

  /// Calls visit(joint, slope) for each joint of the robot that moves a degree of freedom.
  template <typename Visit>
  void for_movers(std::size_t dof, Visit&& visit) const noexcept {
    const Mover& mover = movers_[dof];
    if (mover.joint >= 0) {
      visit(static_cast<std::size_t>(mover.joint), mover.slope);
      return;
    }
    const int row = loops_.row_of(static_cast<int>(dof));
    if (row < 0) return;
    for (std::size_t joint = 0; joint < joints_.size(); ++joint) {
      visit(joint, loops_.slopes()(row, static_cast<Eigen::Index>(joint)));
    }
  }

  void place_base(const BaseState& base) noexcept;
  [[nodiscard]] int body_of(FrameId frame) const noexcept;
  void weigh_bodies() noexcept;
  void sum_up_bodies(std::vector<Spatial>& of_bodies) const noexcept;
  [[nodiscard]] std::array<double, 10> inertia_of(FrameId frame,
                                                  const KnownPayload& load) const noexcept;
  void take_up_loads() noexcept;
  void find_momentum_change() noexcept;
  void hold_pose() noexcept;
  void add_up(std::span<const double> by_dof, std::span<double> by_joint) noexcept;
  void driven_mass_matrix(Eigen::Ref<Eigen::MatrixXd> inertia) noexcept;

  ModelPtr model_;
  DataPtr data_;
  DataPtr elsewhere_;  ///< of look_elsewhere()
  std::vector<std::string> force_torque_sites_;
  std::vector<Address> joints_;      ///< by joint of the robot
  std::vector<Coupling> couplings_;  ///< leaders before their followers
  std::vector<std::pair<std::size_t, std::size_t>> ties_;
  LoopClosure loops_;
  LoopClosure loops_elsewhere_;          ///< of look_elsewhere()
  std::vector<Mover> movers_;            ///< by dof, at the last update; passive joints have none
  std::vector<double> force_;            ///< by dof: force that holds the pose
  std::vector<double> rest_;             ///< by dof: bias at rest, without loads
  std::vector<double> load_rest_;        ///< by dof: force that carries the loads at rest
  std::vector<double> gravity_;          ///< by joint of the robot
  std::vector<double> coriolis_;         ///< by joint of the robot
  std::vector<double> momentum_;         ///< by joint of the robot
  std::vector<double> energy_gradient_;  ///< by joint of the robot
  std::vector<double> momentum_change_;  ///< by joint of the robot
  std::vector<double> carried_gravity_;  ///< by joint of the robot
  std::vector<double> motor_inertia_;    ///< by dof: motor inertia that moves with its joint
  std::vector<Spatial> body_weight_;     ///< by body, with all that it carries
  std::vector<Spatial> body_momentum_;   ///< by body, with all that it carries
  std::vector<Spatial> body_load_;       ///< of the loads that it carries: weight, momentum
  FixedVector<CarriedBody, kMaxArms> carried_;
  Address base_;  ///< of the free joint that carries the robot, or -1
  bool has_passive_forces_ = false;
};

}  // namespace jointrig
