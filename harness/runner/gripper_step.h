#pragma once
/// The step `gripper`, and its command.

#include <optional>

#include "harness/runner/binder.h"
#include "harness/runner/scenario.h"

namespace jointrig::harness {

/// Reads the step. Throws FileError: a key that its `do` has no use for.
GripperStep read_gripper(const YamlNode& node);

/// A command for a gripper, bound to a robot.
class BoundGripper {
 public:
  /// Throws FileError.
  BoundGripper(const GripperStep& step, const Binder& binder);

  [[nodiscard]] GripperIndex gripper() const noexcept { return gripper_; }
  /// With its present values.
  [[nodiscard]] Request make() const;

 private:
  using Value = std::optional<BoundValue>;
  [[nodiscard]] static double number(const Value& value, double otherwise) noexcept {
    return value ? value->value() : otherwise;
  }

  CommandKind kind_;
  GripperIndex gripper_;
  Value width_, share_, force_, speed_, inner_, outer_;
};

}  // namespace jointrig::harness
