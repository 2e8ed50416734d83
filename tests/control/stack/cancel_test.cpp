// Targets and moves that are cancelled: the joints slow down within their bounds, along the path
// that they have in common.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include "control/stack/joint_targets.h"
#include "tests/support/ideal_rig.h"
#include "tests/support/restored.h"

namespace jointrig {
namespace {

using testing::IdealRig;

constexpr double kDt = 1e-3;
constexpr std::size_t kJoints = 3;

struct CancelRig : IdealRig {
  CancelRig() : IdealRig(kJoints) {
    all = client.select("all");
    enter(ModeRequest::kPosition);
    run(5);
  }
  [[nodiscard]] std::vector<JointReference> references() const {
    std::vector<JointReference> now;
    for (std::size_t i = 0; i < kJoints; ++i) now.push_back(joint(i).reference);
    return now;
  }
  [[nodiscard]] bool moves() const {
    for (std::size_t i = 0; i < kJoints; ++i) {
      if (joint(i).moving || joint(i).reference.v != 0.0) return true;
    }
    return false;
  }
  void run_to_rest() {
    for (int k = 0; k < 60'000 && moves(); ++k) run(1);
    ASSERT_FALSE(moves());
  }
  Event ask(const SetJointTarget& command) {
    return answer([&] { return client.post(command); });
  }
  void cancel(const JointSet& joints) { client.post(Cancel{joints}); }

  JointSet all;
};

/// Looks at the references of each cycle as a drive would: by their differences.
class Watch {
 public:
  Watch(const IdealRig& rig, const SetJointTarget& bounds) : rig_(&rig), bounds_(bounds) {
    for (std::size_t i = 0; i < kJoints; ++i) last_.push_back(rig.joint(i).reference);
  }
  /// After each cycle.
  void look() {
    for (std::size_t i = 0; i < kJoints; ++i) {
      const JointReference now = rig_->joint(i).reference;
      const JointReference was = last_[i];
      const SetJointTarget::Value& most = bounds_.values[i];
      const bool is_smooth = bounds_.shape == MotionShape::kJerkLimited;
      EXPECT_LE(std::abs(now.v), most.speed + 1e-9);
      EXPECT_LE(std::abs(now.a), most.acceleration * (1.0 + 1e-6));
      EXPECT_LE(std::abs(now.q - was.q), (most.speed + 1e-9) * kDt);
      EXPECT_LE(std::abs(now.v - was.v), most.acceleration * kDt * (1.0 + 1e-6));
      // Speed and acceleration as told are those of the positions.
      const double change = is_smooth ? most.jerk * kDt : 2.0 * most.acceleration;
      EXPECT_NEAR(now.q - was.q, 0.5 * kDt * (now.v + was.v), 0.25 * change * kDt * kDt + 1e-12);
      EXPECT_NEAR(now.v - was.v, 0.5 * kDt * (now.a + was.a), change * kDt + 1e-12);
      if (is_smooth) {
        EXPECT_LE(std::abs(now.a - was.a), most.jerk * kDt * (1.0 + 1e-6) + 1e-9);
      }
      EXPECT_LE(now.q, soft_max(limits()) + 1e-7);
      EXPECT_GE(now.q, soft_min(limits()) - 1e-7);
      last_[i] = now;
    }
  }

 private:
  [[nodiscard]] const JointLimits& limits() const { return rig_->stack.config().joints[0].limits; }

  const IdealRig* rig_;
  SetJointTarget bounds_;
  std::vector<JointReference> last_;
};

/// Random targets, the same for the same seed.
class Chance {
 public:
  explicit Chance(unsigned seed) : engine_(seed) {}
  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  int count(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }
  SetJointTarget target(const JointSet& all, Synchronisation how) {
    SetJointTarget command;
    command.joints = all;
    command.synchronise = how;
    for (std::size_t i = 0; i < kJoints; ++i) {
      command.values.push_back({.q = between(-1.8, 1.8),
                                .v = 0.0,
                                .speed = between(0.3, 2.0),
                                .acceleration = between(1.0, 10.0),
                                .jerk = between(10.0, 200.0)});
    }
    return command;
  }

