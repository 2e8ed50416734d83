// The torque that a trajectory's sample feeds forward.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "control/stack/stack.h"
#include "tests/support/ideal_rig.h"

namespace jointrig {
namespace {

using TrajectorySample = StreamTrajectory::Value;

/// Largest deflection of an inertia of 1 kg·m² by a load of −3 N·m that begins together with a
/// torque fed forward, in 0.15 s.
double deflection(double fed, InteractionMode interaction) {
  testing::IdealRig rig;
  rig.enter(ModeRequest::kPositionDirect);
  rig.client.set_interaction(JointSet{}.set(0), interaction);
  rig.run(300);
  const double q = rig.joint().state.q;
  double most = 0.0;
  for (int i = 0; i < 150; ++i) {
    rig.client.send<StreamTrajectory>({{0, TrajectorySample{q, 0.0, 0.0, i < 1 ? 0.0 : fed}}});
    // The torque that is sent in this cycle acts in the next but one step of this robot.
    if (i == 2) rig.robot.joint[0].load = -3.0;
    rig.run(1);
    most = std::max(most, std::abs(rig.joint().state.q - q));
  }
  return most;
}

TEST(FedTorque, ALoadThatIsFedForwardMovesTheJointNoMore) {
  for (const InteractionMode interaction : kAllInteractionMode) {
    SCOPED_TRACE(to_string(interaction));
    const double without = deflection(0.0, interaction);
    // A stiff joint gives way until the feedback answers, at least by half of 3 N·m over 1 kg·m² in
    // the cycle of delay; a compliant one goes towards 3 N·m over its 158 N·m/rad.
    EXPECT_GT(without, 1e-4);
    EXPECT_LT(deflection(3.0, interaction), 0.05 * without);
    EXPECT_GT(deflection(-3.0, interaction), 1.5 * without) << "it has a sign";
  }
}

TEST(FedTorque, ItIsAddedToTheLawAndEndsWithTheStream) {
  const auto sent_with = [](double fed, int cycles, auto then) {
    testing::IdealRig rig;
    rig.enter(ModeRequest::kPositionDirect);
    rig.run(50);
    rig.client.send<StreamTrajectory>({{0, TrajectorySample{0.0, 0.0, 0.0, fed}}});
    rig.run(1);
    then(rig);
    rig.run(cycles);
    return rig.joint().setpoint.tau;
  };
  const auto nothing = [](auto&) {};
  // Before the joint has moved the law asks for nothing.
  EXPECT_NEAR(sent_with(2.0, 0, nothing), 2.0, 1e-9);
  EXPECT_NEAR(sent_with(-2.0, 0, nothing), -2.0, 1e-9);
  EXPECT_NEAR(sent_with(40.0, 0, nothing), 2.5, 1e-9) << "2500 N·m/s: limited last";
  // The joint has moved by no more than some micrometres when the next command ends it.
  EXPECT_NEAR(sent_with(2.0, 1,
                        [](auto& rig) {
                          rig.client.template send<StreamPosition>({{0, {0.0}}});
                        }),
              0.0, 0.5);
  EXPECT_NEAR(sent_with(2.0, 1, [](auto& rig) { rig.client.stop(JointSet{}.set(0)); }), 0.0, 0.5);
  EXPECT_NEAR(
      sent_with(2.0, 1,
                [](auto& rig) { rig.client.set_mode(JointSet{}.set(0), ModeRequest::kPosition); }),
      0.0, 0.5);
  // In silence the law alone holds the joint, where nothing pushes it.
  EXPECT_NEAR(sent_with(2.0, 1500, nothing), 0.0, 1e-3);
}

TEST(FedTorque, ItStaysWithinTheTorqueLimitOrIsRefused) {
  testing::IdealRig rig;
  rig.enter(ModeRequest::kPositionDirect);
  const Event no = rig.answer([&] {
    return rig.client.send<StreamTrajectory>({{0, TrajectorySample{0.0, 0.0, 0.0, 50.5}}});
  });
  EXPECT_EQ(no.reason, RejectReason::kOutOfRange);
  EXPECT_EQ(no.limit, 50.0);
  EXPECT_EQ(no.detail, place_of<TrajectorySample>("torque") + 1);
}

TEST(FedTorque, ABoardWithALoopOfItsOwnAddsItOrRefusesIt) {
  for (const bool adds : {true, false}) {
    SCOPED_TRACE(adds);
    testing::IdealRobot robot(testing::ideal_config(1));
    robot.capabilities[0].drive_modes = {DriveMode::kOff, DriveMode::kPosition};
    robot.capabilities[0].adds_torque = adds;
    Stack stack(testing::ideal_config(1), robot.capabilities, nullptr);
    Loop loop(robot, stack);
    RobotClient client(stack.config(), stack.inbox(), "test");
    EventRing::Reader reader(stack.events());
    const auto answer_to = [&](double fed) {
      client.send<StreamTrajectory>({{0, TrajectorySample{0.0, 0.0, 0.0, fed}}});
      loop.step();
      Event last;
      for (Event e; reader.next(e);) last = e;
      return last;
    };
    client.set_mode(JointSet{}.set(0), ModeRequest::kPositionDirect);
    for (int i = 0; i < 5; ++i) loop.step();
    EXPECT_EQ(answer_to(0.0).kind, EventKind::kAccepted);
    const Event told = answer_to(2.0);
    EXPECT_EQ(told.kind, adds ? EventKind::kAccepted : EventKind::kRejected);
    EXPECT_EQ(told.reason, adds ? RejectReason::kNone : RejectReason::kUnsupported);
    EXPECT_EQ(stack.snapshot().joints[0].setpoint.drive, DriveMode::kPosition);
    EXPECT_NEAR(stack.snapshot().joints[0].setpoint.tau, adds ? 2.0 : 0.0, 1e-9);
  }
}

}  // namespace
}  // namespace jointrig
