#pragma once
/// Facts about an MJCF actuator and its joint.

#include <mujoco/mujoco.h>

#include <optional>
#include <string>
#include <vector>

namespace jointrig {

/// True if it acts on one joint directly, by any law (motor, servo, muscle...).
bool drives_one_joint(const mjModel& model, int actuator) noexcept;

/// True if it only opposes motion: a joint without another actuator can't be driven.
bool is_damper(const mjModel& model, int actuator) noexcept;

/// True if it can push in one direction only (a muscle, or a force range on one side of zero).
bool is_one_sided(const mjModel& model, int actuator) noexcept;

/// "motor", "position servo", "muscle"...: for people.
std::string kind_of(const mjModel& model, int actuator);

/// "joint", "tendon", "site"...: object that it acts on.
std::string transmission_of(const mjModel& model, int actuator);

/// A torque limit and its source ("force range 12 x gear 50").
struct TorqueLimit {
  double value = 0.0;  ///< [N·m or N], after the gear; the smaller one if the sides differ
  std::string source;
  bool lopsided = false;  ///< true: the sides differ by more than a tenth
};

/// The largest torque of the actuator on its joint: force range times gear; control range times
/// gain and gear for a motor without a force range; the peak force of a muscle. Empty if the model
/// doesn't define it.
std::optional<TorqueLimit> torque_limit(const mjModel& model, int actuator);

/// The source of torque_limit_of_joint.
inline constexpr const char* kJointForceRange = "joint's force range";

/// The joint's own "actuatorfrcrange", if it has one.
std::optional<TorqueLimit> torque_limit_of_joint(const mjModel& model, int joint);

/// Joints that the actuator moves in this pose (`data` after mj_forward): over tendons, sites,
/// cranks.
std::vector<int> joints_moved_by(const mjModel& model, const mjData& data, int actuator);

}  // namespace jointrig
