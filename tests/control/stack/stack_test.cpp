#include "control/stack/stack.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "control/discovery/torque_rate_gains.h"
#include "tests/support/ideal_rig.h"
#include "tests/support/requests.h"
#include "tests/support/restored.h"

namespace jointrig {
namespace {

using testing::ideal_config;
using testing::IdealRig;

JointSet one(std::size_t i) { return JointSet{}.set(i); }

TEST(Stack, StartsIdleAndSendsNothing) {
  IdealRig rig;
  rig.robot.joint[0].load = 1.0;
  rig.run(10);
  EXPECT_EQ(rig.joint().mode, JointMode::kIdle);
  EXPECT_EQ(rig.joint().setpoint.drive, DriveMode::kOff);
  EXPECT_NEAR(rig.robot.joint[0].v, 9 * 1e-3, 1e-12) << "the load moves it freely";
}

TEST(Stack, PositionModeHoldsWhereTheJointIs) {
  IdealRig rig;
  rig.robot.joint[0].q = 0.7;
  rig.enter(ModeRequest::kPosition);
  rig.run_for(1.0);
  EXPECT_EQ(rig.joint().mode, JointMode::kPosition);
  EXPECT_NEAR(rig.robot.joint[0].q, 0.7, 1e-9);
}

TEST(Stack, AMoveFollowsTheMinimumJerkPathAndTellsWhenItArrived) {
  IdealRig rig;
  rig.enter(ModeRequest::kPosition);
  rig.events();
  rig.client.move(one(0), 1.0, 1.0);
  const double duration = 15.0 / 8.0;
  rig.run_for(duration / 2);
  EXPECT_NEAR(rig.joint().reference.q, 0.5, 2e-3) << "half way at half time";
  rig.run_for(duration / 2 + 0.002);
  const auto arrival = rig.only(EventKind::kGoalReached);
  ASSERT_TRUE(arrival);
  EXPECT_EQ(arrival->joint, 0);
  EXPECT_NEAR(to_seconds(arrival->time_ns), 0.005 + duration, 0.003);
  EXPECT_NEAR(rig.robot.joint[0].q, 1.0, 1e-3);
  EXPECT_NEAR(rig.robot.joint[1].q, 0.0, 1e-9) << "only the joint that was named";
}

TEST(Stack, ATimedMoveAskedForInMotionArrivesAfterItsDuration) {
  IdealRig rig;
  rig.enter(ModeRequest::kPosition);
  rig.client.move(one(0), 1.5, 1.0);
  rig.run_for(0.7);
  EXPECT_GT(rig.joint().reference.v, 0.3);
  rig.events();
  rig.client.timed_move(one(0), 0.4, 2.0);
  rig.run_for(1.995);
  EXPECT_TRUE(rig.joint().moving);
  rig.run_for(0.010);
  EXPECT_FALSE(rig.joint().moving);
  EXPECT_TRUE(rig.only(EventKind::kGoalReached));
  EXPECT_NEAR(rig.joint().reference.q, 0.4, 1e-12);
}

TEST(Stack, ATimedMoveThatNeedsMoreThanTheLimitsIsRefusedWithTheShortestDuration) {
  IdealRig rig;
  rig.enter(ModeRequest::kPosition);
  const auto ask = [&](double duration) {
    return rig.answer([&] { return rig.client.timed_move(one(0), 1.6, duration); });
  };
  // 15/8 · 1.6 rad / 2 rad/s = 1.5 s; its acceleration, 10/√3 · 1.6/1.5² = 4.1 rad/s², is less
  EXPECT_EQ(ask(1.4).reason, RejectReason::kOutOfRange);
  EXPECT_NEAR(ask(1.4).limit, 1.5, 1e-9);
  EXPECT_EQ(ask(0.0).reason, RejectReason::kOutOfRange);
  EXPECT_EQ(ask(-1.0).reason, RejectReason::kOutOfRange);
  EXPECT_EQ(ask(1.51).reason, RejectReason::kNone);
}

TEST(Stack, ALimitThatBeginsToActIsToldWithWhatWasWantedAndItsBound) {
  IdealRig rig;
  rig.enter(ModeRequest::kTorque);
  rig.events();
  rig.client.send<StreamTorque>({{0, {10.0}}});
  rig.run(2);
  const auto rate = rig.only(EventKind::kLimited);
  ASSERT_TRUE(rate);
  EXPECT_EQ(static_cast<Limit>(rate->detail), Limit::kTorqueRate);
  EXPECT_NEAR(rate->limit, 2500.0 * 1e-3, 1e-12);  // of the first cycle, from 0 N·m
  EXPECT_GT(rate->value, rate->limit);
}

TEST(Stack, AMoveSlowerThanTheJointIsGoingBrakesFirstAndDoesNotRunPastItsGoal) {
  for (const double goal : {0.03, 0.2, 0.5, -0.3}) {
    SCOPED_TRACE(goal);
    IdealRig rig;
    rig.enter(ModeRequest::kVelocity);
    for (int i = 0; i < 40; ++i) {
      rig.client.send<StreamVelocity>({{0, {0.8}}});
      rig.run(5);
    }
    const double q0 = rig.robot.joint[0].q;
    rig.client.set_mode(one(0), ModeRequest::kPosition);
    rig.client.move(one(0), q0 + goal, 0.1);
    double furthest = 0.0;
    for (int i = 0; i < 12000; ++i) {
      rig.run(1);
      furthest = std::max(furthest, rig.robot.joint[0].q - q0);
    }
    // v²/(2 a_max) of braking, and the loop's own lag
    EXPECT_LE(furthest, std::max(goal, 0.8 * 0.8 / 20.0) + 0.02);
    EXPECT_NEAR(rig.robot.joint[0].q, q0 + goal, 1e-3);
    EXPECT_FALSE(rig.joint().moving);
  }
}

TEST(Stack, AMoveAskedForBeforeTheMotorIsOnIsMadeWhenItIs) {
  IdealRig rig;
  rig.robot.enable_cycles = 50;
  rig.run(1);
  rig.client.set_mode(one(0), ModeRequest::kPosition);
  rig.client.move(one(0), 0.3, 2.0);
  rig.run(40);
  EXPECT_EQ(rig.robot.joint[0].q, 0.0);
  rig.run_for(1.0);
  EXPECT_NEAR(rig.robot.joint[0].q, 0.3, 1e-3);
}

TEST(Stack, ACompliantJointYieldsToALoadAsASpringDoes) {
  IdealRig rig;
  rig.client.set_impedance(one(0), 40.0, 12.0);
  rig.client.set_interaction(one(0), InteractionMode::kCompliant);
  rig.enter(ModeRequest::kPosition);
  rig.robot.joint[0].load = 3.0;
  rig.run_for(5.0);
  EXPECT_NEAR(rig.robot.joint[0].q, 3.0 / 40.0, 1e-6);  // tau / K
}

TEST(Stack, ACompliantJointHasTheDampingRatioItsGainsGive) {
  IdealRig rig;
  const double k = 100.0, zeta = 0.3, d = 2 * zeta * std::sqrt(k);  // inertia 1
  rig.client.set_impedance(one(0), k, d);
  rig.client.set_interaction(one(0), InteractionMode::kCompliant);
  rig.enter(ModeRequest::kPosition);
  rig.robot.joint[0].load = 5.0;
  double most = 0.0;
  for (int i = 0; i < 3000; ++i) {
    rig.run(1);
    most = std::max(most, rig.robot.joint[0].q);
  }
  const double overshoot = most / (5.0 / k) - 1.0;
  EXPECT_NEAR(overshoot, std::exp(-std::numbers::pi * zeta / std::sqrt(1 - zeta * zeta)), 0.03);
}

TEST(Stack, AStiffJointTakesOffTheErrorOfAnUnknownLoad) {
  IdealRig rig;
  rig.enter(ModeRequest::kPosition);
  rig.robot.joint[0].load = 20.0;
  rig.run_for(2.0);
  EXPECT_NEAR(rig.robot.joint[0].q, 0.0, 1e-5);
}

TEST(Stack, AJointKnockedOffItsReferenceBrakesAndComesBackInsteadOfSwingingUp) {
  for (const double rate : {2500.0, 1000.0, 400.0}) {
    for (const double knock : {0.5, 1.2, 1.9, 3.5}) {
      SCOPED_TRACE(std::to_string(rate) + " N·m/s, knocked to " + std::to_string(knock));
      RobotConfig config = ideal_config(1);
      config.joints[0].limits.tau_rate_max = rate;
      heed_torque_rate(config.joints[0]);
      IdealRig rig(config);
      rig.enter(ModeRequest::kPosition);
      rig.robot.joint[0].v = knock;
      double fastest = 0.0;
      for (int i = 0; i < 6000; ++i) {
        rig.run(1);
        fastest = std::max(fastest, std::abs(rig.robot.joint[0].v));
      }
      EXPECT_EQ(rig.joint().mode, JointMode::kPosition);
      EXPECT_LE(fastest, knock * 1.1);
      EXPECT_NEAR(rig.robot.joint[0].q, 0.0, 1e-3) << "back where it was asked to be";
    }
  }
}

TEST(Stack, StiffnessIsStoredInModesWithoutUseForItAndAppliedWhenOneReturns) {
  IdealRig rig;
  rig.enter(ModeRequest::kTorque);
  EXPECT_EQ(rig.answer([&] { return rig.client.set_impedance(one(0), 40.0, 12.0); }).kind,
            EventKind::kAccepted);
  EXPECT_EQ(
      rig.answer([&] { return rig.client.set_interaction(one(0), InteractionMode::kCompliant); })
          .kind,
      EventKind::kAccepted);
  EXPECT_EQ(rig.joint().mode, JointMode::kTorque)
      << "the interaction mode switches no control mode";
  rig.enter(ModeRequest::kPosition);
  rig.robot.joint[0].load = 2.0;
  const double q0 = rig.joint().reference.q;
  rig.run_for(5.0);
  EXPECT_NEAR(rig.robot.joint[0].q - q0, 2.0 / 40.0, 1e-5);
}

TEST(Stack, VelocityIntegratesAndHoldsItsPositionWhenTold) {
  IdealRig rig;
  rig.enter(ModeRequest::kVelocity);
  for (int i = 0; i < 100; ++i) {
    rig.client.send<StreamVelocity>({{0, {0.5}}});
    rig.run(10);
  }
  EXPECT_NEAR(rig.robot.joint[0].v, 0.5, 1e-6);
  rig.client.send<StreamVelocity>({{0, {0.0}}});
  rig.run(200);
  const double q = rig.robot.joint[0].q;
  rig.run_for(0.5);
  EXPECT_NEAR(rig.robot.joint[0].q, q, 1e-3);
}

TEST(Stack, TorqueModeGivesTheTorqueAskedFor) {
  IdealRig rig;
  rig.enter(ModeRequest::kTorque);
  for (int i = 0; i < 30; ++i) {
    rig.client.send<StreamTorque>({{0, {2.0}}});
    rig.run(10);
  }
  EXPECT_NEAR(rig.robot.joint[0].tau, 2.0, 1e-12);
}

TEST(Stack, OpenloopGivesTheDutyAskedFor) {
  IdealRig rig;
  rig.robot.joint[0].load = -5.0;
  rig.enter(ModeRequest::kOpenloop);
  for (int i = 0; i < 15; ++i) {
    rig.client.send<StreamDuty>({{0, {0.1}}});
    rig.run(10);
  }
  EXPECT_EQ(rig.joint().setpoint.drive, DriveMode::kDuty);
  EXPECT_NEAR(rig.joint().setpoint.duty, 0.1, 1e-9);
}

// ---- refusals

TEST(Stack, ACommandThatDoesNotFitTheModeIsRefusedWithReasonAndJointAndChangesNothing) {
  IdealRig rig;
  rig.enter(ModeRequest::kPosition);
  rig.client.set_mode(one(1), ModeRequest::kVelocity);
  rig.run(5);
  const Event no = rig.answer([&] { return rig.client.send<StreamVelocity>({{0, {0.1}}}); });
  EXPECT_EQ(no.kind, EventKind::kRejected);
  EXPECT_EQ(no.reason, RejectReason::kWrongMode);
  EXPECT_EQ(no.joint, 0);
  EXPECT_EQ(no.mode, JointMode::kPosition);
  EXPECT_EQ(rig.joint(0).mode, JointMode::kPosition) << "no command ever switches a mode";

  const Event whole = rig.answer([&] {
    return rig.client.send<StreamVelocity>({{0, {0.1}}, {1, {0.1}}});
  });
  EXPECT_EQ(whole.reason, RejectReason::kWrongMode);
  rig.run(50);
  EXPECT_EQ(rig.joint(1).reference.v, 0.0) << "refused whole: joint 1 would have taken it";
}

TEST(Stack, MixedTakesMovesAndVelocities) {
  IdealRig rig;
  rig.enter(ModeRequest::kMixed);
  EXPECT_EQ(rig.answer([&] { return rig.client.move(one(0), 0.2, 1.0); }).kind,
            EventKind::kAccepted);
  EXPECT_EQ(rig.answer([&] {
                 return rig.client.send<StreamVelocity>({{0, {0.1}}});
               })
                .kind,
            EventKind::kAccepted);
  EXPECT_EQ(rig.answer([&] {
                 return rig.client.send<StreamTorque>({{0, {0.1}}});
               })
                .reason,
            RejectReason::kWrongMode);
}

TEST(Stack, NaNAndInfinitiesAreRefusedInEveryCommand) {
  IdealRig rig;
  rig.enter(ModeRequest::kTorque);
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const Event no = rig.answer([&] {
      return rig.client.send<StreamTorque>({{0, {1.0}}, {1, {bad}}});
    });
    EXPECT_EQ(no.reason, RejectReason::kNotFinite);
    EXPECT_EQ(no.joint, 1);
  }
  rig.run(20);
  EXPECT_EQ(rig.robot.joint[0].tau, 0.0);

