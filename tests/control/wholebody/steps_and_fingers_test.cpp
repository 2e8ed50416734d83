// Messages for feet that walk, which are checked in every field and then refused, and for fingers,
// which the iCub doesn't have and another robot has.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <sstream>
#include <string>

#include "tests/control/wholebody/body_without_physics.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

using namespace body;

/// Two steps ahead, left and right.
FootstepList two_steps() {
  FootstepList list;
  list.id = 7;
  list.swing_duration = 0.8;
  list.transfer_duration = 0.4;
  list.swing_height = 0.05;
  for (const double n :
       {0.0, 0.2, 0.07, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.4, -0.07, 0.0, 1.0, 0.0, 0.0, 0.0}) {
    list.steps.push_back(n);
  }
  return list;
}

struct Wrong {
  const char* what;
  std::function<void(FootstepList&)> change;
  RejectReason reason;
  const char* field;
  std::size_t number;  ///< within the field
  int row;
};

TEST(Footsteps, EachFieldIsCheckedAndAGoodListIsRefusedAsNotWalking) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  using enum RejectReason;
  const std::vector<Wrong> all{
      {"stream", [](auto& m) { m.execution = Execution::kStream; }, kOutOfRange, "execution", 0, 0},
      {"previous", [](auto& m) { m.execution = Execution::kQueue, m.previous = 3; }, kWrongPrevious,
       "previous", 0, 0},
      {"short swing", [](auto& m) { m.swing_duration = 0.05; }, kOutOfRange, "swing_duration", 0,
       0},
      {"long swing", [](auto& m) { m.swing_duration = 11.0; }, kOutOfRange, "swing_duration", 0, 0},
      {"no transfer", [](auto& m) { m.transfer_duration = 0.0; }, kOutOfRange, "transfer_duration",
       0, 0},
      {"no number", [](auto& m) { m.transfer_duration = kNan; }, kOutOfRange, "transfer_duration",
       0, 0},
      {"high", [](auto& m) { m.swing_height = 0.4; }, kOutOfRange, "swing_height", 0, 0},
      {"frame", [](auto& m) { m.given_in = PointFrame::kFoot4; }, kNoSuchPart, "given_in", 0, 0},
      {"no rows", [](auto& m) { m.steps.clear(); }, kBadWaypoints, "steps", 0, 0},
      {"part of a row", [](auto& m) { m.steps.push_back(0.0); }, kBadWaypoints, "steps", 0, 0},
      {"third foot", [](auto& m) { m.steps[8] = 2.0; }, kOutOfRange, "steps", 8, 2},
      {"half a foot", [](auto& m) { m.steps[0] = 0.5; }, kOutOfRange, "steps", 0, 1},
      {"far", [](auto& m) { m.steps[1] = 2.1; }, kOutOfRange, "steps", 1, 1},
      {"a long step", [](auto& m) { m.steps[9] = 1.3; }, kOutOfRange, "steps", 9, 2},
      {"no place", [](auto& m) { m.steps[10] = kNan; }, kOutOfRange, "steps", 9, 2},
      {"no rotation", [](auto& m) { m.steps[14] = 0.01; }, kOutOfRange, "steps", 12, 2},
  };
  Body body;
  ASSERT_FALSE(body.send(chest(3, 1.0, 0.3)));
  for (const Wrong& one : all) {
    SCOPED_TRACE(one.what);
    FootstepList list = two_steps();
    one.change(list);
    const MessageFault fault = body.send(list);
    EXPECT_EQ(fault.reason, one.reason) << to_string(fault.reason);
    std::size_t place = 0;
    for (const FieldInfo& field : field_infos<FootstepList>()) {
      if (field.name == one.field) place = field.place + one.number + 1;
    }
    EXPECT_EQ(fault.place, place);
    EXPECT_EQ(fault.waypoint, one.row);
  }
  FootstepList nameless = two_steps();
  nameless.id = 0;
  EXPECT_EQ(body.send(nameless).reason, RejectReason::kNoId);
  const MessageFault good = body.send(two_steps());
  EXPECT_EQ(good.reason, RejectReason::kNotWalking);
  EXPECT_EQ(good.place, 1 + place_of<FootstepList>("steps"));
  FootstepList queued = two_steps();
  queued.execution = Execution::kQueue;
  EXPECT_EQ(body.send(queued).reason, RejectReason::kNotWalking) << "none has come: 0 is right";
  EXPECT_EQ(body.managers.state().chest.queue.last_id(), 3U) << "the chest goes on";
  EXPECT_TRUE(body.managers.is_on_ground(0));
}

TEST(Footsteps, OneStepIsCheckedAsAListOfOne) {
  Body body;
  Footstep step;
  step.id = 1;
  step.swing_duration = step.transfer_duration = 0.5;
  for (const double n : {1.0, 0.2, -0.07, 0.0, 1.0, 0.0, 0.0, 0.0}) step.steps.push_back(n);
  EXPECT_EQ(body.send(step).reason, RejectReason::kNotWalking);
  step.steps[4] = 1.1;
  const MessageFault fault = body.send(step);
  EXPECT_EQ(fault.reason, RejectReason::kOutOfRange);
  EXPECT_NEAR(fault.value, 1.1, 1e-12);
  const MessageFault pause = body.send(PauseWalking{5, true});
  EXPECT_EQ(pause.reason, RejectReason::kNotWalking);
  EXPECT_EQ(pause.place, 1 + place_of<PauseWalking>("pause"));
}

