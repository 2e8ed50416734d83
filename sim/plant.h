#pragma once
/// The physics of a simulated robot and its world: MuJoCo, one period at a time. One thread.
///
/// Time t_k = k periods. After construction, reset() and each step() all values that depend on
/// positions and velocities (poses, joints, contacts) belong to t_k. Forces (contacts, force
/// sensors, accelerometers) belong to the last physics step before t_k, since the next ones depend
/// on torques that are not chosen yet.
///
/// Every call of the cycle is noexcept and allocates nothing; set_payload recomputes the model's
/// constants, which takes some 100 µs.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "control/core/robot_config.h"
#include "control/core/robot_io.h"
#include "sim/board/board.h"
#include "sim/plant_model.h"
#include "sim/world.h"

namespace jointrig::sim {

inline constexpr std::size_t kMaxWrenches = 32;
inline constexpr std::size_t kMaxContacts = 256;

/// Force of body a on body b in a contact [N], in the world frame, at a point.
struct ContactForce {
  int a = -1;
  int b = -1;
  Vector3 force{};
  Vector3 point{};
};

/// The motor of a series elastic joint.
struct PlantMotor {
  SpringState turn;
  double torque = 0.0;  ///< torque that drives it, in the next periods [N·m or N]
  double share = 1.0;   ///< share of its spring's torque that reaches the joint
};

/// State of a plant while it runs. Copy it to save or restore; restoring into the same plant
/// allocates nothing.
struct PlantState {
  std::vector<double> integration;  ///< MuJoCo's, warm start included
  std::vector<double> sensors;
  std::uint64_t cycle = 0;
  FixedVector<Wrench, kMaxWrenches> wrenches;
  FixedVector<ContactForce, kMaxContacts> contacts;
  std::vector<PayloadSlot> payloads;
  std::vector<double> added_friction;
  std::vector<PlantMotor> motors;  ///< behind springs, by rising joint
  std::vector<LedSample> led;      ///< of joints of other backends, by rising joint
};

class Plant {
 public:
  /// Starts in the robot's configured state. Throws ModelError.
  explicit Plant(const RobotConfig& robot, const PlantOptions& options = {});

  /// Returns to the start: pose, payloads of the configuration, no wrench, obstacles parked.
  void reset();

  /// Runs one period under these torques. Returns false when the physics has diverged.
  bool step() noexcept;

  /// Runs one period without motion: the robot and its world are held. Led joints are put where
  /// their leader is.
  void stand_still() noexcept;

  /// Newest sample of a joint that another backend drives (RobotConfig::elsewhere): the joint
  /// follows it (led_joint.h). No effect on the plant's own joints.
  void lead(std::size_t joint, double q, double v) noexcept;

  /// Torque of a joint's motor in the next periods [N·m or N]; no effect on a led joint.
  void set_torque(std::size_t joint, double torque) noexcept;
  /// Torque that reaches the joint: behind a spring, the spring's in the last step.
  [[nodiscard]] double torque(std::size_t joint) const noexcept;
  /// Coulomb friction in addition to the joint's own [N·m or N].
  void set_added_friction(std::size_t joint, double friction) noexcept;

  /// Share of its spring's torque that reaches a joint, 0 to 1; no effect on a rigid joint.
  void set_spring_share(std::size_t joint, double share) noexcept;

  /// True positions of joints, base and sensors.
  [[nodiscard]] JointTruth joint(std::size_t joint) const noexcept;
  [[nodiscard]] BaseState base() const noexcept;
  void read_sensors(RobotState& state) const noexcept;
  /// Names of the sensors' sites, in the order of RobotState.
  [[nodiscard]] const std::vector<std::string>& force_torque_sites() const noexcept {
    return force_torque_sites_;
  }
  [[nodiscard]] const std::vector<std::string>& imu_sites() const noexcept { return imu_sites_; }

  /// Resolve a name; throw ModelError with the nearest known name.
  [[nodiscard]] BodyId body(std::string_view name) const;
  [[nodiscard]] SiteId site(std::string_view name) const;
  [[nodiscard]] std::size_t obstacle(std::string_view name) const;