  rig.enter(ModeRequest::kPositionDirect);
  using Sample = StreamTrajectory::Value;
  for (const Sample& bad : {Sample{NAN, 0, 0}, {0, NAN, 0}, {0, 0, NAN}}) {
    const Event no = rig.answer([&] { return rig.client.send<StreamTrajectory>({{1, bad}}); });
    EXPECT_EQ(no.reason, RejectReason::kNotFinite);
    EXPECT_EQ(no.joint, 1);
  }
}

TEST(Stack, ACommandOlderThanOneAlreadyTakenIsStale) {
  IdealRig rig;
  rig.enter(ModeRequest::kTorque);
  const Command replayed{.request = testing::joint_request(CommandKind::kStreamTorque, 0, 1.0),
                         .sender = rig.client.sender(),
                         .number = 1};  // taken long ago
  rig.events();
  rig.stack.inbox().push(replayed);
  rig.run(1);
  const auto no = rig.only(EventKind::kRejected);
  ASSERT_TRUE(no);
  EXPECT_EQ(no->reason, RejectReason::kStale);
}

TEST(Stack, ACommandComputedFromAnOldSnapshotIsStale) {
  IdealRig rig;
  rig.enter(ModeRequest::kTorque);
  rig.run_for(1.0);
  Command late{.request = testing::joint_request(CommandKind::kStreamTorque, 0, 1.0),
               .time_ns = to_ns(0.4)};
  const Event no = rig.answer([&] { return rig.client.post(late); });
  EXPECT_EQ(no.reason, RejectReason::kStale);
  EXPECT_NEAR(no.value, 0.6, 0.01);
  EXPECT_EQ(no.limit, Commands::kStaleAfter);
}

TEST(Stack, WorkPerCycleIsBoundedAndTheRestComesNextCycle) {
  IdealRig rig;
  rig.enter(ModeRequest::kTorque);
  rig.events();
  for (int i = 0; i < 50; ++i) rig.client.send<StreamTorque>({{0, {1.0}}});
  rig.run(1);
  EXPECT_EQ(rig.events().size(), Stack::kCommandsPerCycle);
  rig.run(1);
  EXPECT_EQ(rig.events().size(), 50 - Stack::kCommandsPerCycle);
}

// ---- silence

TEST(Stack, AStreamThatStopsIsHeldAfterItsTimeoutWithOneEvent) {
  struct Case {
    ModeRequest mode;
    CommandKind kind;
    double value;
  };
  for (const Case& c : {Case{ModeRequest::kVelocity, CommandKind::kStreamVelocity, 0.5},
                        Case{ModeRequest::kMixed, CommandKind::kStreamVelocity, 0.5},
                        Case{ModeRequest::kTorque, CommandKind::kStreamTorque, 0.5},
                        Case{ModeRequest::kOpenloop, CommandKind::kStreamDuty, 0.01},
                        Case{ModeRequest::kPositionDirect, CommandKind::kStreamPosition, 0.01},
                        Case{ModeRequest::kPositionDirect, CommandKind::kStreamTrajectory, 0.01}}) {
    SCOPED_TRACE(to_string(c.kind));
    const Request sample = testing::joint_request(c.kind, 0, c.value);
    IdealRig rig;
    rig.enter(c.mode);
    for (int i = 0; i < 50; ++i) {
      rig.client.post(sample);
      rig.run(10);
    }
    rig.client.post(sample);
    rig.run(1);
    rig.events();
    const std::uint64_t last = rig.stack.snapshot().cycle;
    rig.run_for(2.0);
    const auto silence = rig.only(EventKind::kCommandTimeout);
    ASSERT_TRUE(silence) << "exactly one event";
    EXPECT_EQ(silence->joint, 0);
    EXPECT_EQ(silence->cycle - last, 200U) << "0.2 s after the last command";
    EXPECT_TRUE(rig.joint().timed_out);
    EXPECT_NEAR(rig.robot.joint[0].v, 0.0, 1e-6) << "it holds";
    const bool has_goal = c.mode == ModeRequest::kPositionDirect || c.mode == ModeRequest::kMixed;
    const JointMode streamed = as_joint_mode(requested_mode(c.mode));
    EXPECT_EQ(rig.joint().mode, has_goal ? streamed : JointMode::kPosition) << "it holds";
    if (!has_goal) {
      const Event late = rig.answer([&] { return rig.client.post(sample); });
      EXPECT_EQ(late.reason, RejectReason::kWrongMode) << "nothing sets off by itself";
      EXPECT_TRUE(rig.joint().timed_out) << "until a command is accepted";
      rig.enter(c.mode);
    }
    const Event again = rig.answer([&] { return rig.client.post(sample); });
    EXPECT_EQ(again.kind, EventKind::kAccepted);
    EXPECT_FALSE(rig.joint().timed_out);
  }
}

TEST(Stack, ATrajectoryFeedsItsAccelerationForwardAndIsFollowedWithoutLag) {
  IdealRig rig;
  rig.enter(ModeRequest::kPositionDirect);
  // An acceleration of 0.6 sin 3 t rad/s², from rest, of an inertia of 1 kg·m².
  const auto sample = [](double t) {
    return StreamTrajectory::Value{0.2 * (t - std::sin(3 * t) / 3), 0.2 * (1 - std::cos(3 * t)),
                                   0.6 * std::sin(3 * t)};
  };
  for (int i = 0; i < 2000; ++i) {
    const double t = i * 1e-3;
    rig.client.send<StreamTrajectory>({{0, sample(t)}});
    rig.run(1);
    ASSERT_NEAR(rig.joint().reference.q, sample(t).q, 1e-12);
    ASSERT_NEAR(rig.joint().reference.a, sample(t).a, 1e-12);
    // This robot's q goes by v dt of the cycle's end, a dt/2 faster than the sample's: the feedback
    // on the position, e ω/2, gives way by e = a dt / ω at the most, ω = 36/s.
    ASSERT_NEAR(rig.joint().state.q, sample(t).q, 0.6 * 1e-3 / 36.0 + 1e-6) << i;
    ASSERT_NEAR(rig.joint().setpoint.tau, sample(t).a, 0.01) << "nothing but I a is needed";
  }
}

TEST(Stack, ToStayWhereItStandsIsNeverRefusedAlsoOutsideTheSoftLimits) {
  for (const ModeRequest mode : {ModeRequest::kPosition, ModeRequest::kPositionDirect}) {
    IdealRig rig;
    const JointLimits& limits = rig.stack.config().joints[0].limits;
    const double outside = limits.q_max - 0.5 * limits.soft_margin;
    ASSERT_GT(limits.soft_margin, 0.0);
    rig.robot.joint[0].q = outside;
    rig.enter(mode);
    const auto ask = [&](double q) {
      return rig.answer([&] {
        return mode == ModeRequest::kPosition ? rig.client.send<Move>({{0, {q, 0.0}}})
                                              : rig.client.send<StreamPosition>({{0, {q}}});
      });
    };
    EXPECT_EQ(ask(outside).reason, RejectReason::kNone);
    rig.run(500);
    EXPECT_NEAR(rig.joint().state.q, outside, 1e-4);
    const RejectReason further = ask(outside + 0.2 * limits.soft_margin).reason;
    if (mode == ModeRequest::kPosition) {
      EXPECT_EQ(further, RejectReason::kOutOfRange);
    }
    rig.run(500);
    EXPECT_LT(rig.joint().state.q, outside + 1e-4) << "a sample is cut";
    EXPECT_EQ(ask(limits.q_max - 2.0 * limits.soft_margin).reason, RejectReason::kNone) << "back";
  }
}

TEST(Stack, AStopOutOfAModeWithoutAReferenceBrakesFromTheJointsOwnSpeedWithoutAJolt) {
  constexpr double kSpeed = 1.0;
  for (const ModeRequest mode : {ModeRequest::kTorque, ModeRequest::kOpenloop}) {
    SCOPED_TRACE(to_string(mode));
    IdealRig rig;
    const double a_max = rig.stack.config().joints[0].limits.a_max;
    rig.enter(mode);
    rig.robot.joint[0].v = kSpeed;  // nothing brakes it
    rig.run(20);
    const double q = rig.robot.joint[0].q;
    rig.client.stop(one(0));
    double most = 0.0;
    for (int i = 0; i < 500; ++i) {
      rig.run(1);
      most = std::max(most, std::abs(rig.joint().setpoint.tau));
    }
    EXPECT_EQ(rig.joint().mode, JointMode::kPosition);
    // 1 kg·m²: the law is behind its reference by a third of that, a jolt took it to 1.9.
    EXPECT_LT(most, 1.5 * a_max);
    // And on for the few cycles until the torque is there.
    EXPECT_NEAR(rig.robot.joint[0].q - q, kSpeed * kSpeed / (2.0 * a_max), 0.015 * kSpeed);
    EXPECT_NEAR(rig.robot.joint[0].v, 0.0, 1e-3);
  }
}

/// A command that asks joint 0 to stay at q, in a mode that takes it.
struct Stay {
  const char* name;
  ModeRequest mode;
  std::uint64_t (*ask)(RobotClient& client, double q);
};
constexpr auto kStays = std::to_array<Stay>({
    {"move", ModeRequest::kPosition,
     [](RobotClient& client, double q) {
       return client.send<Move>({{0, {q, 0.0}}});
     }},
    {"timed move", ModeRequest::kPosition,
     [](RobotClient& client, double q) {
       return client.send<TimedMove>({{0, {q, 0.5}}});
     }},
    {"target", ModeRequest::kPosition,
     [](RobotClient& client, double q) {
       return client.send<SetJointTarget>({{0, {.q = q}}});
     }},
    {"move in mixed", ModeRequest::kMixed,
     [](RobotClient& client, double q) {
       return client.send<Move>({{0, {q, 0.0}}});
     }},
    {"timed move in mixed", ModeRequest::kMixed,
     [](RobotClient& client, double q) {
       return client.send<TimedMove>({{0, {q, 0.5}}});
     }},
    {"sample", ModeRequest::kPositionDirect,
     [](RobotClient& client, double q) {
       return client.send<StreamPosition>({{0, {q}}});
     }},
    {"sample with derivatives", ModeRequest::kPositionDirect,
     [](RobotClient& client, double q) {
       return client.send<StreamTrajectory>({{0, {.q = q}}});
     }},
    {"velocity 0", ModeRequest::kVelocity,
     [](RobotClient& client, double /*q*/) {
       return client.send<StreamVelocity>({{0, {0.0}}});
     }},
});

TEST(Stack, AMicroradianOutsideASoftLimitEachModeMayStayWhereItIs) {
  constexpr double kMicro = 1e-6;
  for (const Stay& stay : kStays) {
    for (const double side : {-1.0, 1.0}) {
      SCOPED_TRACE(std::string(stay.name) + (side < 0.0 ? " at q_min" : " at q_max"));
      IdealRig rig;
      const JointLimits& limits = rig.stack.config().joints[0].limits;
      const double soft = side < 0.0 ? soft_min(limits) : soft_max(limits);
      const double stands = soft + side * kMicro;
      rig.robot.joint[0].q = stands;
      rig.enter(stay.mode);
      // By its reference, by its encoder, and a µrad off it as a client rounds it.
      for (const double q :
           {rig.joint().reference.q, rig.joint().state.q, stands + side * kMicro}) {
        EXPECT_EQ(rig.answer([&] { return stay.ask(rig.client, q); }).kind, EventKind::kAccepted);
        rig.run(150);
        EXPECT_NEAR(rig.joint().state.q, stands, kMicro);
      }
    }
  }
}

RobotConfig wide_margin(double margin) {
  RobotConfig config = ideal_config(2);
  for (JointConfig& joint : config.joints) joint.limits.soft_margin = margin;
  return config;
}

TEST(Stack, AJointFarOutsideTheSoftLimitsMayStayAndComeBackButGoesNoDeeper) {
  for (const double beyond : {0.005, 0.05}) {
    SCOPED_TRACE(beyond);
    IdealRig rig(wide_margin(0.2));
    const double soft = rig.stack.config().joints[0].limits.q_max - 0.2;
    const double stands = soft + beyond;
    rig.robot.joint[0].q = stands;
    rig.enter(ModeRequest::kPosition);
    const auto ask = [&](double q) {
      return rig.answer([&] { return rig.client.send<Move>({{0, {q, 0.0}}}); }).reason;
    };
    EXPECT_EQ(ask(stands), RejectReason::kNone);
    EXPECT_EQ(ask(stands + 0.0009), RejectReason::kNone) << "as it was read, with noise";
    EXPECT_EQ(ask(stands + 0.003), RejectReason::kOutOfRange) << "deeper";
    for (int i = 0; i < 5; ++i) {
      ask(stands + 0.0009 * i);
      rig.run(300);
    }
    EXPECT_NEAR(rig.joint().state.q, stands, 1e-5) << "it creeps";
    EXPECT_EQ(ask(soft + 0.5 * beyond), RejectReason::kNone) << "half the way back";
    rig.run(2000);
    EXPECT_NEAR(rig.joint().state.q, soft + 0.5 * beyond, 1e-4);
    EXPECT_EQ(ask(stands), RejectReason::kOutOfRange) << "where it isn't any more";
    EXPECT_EQ(ask(soft - 0.1), RejectReason::kNone);
    rig.run(2000);
    EXPECT_NEAR(rig.joint().state.q, soft - 0.1, 1e-4);
  }
}

TEST(Stack, PositionModeHasNoTimeout) {
  IdealRig rig;
  rig.enter(ModeRequest::kPosition);
  rig.client.move(one(0), 0.5, 1.0);
  rig.events();
  rig.run_for(3.0);
  EXPECT_FALSE(rig.only(EventKind::kCommandTimeout));
  EXPECT_NEAR(rig.robot.joint[0].q, 0.5, 1e-3);
}

TEST(Stack, TheTimeoutReactionIdleSwitchesTheMotorOff) {
  RobotConfig config = ideal_config(1);
  config.joints[0].timeout = {0.05, TimeoutReaction::kIdle};
  IdealRig rig(config);
  rig.enter(ModeRequest::kTorque);
  rig.client.send<StreamTorque>({{0, {1.0}}});
  rig.run(60);
  EXPECT_EQ(rig.joint().mode, JointMode::kIdle);
  EXPECT_EQ(rig.joint().setpoint.drive, DriveMode::kOff);
}

// ---- faults

TEST(Stack, AFaultStopsItsJointAloneAndForceIdleIsTheWayOut) {
  IdealRig rig;
  rig.enter(ModeRequest::kPosition);
  rig.events();
  rig.robot.joint[0].fault = FaultCode::kOverTemperature;
  rig.robot.joint[0].fault_cause = true;
  rig.run(2);
  const auto fault = rig.only(EventKind::kFault);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->joint, 0);
  EXPECT_EQ(fault->fault, FaultCode::kOverTemperature);
  EXPECT_EQ(rig.joint(0).mode, JointMode::kHwFault);
  EXPECT_EQ(rig.joint(0).setpoint.drive, DriveMode::kOff);
  EXPECT_EQ(rig.joint(1).mode, JointMode::kPosition);