TEST(Fingers, OfAHandThatHasNoneAreRefusedByTheirOwnName) {
  Body body;
  const MessageFault fault = body.send(HandConfiguration{1, 4, HandWish::kClose, 1.0});
  EXPECT_EQ(fault.reason, RejectReason::kNoFingers);
  EXPECT_EQ(fault.value, 1.0) << "the hand";
  EXPECT_EQ(body.send(HandConfiguration{2, 4, HandWish::kClose, 1.0}).reason,
            RejectReason::kNoSuchPart);
  EXPECT_EQ(body.send(HandConfiguration{1, 0, HandWish::kClose, 1.0}).reason, RejectReason::kNoId);
}

/// The iCub with two fingers at its left palm.
struct Fingered {
  Fingered() {
    for (SixNumbers& wrench : solution.contact_wrench) wrench.setZero();
    managers.begin(model, stance_of(model, soles::both_soles(model)), notices);
  }
  static std::string with_fingers() {
    std::ifstream file(soles::kIcub);
    std::stringstream text;
    text << file.rdbuf();
    std::string xml = text.str();
    const std::string palm = "<site name=\"l_palm\"";
    std::string fingers;
    for (const char* name : {"thumb", "finger"}) {
      fingers += std::string("<body name=\"") + name + "\" pos=\"0.1 0 0\"><joint name=\"" + name +
                 "\" type=\"hinge\" axis=\"0 1 0\" range=\"-0.1 1.6\"/><geom type=\"sphere\" "
                 "size=\"0.01\" mass=\"0.02\"/></body>";
    }
    xml.insert(xml.find(palm), fingers);
    const std::size_t keyframe = xml.find("<keyframe>");
    xml.erase(keyframe, xml.find("</keyframe>") + 11 - keyframe);  // it has no fingers
    return xml;
  }
  WholeBodyConfig config() const {
    WholeBodyConfig config = icub_parts();
    config.hands[0].fingers = {{"thumb", 0.0, 0.8}, {"finger", 0.1, 1.5}};
    return config;
  }
  std::vector<BodyManagers::JointRoom> rooms() const {
    std::vector<BodyManagers::JointRoom> rooms;
    for (const FloatingModel::Joint& joint : model.joints()) {
      rooms.push_back({joint.low, joint.high, 3.5});
    }
    return rooms;
  }
  MessageFault send(const HandConfiguration& message) {
    const MessageFault fault = managers.check(model, message);
    if (!fault) managers.take(model, message, notices);
    return fault;
  }
  void run(double seconds) {
    for (int i = 0; i < static_cast<int>(std::lround(seconds * 1e3)); ++i) {
      managers.advance(model, solution, 1e-3, notices);
    }
  }

  odd::TempModel file{with_fingers()};
  FloatingModel model{load_mjcf(file.path())};
  BodyManagers managers{model, config(), soles::both_soles(model), rooms(), 0};
  WholeBodySolution solution;
  MessageNotices notices;
};

TEST(Fingers, GoWhereTheirGripperIsClosedAndOpenAndStopOnTheWay) {
  Fingered robot;
  ASSERT_FALSE(robot.send({0, 1, HandWish::kClose, 1.0}));
  robot.run(1.001);
  const auto wanted = [&] { return robot.managers.state().fingers[0].queue().now(); };
  EXPECT_NEAR(wanted().x[0], 0.8, 1e-9);
  EXPECT_NEAR(wanted().x[1], 1.5, 1e-9);

  WholeBodyCommand command;
  command.privileged.acceleration.setZero(robot.model.joint_count());
  command.privileged.weights.setZero(robot.model.joint_count());
  command.joints = command.privileged;
  robot.managers.want(robot.model, command);
  const int thumb = robot.model.find_joint("thumb");
  const WholeBodyConfig usual;
  EXPECT_EQ(command.joints.weights[thumb], usual.arm_weight);
  EXPECT_NEAR(command.joints.acceleration[thumb], usual.arm_stiffness * 0.8, 1e-9)
      << "the model's thumb is still at 0";

  ASSERT_FALSE(robot.send({0, 2, HandWish::kOpen, 1.0}));
  robot.run(0.5);
  ASSERT_FALSE(robot.send({0, 3, HandWish::kStop, 0.0}));
  robot.run(0.301);
  const BodyPoint rest = wanted();
  EXPECT_TRUE(rest.v.isZero());
  EXPECT_GT(rest.x[1], 0.2) << "not yet open";
  robot.run(1.0);
  EXPECT_EQ(wanted().x, rest.x);
  // 0.8 rad in 0.1 s: twice its mean speed is 16 rad/s, and a joint makes 3.5.
  EXPECT_EQ(robot.send({0, 4, HandWish::kOpen, 0.1}).reason, RejectReason::kTooFast);
}

}  // namespace
}  // namespace jointrig