 private:
  std::mt19937 engine_;
};

std::vector<double> places(const std::vector<JointReference>& references) {
  std::vector<double> q;
  for (const JointReference& r : references) q.push_back(r.q);
  return q;
}

/// Distance of a point from the line through two others.
double off_line(const std::vector<double>& q, const std::vector<double>& from,
                const std::vector<double>& to) {
  double along = 0.0;
  double length = 0.0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    along += (q[i] - from[i]) * (to[i] - from[i]);
    length += (to[i] - from[i]) * (to[i] - from[i]);
  }
  double square = 0.0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double off = q[i] - from[i] - (to[i] - from[i]) * along / length;
    square += off * off;
  }
  return std::sqrt(square);
}

/// The path that the joints were on, from a moment on: their motions to targets at that time.
class Path {
 public:
  explicit Path(const Stack& stack) {
    const Stack::State now = stack.state();
    for (const JointControl& joint : now.joints) motions_.push_back(*joint.online());
  }
  /// Distance of a point from the path, looked for from where the one before was found.
  double off(const std::vector<double>& q) {
    double best = distance(q, time_);
    for (double step = kDt; step > 1e-12; step *= 0.5) {
      for (bool is_better = true; is_better;) {
        is_better = false;
        for (const double t : {time_ + step, time_ - step}) {
          const double there = distance(q, t);
          if (!(there < best)) continue;
          best = there;
          time_ = t;
          is_better = true;
          break;
        }
      }
    }
    return best;
  }

 private:
  [[nodiscard]] double distance(const std::vector<double>& q, double t) const {
    double square = 0.0;
    for (std::size_t i = 0; i < q.size(); ++i) {
      const double off = motions_[i].ahead(t).q - q[i];
      square += off * off;
    }
    return std::sqrt(square);
  }

