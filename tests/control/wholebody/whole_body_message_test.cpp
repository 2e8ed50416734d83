// A message that moves several parts: taken whole, or refused whole.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "tests/control/wholebody/body_without_physics.h"

namespace jointrig {
namespace {

using namespace body;
using enum MessageChange;
using Told = std::vector<std::pair<MessageId, MessageChange>>;

// Several parts ---------------------------------------------------------------------------------

double part(BodyTopic topic, int limb = 0) {
  return static_cast<double>(kMaxHands) * static_cast<double>(topic) + limb;
}

WholeBodyTrajectory whole(MessageId id, std::initializer_list<double> numbers) {
  WholeBodyTrajectory message;
  message.id = id;
  message.waypoints = rows(numbers);
  return message;
}

const double kChestPart = part(BodyTopic::kChest);
const double kHandPart = part(BodyTopic::kHand, 1);
const double kCos = std::cos(0.1);
const double kSin = std::sin(0.1);

TEST(WholeBodyMessage, MovesItsPartsTogether) {
  Body body;
  ASSERT_FALSE(body.send(
      whole(5, {kChestPart, 0.5,       1.0, 0.0, 0.0,  0.0, kChestPart, 1.0, kCos, 0.0, 0.0,
                kSin,       kHandPart, 5.0, 0.2, -0.2, 0.7, 1.0,        0.0, 0.0,  0.0})));
  body.run(1.01);
  EXPECT_NEAR(body.chest_turn(), 0.2, 1e-9);
  EXPECT_EQ(body.managers.state().hands[0].space(), HandManager::Space::kPosture);
  body.run(4.0);
  EXPECT_NEAR(body.managers.state().hands[1].queue().now().x[2], 0.7, 1e-9);
  EXPECT_EQ(body.told(), (Told{{5, kStarted}, {5, kStarted}, {5, kCompleted}, {5, kCompleted}}))
      << "of each part";
}

TEST(WholeBodyMessage, IsRefusedWholeWithTheRowAndPlaceOfWhatIsWrong) {
  Body body;
  ASSERT_FALSE(body.send(chest(7, 1.0, 0.3)));
  body.run(0.4);
  const Eigen::Matrix3d before = body.managers.state().chest.queue.now().rotation;
  const auto refused = [&](const WholeBodyTrajectory& message) {
    const MessageFault fault = body.send(message);
    EXPECT_TRUE(fault);
    EXPECT_EQ(body.managers.state().chest.queue.last_id(), 7U);
    EXPECT_EQ(body.managers.state().chest.queue.now().rotation, before);
    EXPECT_EQ(body.managers.state().hands[1].space(), HandManager::Space::kPosture);
    return fault;
  };
  const std::size_t rows_at = place_of<WholeBodyTrajectory>("waypoints");
  const WholeBodyTrajectory good =
      whole(8, {kChestPart, 0.5,       1.0, 0.0, 0.0,  0.0, kChestPart, 1.0, kCos, 0.0, 0.0,
                kSin,       kHandPart, 5.0, 0.2, -0.2, 0.7, 1.0,        0.0, 0.0,  0.0});
  ASSERT_FALSE(body.managers.check(body.icub.model, good));

  WholeBodyTrajectory far = good;
  far.waypoints[15] = 2.5;  // the hand's y
  MessageFault fault = refused(far);
  EXPECT_EQ(fault.reason, RejectReason::kOutOfRange);
  EXPECT_EQ(fault.waypoint, 3);
  EXPECT_EQ(fault.place, 1 + rows_at + 15);
  WholeBodyTrajectory falling = good;
  falling.waypoints[7] = 0.4;  // time of the chest's second row
  fault = refused(falling);
  EXPECT_EQ(fault.reason, RejectReason::kBadWaypoints);
  EXPECT_EQ(fault.waypoint, 2);
  EXPECT_EQ(fault.place, 1 + rows_at + 7);
  WholeBodyTrajectory odd = good;
  odd.waypoints.resize(20);
  EXPECT_EQ(refused(odd).reason, RejectReason::kBadWaypoints);
  odd.waypoints.clear();
  EXPECT_EQ(refused(odd).reason, RejectReason::kBadWaypoints);
  for (const double bad : {-1.0, 0.5, 160.0, 1e9}) {
    WholeBodyTrajectory unknown = good;
    unknown.waypoints[12] = bad;
    fault = refused(unknown);
    EXPECT_EQ(fault.reason, RejectReason::kOutOfRange) << bad;
    EXPECT_EQ(fault.place, 1 + rows_at + 12);
  }
  WholeBodyTrajectory third = good;
  third.waypoints[12] = part(BodyTopic::kHand, 2);
  EXPECT_EQ(refused(third).reason, RejectReason::kNoSuchPart);
  const double arm = part(BodyTopic::kArm, 1);
  fault = refused(whole(8, {kHandPart, 5.0, 0.2, -0.2, 0.7, 1.0, 0.0, 0.0, 0.0, arm, 2.0, -0.3,
                            0.35, 0.0, 0.75, 0.0, 0.0, 0.0}));
  EXPECT_EQ(fault.reason, RejectReason::kPartTwice);
  EXPECT_EQ(fault.waypoint, 2);
  fault =
      refused(whole(8, {kChestPart, 0.5, 1.0, 0.0, 0.0,        0.0, kHandPart, 5.0, 0.2, -0.2, 0.7,
                        1.0,        0.0, 0.0, 0.0, kChestPart, 1.0, kCos,      0.0, 0.0, kSin}));
  EXPECT_EQ(fault.reason, RejectReason::kPartTwice) << "the rows of a part are together";
  WholeBodyTrajectory queued = good;
  queued.execution = Execution::kQueue;
  queued.previous = 7;
  EXPECT_EQ(refused(queued).reason, RejectReason::kWrongPrevious) << "no message of the hand";
  EXPECT_EQ(refused(whole(0, {kChestPart, 0.5, 1.0, 0.0, 0.0, 0.0})).reason, RejectReason::kNoId);
}

// Weights, axes and frame of a part
// -----------------------------------------------------------------

double choice(PartChoice what, double of_part) {
  return static_cast<double>(kPartNumbers) * static_cast<double>(what) + of_part;
}

const double kWeights = choice(PartChoice::kWeights, kHandPart);
const double kLeftOut = choice(PartChoice::kLeftOut, kHandPart);
const double kFrame = choice(PartChoice::kFrame, kHandPart);

TEST(WholeBodyMessage, ChoosesWeightsAndAxesOfEachPartAsItsOwnMessageDoes) {
  Body body;
  const double chest_weights = choice(PartChoice::kWeights, kChestPart);
  const double height = part(BodyTopic::kHeight);
  ASSERT_FALSE(body.send(whole(
      5, {kLeftOut, 0.0,           0.0,    1.0, 1.0,       1.0,
          1.0,      kWeights,      4.0,    0.0, 2.0,       0.0,
          0.0,      0.0,           kFrame, 2.0, kHandPart, 5.0,
          0.2,      -0.2,          0.7,    1.0, 0.0,       0.0,
          0.0,      chest_weights, 7.0,    8.0, 9.0,       kChestPart,
          0.5,      1.0,           0.0,    0.0, 0.0,       choice(PartChoice::kWeights, height),
          3.0,      height,        2.0,    0.57})));
  body.run(0.01);
  const TaskChoice hand = body.managers.state().hands[1].queue().choice();
  EXPECT_EQ(hand, (TaskChoice{TaskFrame::kChest,
                              {false, false, true, true, true, true},
                              {4.0, 0.0, 2.0, 0.0, 0.0, 0.0}}));
  const TaskChoice chest = body.managers.state().chest.queue.choice();
  EXPECT_EQ(chest, (TaskChoice{TaskFrame::kStance, {}, {0.0, 0.0, 0.0, 7.0, 8.0, 9.0}}));
  EXPECT_EQ(body.managers.state().height.choice().weights[0], 3.0);
}

TEST(WholeBodyMessage, IsRefusedForAChoiceThatIsWrongWithItsPlace) {
  Body body;
  const std::size_t rows_at = place_of<WholeBodyTrajectory>("waypoints");
  const auto refused = [&](std::initializer_list<double> numbers, RejectReason why,
                           std::size_t number) {
    const MessageFault fault = body.send(whole(8, numbers));
    EXPECT_EQ(fault.reason, why);
    EXPECT_EQ(fault.place, 1 + rows_at + number);
    EXPECT_EQ(body.managers.state().hands[1].space(), HandManager::Space::kPosture);
  };
  const double arm = part(BodyTopic::kArm, 1);
  using enum RejectReason;
  SCOPED_TRACE("a weight");
  refused(
      {kWeights, 0.0, 0.0, 0.0, 0.0, 1e5, 0.0, kHandPart, 5.0, 0.2, -0.2, 0.7, 1.0, 0.0, 0.0, 0.0},
      kOutOfRange, 5);
  SCOPED_TRACE("a flag");
  refused(
      {kLeftOut, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, kHandPart, 5.0, 0.2, -0.2, 0.7, 1.0, 0.0, 0.0, 0.0},
      kOutOfRange, 3);
  SCOPED_TRACE("a frame");
  refused({kFrame, 5.0, kHandPart, 5.0, 0.2, -0.2, 0.7, 1.0, 0.0, 0.0, 0.0}, kOutOfRange, 1);
  SCOPED_TRACE("twice");
  refused({kFrame, 1.0, kFrame, 1.0, kHandPart, 5.0, 0.2, -0.2, 0.7, 1.0, 0.0, 0.0, 0.0},
          kPartTwice, 2);
  SCOPED_TRACE("without rows of the part");
  refused({kFrame, 1.0}, kBadWaypoints, 0);
  SCOPED_TRACE("rows of another part");
  refused({kFrame, 1.0, kChestPart, 0.5, 1.0, 0.0, 0.0, 0.0}, kBadWaypoints, 2);
  SCOPED_TRACE("no number at all");
  const double none = std::nan("");
  refused({none, 5.0, 0.2, -0.2, 0.7, 1.0, 0.0, 0.0, 0.0}, kOutOfRange, 0);
  refused({kFrame, 1.0, none, 5.0, 0.2, -0.2, 0.7, 1.0, 0.0, 0.0, 0.0}, kBadWaypoints, 2);
  refused({kFrame, 1.0, 1e300, 5.0, 0.2, -0.2, 0.7, 1.0, 0.0, 0.0, 0.0}, kBadWaypoints, 2);
  SCOPED_TRACE("cut off");
  refused({kWeights, 1.0, 1.0}, kBadWaypoints, 0);
  SCOPED_TRACE("axes of joints");
  refused({choice(PartChoice::kLeftOut, arm), 1.0, arm, 2.0, -0.3, 0.35, 0.0, 0.75, 0.0, 0.0, 0.0},
          kBadWaypoints, 0);
  SCOPED_TRACE("a place in the rows behind a choice");
  refused({kFrame, 1.0, kHandPart, 5.0, 0.2, -2.5, 0.7, 1.0, 0.0, 0.0, 0.0}, kOutOfRange, 5);
}

}  // namespace
}  // namespace jointrig
