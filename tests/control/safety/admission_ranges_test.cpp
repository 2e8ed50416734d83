/// Every field of every command that has an interval, at both ends of it: just inside it passes,
/// just outside it is refused with its place. Intervals are written here once more, for a joint and
/// an arm with numbers of their own.

#include <gtest/gtest.h>

#include <numbers>
#include <optional>
#include <set>
#include <vector>

#include "control/core/command_numbers.h"
#include "control/safety/admission.h"
#include "control/safety/arm_admission.h"

namespace jointrig {
namespace {

constexpr JointIndex kJoint = 5;
constexpr double kOutside = 1e-6;  // beyond the rounding that a gate allows

JointConfig odd_joint() {
  JointConfig config;
  config.limits.q_min = -1.0;
  config.limits.q_max = 2.5;
  config.limits.soft_margin = 0.25;
  config.limits.v_max = 3.0;
  config.limits.a_max = 17.0;
  config.limits.tau_max = 38.0;
  config.gains.inertia = 0.01;
  config.gains.viscous = 0.5;
  return config;
}

ArmConfig odd_arm() {
  ArmConfig config;
  config.joints = {0, 1, 2};
  config.stiffness_max = {1300, 1200, 1100, 31, 32, 33};
  config.damping_max = {300, 290, 280, 11, 12, 13};
  config.payload_max = 7.0;
  config.inertia_min = {0.5, 0.6, 0.7, 0.01, 0.02, 0.03};
  config.inertia_max = {90, 80, 70, 9, 8, 7};
  config.interaction.force_max = {50, 49, 48, 5, 4, 3};
  config.interaction.posture_stiffness_max = 12.0;
  return config;
}

std::optional<Interval> of_joint(Range range) {
  const double pi = std::numbers::pi;
  switch (range) {
    case Range::kSoftLimits:
      return Interval{-0.75, 2.25};
    case Range::kSpeed:
      return Interval{0.0, 3.0};
    case Range::kVelocity:
      return Interval{-3.0, 3.0};
    case Range::kAcceleration:
      return Interval{0.0, 17.0};
    case Range::kTorque:
      return Interval{-38.0, 38.0};
    case Range::kShare:
      return Interval{-1.0, 1.0};
    case Range::kJointStiffness:  // I w² + b w at 25 Hz
      return Interval{0.0, 0.01 * 50 * pi * 50 * pi + 0.5 * 50 * pi};
    case Range::kJointDamping:  // 2 I w at 40 Hz
      return Interval{0.0, 2 * 0.01 * 80 * pi};
    default:
      return std::nullopt;
  }
}

std::optional<Interval> of_arm(Range range, std::size_t i) {
  const ArmConfig config = odd_arm();
  switch (range) {
    case Range::kToolStiffness:
      return Interval{0.0, config.stiffness_max[i]};
    case Range::kToolDamping:
      return Interval{0.0, config.damping_max[i]};
    case Range::kDampingRatio:
      return Interval{0.0, 2.0};
    case Range::kPayload:
      return Interval{0.0, 7.0};
    case Range::kNearTool:
      return Interval{-1.0, 1.0};
    case Range::kToolInertia:
      return Interval{config.inertia_min[i], config.inertia_max[i]};
    case Range::kForce:
      return Interval{-config.interaction.force_max[i], config.interaction.force_max[i]};
    case Range::kPostureStiffness:
      return Interval{0.0, 12.0};
    case Range::kGrasp:
      return Interval{0.0, 600.0};
    default:
      return std::nullopt;
  }
}

void expect_refused(const Refusal& refusal, double value, double limit, std::size_t place) {
  EXPECT_EQ(refusal.reason, RejectReason::kOutOfRange);
  EXPECT_EQ(refusal.value, value);
  EXPECT_NEAR(refusal.limit, limit, 1e-9);
  EXPECT_EQ(refusal.place, place + 1);
}

/// Ends of an interval, and where that is left behind.
struct End {
  double inside;
  double outside;
};
std::array<End, 2> ends(const Interval& interval) {
  return {End{interval.low, interval.low - kOutside}, End{interval.high, interval.high + kOutside}};
}

/// Ranges met on the way.
std::set<Range> walked;

template <typename Value>
void walk_value() {
  for (const FieldInfo& field : field_infos<Value>()) {
    const std::optional<Interval> interval = of_joint(field.range);
    if (!interval) continue;
    SCOPED_TRACE(field.name);
    walked.insert(field.range);
    for (const End& end : ends(*interval)) {
      std::vector<double> numbers(field_infos<Value>().size(), 0.0);
      Value value;
      numbers[field.place] = end.inside;
      ASSERT_TRUE(fill_from(value, numbers));
      EXPECT_FALSE(check_values(value, odd_joint(), kJoint));
      numbers[field.place] = end.outside;
      ASSERT_TRUE(fill_from(value, numbers));
      const Refusal refusal = check_values(value, odd_joint(), kJoint);
      expect_refused(refusal, end.outside, end.inside, field.place);
      EXPECT_EQ(refusal.joint, kJoint);
    }
  }
}

TEST(AdmissionRanges, ANumberOfAJointPassesInsideItsIntervalAndIsNamedOutside) {
  walked.clear();
  for (const CommandKind kind : kAllCommandKind) {
    SCOPED_TRACE(to_string(kind));
    with_command_type(kind, []<typename C>(std::type_identity<C>) {
      if constexpr (HasValues<C>) walk_value<typename C::Value>();
    });
  }
  for (const Range range : kAllRange) EXPECT_EQ(walked.count(range) == 1, bool(of_joint(range)));
}

/// Everything well inside; damping counts as what the field is.
template <typename C>
std::vector<double> good_numbers(const FieldInfo& tested) {
  std::vector<double> numbers;
  for (const FieldInfo& field : field_infos<C>()) {
    const bool is_gains = field.is_list && field.range != Range::kPostureStiffness;
    const std::size_t count = is_gains ? 6 : field.is_list ? odd_arm().joints.size() : field.most;
    for (std::size_t i = 0; i < count; ++i) {
      const std::optional<Interval> interval = of_arm(field.range, i);
      double number = interval ? 0.5 * (interval->low + interval->high) : 0.0;
      if (field.name == "active") number = 1.0;
      if (field.range == Range::kUnitLength) number = i == 0 ? 1.0 : 0.0;
      if (field.name == "damping_source") {
        const bool is_ratio = tested.range == Range::kDampingRatio;
        number = as_number(is_ratio ? DampingSource::kRatio : DampingSource::kGiven);
      }
      numbers.push_back(number);
    }
  }
  return numbers;
}

template <typename C>
void walk_arm() {
  for (const FieldInfo& field : field_infos<C>()) {
    const std::vector<double> good = good_numbers<C>(field);
    const std::size_t last = std::min(field.place + field.most, good.size());
    for (std::size_t place = field.place; place < last; ++place) {
      const std::optional<Interval> interval = of_arm(field.range, place - field.place);
      if (!interval) break;
      SCOPED_TRACE(::testing::Message() << field.name << ' ' << place - field.place);
      walked.insert(field.range);
      for (const End& end : ends(*interval)) {
        std::vector<double> numbers = good;
        C command;
        numbers[place] = end.inside;
        ASSERT_TRUE(fill_from(command, numbers));
        EXPECT_FALSE(check_arm(command, odd_arm()));
        numbers[place] = end.outside;
        ASSERT_TRUE(fill_from(command, numbers));
        const Refusal refusal = check_arm(command, odd_arm());
        expect_refused(refusal, end.outside, end.inside, place);
        EXPECT_EQ(refusal.joint, kNoJoint);
      }
    }
  }
}

TEST(AdmissionRanges, ANumberOfAnArmPassesInsideItsIntervalAndIsNamedOutside) {
  walked.clear();
  for (const CommandKind kind : kAllCommandKind) {
    SCOPED_TRACE(to_string(kind));
    with_command_type(kind, []<typename C>(std::type_identity<C>) {
      if constexpr (requires(C command) { check_arm(command, odd_arm()); }) walk_arm<C>();
    });
  }
  for (const Range range : kAllRange) EXPECT_EQ(walked.count(range) == 1, bool(of_arm(range, 0)));
}

TEST(AdmissionRanges, ARangeWithoutAnIntervalIsNoneOrIsCheckedByItself) {
  const std::set<Range> others{Range::kFinite,
                               Range::kShaped,
                               Range::kWord,
                               Range::kFlag,
                               Range::kDuration,       // by the joint's motion: stack_test
                               Range::kJerk,           // by its torque rate: joint_targets_test
                               Range::kParameter,      // check_parameter: parameter_test
                               Range::kSpeedOverride,  // speed_override_test
                               Range::kReach,
                               Range::kUnitLength,    // arm_admission_test
                               Range::kSwitchedTerm,  // likewise
                               Range::kLoadInertia,   // likewise
                               Range::kToolVelocity,  // tool_drives_test
                               Range::kDriveTime,     // likewise
                               Range::kTicket,        // plan_followers_test
                               Range::kLaw,
                               Range::kLawParameter,  // user_laws_test
                               Range::kMessageId,
                               Range::kPreviousId,  // wholebody_message_test
                               Range::kHand,
                               Range::kWaypoints,  // likewise
                               Range::kFoot,
                               Range::kBearing,           // wholebody_load_test
                               Range::kUnitNormal,        // likewise
                               Range::kTaskWeight,        // body_messages_test
                               Range::kIntegration,       // likewise
                               Range::kStepTime,          // wholebody_message_test
                               Range::kSwingHeight,       // likewise
                               Range::kUserAcceleration,  // likewise
                               Range::kFilter,            // by the loop's rate: forces_test
                               Range::kGripper,
                               Range::kOpening,  // grippers_test
                               Range::kGripperSpeed,
                               Range::kGripperWidth,  // likewise
                               Range::kGraspForce,    // likewise
                               Range::kObstacleName,  // obstacle_admission_test
                               Range::kObstacleSize,
                               Range::kObstaclePlace,
                               Range::kObstacleSpeed,
                               Range::kObstacleTime,
                               Range::kArmNumber,  // likewise
                               Range::kFreeFall};  // gravity_test
  for (const Range range : kAllRange) {
    SCOPED_TRACE(to_string(range));
    EXPECT_EQ(interval_of(range, odd_joint()).has_value(), of_joint(range).has_value());
    EXPECT_EQ(interval_of(range, 0, odd_arm()).has_value(), of_arm(range, 0).has_value());
    EXPECT_EQ(!of_joint(range) && !of_arm(range, 0), others.count(range) == 1);
  }
}

}  // namespace
}  // namespace jointrig
