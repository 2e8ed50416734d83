// Messages to a robot on feet: paths through waypoints, the rules, queues, and random messages.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <random>

#include "tests/control/wholebody/body_without_physics.h"

namespace jointrig {
namespace {

using namespace body;

TEST(BodyPath, FromRestToRestIsTheMinimumJerkPolynomial) {
  BodyPath path;
  path.add(0.0, at(1.0));
  path.add(2.0, at(4.0));
  path.shape();
  for (const double s : {0.0, 0.1, 0.5, 0.83, 1.0}) {
    // Flash and Hogan 1985: 10 s³ - 15 s⁴ + 6 s⁵ of the way.
    const double share = s * s * s * (10.0 + s * (-15.0 + 6.0 * s));
    EXPECT_NEAR(path.at(2.0 * s).x[0], 1.0 + 3.0 * share, 1e-12);
  }
  EXPECT_NEAR(path.at(1.0).v[0], 15.0 / 8.0 * 3.0 / 2.0, 1e-12);
  EXPECT_GE(path.coordinate_speed(0), path.at(1.0).v[0]);
}

/// Through random waypoints, some of them a turn of more than a radian apart.
BodyPath random_path(std::mt19937& random, int waypoints) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  BodyPath path;
  BodyPoint start = at(unit(random));
  start.v[0] = unit(random);
  start.turning << unit(random), unit(random), unit(random);
  path.add(0.0, start);
  double time = 0.0;
  for (int i = 0; i < waypoints; ++i) {
    time += 0.6 + 0.5 * unit(random);
    path.add(time,
             at(unit(random), 1.2 * Eigen::Vector3d(unit(random), unit(random), unit(random))));
  }
  path.shape();
  return path;
}

TEST(BodyPath, VelocitiesAndRatesAreTheDerivativesAndNothingJumpsAtAWaypoint) {
  std::mt19937 random(3);
  for (int i = 0; i < 50; ++i) {
    const BodyPath path = random_path(random, 4);
    const double h = 1e-5;
    for (double t = 0.01; t < path.duration() - 0.01; t += 0.013) {
      const BodyPoint before = path.at(t - h);
      const BodyPoint now = path.at(t);
      const BodyPoint after = path.at(t + h);
      ASSERT_NEAR(now.v[0], (after.x[0] - before.x[0]) / (2 * h), 1e-4);
      ASSERT_NEAR(now.a[0], (after.v[0] - before.v[0]) / (2 * h), 2e-2);
      const Eigen::Vector3d turning = turn_between(before.rotation, after.rotation) / (2 * h);
      ASSERT_LT((now.turning - turning).norm(), 1e-3);
      const Eigen::Vector3d rate = (after.turning - before.turning) / (2 * h);
      ASSERT_LT((now.turning_rate - rate).norm(), 5e-2) << "at " << t;
    }
    EXPECT_TRUE(path.at(path.duration()).v.isZero());
    EXPECT_TRUE(path.at(path.duration() + 1.0).turning.isZero());
  }
}

TEST(BodyPath, FromRestNeverLeavesTheIntervalOfItsNeighboursNorItsBoundOfSpeed) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (int i = 0; i < 300; ++i) {
    BodyPath path;
    std::vector<double> x{unit(random)};
    std::vector<double> times{0.0};
    path.add(0.0, at(x[0]));
    for (int k = 0; k < 6; ++k) {
      x.push_back(unit(random));
      times.push_back(times.back() + 0.55 + 0.5 * unit(random));
      path.add(times.back(), at(x.back()));
    }
    path.shape();
    for (std::size_t k = 0; k + 1 < x.size(); ++k) {
      for (double s = 0.0; s <= 1.0; s += 0.01) {
        const BodyPoint now = path.at(times[k] + s * (times[k + 1] - times[k]));
        ASSERT_LE(now.x[0], std::max(x[k], x[k + 1]) + 1e-9);
        ASSERT_GE(now.x[0], std::min(x[k], x[k + 1]) - 1e-9);
        ASSERT_LE(std::abs(now.v[0]), path.coordinate_speed(0) + 1e-9);
      }
    }
  }
}

TEST(BodyMessages, AnArmIsTheJointsFromTheChestToTheHand) {
  Body body;
  ArmJointTrajectory arm;
  arm.id = 1;
  arm.waypoints = rows({2.0, -0.3, 0.35, 0.0, 0.75, 0.0, 0.0, 0.0});
  EXPECT_FALSE(body.send(arm));
  arm.waypoints.push_back(0.0);
  const MessageFault fault = body.send(arm);
  EXPECT_EQ(fault.reason, RejectReason::kBadWaypoints);
  EXPECT_EQ(fault.limit, 8.0) << "a time and seven joints";
}

