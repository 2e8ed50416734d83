#pragma once
/// Answer of the whole-body controller in one cycle.

#include <Eigen/Core>
#include <array>
#include <cstdint>

#include "control/core/fixed_vector.h"
#include "control/wholebody/commands.h"

namespace jointrig {

/// Constraints that can give way, in this order, where not everything can be met. Friction,
/// unilateral contact, torque limits and the equations of motion never do: some motion always meets
/// them.
enum class Yielding : std::uint8_t {
  kSpatialTask,    ///< a hard one; `index` is its place in the command; the last first
  kMomentumTask,   ///< if hard
  kJointLimits,    ///< bounds of acceleration that keep joints in their ranges; all together
  kContactMotion,  ///< a contact that was to hold still; `index` is its place; the last first
};

struct GaveWay {
  Yielding what = Yielding::kSpatialTask;
  int index = 0;
  bool operator==(const GaveWay&) const = default;
};

enum class CoreOutcome : std::uint8_t {
  kSolved,    ///< everything hard is met
  kGaveWay,   ///< solved, without what gave_way names
  kNoAnswer,  ///< no solution within the bounds on work: the numbers are those of the cycle before
};

/// Inequality of the program that holds a joint back. Both at once: its torque limit.
enum class JointHold : std::uint8_t {
  kNone,
  kLowest,      ///< acceleration at its lowest, by range or speed
  kHighest,     ///< likewise at its highest
  kTorqueLow,   ///< torque at its limit below 0
  kTorqueHigh,  ///< likewise above 0
};

/// Inequalities of the program that hold a solution back: by kind, joint and contact.
struct ActiveConstraints {
  int ranges = 0;   ///< joints whose acceleration is at its bound, by range or speed
  int torques = 0;  ///< joints at their torque limit
  int edges = 0;    ///< edges of friction pyramids without force
  int loads = 0;    ///< contacts at their force_max
  std::array<JointHold, kMaxBodyJoints> joint{};
  std::array<std::uint8_t, kMaxContacts> edges_of{};  ///< edges without force, by contact
  std::array<bool, kMaxContacts> is_loaded{};         ///< at its force_max, by contact
};

struct WholeBodySolution {
  CoreOutcome outcome = CoreOutcome::kNoAnswer;
  FixedVector<GaveWay, 16> gave_way;  ///< in the order in which it did
  Eigen::VectorXd torque;             ///< by joint [N·m or N]
  Eigen::VectorXd acceleration;       ///< v̇ of the model: base, then joints
  /// Of each contact: wrench of the scene on the robot about the frame's origin, in the world
  /// [N, N·m]; 0 for one that isn't on.
  std::array<SixNumbers, kMaxContacts> contact_wrench;
  /// Forces at each contact's points, in the world [N].
  std::array<Eigen::Matrix<double, 3, kMaxContactPoints>, kMaxContacts> point_force;
  ActiveConstraints active;
  int iterations = 0;  ///< of the solver, over all attempts
  int attempts = 0;    ///< one, and one more for each constraint that gave way
};

}  // namespace jointrig