  std::vector<OnlineMotion> motions_;
  double time_ = 0.0;
};

// On a line ---------------------------------------------------------------------------------------

TEST(Straight, TheJointsGoOnTheLineAndTheSlowestOfThemIsAtItsBound) {
  CancelRig rig;
  Chance chance(7);
  for (int trial = 0; trial < 40; ++trial) {
    const std::vector<double> from = places(rig.references());
    const SetJointTarget command = chance.target(rig.all, Synchronisation::kStraight);
    ASSERT_EQ(rig.ask(command).kind, EventKind::kAccepted);
    std::vector<double> to;
    for (const auto& value : command.values) to.push_back(value.q);
    Watch watch(rig, command);
    double nearest = 0.0;  // to a bound, of speed or acceleration, as a share
    while (rig.moves()) {
      rig.run(1);
      watch.look();
      ASSERT_LT(off_line(places(rig.references()), from, to), 1e-9);
      for (std::size_t i = 0; i < kJoints; ++i) {
        const JointReference& r = rig.joint(i).reference;
        nearest = std::max(nearest, std::abs(r.v) / command.values[i].speed);
        nearest = std::max(nearest, std::abs(r.a) / command.values[i].acceleration);
      }
    }
    EXPECT_GT(nearest, 0.3);
    for (std::size_t i = 0; i < kJoints; ++i) EXPECT_NEAR(rig.joint(i).reference.q, to[i], 1e-9);
  }
}

TEST(Cancel, AStraightMotionStopsOnItsLineWithinAllBounds) {
  CancelRig rig;
  Chance chance(1);
  double furthest = 0.0;
  for (int trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(trial);
    const std::vector<double> from = places(rig.references());
    SetJointTarget command = chance.target(rig.all, Synchronisation::kStraight);
    if (trial % 5 == 4) command.shape = MotionShape::kAccelerationLimited;
    ASSERT_EQ(rig.ask(command).kind, EventKind::kAccepted);
    std::vector<double> to;
    for (const auto& value : command.values) to.push_back(value.q);
    Watch watch(rig, command);
    for (int k = chance.count(1, 1200); k > 0 && rig.moves(); --k) {
      rig.run(1);
      watch.look();
    }
    rig.events();
    const bool was_moving = rig.moves();
    rig.cancel(rig.all);
    while (rig.moves()) {
      rig.run(1);
      watch.look();
      furthest = std::max(furthest, off_line(places(rig.references()), from, to));
    }
    EXPECT_FALSE(was_moving && rig.only(EventKind::kGoalReached));
    if (HasFailure()) break;
  }
  EXPECT_LT(furthest, 1e-9);
}

// By hand: v/a + a/j of the joint that is at its bounds; it goes on by v²/2a + v a/2j.
TEST(Cancel, InFullSwingItTakesTheTimeOfTheClosedForm) {
  CancelRig rig;
  SetJointTarget command;
  command.joints = rig.all;
  command.synchronise = Synchronisation::kStraight;
  for (const double goal : {1.6, -0.8, 0.4}) {
    command.values.push_back({.q = goal, .speed = 0.8, .acceleration = 2.0, .jerk = 20.0});
  }
  ASSERT_EQ(rig.ask(command).kind, EventKind::kAccepted);
  rig.run(1000);
  ASSERT_NEAR(rig.joint(0).reference.v, 0.8, 1e-12);
  ASSERT_NEAR(rig.joint(1).reference.v, -0.4, 1e-12);
  const std::vector<JointReference> before = rig.references();
  rig.cancel(rig.all);
  int cycles = 0;
  for (; rig.moves(); ++cycles) rig.run(1);
  EXPECT_NEAR(cycles, 500, 2);
  EXPECT_NEAR(rig.joint(0).reference.q - before[0].q, 0.16 + 0.04, 2e-3);
  EXPECT_NEAR(rig.joint(1).reference.q - before[1].q, -0.1, 1e-3);
  EXPECT_NEAR(rig.joint(2).reference.q - before[2].q, 0.05, 1e-3);
}

// On a curve --------------------------------------------------------------------------------------

TEST(Cancel, AMotionThatIsNotStraightSlowsDownAlongItsPathWithinAllBounds) {
  CancelRig rig;
  Chance chance(2);
  int moving = 0;
  int before_the_goal = 0;
  double furthest = 0.0;
  for (int trial = 0; trial < 600 && !HasFailure(); ++trial) {
    SCOPED_TRACE(trial);
    SetJointTarget home;
    home.joints = rig.all;
    for (std::size_t i = 0; i < kJoints; ++i) home.values.push_back({.q = 0.1});
    ASSERT_EQ(rig.ask(home).kind, EventKind::kAccepted);
    rig.run_to_rest();
    SetJointTarget command = chance.target(rig.all, Synchronisation::kTime);
    if (trial % 5 == 4) command.shape = MotionShape::kAccelerationLimited;
    ASSERT_EQ(rig.ask(command).kind, EventKind::kAccepted);
    rig.run(chance.count(1, 600));
    if (trial % 2 == 1) {  // within the same bounds, from the midst of the first
      SetJointTarget next = command;
      for (auto& value : next.values) value.q = chance.between(-1.0, 1.0);
      rig.ask(next);
      rig.run(chance.count(1, 900));
    }
    const std::vector<JointReference> now = rig.references();
    const bool all_move =
        std::all_of(now.begin(), now.end(), [](const JointReference& r) { return r.v != 0.0; });
    if (!all_move) continue;
    ++moving;
    std::vector<double> goals;
    for (const JointControl& joint : rig.stack.state().joints) {
      goals.push_back(joint.online()->wish().target.q);
    }
    Path path(rig.stack);
    Watch watch(rig, command);
    rig.cancel(rig.all);
    while (rig.moves()) {
      rig.run(1);
      watch.look();
      furthest = std::max(furthest, path.off(places(rig.references())));
    }
    double left = 0.0;
    for (std::size_t i = 0; i < kJoints; ++i) {
      left = std::max(left, std::abs(rig.joint(i).reference.q - goals[i]));
    }
    if (left > 1e-6) ++before_the_goal;
  }
  RecordProperty("moving", moving);
  RecordProperty("at_rest_before_the_goal", before_the_goal);
  EXPECT_GT(moving, 300);
  EXPECT_LT(furthest, 1e-9);
  EXPECT_GT(before_the_goal, moving / 2);
}

// On the way to rest -----------------------------------------------------------------------------

struct OnItsWay : ::testing::Test {
  OnItsWay() {
    command.joints = rig.all;
    for (const double goal : {1.6, -0.9, 0.5}) {
      command.values.push_back({.q = goal, .speed = 0.9, .acceleration = 4.0, .jerk = 60.0});
    }
    command.values[1].acceleration = 2.0;
  }
  /// In full swing, after the cancel, and so many cycles later.
  void slow_down(CancelRig& one, Synchronisation how, int cycles) {
    command.synchronise = how;
    ASSERT_EQ(one.ask(command).kind, EventKind::kAccepted);
    one.run(900);
    ASSERT_GT(one.joint(0).reference.v, 0.8);
    one.cancel(one.all);
    one.run(cycles);
    ASSERT_LT(one.joint(0).reference.a, -0.1);
    ASSERT_GT(one.joint(0).reference.v, 0.1);
  }
  static constexpr std::array kWays{Synchronisation::kTime, Synchronisation::kStraight};

