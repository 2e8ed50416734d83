// The setpoints of the stack keep their promises for all commands of clients and all reports of
// boards.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <variant>
#include <vector>

#include "control/core/command_facts.h"
#include "control/core/command_numbers.h"
#include "tests/support/ideal_rig.h"

namespace jointrig {
namespace {

using testing::ideal_config;
using testing::IdealRig;

/// Draws commands of real clients, and of broken ones.
class Chaos {
 public:
  explicit Chaos(std::uint64_t seed) : engine_(seed) {}

  std::size_t below(std::size_t count) { return engine_() % count; }
  bool once_in(std::size_t count) { return below(count) == 0; }
  double number(double size) {
    switch (below(12)) {
      case 0:
        return std::numeric_limits<double>::quiet_NaN();
      case 1:
        return once_in(2) ? HUGE_VAL : -HUGE_VAL;
      case 2:
        return once_in(2) ? 1e300 : -1e-300;
      case 3:
        return 0.0;
      default:
        return size * (static_cast<double>(engine_() >> 11) * 0x1p-52 - 1.0);
    }
  }
  template <typename Enumerators>
  auto one_of(const Enumerators& all) {
    return all[below(all.size())];
  }

  Request request(std::size_t joints, CommandKind kind) {
    Request c = blank_request(kind);
    fill_fields(c, numbers(fields_of(kind), 1.5));
    for (std::size_t i = 0; i < joints; ++i) {
      if (once_in(2)) add_joint(c, static_cast<JointIndex>(i), numbers(value_fields_of(kind), 3.0));
    }
    set_arm(c, once_in(10) ? static_cast<ArmIndex>(below(256)) : ArmIndex{0});
    std::visit([this](auto& command) { misname(command); }, c);
    return c;
  }
  Request request(std::size_t joints) { return request(joints, one_of(kAllCommandKind)); }

 private:
  /// For each place of the fields; mostly words that there are.
  std::vector<double> numbers(std::span<const FieldInfo> fields, double size) {
    std::vector<double> all;
    for (const FieldInfo& field : fields) {
      const std::size_t count = !field.is_list ? field.most
                                : once_in(3)   ? below(field.most + 1)
                                : once_in(2)   ? std::min<std::size_t>(6, field.most)
                                               : field.most;
      for (std::size_t i = 0; i < count; ++i) {
        if (field.words.empty()) {
          all.push_back(number(size));
        } else {
          all.push_back(static_cast<double>(below(once_in(20) ? 256 : field.words.size())));
        }
      }
    }
    return all;
  }
  /// Now and then a joint that there isn't, or another count of values than joints.
  template <typename C>
  void misname(C& command) {
    if constexpr (NamesJoints<C>) {
      if (once_in(20)) command.joints.set(below(kMaxJoints));
    }
    if constexpr (HasValues<C>) {
      if (once_in(10)) command.values.resize(below(4));
    }
  }