TEST(BodyMessages, EachRuleRefusesWithItsFieldAndLeavesWhatRunsUntouched) {
  Body body;
  ASSERT_FALSE(body.send(chest(7, 1.0, 0.3)));
  body.run(0.4);
  const Eigen::Matrix3d before = body.managers.state().chest.queue.now().rotation;
  const auto refused = [&](const auto& message) {
    const MessageFault fault = body.send(message);
    EXPECT_EQ(body.managers.state().chest.queue.last_id(), 7U);
    EXPECT_EQ(body.managers.state().chest.queue.now().rotation, before);
    return fault;
  };
  EXPECT_EQ(refused(chest(0, 1.0, 0.1)).reason, RejectReason::kNoId);

  ChestTrajectory none = chest(8, 1.0, 0.1);
  none.waypoints.clear();
  EXPECT_EQ(refused(none).reason, RejectReason::kBadWaypoints);

  ChestTrajectory falling = chest(8, 1.0, 0.1);
  for (const double number : turned(1.0, 0.2)) falling.waypoints.push_back(number);
  MessageFault fault = refused(falling);
  EXPECT_EQ(fault.reason, RejectReason::kBadWaypoints);
  EXPECT_EQ(fault.waypoint, 2);
  EXPECT_EQ(fault.place, 1 + place_of<ChestTrajectory>("waypoints") + 5);
  EXPECT_EQ(refused(chest(8, -0.1, 0.1)).waypoint, 1);

  ChestTrajectory longer = chest(8, 1.0, 0.1);
  longer.waypoints[1] += 3e-5;
  fault = refused(longer);
  EXPECT_EQ(fault.reason, RejectReason::kOutOfRange);
  EXPECT_EQ(fault.place, 1 + place_of<ChestTrajectory>("waypoints") + 1);
  longer.waypoints[1] -= 2.5e-5;
  EXPECT_FALSE(body.managers.check(body.icub.model, path_message(longer))) << "within 1e-5";

  fault = refused(chest(8, 0.3, 0.9));
  EXPECT_EQ(fault.reason, RejectReason::kTooFast);
  EXPECT_EQ(fault.limit, WholeBodyConfig{}.message_turn_speed);
  EXPECT_EQ(refused(chest(8, 0.0, 0.9)).reason, RejectReason::kTooFast) << "no jump at the start";

  ChestTrajectory late = chest(8, 1.0, 0.1);
  late.execution = Execution::kQueue;
  late.previous = 6;
  fault = refused(late);
  EXPECT_EQ(fault.reason, RejectReason::kWrongPrevious);
  EXPECT_EQ(fault.limit, 7.0);
  EXPECT_EQ(fault.place, 1 + place_of<ChestTrajectory>("previous"));

  HandTrajectory third;
  third.id = 1;
  third.hand = 2;
  third.waypoints = rows({1.0, 0.2, 0.2, 0.7, 1.0, 0.0, 0.0, 0.0});
  EXPECT_EQ(refused(third).reason, RejectReason::kNoSuchPart);
  third.hand = 1;
  third.waypoints[2] = 2.5;
  EXPECT_EQ(refused(third).reason, RejectReason::kOutOfRange) << "further than any arm";

  PelvisHeight low;
  low.id = 1;
  low.waypoints = rows({3.0, 0.1});
  EXPECT_EQ(refused(low).reason, RejectReason::kOutOfRange);

  FootstepList steps;
  steps.id = 1;
  steps.swing_duration = steps.transfer_duration = 0.5;
  for (const double n : {2.0, 0.1, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0}) steps.steps.push_back(n);
  EXPECT_EQ(refused(steps).reason, RejectReason::kOutOfRange) << "it has two feet";
  steps.steps[0] = 1.0;
  EXPECT_EQ(refused(steps).reason, RejectReason::kNotWalking);
  EXPECT_EQ(refused(PauseWalking{1, true}).reason, RejectReason::kNotWalking);
  EXPECT_EQ(refused(StopAllTrajectories{0}).reason, RejectReason::kNoId);

  body.managers.leave(body.notices);
  EXPECT_EQ(body.send(chest(9, 1.0, 0.1)).reason, RejectReason::kNotStanding);
}