  const Event no = rig.answer([&] { return rig.client.set_mode(one(0), ModeRequest::kPosition); });
  EXPECT_EQ(no.reason, RejectReason::kBoardFaulted);

  rig.events();
  rig.client.set_mode(one(0), ModeRequest::kForceIdle);
  rig.run_for(1.0);
  EXPECT_TRUE(rig.only(EventKind::kFaultStays)) << "the cause is still there";
  EXPECT_EQ(rig.joint(0).mode, JointMode::kHwFault);

  rig.robot.joint[0].fault_cause = false;
  rig.client.set_mode(one(0), ModeRequest::kForceIdle);
  rig.run(5);
  EXPECT_EQ(rig.joint(0).mode, JointMode::kIdle);
  EXPECT_FALSE(rig.joint(0).fault);
  rig.run_for(1.0);
  EXPECT_EQ(rig.joint(0).mode, JointMode::kIdle) << "nothing comes back by itself";
}

TEST(Stack, ASilentBoardLatchesAndReportsHowManyCyclesItMissed) {
  IdealRig rig;
  rig.enter(ModeRequest::kPosition);
  rig.robot.joint[1].silent = true;
  rig.events();
  rig.run(30);
  const auto fault = rig.only(EventKind::kFault);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->joint, 1);
  EXPECT_EQ(fault->fault, FaultCode::kBoardLost);
  EXPECT_EQ(fault->limit, JointModeMachine::kLostAfter);
}

