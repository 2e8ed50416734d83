// Messages with something wrong in them, of every kind and by the thousand, to the iCub that
// stands: each is refused with its id, and the robot is to the bit where it would be without them.
//
// 64,000 of them, or as many as JOINTRIG_FUZZ_MESSAGES says.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "app/rig/rig.h"
#include "control/core/command_facts.h"
#include "control/core/command_numbers.h"
#include "control/exchange/robot_client.h"

namespace jointrig {
namespace {

constexpr int kPerCycle = 24;  ///< fewer than a cycle takes

struct StandingIcub {
  StandingIcub() {
    rig.start();
    step();
    client.set_mode(client.select("all"), ModeRequest::kPosition);
    for (int i = 0; i < 500; ++i) step();
    client.set_mode(client.select("all"), ModeRequest::kTorque);
    for (int i = 0; i < 1000; ++i) step();
    for (Event e; reader.next(e);) continue;
  }
  [[nodiscard]] LawState law() { return rig.stack().snapshot().laws[0].state; }
  void step() { rig.loop().step(); }
  static RobotConfig config() {
    RobotConfig config = app::load_robot(harness::find_robot("icub")).config;
    config.pin_base = false;
    config.scene_path = "scenes/empty_floor.xml";
    return config;
  }

  app::Rig rig{config(), {}};
  RobotClient client{rig.stack().config(), rig.stack().inbox(), "fuzz"};
  EventRing::Reader reader{rig.stack().events()};
};

std::vector<CommandKind> message_kinds() {
  std::vector<CommandKind> kinds;
  for (const CommandKind kind : kAllCommandKind) {
    with_command_type(kind, [&]<typename C>(std::type_identity<C>) {
      if constexpr (IsMessage<C>) kinds.push_back(kind);
    });
  }
  return kinds;
}

class Fuzz {
 public:
  /// A message that is right by chance at most in what is not broken on purpose.
  Request message(CommandKind kind) {
    std::vector<double> numbers;
    for (const FieldInfo& field : fields_of(kind)) {
      const std::size_t count = field.is_list ? rows(kind) : field.most;
      for (std::size_t i = 0; i < count && numbers.size() < field.place + field.most; ++i) {
        numbers.push_back(usual(field));
      }
    }
    break_one(kind, numbers);
    Request request = blank_request(kind);
    fill_fields(request, numbers);
    return request;
  }

 private:
  std::size_t below(std::size_t count) { return random_() % count; }
  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  /// Numbers of a list: whole rows of this kind, or not.
  std::size_t rows(CommandKind kind) {
    if (below(4) == 0) return below(40);
    const bool is_pose = kind == CommandKind::kHandTrajectory ||
                         kind == CommandKind::kFootTrajectory ||
                         kind == CommandKind::kPelvisTrajectory ||
                         kind == CommandKind::kFootstepList || kind == CommandKind::kFootstep;
    return (1 + below(4)) * (is_pose ? 8 : 5);
  }
  double usual(const FieldInfo& field) {
    if (!field.words.empty()) return static_cast<double>(below(field.words.size()));
    switch (field.range) {
      case Range::kMessageId:
        return 1.0 + static_cast<double>(below(1000));
      case Range::kFlag:
      case Range::kHand:
      case Range::kFoot:
        return static_cast<double>(below(2));
      case Range::kPreviousId:
        return static_cast<double>(below(3));
      default:
        return below(5) == 0 ? wild() : between(-1.0, 2.0);
    }
  }
  double wild() {
    constexpr std::array kWild{0.0, -1.0, 1e-300, 1e300, -1e300, 4294967296.0, 0.5, 255.0, 1e9};
    return kWild[below(kWild.size())];
  }
  /// One thing that no message may have: no id, no number, no such word, hand or foot. A kind
  /// with none of these fields comes without an id.
  void break_one(CommandKind kind, std::vector<double>& numbers) {
    const std::span<const FieldInfo> fields = fields_of(kind);
    for (int tries = 0; tries < 8; ++tries) {
      const FieldInfo& field = fields[below(fields.size())];
      if (field.place >= numbers.size()) continue;
      // The hand of a way home counts only with an arm.
      if (kind == CommandKind::kGoHome && field.range == Range::kHand) continue;
      double& number =
          numbers[field.place + below(std::min(field.most, numbers.size() - field.place))];
      if (field.range == Range::kMessageId) {
        number = 0.0;
      } else if (field.range == Range::kHand || field.range == Range::kFoot) {
        number = 4.0 + static_cast<double>(below(200));
      } else if (!field.words.empty()) {
        number = static_cast<double>(field.words.size() + below(9));
      } else if (field.range == Range::kFlag || field.range == Range::kPreviousId) {
        continue;
      } else {
        constexpr double kInfinite = std::numeric_limits<double>::infinity();
        constexpr std::array kNone{std::numeric_limits<double>::quiet_NaN(), kInfinite, -kInfinite};
        number = kNone[below(kNone.size())];
      }
      return;
    }
    for (const FieldInfo& field : fields) {
      if (field.range == Range::kMessageId) numbers[field.place] = 0.0;
    }
  }