TEST(BodyMessages, AQueueIsFollowedInItsOrderAndEachIsTold) {
  Body body;
  ASSERT_FALSE(body.send(chest(1, 1.0, 0.3)));
  for (MessageId id = 2; id <= 4; ++id) {
    ChestTrajectory next = chest(id, 0.5, 0.3 - 0.1 * id);
    next.execution = Execution::kQueue;
    next.previous = id - 1;
    ASSERT_FALSE(body.send(next)) << id;
  }
  ChestTrajectory fifth = chest(5, 0.5, 0.0);
  fifth.execution = Execution::kQueue;
  fifth.previous = 4;
  EXPECT_EQ(body.send(fifth).reason, RejectReason::kQueueFull);
  using enum MessageChange;
  using Told = std::vector<std::pair<MessageId, MessageChange>>;
  body.run(1.01);
  EXPECT_EQ(body.told(), (Told{{1, kStarted}, {1, kCompleted}, {2, kStarted}}));
  EXPECT_NEAR(body.chest_turn(), 0.3, 1e-3) << "the next one begins where the first has ended";
  body.run(1.5);
  EXPECT_EQ(
      body.told(),
      (Told{{2, kCompleted}, {3, kStarted}, {3, kCompleted}, {4, kStarted}, {4, kCompleted}}));
  EXPECT_NEAR(body.chest_turn(), 0.1, 1e-9);
}

TEST(BodyMessages, AnotherMessageReplacesWithoutAJumpAndStopAllBrakes) {
  Body body;
  ASSERT_FALSE(body.send(chest(1, 1.0, 0.5)));
  body.run(0.5);
  const BodyPoint was = body.managers.state().chest.queue.now();
  ASSERT_GT(was.turning.norm(), 0.5);
  ASSERT_FALSE(body.send(chest(2, 1.0, -0.2)));
  body.run(0.001);
  const BodyPoint is = body.managers.state().chest.queue.now();
  EXPECT_LT(turn_between(was.rotation, is.rotation).norm(), 1.1e-3 * was.turning.norm());
  EXPECT_LT((was.turning - is.turning).norm(), 0.02) << "nor does the speed jump";
  using enum MessageChange;
  using Told = std::vector<std::pair<MessageId, MessageChange>>;
  EXPECT_EQ(body.told(), (Told{{1, kStarted}, {1, kReplaced}, {2, kStarted}}));

  body.run(0.3);
  ASSERT_FALSE(body.send(StopAllTrajectories{3}));
  EXPECT_EQ(body.told(), (Told{{2, kDropped}}));
  body.run(0.31);
  const BodyPoint rest = body.managers.state().chest.queue.now();
  EXPECT_TRUE(rest.turning.isZero());
  body.run(1.0);
  EXPECT_EQ(body.managers.state().chest.queue.now().rotation, rest.rotation);
}