/// Two joints of one part.
RobotConfig config_with_a_part() {
  RobotConfig config = ideal_config(2);
  config.parts.push_back({.name = "arm", .joints = {0, 1}});
  return config;
}

TEST(Stack, AGoalThatALostLinkInterruptedIsToldAsReachedOnceItIsAlsoWhereNoWayIsLeft) {
  for (const bool is_timed : {false, true}) {
    for (const double goal : {0.0, 0.2}) {
      for (int lost_at = 0; lost_at < 12; ++lost_at) {
        SCOPED_TRACE(::testing::Message() << is_timed << " " << goal << " lost at " << lost_at);
        IdealRig rig(config_with_a_part());
        rig.enter(ModeRequest::kPosition);
        rig.run(20);
        rig.events();
        const auto ask = [&] {
          if (is_timed) {
            rig.client.timed_move(one(0), goal, 0.6);
          } else {
            rig.client.move(one(0), goal);
          }
        };
        if (lost_at < 6) {
          rig.robot.joint[1].silent = true;
          rig.run(lost_at);
          ask();
        } else {
          ask();
          rig.run(lost_at - 6);
          rig.robot.joint[1].silent = true;
        }
        rig.run(10);
        rig.robot.joint[1].silent = false;
        rig.run_for(2.0);
        int reached = 0;
        int refused = 0;
        for (const Event& e : rig.events()) {
          reached += e.kind == EventKind::kGoalReached && e.joint == 0 ? 1 : 0;
          refused += e.kind == EventKind::kRejected ? 1 : 0;
        }
        EXPECT_EQ(reached + refused, 1);
        EXPECT_FALSE(rig.joint().moving);
        if (refused == 0) {
          EXPECT_NEAR(rig.joint().reference.q, goal, 1e-9);
        }
      }
    }
  }
}

