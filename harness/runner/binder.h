#pragma once
/// Binds names and texts of a scenario to a robot: joints by index, values and conditions as
/// expressions. Errors are FileErrors at the place in the file, with the column inside expressions.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "control/core/robot_config.h"
#include "control/planning/ik_outcome.h"
#include "control/planning/path_collision.h"
#include "harness/runner/event_pattern.h"
#include "harness/runner/expression.h"
#include "harness/runner/scenario.h"
#include "harness/runner/window.h"

namespace jointrig::harness {

/// A number of a command: fixed, or computed when it is sent.
class BoundValue {
 public:
  explicit BoundValue(double fixed) : fixed_(fixed) {}
  explicit BoundValue(Expression expression) : expression_(std::move(expression)) {}
  [[nodiscard]] double value() const noexcept {
    return expression_ ? expression_->value() : fixed_;
  }
  [[nodiscard]] bool is_fixed() const noexcept { return !expression_.has_value(); }

 private:
  double fixed_ = 0.0;
  std::optional<Expression> expression_;
};

struct BoundTarget {
  JointIndex joint = kNoJoint;
  BoundValue value;
};

/// A condition for one joint, or without a joint.
struct BoundCondition {
  std::string joint;  ///< joint in place of `each`; "" if `each` does not occur
  Expression expression;
};

/// Units of a quantity for joints, hinge first: "rad|m".
constexpr std::string_view joint_units(QuantityKind quantity) noexcept {
#define JOINTRIG_JOINT_UNITS(member, word, angular, linear, file_angular, file_linear) \
  std::string_view{file_angular "|" file_linear},
  constexpr std::array kUnits{JOINTRIG_QUANTITY_KINDS(JOINTRIG_JOINT_UNITS)};
#undef JOINTRIG_JOINT_UNITS
  return kUnits[static_cast<std::size_t>(quantity)];
}
inline constexpr std::string_view kPositionUnits = joint_units(QuantityKind::kPosition);
inline constexpr std::string_view kSpeedUnits = joint_units(QuantityKind::kVelocity);
inline constexpr std::string_view kStiffnessUnits = joint_units(QuantityKind::kStiffness);
inline constexpr std::string_view kDampingUnits = joint_units(QuantityKind::kDamping);

/// Throws FileError; TruthMissing if an expression lacks the truth alone.
class Binder {
 public:
  /// @param bounds  receives the bounds that conditions set on signals, for plots
  Binder(const RobotConfig& config, SignalTable& signals, std::vector<SignalBound>& bounds)
      : config_(&config), signals_(&signals), bounds_(&bounds) {}

  /// Joints by rising index.
  [[nodiscard]] JointSet joints(const Text& name) const;
  [[nodiscard]] JointSet joints(const std::vector<Text>& names) const;
  [[nodiscard]] JointIndex joint(const Text& name) const;

  [[nodiscard]] Expression expression(const Text& text, JointIndex each = kNoJoint) const;

  /// A quantity of the joint's dimension, or an expression in which `each` is that joint.
  [[nodiscard]] BoundValue value(const Text& text, JointIndex joint, std::string_view units) const;
  /// A value for each of these joints, by rising index; `otherwise` for one that has none.
  [[nodiscard]] std::vector<BoundValue> values(const std::optional<EachValue>& given,
                                               const JointSet& joints, std::string_view units,
                                               double otherwise) const;
  /// A value for each joint, parts expanded, by rising index; a repeated joint is an error.
  [[nodiscard]] std::vector<BoundTarget> targets(const std::vector<Target>& targets,
                                                 std::string_view units) const;

  /// Index of a law of one's own.
  [[nodiscard]] LawIndex law(const Text& name) const;
  /// Index of a gripper; without a name that of the only one.
  [[nodiscard]] GripperIndex gripper(const Text& name) const;
  /// A value for each parameter named of a law, in the unit that it declares, and its index.
  [[nodiscard]] std::vector<std::pair<std::uint8_t, BoundValue>> law_parameters(
      LawIndex law, const std::vector<Target>& targets) const;

  /// One expression without `each`, else one for each joint.
  [[nodiscard]] std::vector<BoundCondition> condition(const Condition& condition) const;
  /// Joints for which an expression is made: the named ones, or all; none without `each`.
  [[nodiscard]] std::vector<JointIndex> each_of(const Text& expression,
                                                const std::vector<Text>& joints) const;

  [[nodiscard]] EventPattern event(const Text& text) const;
  [[nodiscard]] BoundMoment moment(const Moment& moment) const;
  [[nodiscard]] std::size_t mark(const Text& name) const;

  /// Adds a bound that comes from no condition, for plots.
  void draw(const SignalBound& bound) const { bounds_->push_back(bound); }

  [[nodiscard]] const RobotConfig& config() const noexcept { return *config_; }
  /// The robot's joints for inverse kinematics, made when first asked for. Throws ModelError.
  [[nodiscard]] const KinematicTree& tree() const;
  /// Checks of paths, made when first asked for; null for a robot without a model. Throws
  /// ModelError.
  [[nodiscard]] std::shared_ptr<PathCollision> collisions() const;
  [[nodiscard]] SignalTable& signals() const noexcept { return *signals_; }

 private:
  [[nodiscard]] BoundValue value_in(const Text& text, JointIndex joint,
                                    const std::string& unit) const;
  [[nodiscard]] Expression of_each(const Condition& condition, JointIndex joint) const;

  const RobotConfig* config_;
  SignalTable* signals_;
  std::vector<SignalBound>* bounds_;
  mutable std::shared_ptr<const KinematicTree> tree_;
  mutable std::shared_ptr<PathCollision> collisions_;
};

/// Error: an expression is valid but needs the truth of a simulated world, which is absent.
class TruthMissing : public FileError {
 public:
  using FileError::FileError;
};

}  // namespace jointrig::harness