  std::mt19937_64 engine_;
};

/// Sends a random command in some cycles; every one must be answered, once.
void pester(IdealRig& rig, Chaos& chaos) {
  if (!chaos.once_in(4)) return;
  Command c{.request = chaos.request(rig.stack.config().joints.size()),
            .sender = rig.client.sender()};
  c.number = rig.stack.state().last_number[c.sender] + 1;
  ASSERT_TRUE(rig.stack.inbox().push(c));
  rig.run(1);
  int answers = 0;
  for (const Event& e : rig.events()) {
    const bool is_answer = e.kind == EventKind::kAccepted || e.kind == EventKind::kRejected;
    answers += is_answer && e.number == c.number;
  }
  EXPECT_EQ(answers, 1) << to_string(kind_of(c));
}

/// Promises of every setpoint, for any input.
void check_setpoint(const JointSnapshot& now, const JointSnapshot& before,
                    const JointConfig& joint) {
  const JointSetpoint& s = now.setpoint;
  for (const double number : {s.q, s.v, s.tau, s.duty, s.stiffness, s.damping}) {
    ASSERT_TRUE(std::isfinite(number));
  }
  ASSERT_LE(std::abs(s.tau), joint.limits.tau_max);
  ASSERT_LE(std::abs(s.duty), 1.0);
  if (s.drive == DriveMode::kTorque) {
    // From off it comes on at zero: there is no gravity here.
    const bool was_on = before.setpoint.drive == DriveMode::kTorque;
    const bool was_duty = before.setpoint.drive == DriveMode::kDuty;
    const double last = was_on ? before.setpoint.tau : was_duty ? s.tau : 0.0;
    ASSERT_LE(std::abs(s.tau - last), joint.limits.tau_rate_max * 1e-3 + 1e-9);
  }
  if (now.fault) {
    ASSERT_EQ(s.drive, DriveMode::kOff);
  }
}

class StackFuzz : public ::testing::TestWithParam<int> {};

TEST_P(StackFuzz, WhateverIsAskedReferencesStayInsideAndTorqueWithinItsRate) {
  Chaos chaos(static_cast<std::uint64_t>(GetParam()));
  IdealRig rig(3);
  for (auto& joint : rig.robot.joint) {  // idle joints coast: to their stops
    joint.q_low = -2.5;
    joint.q_high = 2.5;
  }
  rig.enter(ModeRequest::kPosition);
  std::vector<JointSnapshot> before(3);
  for (std::size_t i = 0; i < 3; ++i) before[i] = rig.joint(i);
  for (int n = 0; n < 20000; ++n) {
    pester(rig, chaos);
    for (std::size_t i = 0; i < 3; ++i) before[i] = rig.joint(i);
    rig.run(1);
    for (std::size_t i = 0; i < 3; ++i) {
      SCOPED_TRACE(::testing::Message() << "cycle " << n << ", joint " << i);
      const JointSnapshot& now = rig.joint(i);
      const JointConfig& joint = rig.stack.config().joints[i];
      check_setpoint(now, before[i], joint);
      // The reference ends at the soft limit; one taken from a joint further out goes no further.
      const double furthest = std::max(
          {soft_max(joint.limits), std::abs(now.state.q), std::abs(before[i].reference.q)});
      ASSERT_LE(std::abs(now.reference.q), furthest + 1e-9);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST_P(StackFuzz, WhateverBoardsReportNothingUnsoundIsSent) {
  Chaos chaos(1000 + static_cast<std::uint64_t>(GetParam()));
  const RobotConfig config = ideal_config(2);
  IdealRig rig(config);
  std::vector<JointSnapshot> before(2);
  RobotState state;
  RobotCommand command;
  state.joints.resize(2);
  for (int n = 0; n < 20000; ++n) {
    state.cycle = rig.stack.state().cycle + 1;
    state.time_ns = static_cast<TimeNs>(state.cycle) * 1'000'000;
    for (JointState& joint : state.joints) {
      if (!chaos.once_in(3)) continue;
      joint.q = chaos.number(3.0);
      joint.v = chaos.number(3.0);
      joint.tau = chaos.number(60.0);
      joint.zero = chaos.number(1.0);
      joint.status = chaos.once_in(3) ? chaos.one_of(kAllBoardStatus) : BoardStatus::kEnabled;
      joint.fault = chaos.once_in(5) ? chaos.one_of(kAllFaultCode) : FaultCode::kNone;
      joint.missed = chaos.once_in(10) ? static_cast<std::uint32_t>(chaos.below(100)) : 0;
    }
    if (chaos.once_in(3)) {
      Command c{
          .request = chaos.once_in(3) ? chaos.request(2, CommandKind::kSetMode) : chaos.request(2),
          .sender = rig.client.sender()};
      c.number = rig.stack.state().last_number[c.sender] + 1;
      ASSERT_TRUE(rig.stack.inbox().push(c));
    }
    rig.stack.cycle(state, command);
    for (std::size_t i = 0; i < 2; ++i) {
      SCOPED_TRACE(::testing::Message() << "cycle " << n << ", joint " << i);
      const JointSnapshot& now = rig.joint(i);
      check_setpoint(now, before[i], config.joints[i]);
      const bool stays = before[i].fault && now.fault;
      if (stays) {
        ASSERT_EQ(now.fault.cycle, before[i].fault.cycle) << "a fault latches";
      }
      if (::testing::Test::HasFatalFailure()) return;
      before[i] = now;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, StackFuzz, ::testing::Range(1, 7));

}  // namespace
}  // namespace jointrig
