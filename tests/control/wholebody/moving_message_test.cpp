// Messages whose waypoints have velocities, and streams.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>

#include "tests/control/wholebody/body_without_physics.h"

namespace jointrig {
namespace {

using namespace body;
using enum MessageChange;
using Told = std::vector<std::pair<MessageId, MessageChange>>;

// Velocities --------------------------------------------------------------------------------

struct Random {
  explicit Random(unsigned seed) : engine(seed) {}
  double unit() { return std::uniform_real_distribution<double>(-1.0, 1.0)(engine); }
  Eigen::Vector3d vector(double size) { return size * Eigen::Vector3d(unit(), unit(), unit()); }
  std::mt19937 engine;
};

BodyPoint moving(Random& random) {
  BodyPoint point = at(random.unit(), random.vector(1.0));
  for (int k = 1; k < 3; ++k) point.x[k] = random.unit();
  for (int k = 0; k < 3; ++k) point.v[k] = 2.0 * random.unit();
  point.turning = random.vector(2.0);
  return point;
}

struct MovingPath {
  MovingPath(Random& random, int count) {
    double time = 0.0;
    for (int i = 0; i < count; ++i) {
      times.push_back(time);
      points.push_back(moving(random));
      path.add(time, points.back());
      time += 0.7 + 0.5 * random.unit();
    }
    path.shape_through();
  }
  std::vector<double> times;
  std::vector<BodyPoint> points;
  BodyPath path;
};

/// Hermite's basis of third degree, as in any textbook.
TEST(MovingBodyPath, IsHermitesCubicBetweenTwoWaypoints) {
  BodyPoint from = at(1.0);
  BodyPoint to = at(-2.0);
  from.v[0] = 0.7;
  to.v[0] = -1.3;
  BodyPath path;
  path.add(0.0, from);
  path.add(1.6, to);
  path.shape_through();
  for (const double s : {0.0, 0.2, 0.5, 0.9, 0.999999}) {
    const double h00 = (1.0 + 2.0 * s) * (1.0 - s) * (1.0 - s);
    const double h10 = s * (1.0 - s) * (1.0 - s);
    const double h01 = s * s * (3.0 - 2.0 * s);
    const double h11 = s * s * (s - 1.0);
    const double wanted = h00 * 1.0 + h10 * 1.6 * 0.7 + h01 * -2.0 + h11 * 1.6 * -1.3;
    EXPECT_NEAR(path.at(1.6 * s).x[0], wanted, 1e-12);
  }
}

TEST(MovingBodyPath, PassesEachWaypointWithItsVelocityByFiniteDifference) {
  Random random(21);
  for (int i = 0; i < 50; ++i) {
    const MovingPath moving(random, 5);
    const double h = 1e-5;
    const double near = 1e-6;  // to one side
    for (std::size_t k = 0; k + 1 < moving.times.size(); ++k) {
      const BodyPoint& wanted = moving.points[k];
      const BodyPoint now = moving.path.at(moving.times[k]);
      const BodyPoint after = moving.path.at(moving.times[k] + near);
      EXPECT_LT((now.x - wanted.x).norm(), 1e-12);
      EXPECT_LT(turn_between(now.rotation, wanted.rotation).norm(), 1e-9);
      EXPECT_LT(((after.x - now.x) / near - wanted.v).norm(), 1e-3);
      EXPECT_LT((turn_between(now.rotation, after.rotation) / near - wanted.turning).norm(), 2e-3);
      if (k == 0) continue;
      const BodyPoint before = moving.path.at(moving.times[k] - near);
      EXPECT_LT(((now.x - before.x) / near - wanted.v).norm(), 1e-3) << "and comes to it so";
      EXPECT_LT((turn_between(before.rotation, now.rotation) / near - wanted.turning).norm(), 2e-3);
    }
    for (double t = 0.01; t < moving.path.duration() - 0.01; t += 0.017) {
      const BodyPoint before = moving.path.at(t - h);
      const BodyPoint now = moving.path.at(t);
      const BodyPoint after = moving.path.at(t + h);
      ASSERT_LT((now.v - (after.x - before.x) / (2 * h)).norm(), 1e-3);
      ASSERT_LT((now.turning - turn_between(before.rotation, after.rotation) / (2 * h)).norm(),
                2e-3);
    }
  }
}

TEST(MovingBodyPath, NeverLeavesItsBoundsOfPlaceAndSpeed) {
  Random random(23);
  double nearest = 0.0;
  for (int i = 0; i < 200; ++i) {
    const MovingPath moving(random, 4);
    const BodyPath& path = moving.path;
    double fastest = 0.0;
    for (std::size_t k = 0; k + 1 < moving.times.size(); ++k) {
      const BodyPath::Reach reach = path.reach(k + 1, 0);
      for (double s = 0.0; s < 1.0; s += 0.01) {
        const BodyPoint now =
            path.at(moving.times[k] + s * (moving.times[k + 1] - moving.times[k]));
        ASSERT_LE(now.x[0], reach.high + 1e-9);
        ASSERT_GE(now.x[0], reach.low - 1e-9);
        ASSERT_LE(std::abs(now.v[0]), path.coordinate_speed(0) + 1e-9);
        ASSERT_LE(now.v.head<3>().norm(), path.place_speed() + 1e-9);
        ASSERT_LE(now.turning.norm(), path.turn_speed() + 1e-6);
        fastest = std::max(fastest, std::abs(now.v[0]));
      }
    }
    nearest = std::max(nearest, fastest / path.coordinate_speed(0));
  }
  EXPECT_GT(nearest, 0.99) << "the bound isn't idle";
}

/// Rows with velocities: time, turn, angular velocity.
ChestTrajectory turning(MessageId id, double time, double angle, double speed) {
  ChestTrajectory message = chest(id, time, angle);
  message.velocities = true;
  for (const double number : {0.0, 0.0, speed}) message.waypoints.push_back(number);
  return message;
}

TEST(MovingMessages, OneThatEndsInMotionBrakesAndHoldsUnlessTheNextTakesItsSpeed) {
  Body body;
  ASSERT_FALSE(body.send(turning(1, 1.0, 0.3, 0.2)));
  body.run(0.9995);
  body.told();
  const MessageQueue& queue = body.managers.state().chest.queue;
  EXPECT_NEAR(queue.now().turning.z(), 0.2, 1e-9);
  EXPECT_NEAR(body.chest_turn(), 0.3, 1e-9);
  body.run(0.301);
  EXPECT_TRUE(queue.now().turning.isZero(1e-12));
  EXPECT_NEAR(body.chest_turn(), 0.3 + 0.2 * 0.15, 1e-9) << "half of its speed for 0.3 s";
  EXPECT_EQ(queue.last_id(), 1U);

  Body chained;
  ASSERT_FALSE(chained.send(turning(1, 1.0, 0.3, 0.2)));
  ChestTrajectory next = turning(2, 1.0, 0.5, 0.0);
  next.execution = Execution::kQueue;
  next.previous = 1;
  ASSERT_FALSE(chained.send(next));
  chained.run(1.0);
  const BodyPoint before = chained.managers.state().chest.queue.now();
  EXPECT_NEAR(before.turning.z(), 0.2, 1e-9);
  chained.run(0.001);
  const BodyPoint after = chained.managers.state().chest.queue.now();
  EXPECT_NEAR(after.turning.z(), 0.2, 2e-3) << "no brake between them";
  chained.run(1.0);
  EXPECT_NEAR(chained.chest_turn(), 0.5, 1e-9);
}

TEST(MovingMessages, AJointStaysInItsRangeBetweenTheWaypointsAndBehindTheLast) {
  Body body;
  const BodyManagers::JointRoom room =
      Body::rooms(body.icub)[static_cast<std::size_t>(body.icub.model.find_joint("l_elbow"))];
  ArmJointTrajectory arm;
  arm.id = 1;
  arm.velocities = true;
  const double high = room.high - 0.05;
  // From 0.75 rad to just below its range, at rest, then back: in range with any speed of 0.
  arm.waypoints = rows({2.0, -0.5, 0.35, 0.0, high, 0.0, 0.0, 0.0, 0, 0, 0, 0.0, 0, 0, 0});
  EXPECT_FALSE(body.managers.check(body.icub.model, path_message(arm)));
  arm.waypoints[11] = 0.5;  // the way to brake is 0.15 s times that
  MessageFault fault = body.managers.check(body.icub.model, path_message(arm));
  EXPECT_EQ(fault.reason, RejectReason::kOutOfRange);
  EXPECT_NEAR(fault.value, high + 0.15 * 0.5, 1e-12);
  EXPECT_EQ(fault.place, 1 + place_of<ArmJointTrajectory>("waypoints") + 4);
  arm.waypoints[11] = -2.0;  // comes from beyond the range
  fault = body.managers.check(body.icub.model, path_message(arm));
  EXPECT_EQ(fault.reason, RejectReason::kOutOfRange);
  EXPECT_GT(fault.value, room.high);
  arm.waypoints[11] = 4.0;
  arm.waypoints[4] = 1.0;
  EXPECT_EQ(body.managers.check(body.icub.model, path_message(arm)).reason, RejectReason::kTooFast);
}

// Streams -----------------------------------------------------------------------------------

/// A point of a stream of heights: amplitude and frequency of the sine below.
struct Sine {
  double middle;
  static constexpr double kAmplitude = 0.02;
  static constexpr double kOmega = 3.0;
  [[nodiscard]] double x(double t) const { return middle + kAmplitude * std::sin(kOmega * t); }
  [[nodiscard]] static double v(double t) { return kAmplitude * kOmega * std::cos(kOmega * t); }
  [[nodiscard]] PelvisHeight point(MessageId id, double t, double integration) const {
    PelvisHeight message;
    message.id = id;
    message.execution = Execution::kStream;
    message.integration = integration;
    message.velocities = true;
    message.waypoints = rows({0.0, x(t), v(t)});
    return message;
  }
};

TEST(StreamedMessages, AStreamedSineIsFollowedAndHeldAfterItsSilence) {
  Body body;
  const MessageQueue& height = body.managers.state().height;
  const double start = body.start_height();
  PelvisHeight there;
  there.id = 1;
  there.waypoints = rows({1.0, 0.97 * start});
  ASSERT_FALSE(body.send(there));
  body.run(1.5);
  body.told();
  const Sine sine{0.97 * start};
  double worst = 0.0;
  double before = height.now().x[0];
  for (int i = 0; i < 3000; ++i) {
    const double t = 1e-3 * i;
    // The first point jumps in speed: it comes to it in the time for which the point goes on.
    const auto id = static_cast<MessageId>(2 + i / 10);
    const bool is_refused = i % 10 == 0 && body.send(sine.point(id, t, 0.02));
    ASSERT_FALSE(is_refused) << t;
    body.run(1e-3);
    EXPECT_LT(std::abs(height.now().x[0] - before), 1e-3 * 0.5) << "nothing jumps";
    before = height.now().x[0];
    if (i > 50) worst = std::max(worst, std::abs(height.now().x[0] - sine.x(t + 1e-3)));
  }
  // A cubic's error over 20 ms: at most x'''' T⁴/384 + what the point's constant speed leaves out,
  // a T²/2 = 0.02 · 9 · 0.0004 / 2 = 36 µm.
  EXPECT_LT(worst, 4e-5);
  const BodyPoint last = height.now();
  body.run(0.01);
  EXPECT_EQ(body.told(), (Told{{2, kStarted}, {301, kCompleted}})) << "one stream, told once";
  EXPECT_NEAR(height.now().v[0], Sine::v(2.99), 1e-9);
  EXPECT_NEAR(height.now().x[0], last.x[0] + 0.01 * Sine::v(2.99), 1e-4);
  body.run(0.301);
  const double held = height.now().x[0];
  EXPECT_EQ(height.now().v[0], 0.0);
  body.run(1.0);
  EXPECT_EQ(height.now().x[0], held);
  EXPECT_NEAR(held, sine.x(2.99) + Sine::v(2.99) * (0.02 + 0.15), 1e-9)
      << "its speed for `integration`, then half of it for the time to brake";
  EXPECT_EQ(height.last_id(), 301U);
}

TEST(StreamedMessages, EachRuleRefusesWithItsFieldAndTheStreamGoesOn) {
  Body body;
  const double start = body.start_height();
  const Sine sine{start};
  const PelvisHeight good = sine.point(1, 0.5, 0.1);
  ASSERT_FALSE(body.send(sine.point(1, 0.0, 0.1)));
  body.run(0.05);
  const BodyPoint before = body.managers.state().height.now();
  const auto refused = [&](const PelvisHeight& message) {
    const MessageFault fault = body.send(message);
    EXPECT_EQ(body.managers.state().height.last_id(), 1U);
    EXPECT_EQ(body.managers.state().height.now().x, before.x);
    return fault;
  };
  for (const double bad : {0.0, 0.001, 1.1, -1.0}) {
    PelvisHeight message = good;
    message.integration = bad;
    const MessageFault fault = refused(message);
    EXPECT_EQ(fault.reason, RejectReason::kOutOfRange) << bad;
    EXPECT_EQ(fault.place, 1 + place_of<PelvisHeight>("integration"));
  }
  PelvisHeight late = good;
  late.waypoints[0] = 0.1;
  EXPECT_EQ(refused(late).reason, RejectReason::kBadWaypoints);
  PelvisHeight two = good;
  for (const double number : {0.1, start, 0.0}) two.waypoints.push_back(number);
  MessageFault fault = refused(two);
  EXPECT_EQ(fault.reason, RejectReason::kSizeMismatch);
  EXPECT_EQ(fault.limit, 3.0);
  PelvisHeight far = good;
  far.waypoints[1] = start - 0.1;  // in 0.1 s: over a metre per second
  EXPECT_EQ(refused(far).reason, RejectReason::kTooFast);
  PelvisHeight nowhere = good;
  nowhere.id = 0;
  EXPECT_EQ(refused(nowhere).reason, RejectReason::kNoId);
}

TEST(StreamedMessages, AQueuedOneFollowsTheLastPointWithItsSpeed) {
  Body body;
  const Sine sine{0.97 * body.start_height()};
  PelvisHeight there;
  there.id = 1;
  there.waypoints = rows({1.0, sine.middle});
  ASSERT_FALSE(body.send(there));
  body.run(1.1);
  ASSERT_FALSE(body.send(sine.point(2, 0.0, 0.1)));
  PelvisHeight next = there;
  next.id = 3;
  next.execution = Execution::kQueue;
  next.previous = 1;
  EXPECT_EQ(body.send(next).reason, RejectReason::kWrongPrevious);
  next.previous = 2;
  ASSERT_FALSE(body.send(next));
  body.run(0.1);
  EXPECT_NEAR(body.managers.state().height.now().v[0], Sine::v(0.0), 1e-9);
  body.run(1.0);
  EXPECT_NEAR(body.managers.state().height.now().x[0], sine.middle, 1e-9);
}

}  // namespace
}  // namespace jointrig