  CancelRig rig;
  SetJointTarget command;
};

TEST_F(OnItsWay, AnotherCancelChangesNothing) {
  for (const Synchronisation how : kWays) {
    CancelRig once;
    CancelRig again;
    slow_down(once, how, 80);
    slow_down(again, how, 80);
    again.cancel(again.client.select("joint2"));
    while (once.moves()) {
      once.run(1);
      again.run(1);
      ASSERT_EQ(once.references(), again.references());
    }
    EXPECT_FALSE(again.moves());
  }
}

TEST_F(OnItsWay, AnotherOverrideChangesNothing) {
  for (const Synchronisation how : kWays) {
    CancelRig one;
    CancelRig slower;
    slow_down(one, how, 80);
    slow_down(slower, how, 80);
    slower.client.set_speed_override(0.2);
    while (one.moves()) {
      one.run(1);
      slower.run(1);
      ASSERT_EQ(one.references(), slower.references());
    }
  }
}

TEST_F(OnItsWay, AnotherTargetIsGoneToFromThereWithinTheBounds) {
  for (const Synchronisation how : kWays) {
    for (const Synchronisation next : kWays) {
      CancelRig one;
      slow_down(one, how, 80);
      Watch watch(one, command);
      SetJointTarget back = command;
      for (auto& value : back.values) value.q = 0.1;
      back.synchronise = next;
      one.client.post(back);
      while (one.moves()) {
        one.run(1);
        watch.look();
      }
      for (std::size_t i = 0; i < kJoints; ++i) EXPECT_NEAR(one.joint(i).reference.q, 0.1, 1e-9);
    }
  }
}

TEST_F(OnItsWay, AJointThatIsSentElsewhereLeavesTheOthersOnTheirWayToRest) {
  CancelRig one;
  slow_down(one, Synchronisation::kTime, 80);
  CancelRig other;
  slow_down(other, Synchronisation::kTime, 80);
  other.client.move(other.client.select("joint3"), 0.0);
  while (one.moves()) {
    one.run(1);
    other.run(1);
    ASSERT_EQ(one.references()[0], other.references()[0]);
    ASSERT_EQ(one.references()[1], other.references()[1]);
  }
  other.run_to_rest();
  EXPECT_NEAR(other.joint(2).reference.q, 0.0, 1e-9);
}

TEST_F(OnItsWay, AStopBrakesEachJointByAllThatItHas) {
  for (const Synchronisation how : kWays) {
    CancelRig one;
    slow_down(one, how, 80);
    const double v = one.joint(0).reference.v;
    const double a_max = one.stack.config().joints[0].limits.a_max;
    one.client.stop(one.all);
    int cycles = 0;
    for (; one.joint(0).reference.v != 0.0; ++cycles) one.run(1);
    // Less than all of a_max where the motors of three joints brake together.
    EXPECT_NEAR(cycles, v / a_max / kDt, 3);
  }
}

TEST_F(OnItsWay, ARestoredStackSlowsDownToTheBit) {
  for (const Synchronisation how : kWays) {
    CancelRig one;
    slow_down(one, how, 80);
    testing::expect_a_restored_stack_goes_on(one, 200);
  }
}

TEST_F(OnItsWay, AnOverrideBeforeTheBrakeIsKeptAndTheJointsStillStopTogether) {
  command.synchronise = Synchronisation::kTime;
  ASSERT_EQ(rig.ask(command).kind, EventKind::kAccepted);
  rig.run(600);
  rig.client.set_speed_override(0.4);
  rig.run(300);
  Watch watch(rig, command);
  rig.cancel(rig.all);
  std::vector<int> at(kJoints, -1);
  for (int k = 0; rig.moves(); ++k) {
    rig.run(1);
    watch.look();
    for (std::size_t i = 0; i < kJoints; ++i) {
      if (at[i] < 0 && rig.joint(i).reference.v == 0.0) at[i] = k;
    }
  }
  EXPECT_EQ(at[0], at[1]);
  EXPECT_EQ(at[0], at[2]);
}

// Other motions -----------------------------------------------------------------------------------

TEST_F(OnItsWay, OneJointOfThoseThatArriveTogetherSlowsAllOfThemDown) {
  ASSERT_EQ(rig.ask(command).kind, EventKind::kAccepted);
  rig.run(900);
  rig.cancel(rig.client.select("joint2"));
  rig.run(700);
  EXPECT_FALSE(rig.moves());
  EXPECT_LT(rig.joint(0).reference.q, 1.5);
}

TEST_F(OnItsWay, AJointAloneSlowsDownByItselfAndTheOthersArrive) {
  command.synchronise = Synchronisation::kNone;
  ASSERT_EQ(rig.ask(command).kind, EventKind::kAccepted);
  rig.run(500);
  Watch watch(rig, command);
  rig.cancel(rig.client.select("joint1"));
  while (rig.moves()) {
    rig.run(1);
    watch.look();
  }
  EXPECT_LT(rig.joint(0).reference.q, 1.2);
  EXPECT_NEAR(rig.joint(1).reference.q, -0.9, 1e-9);
  EXPECT_NEAR(rig.joint(2).reference.q, 0.5, 1e-9);
}

TEST_F(OnItsWay, VelocitiesGoToRestTogether) {
  SetJointTarget velocities = command;
  velocities.target = TargetKind::kVelocity;
  velocities.synchronise = Synchronisation::kStraight;
  const std::vector<double> wanted{0.6, -0.4, 0.2};
  for (std::size_t i = 0; i < kJoints; ++i) {
    velocities.values[i] = {.v = wanted[i], .acceleration = 4.0, .jerk = 60.0};
  }
  for (const int cycles : {60, 150, 400}) {  // on the way to the velocities, and with them
    CancelRig one;
    ASSERT_EQ(one.ask(velocities).kind, EventKind::kAccepted);
    for (int k = 0; k < cycles; ++k) {
      if (k % 100 == 99) one.client.post(velocities);
      one.run(1);
    }
    const std::vector<double> from = places(one.references());
    const double v = one.joint(0).reference.v;
    ASSERT_GT(v, 0.05);
    one.events();
    SetJointTarget bounds = velocities;
    for (auto& value : bounds.values) value.speed = 0.7;
    Watch watch(one, bounds);
    one.cancel(one.all);
    while (one.moves()) {
      one.run(1);
      watch.look();
    }
    std::vector<double> to = from;
    for (std::size_t i = 0; i < kJoints; ++i) to[i] += wanted[i];
    EXPECT_LT(off_line(places(one.references()), from, to), 1e-9);
    EXPECT_FALSE(one.only(EventKind::kCommandTimeout));
  }
}

// Moves -------------------------------------------------------------------------------------------

/// Moves of least jerk, from rest to rest; each joint in its own time, or all in the same.
struct Moved : CancelRig {
  std::vector<double> from, goals;
  double a_max = stack.config().joints[0].limits.a_max;
  double speed_of_bound = 0.0;
  double acceleration_of_bound = 0.0;