  [[nodiscard]] Pose body_pose(BodyId body) const noexcept;
  [[nodiscard]] Pose site_pose(SiteId site) const noexcept;
  /// Mass of a body with all bodies that it carries [kg].
  [[nodiscard]] double subtree_mass(BodyId body) const noexcept;

  /// Sum of contact forces on a body in the last physics step [N], in the world frame; with `by`
  /// only the forces of that body. A body is a body of the MJCF: a hand does not include its
  /// fingers.
  [[nodiscard]] Vector3 contact_force(BodyId on, BodyId by = BodyId::kNone) const noexcept;
  [[nodiscard]] const FixedVector<ContactForce, kMaxContacts>& contacts() const noexcept {
    return state_.contacts;
  }

  /// Adds a wrench, which ends with its time. Returns false if there are already kMaxWrenches; the
  /// next step() ends the run then, and breakdown() says why.
  bool apply(const Wrench& wrench) noexcept;
  /// Ends all wrenches on a body now.
  void release(BodyId body) noexcept;
  /// Ends all wrenches with this tag now.
  void release(int tag) noexcept;

  /// Sets a load with its centre of mass at `centre` in the frame of a body; 0 kg removes it.
  /// Throws ModelError if the body isn't named in PlantConfig::payloads or
  /// PlantOptions::payload_bodies, or the mass is below 0.
  /// @param inertia  about `centre`, along the body's axes; that of a rigid body (core/load.h)
  void set_payload(std::string_view body, double mass, const Vector3& centre,
                   const LoadInertia& inertia = {});

  void place(std::size_t obstacle, const Pose& pose) noexcept;
  void park(std::size_t obstacle) noexcept;

  [[nodiscard]] std::uint64_t cycle() const noexcept { return state_.cycle; }
  [[nodiscard]] TimeNs time_ns() const noexcept {
    return static_cast<TimeNs>(state_.cycle) * period_ns_;
  }
  /// Reason why step() returned false; empty: it did not.
  [[nodiscard]] std::string_view breakdown() const noexcept;

  [[nodiscard]] PlantState save() const;
  void restore(const PlantState& state);
  void add_to(StateHash& hash) const noexcept;

  /// The model, for drawing.
  [[nodiscard]] const mjModel& model() const noexcept { return *model_; }
  [[nodiscard]] const mjData& data() const noexcept { return *data_; }
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return warnings_; }

 private:
  void find_sensors();
  void apply_wrenches() noexcept;
  void add_wrench(const Wrench& wrench) noexcept;
  void physics_step() noexcept;
  void pull_springs() noexcept;
  void follow_springs() noexcept;
  void pull_led() noexcept;
  void collect_contacts() noexcept;
  void write_payload(const PayloadSlot& slot) noexcept;
  void update_constants();

  struct SensorPair {
    int linear = -1;   ///< address of force or acceleration in sensordata; -1: none
    int angular = -1;  ///< address of torque or angular velocity
  };

  RobotConfig robot_;
  NamedState start_;
  ModelPtr model_;
  DataPtr data_;
  DataPtr scratch_;  ///< mj_setConst leaves its data at qpos0
  TimeNs period_ns_;
  int substeps_;
  int base_body_;
  bool runge_kutta_;
  std::vector<std::string> warnings_;
  std::vector<int> motor_inputs_;
  std::vector<PlantSpring> springs_;
  std::vector<LedJoint> led_;
  double mean_inertia_;  ///< of the model without led joints: the solver's measure of what is small
  std::vector<int> joints_before_;
  std::vector<int> spring_of_;  ///< by joint: index in springs_; -1: rigid
  std::vector<int> q_address_;
  std::vector<int> v_address_;
  std::vector<double> friction_;
  std::vector<int> obstacle_mocap_;
  std::vector<std::string> obstacle_names_;
  std::vector<Pose> parked_;
  std::vector<PayloadSlot> payloads_at_start_;
  std::vector<SensorPair> force_torque_;
  std::vector<SensorPair> imus_;
  std::vector<std::string> force_torque_sites_;
  std::vector<std::string> imu_sites_;
  PlantState state_;  ///< integration and sensors: buffers of save() and add_to()
  mutable std::vector<double> buffer_;
  bool lost_wrench_ = false;  ///< one more than kMaxWrenches was asked for
};

}  // namespace jointrig::sim