TEST(Stack, AJointFasterThanTwiceItsLimitIsAFault) {
  IdealRig rig;
  rig.enter(ModeRequest::kPosition);
  rig.events();
  rig.robot.joint[0].v = 4.5;  // v_max is 2
  rig.run(2);
  const auto fault = rig.only(EventKind::kFault);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->fault, FaultCode::kOverSpeed);
  EXPECT_EQ(fault->limit, 4.0);
}

TEST(Stack, CalibrationIsSeenWhileItRunsAndDoneWhenItIs) {
  IdealRig rig;
  rig.robot.joint[0].status = BoardStatus::kConfigured;
  rig.run(2);
  EXPECT_EQ(rig.joint().mode, JointMode::kConfigured);
  EXPECT_EQ(rig.answer([&] { return rig.client.set_mode(one(0), ModeRequest::kPosition); }).reason,
            RejectReason::kNotCalibrated);
  rig.client.calibrate(one(0));
  rig.run(50);
  EXPECT_EQ(rig.joint().mode, JointMode::kCalibrating);
  EXPECT_EQ(rig.answer([&] { return rig.client.set_mode(one(0), ModeRequest::kPosition); }).reason,
            RejectReason::kCalibrating);
  rig.run(100);
  EXPECT_EQ(rig.joint().mode, JointMode::kCalibDone);
  const auto done = rig.only(EventKind::kCalibrationDone);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->value, 0.25) << "the zero that the board found";
  rig.enter(ModeRequest::kPosition);
  EXPECT_EQ(rig.joint().mode, JointMode::kPosition);
}

