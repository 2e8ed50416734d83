#include "control/safety/admission.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "control/core/command_facts.h"
#include "control/core/command_numbers.h"
#include "tests/support/ideal_robot.h"

namespace jointrig {
namespace {

constexpr double kDt = 1e-3;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

JointConfig joint() { return testing::ideal_config(1).joints[0]; }

template <typename C>
C command(std::initializer_list<std::size_t> joints,
          std::initializer_list<typename C::Value> values) {
  C c;
  for (const std::size_t j : joints) c.joints.set(j);
  for (const auto& value : values) c.values.push_back(value);
  return c;
}

/// On a robot of three joints and an arm.
Refusal shape(const Request& request) { return check_shape(request, 3, 1); }

TEST(Admission, ACommandNeedsOneFiniteValueForEachJointItNames) {
  EXPECT_FALSE(shape(command<Move>({0, 2}, {{0, 0}, {1, 0}})));
  EXPECT_EQ(shape(command<Move>({0, 2}, {{0, 0}})).reason, RejectReason::kSizeMismatch);
  EXPECT_EQ(shape(command<Move>({0}, {{0, 0}, {0, 0}})).reason, RejectReason::kSizeMismatch);
  EXPECT_EQ(shape(command<Move>({}, {})).reason, RejectReason::kSizeMismatch);
  EXPECT_EQ(shape(Stop{}).reason, RejectReason::kSizeMismatch) << "of no joint";
  EXPECT_FALSE(shape(Stop{JointSet{}.set(1)}));
  const Refusal unknown = shape(command<Move>({0, 3}, {{0, 0}, {0, 0}}));
  EXPECT_EQ(unknown.reason, RejectReason::kUnknownJoint);
  EXPECT_EQ(unknown.joint, 3);
  for (const double bad : {kNan, kInf, -kInf}) {
    const Refusal r = shape(command<StreamTrajectory>({0, 2}, {{0, 0, 0}, {0, bad, 0}}));
    EXPECT_EQ(r.reason, RejectReason::kNotFinite);
    EXPECT_EQ(r.joint, 2);
    EXPECT_EQ(r.place, 1 + place_of<StreamTrajectory::Value>("velocity"));
  }
}

/// Each command with a number of its own set to what is no number, and to an index beyond the words
/// of its field: whatever the field is for.
TEST(Admission, EveryNumberOfACommandIsFiniteAndEveryWordIsOne) {
  // A flag and a count hold no such number.
  const std::set<Range> counts{
      Range::kFlag, Range::kTicket, Range::kLaw,     Range::kMessageId,    Range::kPreviousId,
      Range::kHand, Range::kFoot,   Range::kGripper, Range::kObstacleName, Range::kArmNumber};
  int numbers = 0;
  int words = 0;
  for (const CommandKind kind : kAllCommandKind) {
    SCOPED_TRACE(to_string(kind));
    Request good = blank_request(kind);
    set_arm(good, 0);
    if (value_fields_of(kind).empty()) {
      add_joint(good, 1);
    } else {
      std::vector<double> value(value_fields_of(kind).back().place + 1, 0.0);
      ASSERT_TRUE(add_joint(good, 1, value));
    }
    std::vector<double> own;
    for (const FieldInfo& field : fields_of(kind)) {
      const bool is_gains = field.is_list && field.range != Range::kPostureStiffness;
      own.resize(field.place + (is_gains ? 6 : field.is_list ? 0 : field.most), 0.0);
    }
    ASSERT_TRUE(fill_fields(good, own));
    EXPECT_FALSE(shape(good)) << to_string(shape(good).reason);
    for (const FieldInfo& field : fields_of(kind)) {
      SCOPED_TRACE(field.name);
      const bool holds_any = !counts.contains(field.range);
      if (!holds_any || field.place >= own.size()) continue;
      const bool is_word = !field.words.empty();
      std::vector<double> bad = own;
      bad[field.place] = is_word ? static_cast<double>(field.words.size()) : kInf;
      Request request = good;
      ASSERT_TRUE(fill_fields(request, bad));
      const Refusal refusal = shape(request);
      EXPECT_EQ(refusal.reason, is_word ? RejectReason::kOutOfRange : RejectReason::kNotFinite);
      EXPECT_EQ(refusal.value, bad[field.place]);
      EXPECT_EQ(refusal.place, field.place + 1);
      ++(is_word ? words : numbers);
    }
    for (const FieldInfo& field : value_fields_of(kind)) {
      SCOPED_TRACE(field.name);
      std::vector<double> value(value_fields_of(kind).back().place + 1, 0.0);
      value[field.place] = kNan;
      Request request = blank_request(kind);
      ASSERT_TRUE(fill_fields(request, own));
      ASSERT_TRUE(add_joint(request, 1, value));
      const Refusal refusal = shape(request);
      EXPECT_EQ(refusal.reason, RejectReason::kNotFinite);
      EXPECT_EQ(refusal.joint, 1);
      EXPECT_EQ(refusal.place, field.place + 1);
      ++numbers;
    }
  }
  EXPECT_GE(numbers, 30);
  EXPECT_GE(words, 10);
}

TEST(Admission, WhatIsNoIndexIsAWordThatThereIsNot) {
  for (const double number : {2.5, -1.0, 1e9, kNan}) {
    Request request = SetArmTerm{};
    set_arm(request, 0);
    const std::array numbers{number, 1.0};
    ASSERT_TRUE(fill_fields(request, numbers));
    EXPECT_EQ(shape(request).reason, RejectReason::kOutOfRange) << number;
  }
}

TEST(Admission, WhatIsNoNumberOfAHandIsNeverTheFirstHand) {
  for (const double number : {2.5, -1.0, 300.0, kNan}) {
    Request request = HandTrajectory{};
    std::vector<double> numbers(place_of<HandTrajectory>("waypoints"), 0.0);
    numbers.front() = number;
    ASSERT_TRUE(fill_fields(request, numbers));
    EXPECT_EQ(std::get<HandTrajectory>(request).hand, 255) << number;
  }
}

TEST(Admission, ValuesAreHeldAgainstTheJointsOwnLimits) {
  const JointConfig j = joint();
  const auto reason = [&](const auto& value) { return check_values(value, j, 0).reason; };
  constexpr RejectReason kFine = RejectReason::kNone;
  constexpr RejectReason kOut = RejectReason::kOutOfRange;
  EXPECT_EQ(reason(Move::Value{2.48, 2.0}), kFine);  // soft limit: 2.5 − 0.02
  EXPECT_EQ(reason(Move::Value{2.481, 0.0}), kOut);
  EXPECT_EQ(reason(Move::Value{0.0, 2.1}), kOut);
  EXPECT_EQ(reason(Move::Value{0.0, -0.1}), kOut);
  EXPECT_EQ(reason(TimedMove::Value{2.481, 3.0}), kOut);
  EXPECT_EQ(reason(StreamVelocity::Value{-2.0}), kFine);
  EXPECT_EQ(reason(StreamVelocity::Value{-2.001}), kOut);
  EXPECT_EQ(reason(StreamTorque::Value{50.0}), kFine);
  EXPECT_EQ(reason(StreamTorque::Value{50.1}), kOut);
  EXPECT_EQ(reason(StreamDuty::Value{-1.0}), kFine);
  EXPECT_EQ(reason(StreamDuty::Value{-1.01}), kOut);
  EXPECT_EQ(reason(SetImpedance::Value{-1.0, 0.0}), kOut);
  EXPECT_EQ(reason(SetImpedance::Value{100.0, -0.1}), kOut);
  EXPECT_EQ(reason(SetImpedance::Value{1.01 * max_stiffness(j.gains), 0.0}), kOut);
  EXPECT_EQ(reason(StreamPosition::Value{99.0}), kFine) << "shaped, not refused";
  const Refusal r = check_values(StreamVelocity::Value{-3.0}, j, 4);
  EXPECT_EQ(r.joint, 4);
  EXPECT_EQ(r.value, -3.0);
  EXPECT_EQ(r.limit, -2.0);
}

TEST(Admission, EachModeTakesTheCommandsOfTheICubDocumentAndNoOther) {
  using K = CommandKind;
  using M = ControlMode;
  const std::vector<std::pair<M, std::vector<K>>> document{
      {M::kIdle, {}},
      {M::kPosition, {K::kMove, K::kTimedMove}},
      {M::kPositionDirect, {K::kStreamPosition, K::kStreamTrajectory}},
      {M::kVelocity, {K::kStreamVelocity}},
      {M::kMixed, {K::kMove, K::kTimedMove, K::kStreamVelocity}},
      {M::kTorque, {K::kStreamTorque}},
      {M::kOpenloop, {K::kStreamDuty}}};
  for (const auto& [mode, taken] : document) {
    for (const K kind : {K::kMove, K::kTimedMove, K::kStreamPosition, K::kStreamTrajectory,
                         K::kStreamVelocity, K::kStreamTorque, K::kStreamDuty}) {
      SCOPED_TRACE(std::string(to_string(mode)) + " " + std::string(to_string(kind)));
      EXPECT_EQ(modes_of(kind).has(mode),
                std::find(taken.begin(), taken.end(), kind) != taken.end());
    }
  }
}

TEST(Admission, TheStiffestJointAdmittedStillSettlesWithOneCycleOfDelay) {
  // A mass on the stiffest admitted spring, damped as strongly as admitted, torque one cycle late.
  for (const double zeta : {0.3, 0.7, 1.0}) {
    const JointGains g = joint().gains;
    const double k = max_stiffness(g);
    const double d = std::min(2.0 * zeta * std::sqrt(k * g.inertia), max_damping(g));
    double q = 0.1, v = 0.0, late = 0.0;
    for (int i = 0; i < 2000; ++i) {
      const double now = -k * q - d * v;
      v += late / g.inertia * kDt;
      q += v * kDt;
      late = now;
    }
    EXPECT_LT(std::abs(q), 1e-4) << "damping ratio " << zeta;
  }
}

}  // namespace
}  // namespace jointrig
