// Choices of messages beside a path: weights and axes of their task, accelerations of joints.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>

#include "tests/control/wholebody/body_without_physics.h"

namespace jointrig {
namespace {

using namespace body;
using enum MessageChange;
using Told = std::vector<std::pair<MessageId, MessageChange>>;

// Weights and axes ------------------------------------------------------------------------------

HandTrajectory reach(MessageId id) {
  HandTrajectory hand;
  hand.id = id;
  hand.waypoints = rows({5.0, 0.25, 0.2, 0.7, 1.0, 0.0, 0.0, 0.0});
  return hand;
}

WholeBodyCommand blank(const Body& body) {
  WholeBodyCommand command;
  const int n = body.icub.model.joint_count();
  command.joints.acceleration.setZero(n);
  command.joints.weights.setZero(n);
  command.privileged.acceleration.setZero(n);
  command.privileged.weights.setZero(n);
  return command;
}

const SpatialTask& hand_task(const WholeBodyCommand& command) {
  return command.spatial[3];  // behind chest, head and pelvis
}

TEST(ChosenWeights, AreThoseOfRobotYamlWhereTheMessageHasNoneAndItsOwnWhereItHas) {
  Body body;
  WholeBodyCommand command = blank(body);
  ASSERT_FALSE(body.send(reach(1)));
  body.run(0.01);
  body.managers.want(body.icub.model, command);
  EXPECT_TRUE(hand_task(command).weights.isConstant(WholeBodyConfig{}.hand_weight));
  EXPECT_EQ(hand_task(command).axes, kSixAxes);
  EXPECT_FALSE(hand_task(command).is_turned);

  HandTrajectory own = reach(2);
  own.weights = {0.0, 3.0, 0.0, 0.0, 0.0, 0.5};
  own.left_out = {true, false, false, false, true, false};
  own.frame = TaskFrame::kChest;
  ASSERT_FALSE(body.send(own));
  body.run(0.01);
  body.managers.want(body.icub.model, command);
  const SpatialTask& task = hand_task(command);
  const double usual = WholeBodyConfig{}.hand_weight;
  SixNumbers weights;
  weights << usual, 3.0, usual, usual, usual, 0.5;
  EXPECT_EQ(task.weights, weights);
  EXPECT_EQ(task.axes, (AxisChoice{false, true, true, true, false, true}));
  EXPECT_TRUE(task.is_turned);
  const BodyFrame chest_frame = body.icub.model.find_frame("chest");
  EXPECT_EQ(task.linear_axes, body.icub.model.rotation(chest_frame));

  // They stay when the path has ended, and go with the next message.
  body.run(6.0);
  body.managers.want(body.icub.model, command);
  EXPECT_EQ(hand_task(command).weights, weights);
  ASSERT_FALSE(body.send(reach(3)));
  body.run(0.01);
  body.managers.want(body.icub.model, command);
  EXPECT_TRUE(hand_task(command).weights.isConstant(usual));
  EXPECT_FALSE(hand_task(command).is_turned);
}

/// Where an axis is left out, the part is elsewhere than it is wanted: a message that drives it
/// begins where the part is. Here nothing moves, so that all that was wanted is wrong.
TEST(ChosenWeights, AMessageThatDrivesOtherAxesBeginsWhereThePartIs) {
  Body body;
  const Stance stance{Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity()};
  const BodyPoint palm = frame_now(body.icub.model, body.icub.model.find_frame("l_palm"), stance);
  HandTrajectory low = reach(1);
  low.left_out[2] = true;
  ASSERT_FALSE(body.send(low));
  body.run(6.0);
  const MessageQueue& queue = body.managers.state().hands[0].queue();
  ASSERT_GT((queue.now().x - palm.x).norm(), 0.05);
  HandTrajectory same = reach(2);
  same.waypoints[1] += 0.05;
  same.left_out[2] = true;
  const Eigen::Vector3d wanted = queue.now().x.head<3>();
  ASSERT_FALSE(body.send(same));
  body.run(0.001);
  EXPECT_LT((queue.now().x.head<3>() - wanted).norm(), 1e-6) << "the same axes: it goes on";
  HandTrajectory queued = reach(3);
  queued.execution = Execution::kQueue;
  queued.previous = 2;
  const MessageFault fault = body.send(queued);
  EXPECT_EQ(fault.reason, RejectReason::kOutOfRange);
  EXPECT_EQ(fault.place, 1 + place_of<HandTrajectory>("previous"));
  ASSERT_FALSE(body.send(reach(4)));
  body.run(0.001);
  EXPECT_LT((queue.now().x - palm.x).norm(), 1e-6);
  EXPECT_LT(turn_between(queue.now().rotation, palm.rotation).norm(), 1e-6);

  ChestTrajectory nod = chest(5, 1.0, 0.2);
  nod.left_out[2] = true;
  ASSERT_FALSE(body.send(nod));
  body.run(1.1);
  EXPECT_NEAR(body.chest_turn(), 0.2, 1e-6);
  ASSERT_FALSE(body.send(chest(6, 1.0, 0.1)));
  body.run(0.001);
  EXPECT_NEAR(body.chest_turn(), 0.0, 1e-6) << "the model's chest hasn't turned";
}

TEST(ChosenWeights, OfAHeightAndOfAnArmAreOneEach) {
  Body body;
  WholeBodyCommand command = blank(body);
  PelvisHeight height;
  height.id = 1;
  height.weights = {2.5};
  height.waypoints = rows({1.0, 0.98 * body.start_height()});
  ArmJointTrajectory arm;
  arm.id = 2;
  arm.weights = {4.0};
  arm.waypoints = rows({2.0, -0.3, 0.35, 0.0, 0.75, 0.0, 0.0, 0.0});
  ASSERT_FALSE(body.send(height));
  ASSERT_FALSE(body.send(arm));
  body.run(0.01);
  body.managers.want(body.icub.model, command);
  EXPECT_EQ(command.spatial[2].weights[2], 2.5);
  const int elbow = body.icub.model.find_joint("l_elbow");
  EXPECT_EQ(command.joints.weights[elbow], 4.0);
  EXPECT_EQ(command.joints.weights[body.icub.model.find_joint("r_elbow")], 0.0);
}

TEST(ChosenWeights, AreRefusedBelowZeroAndBeyondTheLargestByTheirPlace) {
  Body body;
  const auto refused = [&](auto message, std::size_t axis, double weight) {
    message.weights[axis] = weight;
    const MessageFault fault = body.send(message);
    EXPECT_EQ(fault.reason, RejectReason::kOutOfRange);
    EXPECT_EQ(fault.value, weight);
    EXPECT_EQ(body.managers.state().hands[0].space(), HandManager::Space::kPosture);
    return static_cast<std::size_t>(fault.place);
  };
  EXPECT_EQ(refused(reach(1), 4, -0.1), 1 + place_of<HandTrajectory>("weights") + 4);
  EXPECT_EQ(refused(reach(1), 0, 1.1e4), 1 + place_of<HandTrajectory>("weights"));
  EXPECT_EQ(refused(chest(1, 1.0, 0.1), 2, -1.0), 1 + place_of<ChestTrajectory>("weights") + 2);
  PelvisHeight height;
  height.id = 1;
  height.waypoints = rows({1.0, 0.98 * body.start_height()});
  EXPECT_EQ(refused(height, 0, -1.0), 1 + place_of<PelvisHeight>("weight"));

  WholeBodyConfig headless = icub_parts();
  headless.head.clear();
  BodyManagers managers(body.icub.model, headless, Body::feet(body.icub), Body::rooms(body.icub),
                        0);
  managers.begin(body.icub.model, {}, body.notices);
  HandTrajectory by_head = reach(1);
  by_head.frame = TaskFrame::kHead;
  const MessageFault fault = managers.check(body.icub.model, path_message(by_head));
  EXPECT_EQ(fault.reason, RejectReason::kNoSuchPart);
  EXPECT_EQ(fault.place, 1 + place_of<HandTrajectory>("frame"));
  EXPECT_EQ(managers.check(NeckDesiredAccelerations{.id = 1, .accelerations = {}}).reason,
            RejectReason::kNoSuchPart);
}

/// Two tasks that want the palm to go different ways: along each axis of the frame that was chosen
/// it goes by the weighted mean of both, which least squares have wherever nothing else has a say.
/// The regularisation of the joints has one, and weighs a millionth.
TEST(ChosenWeights, TwoTasksInConflictSettleAsTheWeightedLeastSquaresSay) {
  Body body;
  CoreSettings settings;
  settings.acceleration_weight = 1e-6;
  settings.force_weight = 1e-9;
  WholeBodyCore core(body.icub.model, Body::feet(body.icub), body.icub.bounds, settings);
  HandTrajectory message = reach(1);
  message.frame = TaskFrame::kChest;
  message.weights = {4.0, 0.5, 2.0, 0.0, 0.0, 0.0};
  message.left_out[3] = message.left_out[4] = message.left_out[5] = true;
  ASSERT_FALSE(body.send(message));
  body.run(0.01);
  WholeBodyCommand command = blank(body);
  body.managers.want(body.icub.model, command);
  SpatialTask& mine = command.spatial[3];
  ASSERT_TRUE(mine.on);
  mine.acceleration << 0.7, -0.4, 0.5, 0.0, 0.0, 0.0;
  SpatialTask& other = command.spatial[8];
  other = mine;
  other.is_turned = false;
  other.weights.setConstant(1.0);
  other.acceleration << -0.2, 0.3, -0.6, 0.0, 0.0, 0.0;
  other.axes = {true, true, true, false, false, false};
  command.privileged.on = command.joints.on = false;
  for (std::size_t t = 0; t < command.spatial.size(); ++t) {
    command.spatial[t].on = t == 3 || t == 8;
  }
  for (std::size_t c = 0; c < 2; ++c) {
    command.contacts[c].on = true;
    command.contacts[c].friction = soles::kSoleFriction;
  }
  ASSERT_EQ(core.solve(body.icub.model, command).outcome, CoreOutcome::kSolved);
  const BodyFrame palm = body.icub.model.find_frame("l_palm");
  FloatingModel::Jacobian jacobian(6, body.icub.model.velocity_count());
  body.icub.model.jacobian(palm, jacobian);
  const SixNumbers reached =
      jacobian * core.solution().acceleration + body.icub.model.acceleration_bias(palm);
  // By hand: Σ w (a - a_i) = 0 for weights R diag(w) Rᵀ and 1.
  const Eigen::Matrix3d turn = body.icub.model.rotation(body.icub.model.find_frame("chest"));
  ASSERT_GT((turn - Eigen::Matrix3d::Identity()).norm(), 0.1) << "the axes aren't the world's";
  const Eigen::Matrix3d weights =
      turn * Eigen::Vector3d(4.0, 0.5, 2.0).asDiagonal() * turn.transpose();
  const Eigen::Vector3d settled =
      (weights + Eigen::Matrix3d::Identity())
          .ldlt()
          .solve(weights * mine.acceleration.head<3>() + other.acceleration.head<3>());
  EXPECT_LT((reached.head<3>() - settled).norm(), 2e-3) << reached.transpose();
}

// Accelerations -----------------------------------------------------------------------------

ArmDesiredAccelerations accelerations(MessageId id, std::uint8_t hand, double elbow) {
  ArmDesiredAccelerations message;
  message.id = id;
  message.hand = hand;
  for (const double a : {0.0, 0.0, 0.0, elbow, 0.0, 0.0, 0.0}) {
    message.accelerations.push_back(a);
  }
  return message;
}

TEST(DesiredAccelerations, AreTheTaskOfTheJointsUntilTheyFallSilent) {
  Body body;
  ASSERT_FALSE(body.send(reach(1)));
  body.run(0.01);
  body.told();
  WholeBodyCommand command = blank(body);
  const auto elbow = body.icub.model.find_joint("l_elbow");
  for (int i = 0; i < 5; ++i) {
    ASSERT_FALSE(body.send(accelerations(static_cast<MessageId>(2 + i), 0, 1.5)));
    body.run(0.099);
    EXPECT_EQ(body.managers.state().hands[0].space(), HandManager::Space::kAcceleration);
  }
  body.managers.want(body.icub.model, command);
  EXPECT_EQ(command.joints.acceleration[elbow], 1.5);
  EXPECT_EQ(command.joints.weights[elbow], WholeBodyConfig{}.arm_weight);
  EXPECT_EQ(command.privileged.weights[elbow], 0.0);
  EXPECT_FALSE(hand_task(command).on);
  EXPECT_EQ(body.told(), (Told{{1, kReplaced}, {2, kStarted}})) << "a stream is told once";
  body.run(0.002);
  EXPECT_EQ(body.managers.state().hands[0].space(), HandManager::Space::kJoint) << "0.1 s";
  EXPECT_EQ(body.told(), (Told{{6, kCompleted}}));
  body.managers.want(body.icub.model, command);
  EXPECT_NEAR(command.joints.acceleration[elbow], 0.0, 1e-6) << "it stood: it holds";
}

TEST(DesiredAccelerations, EachRuleRefusesWithItsFieldAndLeavesWhatRunsUntouched) {
  Body body;
  ASSERT_FALSE(body.send(reach(1)));
  body.run(0.3);
  const BodyPoint before = body.managers.state().hands[0].queue().now();
  const auto refused = [&](const auto& message) {
    const MessageFault fault = body.send(message);
    EXPECT_EQ(body.managers.state().hands[0].queue().now().x, before.x);
    EXPECT_EQ(body.managers.state().hands[0].space(), HandManager::Space::kTask);
    return fault;
  };
  EXPECT_EQ(refused(accelerations(0, 0, 1.0)).reason, RejectReason::kNoId);
  EXPECT_EQ(refused(accelerations(2, 2, 1.0)).reason, RejectReason::kNoSuchPart);
  MessageFault fault = refused(accelerations(2, 0, -200.5));
  EXPECT_EQ(fault.reason, RejectReason::kOutOfRange);
  EXPECT_EQ(fault.limit, -WholeBodyConfig{}.acceleration_max);
  EXPECT_EQ(fault.place, 1 + place_of<ArmDesiredAccelerations>("accelerations") + 3);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refused(accelerations(2, 0, nan)).reason, RejectReason::kOutOfRange);
  ArmDesiredAccelerations short_one = accelerations(2, 0, 1.0);
  short_one.accelerations.resize(6);
  fault = refused(short_one);
  EXPECT_EQ(fault.reason, RejectReason::kSizeMismatch);
  EXPECT_EQ(fault.value, 6.0);
  EXPECT_EQ(fault.limit, 7.0);
  NeckDesiredAccelerations neck{.id = 2, .accelerations = {}};
  EXPECT_EQ(refused(neck).limit, 3.0) << "the iCub's neck";
  ASSERT_FALSE(body.send(HandLoadBearing{.hand = 1,
                                         .id = 4,
                                         .bears = true,
                                         .duration = 0.1,
                                         .force = 1.0,
                                         .normal = {0.0, 0.0, 1.0}}));
  EXPECT_EQ(refused(accelerations(5, 1, 1.0)).reason, RejectReason::kBearsLoad);
  body.managers.leave(body.notices);
  EXPECT_EQ(body.send(accelerations(9, 0, 1.0)).reason, RejectReason::kNotStanding);
}

TEST(DesiredAccelerations, HeadAndNeckTakeEachOthersPlace) {
  Body body;
  HeadTrajectory head;
  head.id = 1;
  head.waypoints = turned(1.0, 0.2);
  NeckTrajectory neck;
  neck.id = 2;
  neck.waypoints = rows({1.0, 0.1, 0.0, 0.2});
  NeckDesiredAccelerations fast{.id = 3, .accelerations = {}};
  for (const double a : {0.1, 0.2, 0.3}) fast.accelerations.push_back(a);
  const auto pitch = body.icub.model.find_joint("neck_pitch");
  WholeBodyCommand command = blank(body);
  const auto want = [&] {
    body.run(0.05);
    body.managers.want(body.icub.model, command);
    return command.spatial[1].on;
  };
  ASSERT_FALSE(body.send(head));
  EXPECT_TRUE(want());
  EXPECT_EQ(command.joints.weights[pitch], 0.0);
  ASSERT_FALSE(body.send(neck));
  EXPECT_FALSE(want());
  EXPECT_EQ(command.joints.weights[pitch], WholeBodyConfig{}.arm_weight);
  ASSERT_FALSE(body.send(fast));
  EXPECT_FALSE(want());
  EXPECT_EQ(command.joints.acceleration[pitch], 0.1);
  head.id = 4;
  ASSERT_FALSE(body.send(head));
  EXPECT_TRUE(want());
  EXPECT_EQ(command.joints.weights[pitch], 0.0);
  EXPECT_EQ(body.told(), (Told{{1, kStarted},
                               {1, kReplaced},
                               {2, kStarted},
                               {2, kReplaced},
                               {3, kStarted},
                               {3, kReplaced},
                               {4, kStarted}}));
}

}  // namespace
}  // namespace jointrig
