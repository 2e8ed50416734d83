#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "control/arm/arm_setup.h"
#include "control/core/obstacle.h"
#include "control/core/protection.h"
#include "control/safety/admission.h"
#include "control/safety/contact_detector.h"
#include "control/safety/suppression.h"
#include "control/stack/collision_avoidance.h"
#include "control/stack/event_reporter.h"
#include "control/stack/external_forces.h"
#include "control/stack/joints.h"
#include "control/stack/placed_model.h"

namespace jointrig {

/// Protections of the robot, beside every mode: collision avoidance, collision detection, and the
/// messages that suppress either for a while (docs/collisions.md).
///
/// Functions are for the cycle unless they say otherwise.
class Protections {
 public:
  /// External wrench on the tool of an arm in a cycle: from a good sensor if there is one, else
  /// from its joints' torques.
  struct HandWrench {
    double force = 0.0;     ///< [N]
    double torque = 0.0;    ///< [N·m]
    bool is_known = false;  ///< from either source
  };
  /// State that is saved and restored by assignment.
  struct State {
    FewBits<Protection> on;
    Suppression suppression;
    ContactDetector detector;
    KnownObstacles obstacles;    ///< in the order in which they were told of
    PerArm<HandWrench> hands;    ///< wrenches of the last cycle
    PerJoint<double> stop_left;  ///< time left of a joint's stop after a contact [s]
    /// Cycle after the one in which avoidance last acted, by act.
    std::array<std::uint64_t, kAllAvoidanceAct.size()> acted{};
  };

  /// Throws ConfigError: no model, a body that does not exist. Call before the first cycle.
  Protections(const RobotConfig& config, const PlacedModel& model);

  /// For start-up: a sentence if avoidance is on and leaves out bodies that overlap, else empty.
  [[nodiscard]] std::string note() const;

  [[nodiscard]] bool is_on(Protection what) const noexcept { return state_.on.has(what); }
  void set(Protection what, bool on) noexcept { state_.on.set(what, on); }
  /// Obstacles are for collision avoidance, and planners read them in the snapshot.
  [[nodiscard]] const KnownObstacles& obstacles() const noexcept { return state_.obstacles; }
  [[nodiscard]] Refusal check(const SetObstacle& command, std::size_t arm_count) const noexcept;
  [[nodiscard]] Refusal check(const RemoveObstacle& command) const noexcept;
  /// @param from  pose of the command's frame in the world
  void take(const SetObstacle& command, const FramePose& from) noexcept;
  void take(const RemoveObstacle& command) noexcept;
  /// Body of each shape of collision avoidance; none without it.
  [[nodiscard]] std::vector<std::string> avoided_shapes() const {
    return avoidance_ ? avoidance_->geometry().names : std::vector<std::string>{};
  }
  /// Takes a message of suppression. Returns true if the function was not suppressed on any joint
  /// before.
  bool suppress(std::size_t joint, Suppressible what, std::uint16_t sender) noexcept {
    const bool was_on = state_.suppression.suppressed_for(what) > 0.0;
    return state_.suppression.take(joint, what, sender) && !was_on;
  }
  /// True if the cuff is suppressed on any joint of the arm.
  [[nodiscard]] bool is_cuff_suppressed(const ArmSetup& setup) const noexcept;

  /// Runs one cycle, after the forces.
  /// @param shown  written, never read
  void advance(PlacedModel& model, Joints joints, std::span<const ArmSetup> arms,
               const ExternalForces& forces, const PartMates& mates, EventReporter& events,
               ProtectionSnapshot& shown) noexcept;

  /// Effect on each joint in this cycle.
  [[nodiscard]] std::span<const JointControl::Guard> guards() const noexcept { return guards_; }

  /// Stores the wrench on an arm's tool, for the next cycle.
  void feel_hand(std::size_t arm, const ArmForces& forces) noexcept;

  /// External torque that detection used in its last cycle [N·m or N].
  [[nodiscard]] double contact_torque(std::size_t joint) const noexcept {
    return contacts_[joint].tau;
  }
  [[nodiscard]] FewBits<Suppressible> suppressed(std::size_t joint) const noexcept {
    return state_.suppression.suppressed(joint);
  }

  /// Joints that collision avoidance has stopped in this cycle.
  [[nodiscard]] const JointSet& stopped() const noexcept { return stopped_; }

  [[nodiscard]] const State& state() const noexcept { return state_; }
  void restore(const State& state);

 private:
  using Contact = ContactDetector::Contact;

  void follow_suppression(Joints joints, EventReporter& events, ProtectionSnapshot& shown) noexcept;
  void avoid_collisions(PlacedModel& model, Joints joints, EventReporter& events,
                        ProtectionSnapshot& shown) noexcept;
  void tell(AvoidanceAct act, const CollisionGeometry::Pair& pair, JointIndex joint,
            double distance, Joints joints, EventReporter& events) noexcept;
  void move_obstacles() noexcept;
  void detect_contacts(Joints joints, std::span<const ArmSetup> arms, const ExternalForces& forces,
                       const PartMates& mates, EventReporter& events,
                       ProtectionSnapshot& shown) noexcept;
  void watch_hands(Joints joints, std::span<const ArmSetup> arms, const PartMates& mates,
                   EventReporter& events, ProtectionSnapshot& shown) noexcept;
  void stop_at(const Contact& contact, Joints joints, const PartMates& mates,
               EventReporter& events) noexcept;
  void end_stops(Joints joints, const PartMates& mates, EventReporter& events,
                 ProtectionSnapshot& shown) noexcept;

  double dt_;  // s
  std::optional<CollisionAvoidanceConfig> avoidance_config_;
  std::optional<CollisionDetectionConfig> detection_;
  std::optional<CollisionAvoidance> avoidance_;   // present if the configuration has it
  std::vector<JointControl::Guard> guards_;       // by joint, in this cycle
  std::vector<double> repulsion_;                 // by joint [N·m or N]
  JointSet stopped_;                              // in this cycle
  std::vector<ContactDetector::Joint> contacts_;  // by joint, with their thresholds
  std::vector<bool> is_watched_;                  // by joint: not of a hand
  State state_;
};

}  // namespace jointrig
