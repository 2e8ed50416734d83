#pragma once

#include <optional>
#include <span>
#include <vector>

#include "control/core/obstacle.h"
#include "control/core/protection.h"
#include "control/joint/joint_control.h"
#include "control/model/collision_geometry.h"
#include "control/model/obstacle_shape.h"
#include "control/model/robot_model.h"
#include "control/safety/suppression.h"

namespace jointrig {

/// Prevents collisions of a robot with itself and with its scene. For each pair of shapes nearer
/// than the margin (control/safety/repulsion.h)
///
///     tau += (∂d/∂q)ᵀ F(d, ḋ)        ∂d/∂q = n · (J_b − J_a)
///
/// with the nearest points' Jacobians J and the normal n from a to b; all torques are scaled down
/// together if a joint would get more than torque_max, so that the direction stays. A joint that
/// the torque leads to a limit gets less of it within the soft margin, at the limit none.
///
/// References: a joint that follows one (position, position_direct, velocity, mixed), on boards of
/// every kind, is halted together with all other joints of its pair, early enough to come to rest
/// where the shapes, each enlarged by half the margin, touch:
///
///     d − Σ |∂d/∂qᵢ| (vᵢ²/(2 a_maxᵢ) + kLag |vᵢ|) < margin        over joints that bring it nearer
///
/// and gives its goal up. A reference that leads away continues, however near. One that brakes for
/// a goal by itself counts with no more than the way to it, so that a goal outside of the margin is
/// reached at any speed.
///
/// Obstacles that the robot is told of count as fixed shapes that move: ḋ has the part n · v of
/// their velocity, and a reference is halted early enough for the way that they come meanwhile,
/// max(−n · v, 0) times the longest time in which a joint brakes, and kLag.
///
/// Spheres around the shapes select the near pairs first. Nothing here allocates, locks or throws
/// after construction.
class CollisionAvoidance {
 public:
  static constexpr double kLag = 0.01;  ///< s: delay of joints behind their references; a choice

  /// Throws ModelError, with the place in robot.yaml, if a body does not exist.
  CollisionAvoidance(const RobotConfig& robot, const RobotModel& model);

  struct Outcome {
    JointSet halt;               ///< joints whose references must stop
    double distance = 0.0;       ///< distance of the nearest pair, within the searched range [m]
    double force = 0.0;          ///< force on the deepest pair [N]
    JointIndex most = kNoJoint;  ///< joint with the largest torque from the deepest pair's force
    double halt_distance = 0.0;  ///< distance of the pair that halts [m]
    JointIndex halt_most = kNoJoint;  ///< joint that approaches it most
    /// The deepest pair and the one that halts; empty: none. The second of a pair with an obstacle
    /// is the obstacle's place in the list, after all shapes.
    std::optional<CollisionGeometry::Pair> deepest;
    std::optional<CollisionGeometry::Pair> halted_by;
  };

  /// Runs one cycle, at the pose of the model's last update.
  /// @param torques  one per joint: torque to add [N·m or N]; written
  Outcome advance(const CollisionAvoidanceConfig& config, RobotModel& model,
                  std::span<const JointSetup> setups, std::span<const JointControl> joints,
                  const Suppression& suppression, const KnownObstacles& obstacles,
                  std::span<double> torques) noexcept;

  [[nodiscard]] const CollisionGeometry& geometry() const noexcept { return geometry_; }

 private:
  struct Motion {
    double reference = 0.0;  // speed of its reference, 0 without one
    double heading = 0.0;    // present or coming direction of the reference
    double way = 0.0;        // distance to rest, with kLag
    bool follows = false;    // it follows a reference, which may be halted
  };

  void place(const RobotModel& model) noexcept;
  double look_ahead(std::span<const JointSetup> setups, std::span<const JointControl> joints,
                    const Suppression& suppression) noexcept;
  /// Two shapes that are near.
  struct Meeting {
    CollisionGeometry::Pair pair;
    Nearest near;
    double drift = 0.0;  ///< part of ḋ that the second shape's own velocity makes [m/s]
  };
  void look_at(const CollisionAvoidanceConfig& config, RobotModel& model, const Meeting& meeting,
               std::span<const JointControl> joints, std::span<double> torques,
               Outcome& outcome) noexcept;
  void look_at_obstacle(const CollisionAvoidanceConfig& config, RobotModel& model,
                        const KnownObstacle& obstacle, std::uint16_t number, double range,
                        std::span<const JointControl> joints, std::span<double> torques,
                        Outcome& outcome) noexcept;
  void halt_in_time(const CollisionAvoidanceConfig& config, const Meeting& meeting,
                    Outcome& outcome) const noexcept;
  static void limit(const CollisionAvoidanceConfig& config, std::span<const JointSetup> setups,
                    std::span<const JointControl> joints, const Suppression& suppression,
                    std::span<double> torques) noexcept;

  CollisionGeometry geometry_;
  std::vector<ObstaclePartner> partners_;
  double stop_time_ = 0.0;        ///< until every reference has stopped [s]; in this cycle
  std::vector<double> bounds_;    ///< radius of each shape's sphere [m]
  std::vector<double> reach_;     ///< by joint: largest distance of a shape that it moves [m]
  std::vector<Placed> placed_;    ///< by shape, in this cycle
  std::vector<double> gradient_;  ///< ∂d/∂q of a pair
  std::vector<Motion> motions_;   ///< by joint, in this cycle
};

}  // namespace jointrig
