#pragma once

#include <span>
#include <vector>

#include "control/core/protection.h"
#include "control/joint/joint_control.h"
#include "control/model/collision_geometry.h"
#include "control/model/robot_model.h"
#include "control/safety/suppression.h"

namespace jointrig {

/// Keeps a robot off itself and off what stands in its scene. For each pair of shapes nearer than
/// the margin (control/safety/repulsion.h)
///
///     tau += (∂d/∂q)ᵀ F(d, ḋ)        ∂d/∂q = n · (J_b − J_a)
///
/// with the nearest points' Jacobians J and the normal n from a to b; all of it is scaled down
/// together where a joint would get more than torque_max, so that its direction stays.
///
/// References: a joint that follows one (position, position_direct, velocity, mixed), on boards of
/// every kind, is halted with all others of its pair in time to come to rest where the shapes, each
/// enlarged by half the margin, touch:
///
///     d − Σ |∂d/∂qᵢ| (vᵢ²/(2 a_maxᵢ) + kLag |vᵢ|) < margin        over joints that bring it nearer
///
/// and gives its goal up. One that leads away is let go on, however near.
///
/// Pairs are first told apart by the spheres around their shapes. Nothing here allocates, locks or
/// throws once it is built.
class CollisionAvoidance {
 public:
  static constexpr double kLag = 0.01;  ///< s: joints behind their references; a choice

  /// Throws ModelError, with the place in the robot's file where a body isn't there.
  CollisionAvoidance(const RobotConfig& robot, const RobotModel& model);

  struct Outcome {
    JointSet halt;                    ///< joints whose reference must not go on
    double distance = 0.0;            ///< of the nearest pair, up to how far was looked [m]
    double force = 0.0;               ///< on the deepest pair [N]
    JointIndex most = kNoJoint;       ///< joint that the deepest pair's force turns most
    double halt_distance = 0.0;       ///< of the pair that halts [m]
    JointIndex halt_most = kNoJoint;  ///< joint that brings it nearer most
  };

  /// One cycle, at the pose of the model's last update.
  /// @param torques  one per joint: what is added to each [N·m or N]; written
  Outcome advance(const CollisionAvoidanceConfig& config, RobotModel& model,
                  std::span<const JointSetup> setups, std::span<const JointControl> joints,
                  const Suppression& suppression, std::span<double> torques) noexcept;

  [[nodiscard]] const CollisionGeometry& geometry() const noexcept { return geometry_; }

 private:
  struct Motion {
    double reference = 0.0;  // speed of its reference, 0 where it has none
    double heading = 0.0;    // where that goes or is about to
    double way = 0.0;        // to a stand, and kLag
    bool follows = false;    // a reference, and may be halted
  };

  void place(const RobotModel& model) noexcept;
  double look_ahead(std::span<const JointSetup> setups, std::span<const JointControl> joints,
                    const Suppression& suppression) noexcept;
  void look_at(const CollisionAvoidanceConfig& config, RobotModel& model,
               const CollisionGeometry::Pair& pair, const Nearest& near,
               std::span<const JointControl> joints, std::span<double> torques,
               Outcome& outcome) noexcept;
  void halt_in_time(const CollisionAvoidanceConfig& config, double distance,
                    Outcome& outcome) const noexcept;

  CollisionGeometry geometry_;
  std::vector<double> bounds_;    ///< radius of each shape's sphere [m]
  std::vector<double> reach_;     ///< of each joint: nothing that it moves is further from it [m]
  std::vector<Placed> placed_;    ///< of this cycle, by shape
  std::vector<double> gradient_;  ///< ∂d/∂q of a pair
  std::vector<Motion> motions_;   ///< by joint, of this cycle
};

}  // namespace jointrig