  std::mt19937 random_{20261127};
};

/// To the bit where the other one is.
::testing::AssertionResult are_alike(const Snapshot& a, const Snapshot& b) {
  for (std::size_t i = 0; i < a.joints.size(); ++i) {
    if (a.joints[i].state.q == b.joints[i].state.q && a.joints[i].state.v == b.joints[i].state.v) {
      continue;
    }
    return ::testing::AssertionFailure() << "joint " << i << " moves otherwise";
  }
  for (std::size_t i = 0; i < a.law_signals.size(); ++i) {
    if (a.law_signals[i] == b.law_signals[i]) continue;
    return ::testing::AssertionFailure() << "signal " << i << " is another";
  }
  return ::testing::AssertionSuccess();
}

TEST(WholeBodyFuzz, WhatIsWrongIsRefusedAndMovesNothingByABit) {
  const char* asked = std::getenv("JOINTRIG_FUZZ_MESSAGES");
  const long messages = asked != nullptr ? std::atol(asked) : 64'000;
  const std::vector<CommandKind> kinds = message_kinds();
  ASSERT_EQ(kinds.size(), 20U) << "every message is among them";
  StandingIcub robot;
  StandingIcub undisturbed;
  ASSERT_EQ(robot.law(), LawState::kRuns);
  Fuzz fuzz;
  std::map<CommandKind, long> refused;
  std::map<std::uint64_t, std::pair<CommandKind, MessageId>> posted;
  long sent = 0;
  while (sent < messages) {
    posted.clear();
    for (int i = 0; i < kPerCycle; ++i, ++sent) {
      const CommandKind kind = kinds[static_cast<std::size_t>(sent) % kinds.size()];
      const Request request = fuzz.message(kind);
      posted[robot.client.post(request)] = {kind, message_of(request)};
    }
    robot.step();
    undisturbed.step();
    for (Event e; robot.reader.next(e);) {
      ASSERT_NE(e.kind, EventKind::kAccepted) << to_string(e.command) << " " << sent;
      ASSERT_NE(e.kind, EventKind::kMessage);
      if (e.kind != EventKind::kRejected) continue;
      const auto answer = posted.find(e.number);
      ASSERT_NE(answer, posted.end());
      EXPECT_EQ(e.command, answer->second.first);
      EXPECT_EQ(e.message, answer->second.second) << "with its id";
      EXPECT_NE(e.reason, RejectReason::kInboxFull);
      ++refused[e.command];
      posted.erase(answer);
    }
    ASSERT_TRUE(posted.empty()) << posted.size() << " have no answer";
    ASSERT_TRUE(are_alike(robot.rig.stack().snapshot(), undisturbed.rig.stack().snapshot()))
        << "after " << sent << " messages";
  }
  long all = 0;
  for (const auto& [kind, count] : refused) all += count;
  EXPECT_EQ(all, sent);
  EXPECT_EQ(refused.size(), kinds.size());
  EXPECT_EQ(robot.law(), LawState::kRuns);
}

}  // namespace
}  // namespace jointrig