// ---- state

TEST(Stack, FromASavedStateTheSameInputsGiveTheSameOutputsToTheBit) {
  IdealRig rig;
  rig.enter(ModeRequest::kPosition);
  rig.client.move(one(0), 1.0, 1.0);
  rig.run(300);
  testing::expect_a_restored_stack_goes_on(rig, 500);
}

TEST(Stack, RefusesAConfigurationThatTheBoardsCanNotServeWithOneSentence) {
  const RobotConfig good = ideal_config(2);
  testing::IdealRobot robot(good);
  const auto sentence = [&](const RobotConfig& config, auto boards) -> std::string {
    try {
      Stack stack(config, boards, nullptr);
    } catch (const ConfigError& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_EQ(sentence(good, robot.capabilities), "accepted");
  auto swapped = robot.capabilities;
  std::swap(swapped[0], swapped[1]);
  EXPECT_EQ(sentence(good, swapped),
            "joint 0 is \"joint1\" for the stack and \"joint2\" for the backend: their order must "
            "be the same");
  auto mute = robot.capabilities;
  mute[1].drive_modes = {DriveMode::kOff};
  EXPECT_EQ(sentence(good, mute),
            "the board of joint \"joint2\" takes neither torque nor position nor velocity: it "
            "can't hold its joint, leave the joint out of the robot file");
  RobotConfig bad = good;
  bad.joints[1].limits.tau_max = 0.0;
  EXPECT_EQ(sentence(bad, robot.capabilities),
            "joint \"joint2\": no torque limit is known; set torque_max in the robot file");
  bad = good;
  bad.joints[0].gains.kd = -1.0;
  EXPECT_EQ(sentence(bad, robot.capabilities),
            "joint \"joint1\": a gain is negative or not a number");
}

}  // namespace
}  // namespace jointrig