/// A hundred thousand random messages: accepted ones never ask for more than the limits, and
/// refused ones change nothing.
TEST(BodyMessages, RandomOnesNeverAskForMoreThanTheLimits) {
  Body body;
  std::mt19937 random(11);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  const auto fill = [&](auto& message, std::size_t width, bool turns) {
    message.id = below(20);
    message.hand = static_cast<std::uint8_t>(below(3));
    message.execution = static_cast<Execution>(below(3));
    const bool streams = message.execution == Execution::kStream;
    message.integration = below(8) == 0 ? 2.0 * unit(random) : 0.5 + 0.4 * unit(random);
    message.velocities = below(2) == 0;
    message.frame = static_cast<TaskFrame>(below(5));
    for (double& weight : message.weights) weight = below(30) == 0 ? -1.0 : below(4);
    for (bool& is_left_out : message.left_out) is_left_out = below(4) == 0;
    message.previous = below(3) == 0 ? below(20) : body.managers.state().chest.queue.last_id();
    double time = 0.0;
    const std::uint32_t count = streams && below(8) != 0 ? 1 : below(6);
    const std::size_t places = width - 1 - (turns ? 4 : 0);
    for (std::uint32_t i = 0; i < count; ++i) {
      time += streams && i == 0 && below(8) != 0 ? 0.0 : 0.5 + 0.7 * unit(random);
      message.waypoints.push_back(time);
      for (std::size_t k = 0; k < places; ++k) {
        // A height that can be: nothing else is as tight.
        const double usual = width == 2 ? 0.5 + 0.05 * unit(random) : 0.4 * unit(random);
        message.waypoints.push_back(below(40) == 0 ? 1e300 * unit(random) : usual);
      }
      if (turns) {
        Eigen::Vector4d q(1.0, 0.2 * unit(random), 0.2 * unit(random), 0.2 * unit(random));
        if (below(10) != 0) q.normalize();
        for (const double number : q) message.waypoints.push_back(number);
      }
      for (std::size_t k = 0; message.velocities && k < places + (turns ? 3 : 0); ++k) {
        message.waypoints.push_back(below(60) == 0 ? 1e300 * unit(random) : 0.3 * unit(random));
      }
    }
  };
  int accepted = 0;
  int streamed = 0;
  int refused = 0;
  const auto try_one = [&](auto message, std::size_t width, bool turns) {
    fill(message, width, turns);
    const BodyPoint chest_before = body.managers.state().chest.queue.end();
    const MessageFault fault = body.send(message);
    (fault ? refused : accepted) += 1;
    streamed += !fault && message.execution == Execution::kStream ? 1 : 0;
    const BodyPoint chest_after = body.managers.state().chest.queue.end();
    EXPECT_TRUE(!fault || chest_before.rotation == chest_after.rotation);
  };
  const auto try_accelerations = [&](auto message, std::size_t joints) {
    message.id = below(20);
    message.hand = static_cast<std::uint8_t>(below(3));
    const std::size_t count = below(8) == 0 ? below(10) : joints;
    for (std::size_t k = 0; k < count; ++k) {
      message.accelerations.push_back(below(60) == 0 ? 1e300 * unit(random) : unit(random));
    }
    (body.send(message) ? refused : accepted) += 1;
  };
  /// Rows of random parts, some of them of another width.
  const auto try_whole = [&] {
    WholeBodyTrajectory message;
    message.id = below(20);
    message.execution = static_cast<Execution>(below(3));
    message.integration = 0.3;
    message.velocities = below(2) == 0;
    const std::array parts{8.0, 0.0, 5.0, 12.0, 20.0, 28.0, 3.0, 99.0};
    const std::array<std::size_t, 8> places{0, 3, 7, 0, 1, 3, 3, 2};
    for (std::uint32_t i = below(4); i > 0; --i) {
      const std::uint32_t which = below(30) == 0 ? below(8) : below(6);
      const bool turns = which != 2 && which != 4 && which != 5;
      message.waypoints.push_back(parts[which]);
      message.waypoints.push_back(message.execution == Execution::kStream ? 0.0 : 1.0);
      for (std::size_t k = 0; k < places[which]; ++k) {
        message.waypoints.push_back(which == 4 ? 0.5 : 0.3 * unit(random));
      }
      for (const double number : {1.0, 0.0, 0.0, 0.0}) {
        if (turns) message.waypoints.push_back(number);
      }
      const std::size_t speeds = places[which] + (turns ? 3 : 0);
      for (std::size_t k = 0; message.velocities && k < speeds; ++k) {
        message.waypoints.push_back(0.2 * unit(random));
      }
    }
    const BodyPoint before = body.managers.state().chest.queue.end();
    const MessageFault fault = body.send(message);
    (fault ? refused : accepted) += 1;
    EXPECT_TRUE(!fault || before.rotation == body.managers.state().chest.queue.end().rotation);
  };
  double fastest = 0.0;
  double fastest_height = 0.0;
  for (int i = 0; i < 100000; ++i) {
    switch (below(10)) {
      case 0:
        try_one(ChestTrajectory{}, 5, true);
        break;
      case 1:
        try_one(HandTrajectory{}, 8, true);
        break;
      case 2:
        try_one(ArmJointTrajectory{}, 8, false);
        break;
      case 3:
        try_one(HeadTrajectory{}, 5, true);
        break;
      case 4:
        try_one(PelvisHeight{}, 2, false);
        break;
      case 5:
        try_one(NeckTrajectory{}, 4, false);
        break;
      case 6:
        try_accelerations(ArmDesiredAccelerations{}, 7);
        break;
      case 7:
        try_accelerations(NeckDesiredAccelerations{}, 3);
        break;
      case 8:
        try_whole();
        break;
      default:
        body.send(GoHome{static_cast<HomePart>(below(3)), static_cast<std::uint8_t>(below(3)),
                         below(5), 2.0 * unit(random)});
        break;
    }
    if (i % 3 == 0) body.run(1e-3);
    body.notices.clear();
    const BodyPoint& now = body.managers.state().chest.queue.now();
    ASSERT_TRUE(now.rotation.allFinite() && now.turning.allFinite());
    fastest = std::max(fastest, now.turning.norm());
    fastest_height = std::max(fastest_height, std::abs(body.managers.state().height.now().v[0]));
    for (const HandManager& hand : body.managers.state().hands) {
      ASSERT_TRUE(hand.queue().now().x.allFinite() && hand.queue().now().v.allFinite());
    }
  }
  EXPECT_LE(fastest, 2.0 * WholeBodyConfig{}.message_turn_speed) << "old motion and new";
  EXPECT_GT(fastest, 0.2);
  EXPECT_LE(fastest_height, 2.0 * WholeBodyConfig{}.message_speed);
  EXPECT_GT(fastest_height, 0.05);
  EXPECT_GT(streamed, 300);
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(refused, 5000);
}

}  // namespace
}  // namespace jointrig
