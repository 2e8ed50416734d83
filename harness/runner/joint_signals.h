#pragma once
/// Signals of one joint, listed once: name, unit, and how to read it from a snapshot or from
/// robot.yaml.

#include <span>
#include <string_view>

#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "harness/runner/signals.h"

namespace jointrig::harness {

struct JointSignal {
  std::string_view name;
  std::string_view unit;        ///< for a hinge
  std::string_view slide_unit;  ///< for a slide
  SignalKind kind;
  double (*read)(const JointSnapshot&);
};

/// A signal of the plan that a joint follows; 0 while it follows none.
struct PlanSignal {
  std::string_view name;
  std::string_view unit;
  double (*read)(const PlanSnapshot&);
};

struct JointConstant {
  std::string_view name;
  std::string_view unit;
  std::string_view slide_unit;
  double (*read)(const JointConfig&);
};

std::span<const JointSignal> joint_signals() noexcept;
std::span<const PlanSignal> plan_signals() noexcept;
std::span<const JointConstant> joint_constants() noexcept;

}  // namespace jointrig::harness
