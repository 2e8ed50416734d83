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
#include "control/stack/stopping_way.h"

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
/// References: the shapes are measured where all references would come to rest if they braked now,
/// and on the way there (stopping_way.h). If a pair would come nearer than the margin, and nearer
/// than it is, those joints are halted that move one of its shapes against the other and follow a
/// reference (position, position_direct, velocity, mixed), on boards of every kind; each gives its
/// goal up. So a motion that passes by outside of the margin continues at any speed, and so does
/// one that leads away, however near. A goal outside of the margin is reached, since a reference
/// that brakes for it by itself goes no further.
///
/// A pair may keep its distance by a joint that another pair halts, so that all are measured again
/// with that one braking. In the next cycle all is measured anew: a way to rest that is clear
/// differs from the next one by what the references move in a cycle, which kLag covers. Within the
/// margin, where a joint has overshot or was pushed, a reference is halted as well if d falls by
/// it, by ∂d/∂q.
///
/// Obstacles that the robot is told of count as fixed shapes that move: ḋ has the part n · v of
/// their velocity, and they are where it takes them meanwhile. A reference is halted if a pair
/// would come nearer than if the reference stood.
///
/// Spheres around the shapes select the near pairs first. Nothing here allocates, locks or throws
/// after construction.
class CollisionAvoidance {
 public:
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
  void place(const RobotModel& model) noexcept;
  /// Largest approach of two shapes until every reference has stopped [m].
  [[nodiscard]] double farthest_approach() const noexcept;
  /// An obstacle that the robot is told of, in this cycle.
  struct Told {
    Shape shape;
    Placed at;
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< [m/s]
  };
  /// Two shapes that are near.
  struct Meeting {
    CollisionGeometry::Pair pair;
    Nearest near;
    double drift = 0.0;  ///< part of ḋ that the second shape's own velocity makes [m/s]
    // A pair with an obstacle has these.
    const ObstaclePartner* partner = nullptr;
    const Told* told = nullptr;
  };
  void look_at(const CollisionAvoidanceConfig& config, const RobotNow& robot,
               const Meeting& meeting, std::span<double> torques, Outcome& outcome) noexcept;
  void look_at_obstacle(const CollisionAvoidanceConfig& config, const RobotNow& robot,
                        const KnownObstacle& obstacle, std::uint16_t number, double range,
                        std::span<double> torques, Outcome& outcome) noexcept;
  void halt_in_time(double margin, const RobotNow& robot, const Meeting& meeting,
                    Outcome& outcome) noexcept;
  void halt_others(double margin, const RobotNow& robot, Outcome& outcome) noexcept;
  void halt(const JointSet& joints, const Meeting& meeting, Outcome& outcome) const noexcept;
  [[nodiscard]] Nearest measure(const Told& told, const ObstaclePartner& partner,
                                const Placed& partner_at, double later) const noexcept;
  [[nodiscard]] double distance_at(int place, bool stands, const RobotNow& robot,
                                   const Meeting& meeting) noexcept;
  [[nodiscard]] double least_distance(bool stands, const RobotNow& robot,
                                      const Meeting& meeting) noexcept;
  /// True if the references come to rest outside of the margin, or no nearer than if they stood.
  [[nodiscard]] bool rests_outside(double margin, const RobotNow& robot,
                                   const Meeting& meeting) noexcept;
  void find_gradient(RobotModel& model, const Meeting& meeting) noexcept;
  /// True if the references lead further in; after find_gradient().
  [[nodiscard]] bool leads_in() const noexcept;
  static void limit(const CollisionAvoidanceConfig& config, std::span<const JointSetup> setups,
                    std::span<const JointControl> joints, const Suppression& suppression,
                    std::span<double> torques) noexcept;

  CollisionGeometry geometry_;
  std::vector<ObstaclePartner> partners_;
  std::vector<double> bounds_;    ///< radius of each shape's sphere [m]
  std::vector<double> reach_;     ///< by joint: largest distance of a shape that it moves [m]
  std::vector<Placed> placed_;    ///< by shape, in this cycle
  std::vector<double> gradient_;  ///< ∂d/∂q of a pair
  StoppingWay stopping_;          ///< in this cycle
  // In this cycle; room for all of them.
  std::vector<Told> told_;
  std::vector<Meeting> close_;  ///< pairs that might come nearer than the margin
};

}  // namespace jointrig
