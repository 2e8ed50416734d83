#pragma once
/// Request to the whole-body controller for one cycle. Of fixed size: a copy allocates nothing.
///
/// Everything is expressed in the world frame unless a line says otherwise; six numbers are linear
/// first, then angular. A task that isn't `on` asks for nothing.

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <limits>

#include "control/core/whole_body_config.h"
#include "control/model/floating_model.h"

namespace jointrig {

inline constexpr int kMaxBodyJoints = 64;
inline constexpr int kMaxContacts = 4;       ///< two feet, two hands
inline constexpr int kMaxContactPoints = 4;  ///< corners of a sole
inline constexpr int kConeEdges = 4;
inline constexpr int kMaxSpatialTasks = 12;
inline constexpr int kMaxWrenches = 4;

using SixNumbers = Eigen::Matrix<double, 6, 1>;
using AxisChoice = std::array<bool, 6>;
inline constexpr AxisChoice kSixAxes{true, true, true, true, true, true};
/// One number for each joint, in the model's order.
using ByJoint = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, kMaxBodyJoints, 1>;

/// How a task is wanted: by its weights, or as an equality that gives way only where no motion
/// meets it together with what comes before it (GaveWay in solution.h).
enum class Firmness : std::uint8_t { kWeighted, kHard };

/// Rate of the momentum about the centre of mass [N, N·m]. Its linear part is the mass times the
/// acceleration of the centre of mass.
struct MomentumTask {
  bool on = false;
  Firmness firmness = Firmness::kWeighted;
  AxisChoice axes = kSixAxes;
  SixNumbers rate = SixNumbers::Zero();
  SixNumbers weights = SixNumbers::Ones();  ///< [1/N², 1/(N·m)²]
};

/// Acceleration of a frame: of its origin [m/s²], and angular [rad/s²]. If it `is_turned`, axes and
/// weights are along the columns of linear_axes and angular_axes; the acceleration is in the world
/// all the same.
struct SpatialTask {
  bool on = false;
  Firmness firmness = Firmness::kWeighted;
  AxisChoice axes = kSixAxes;
  bool is_turned = false;
  Eigen::Matrix3d linear_axes = Eigen::Matrix3d::Identity();
  Eigen::Matrix3d angular_axes = Eigen::Matrix3d::Identity();
  BodyFrame frame;
  SixNumbers acceleration = SixNumbers::Zero();
  SixNumbers weights = SixNumbers::Ones();
};

/// Accelerations of joints [rad/s² or m/s²] and their weights: 0 for a joint that is left alone.
struct JointTask {
  bool on = false;
  ByJoint acceleration;
  ByJoint weights;
};

/// A contact of the controller's set-up (core.h), in this cycle.
struct ContactCommand {
  bool on = false;
  double friction = 0.5;  ///< Coulomb's μ; forces stay in a pyramid inside its cone
  /// Largest sum of the normal forces [N].
  double force_max = std::numeric_limits<double>::infinity();
  /// A contact of one point, whose place in the frame and axes in the world (z: normal) are those
  /// of the command, not of the set-up.
  bool is_placed = false;
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  /// Wanted acceleration of the contact's frame, an equality; 0 keeps its velocity.
  SixNumbers acceleration = SixNumbers::Zero();
  /// Centre of pressure in the contact's plane, along its x and y [m], and the weight by which it
  /// is wanted [1/(N·m)²]. It never leaves the contact's points.
  Eigen::Vector2d pressure_centre = Eigen::Vector2d::Zero();
  double pressure_weight = 0.0;
  /// Wrench that the scene is to exert, about the frame's origin [N, N·m].
  SixNumbers wrench = SixNumbers::Zero();
  SixNumbers wrench_weights = SixNumbers::Zero();
};

/// A known wrench that acts on the robot, about the origin of a frame [N, N·m].
struct ExternalWrench {
  bool on = false;
  BodyFrame frame;
  SixNumbers wrench = SixNumbers::Zero();
};

struct WholeBodyCommand {
  CoreMode mode = CoreMode::kInverseDynamics;
  MomentumTask momentum;
  std::array<SpatialTask, kMaxSpatialTasks> spatial;
  JointTask joints;
  /// The configuration that is kept where nothing else decides: accelerations towards it, with
  /// small weights.
  JointTask privileged;
  std::array<ContactCommand, kMaxContacts> contacts;
  std::array<ExternalWrench, kMaxWrenches> wrenches;
};

}  // namespace jointrig
