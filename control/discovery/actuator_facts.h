#pragma once
/// What an MJCF actuator says about the joint it drives.

#include <mujoco/mujoco.h>

#include <optional>
#include <string>
#include <vector>

namespace jointrig {

/// Acts on one joint directly, whatever its law (motor, servo, muscle...).
bool drives_one_joint(const mjModel& model, int actuator) noexcept;

/// Only opposes motion: a joint that has nothing else can't be driven.
bool is_damper(const mjModel& model, int actuator) noexcept;

/// Can push in one direction only (a muscle, or a force range on one side of zero).
bool is_one_sided(const mjModel& model, int actuator) noexcept;

/// "motor", "position servo", "muscle"...: for people.
std::string kind_of(const mjModel& model, int actuator);

/// "joint", "tendon", "site"...: what it acts on.
std::string transmission_of(const mjModel& model, int actuator);

/// A torque limit and where it is from ("force range 12 x gear 50").
struct TorqueLimit {
  double value = 0.0;  ///< [N·m or N], after the gear; the smaller one where the sides differ
  std::string source;
  bool lopsided = false;  ///< the sides differ by more than a tenth
};

/// The largest torque that the actuator gives its joint: force range times gear; control range
/// times gain and gear for a motor without one; the peak force of a muscle. Empty where the model
/// doesn't say.
std::optional<TorqueLimit> torque_limit(const mjModel& model, int actuator);

/// The joint's own "actuatorfrcrange", if it has one.
std::optional<TorqueLimit> torque_limit_of_joint(const mjModel& model, int joint);

/// Joints that the actuator moves, now (`data` after mj_forward): over tendons, sites, cranks.
std::vector<int> joints_moved_by(const mjModel& model, const mjData& data, int actuator);

}  // namespace jointrig
