#pragma once
/// Working parts of the whole-body controller. Used in control/stack/whole_body*.cpp alone.

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "control/stack/whole_body.h"

namespace jointrig {

/// Room for the program, and what doesn't change.
struct WholeBody::Parts {
  /// For start-up. Throws ModelError.
  explicit Parts(const RobotConfig& robot);

  /// The robot that the tasks move: the measured one, or the reference.
  [[nodiscard]] FloatingModel& asked() noexcept { return reference ? reference->model() : model; }

  /// Corners in the world, from above, of the soles that are on the ground, and their mean.
  void place_soles() noexcept;
  /// Middle of a sole in the world.
  [[nodiscard]] Eigen::Vector3d middle_of(std::size_t foot) const noexcept;
  /// The capture point c + ċ / ω, from above.
  [[nodiscard]] Eigen::Vector2d capture_point() const noexcept;
  /// ω = √(g / z) of the pendulum [1/s].
  [[nodiscard]] double omega() const noexcept;
  /// The nearest point of the soles' area, from above.
  [[nodiscard]] Eigen::Vector2d within_soles(const Eigen::Vector2d& point) const noexcept;
  /// Its way from the edge of the soles, above 0 inside [m].
  [[nodiscard]] double capture_inside() const noexcept;

  FloatingModel model;                     ///< the measured robot
  std::optional<ReferenceBody> reference;  ///< in mode inverse_kinematics
  std::vector<JointIndex> joint_of;        ///< of each joint of the model its number in the robot
  std::vector<ContactSetup> soles;
  WholeBodyCore core;
  BodyManagers managers;
  std::size_t first_value = 0;         ///< place among the signals of the first inner value
  std::size_t values_of_managers = 0;  ///< so many of these are the managers'
  WholeBodyCommand command;
  // As seen in this cycle:
  std::vector<double> q;
  std::vector<double> v;
  Eigen::Matrix3d base = Eigen::Matrix3d::Identity();
  std::vector<Eigen::Vector2d> corners;
  std::size_t corner_count = 0;
  Eigen::Vector3d sole = Eigen::Vector3d::Zero();
};

}  // namespace jointrig
