#include "control/discovery/default_limits.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace jointrig {
namespace {

constexpr double kHingeSpeed = 2.0;                       // [rad/s]
constexpr double kSlideSpeed = 0.25;                      // [m/s]
constexpr double kFastestHinge = 2.0 * std::numbers::pi;  // [rad/s]: of usual wrists
constexpr double kTimeToMotorSpeed = 0.005;               // [s]
constexpr double kTimeAcrossRange = 0.5;                  // [s]
constexpr double kSlowestHinge = 0.5;    // [rad/s]: a slower limit is probably an error of units
constexpr double kSlowestSlide = 0.02;   // [m/s]
constexpr double kTimeToSpeed = 0.2;     // [s]
constexpr double kTorqueRate = 50.0;     // [1/s]: full torque in 20 ms
constexpr double kStepTime = 0.01;       // [s]
constexpr double kMarginOfRange = 0.01;  // fraction
constexpr double kHingeMargin = 0.02;    // [rad]
constexpr double kSlideMargin = 0.005;   // [m]
constexpr double kShareForMotion = 0.5;  // share of the torque beyond gravity
constexpr double kAccelerationReserve = 10;  // times the default, for pushes and fast references

double speed(const JointFacts& joint) noexcept {
  return joint.v_max > 0.0 ? joint.v_max : default_speed(joint);
}

double default_acceleration(const JointFacts& joint) noexcept {
  return speed(joint) / kTimeToSpeed;
}

double soft_margin(const JointFacts& joint) noexcept {
  if (!std::isfinite(joint.q_max - joint.q_min)) return 0.0;
  const double wish = std::min(kMarginOfRange * (joint.q_max - joint.q_min),
                               joint.slide ? kSlideMargin : kHingeMargin);
  // The start must be allowed.
  return std::max(0.0, std::min({wish, joint.q_start - joint.q_min, joint.q_max - joint.q_start}));
}

}  // namespace

double default_speed(const JointFacts& joint) noexcept {
  const double slowest = joint.slide ? kSlowestSlide : kSlowestHinge;
  const double usual = joint.slide ? kSlideSpeed : kHingeSpeed;
  return std::clamp((joint.q_max - joint.q_min) / kTimeAcrossRange, slowest, usual);
}

double default_speed(const JointFacts& joint, double inertia) noexcept {
  const double usual = default_speed(joint);
  if (joint.slide) return usual;
  return std::clamp(kTimeToMotorSpeed * joint.tau_max / inertia, usual, kFastestHinge);
}

bool is_no_speed_limit(const JointFacts& joint, double v_max) noexcept {
  constexpr double kFastest = 100.0;      // [rad/s]
  constexpr double kLeastAcross = 0.020;  // [s]
  return joint.slide ? v_max * kLeastAcross > joint.q_max - joint.q_min : v_max >= kFastest;
}

double estimated_torque(const JointFacts& joint) noexcept {
  const double acceleration = kAccelerationReserve * default_acceleration(joint);
  return 2.0 * (joint.load + joint.friction + joint.inertia * acceleration);
}

bool is_no_torque_limit(double tau_max, double strongest) noexcept {
  constexpr double kMost = 300.0;  // times the estimate; a choice
  return tau_max >= kMost * strongest;
}

bool is_too_little_torque(double tau_max, double weight) noexcept {
  constexpr double kLeast = 3.0;
  return weight >= kLeast * tau_max;
}

double estimated_torque(const JointFacts& joint, double carrier) noexcept {
  constexpr double kShareOfCarrier = 0.1;
  const double own = estimated_torque(joint);
  return joint.slide ? own : std::max(own, kShareOfCarrier * carrier);
}

JointLimits default_limits(const JointFacts& joint) noexcept {
  JointLimits limits;
  limits.q_min = joint.q_min;
  limits.q_max = joint.q_max;
  limits.soft_margin = soft_margin(joint);
  limits.v_max = speed(joint);
  limits.a_max = default_acceleration(joint);
  const double spare = kShareForMotion * (joint.tau_max - joint.load);
  if (spare > 0.0) limits.a_max = std::min(limits.a_max, spare / joint.inertia);
  limits.tau_max = joint.tau_max;
  limits.tau_rate_max = kTorqueRate * joint.tau_max;
  limits.step_max = kStepTime * limits.v_max;
  return limits;
}

double plausible_armature(const JointLimits& limits) noexcept {
  return kTimeToMotorSpeed * limits.tau_max / limits.v_max;
}

}  // namespace jointrig