  void move(const std::vector<double>& to, std::optional<double> duration) {
    from = places(references());
    goals = to;
    for (std::size_t i = 0; i < kJoints; ++i) {
      const JointSet one = JointSet().set(i);
      if (duration)
        client.timed_move(one, to[i], *duration);
      else
        client.move(one, to[i], 0.3 + 0.2 * static_cast<double>(i));
    }
  }
  /// One cycle, by whose differences a drive would judge.
  void step() {
    const std::vector<JointReference> was = references();
    run(1);
    for (std::size_t i = 0; i < kJoints; ++i) {
      const JointReference now = joint(i).reference;
      EXPECT_LE(std::abs(now.v), std::abs(was[i].v) + a_max * kDt) << i;
      acceleration_of_bound =
          std::max(acceleration_of_bound, std::abs(now.v - was[i].v) / (a_max * kDt));
      EXPECT_NEAR(now.q - was[i].q, 0.5 * kDt * (now.v + was[i].v), a_max * kDt * kDt);
    }
  }
  int steps_to_rest() {
    int steps = 0;
    for (; moves() && steps < 5'000; ++steps) step();
    return steps;
  }
};

TEST(CancelledMove, OfJointsThatArriveTogetherStaysOnTheirLine) {
  for (const int cycles : {60, 200, 400, 600, 760}) {
    SCOPED_TRACE(cycles);
    Moved rig;
    rig.move({0.8, -0.5, 0.2}, 0.8);
    rig.run(cycles);
    ASSERT_GT(rig.joint(0).reference.v, 0.0);
    rig.events();
    rig.cancel(rig.all);
    const int steps = rig.steps_to_rest();
    EXPECT_LT(steps, 400);
    EXPECT_LT(off_line(places(rig.references()), rig.from, rig.goals), 1e-12);
    EXPECT_LE(rig.acceleration_of_bound, 1.0 + 1e-3);
    EXPECT_FALSE(rig.only(EventKind::kGoalReached)) << "it is given up, wherever it ends";
    const double left = std::abs(rig.joint(0).reference.q - rig.goals[0]);
    EXPECT_TRUE(left > 1e-3 || cycles > 700) << left;
  }
}

TEST(CancelledMove, OfJointsWithTimesOfTheirOwnStaysOnTheirCommonPath) {
  Moved as_asked;
  Moved rig;
  for (Moved* one : {&as_asked, &rig}) {
    one->move({0.9, -0.4, 0.7}, std::nullopt);
    one->run(250);
  }
  std::vector<std::vector<double>> path{places(as_asked.references())};
  for (int k = 0; k < 400; ++k) {
    as_asked.run(1);
    path.push_back(places(as_asked.references()));
  }
  rig.cancel(rig.all);
  rig.steps_to_rest();
  const std::vector<double> rest = places(rig.references());
  // Between two points of the path, a cycle apart: no further off than its bend, a dt²/8.
  double nearest = 1.0;
  for (std::size_t k = 0; k + 1 < path.size(); ++k) {
    if (rest[0] < path[k][0] || rest[0] > path[k + 1][0]) continue;
    nearest = std::min(nearest, off_line(rest, path[k], path[k + 1]));
  }
  EXPECT_LT(nearest, rig.a_max * kDt * kDt);
}

TEST(CancelledMove, InFullSwingTakesLittleMoreThanTheTimeOfTheBoundOfAcceleration) {
  Moved rig;
  rig.move({0.8, -0.5, 0.2}, 0.8);
  rig.run(400);
  const double v = rig.joint(0).reference.v;  // 15/8 · 0.8/0.8, at no acceleration
  ASSERT_NEAR(v, 1.875, 0.01);
  rig.cancel(rig.all);
  const double time = kDt * rig.steps_to_rest();
  EXPECT_GT(time, 0.9 * v / rig.a_max);
  EXPECT_LT(time, 1.5 * v / rig.a_max + 0.05);
  EXPECT_GT(rig.acceleration_of_bound, 0.8) << "no slower than needed";
}

TEST(CancelledMove, AgainChangesNothingAndStopBrakesByAllThatThereIs) {
  Moved once;
  Moved again;
  for (Moved* one : {&once, &again}) {
    one->move({0.8, -0.5, 0.2}, 0.8);
    one->run(400);
    one->cancel(one->all);
    one->run(20);
    ASSERT_GT(one->joint(0).reference.v, 0.1);
  }
  again.cancel(again.all);
  for (int k = 0; k < 300; ++k) {
    once.run(1);
    again.run(1);
    ASSERT_EQ(once.references(), again.references());
  }
  Moved stopped;
  stopped.move({0.8, -0.5, 0.2}, 0.8);
  stopped.run(400);
  stopped.cancel(stopped.all);
  stopped.run(5);
  stopped.client.stop(stopped.all);
  EXPECT_LE(kDt * stopped.steps_to_rest(), 1.875 / stopped.a_max + 0.01);
}

TEST(CancelledMove, AnotherMoveGoesOnFromThere) {
  Moved rig;
  rig.move({0.8, -0.5, 0.2}, 0.8);
  rig.run(400);
  rig.cancel(rig.all);
  rig.run(20);
  rig.events();
  rig.client.move(rig.all, 0.1);
  rig.steps_to_rest();
  for (std::size_t i = 0; i < kJoints; ++i) EXPECT_NEAR(rig.joint(i).reference.q, 0.1, 1e-9);
  EXPECT_LE(rig.acceleration_of_bound, 1.0 + 1e-3);
}

TEST(CancelledMove, OnlyTheJointsNamedSlowDown) {
  Moved rig;
  rig.move({0.8, -0.5, 0.2}, 0.8);
  rig.run(400);
  rig.cancel(JointSet().set(1));
  rig.steps_to_rest();
  EXPECT_NEAR(rig.joint(0).reference.q, 0.8, 1e-9);
  EXPECT_GT(rig.joint(1).reference.q, -0.45);
  EXPECT_NEAR(rig.joint(2).reference.q, 0.2, 1e-9);
}

TEST(CancelledMove, ARestoredStackSlowsDownToTheBit) {
  Moved one;
  one.move({0.8, -0.5, 0.2}, 0.8);
  one.run(400);
  one.cancel(one.all);
  one.run(20);
  testing::expect_a_restored_stack_goes_on(one, 200);
  EXPECT_FALSE(one.moves());
}

}  // namespace
}  // namespace jointrig
