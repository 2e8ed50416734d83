#pragma once
/// Where the bodies of a robot come too near to one another or to the fixed objects of its scene on
/// a plan, before it is followed. Geometry and pairs are those of collision avoidance
/// (model/collision_geometry.h), and links that it leaves out as near at home: those are told apart
/// by their own geoms, a mesh by its convex hull, and asked not to touch. Obstacles that the robot
/// is told of count where they are. Loads, held objects and bodies that move by themselves are not
/// known.
///
/// The path is divided until each part is decided: with the distance d above the clearance at both
/// ends, and no point of the robot moving by more than
///
///     μ = Σ reach |Δq|      d_0 + d_1 > μ
///
/// nothing can touch in between (continuous collision detection by motion bounds, Schwarzer, Saha,
/// Latombe 2005, "Adaptive Dynamic Collision Checking for Single and Multiple Articulated Robots in
/// Complex Environments"). Parts on which no point moves by more than kThickness are not divided
/// further: nothing that reaches further into the path than half of it is missed.
///
/// Allocates: outside the loop. One thread at a time.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "control/core/obstacle.h"
#include "control/core/robot_config.h"
#include "control/core/robot_io.h"
#include "control/motion/joint_plan.h"
#include "control/planning/plan_watch.h"

namespace jointrig {

class PathCollision {
 public:
  static constexpr double kThickness = 1e-3;  ///< [m]: a choice

  /// Throws ModelError as RobotModel and read_collision_geometry() do.
  explicit PathCollision(const RobotConfig& robot);
  ~PathCollision();

  struct Meeting {
    std::string a, b;       ///< names of the bodies
    double share = 0.0;     ///< of the path, from 0 to 1
    double distance = 0.0;  ///< below 0: depth [m]
    double clearance = 0.0;
    std::uint16_t waypoint = 0;  ///< that the way leads to, from 1
    double time = 0.0;           ///< of the plan [s]
    std::vector<double> q;       ///< of the plan's joints [rad or m]
  };

  /// The first meeting on a plan. Bodies that are nearer than the clearance at its start may stay
  /// so, but come no nearer.
  /// @param state  of the whole robot; joints of the plan are moved
  /// @param watch  told how far it is; null: nobody watches. Throws PlanCancelled by it
  std::optional<Meeting> first_on(const JointPlan& plan, const RobotState& state,
                                  PlanWatch* watch = nullptr);

  /// Obstacles that the robot is told of (Snapshot::obstacles): plans from now on are looked at
  /// with them, each where it is now.
  void know(const KnownObstacles& obstacles);

  /// The plan, or its refusal as plan_collision with value = distance, limit = clearance [m].
  /// @param watch  as of first_on()
  JointPlan checked(JointPlan plan, const RobotState& state, PlanWatch* watch = nullptr);

  /// The refusal of a plan with a meeting, as checked() gives it.
  [[nodiscard]] static JointPlan refusal_of(const Meeting& meeting);

  /// Distance that is asked for: the margin of collision avoidance where it is on, as it stops
  /// joints there; else 0. [m]
  [[nodiscard]] double clearance() const noexcept;
  /// Poses that were looked at for the last plan.
  [[nodiscard]] std::size_t poses() const noexcept;

 private:
  class Checker;
  std::unique_ptr<Checker> checker_;
};

}  // namespace jointrig
