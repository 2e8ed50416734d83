// The fault matrix, rows F15 to F24: nodes, set-up, frames of others.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "control/core/twin_evidence.h"
#include "hw/can/forwarding_transport.h"
#include "tests/hw/matrix/matrix_rig.h"

namespace jointrig::matrix {
namespace {

using Hit = MatrixRig::Hit;

/// Why the robot is not started.
std::string refusal(MatrixRig& rig) {
  try {
    rig.backend().start();
    return "started";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

/// After a node fell out of the network: grey at once, set up again by itself, and no further.
void expect_back_to_idle_and_no_further(MatrixRig& rig, std::size_t joint) {
  ASSERT_TRUE(rig.run_until(1500, [&] { return rig.mode(joint) == JointMode::kIdle; }));
  const double before = rig.where(joint);
  rig.run(200);
  EXPECT_EQ(rig.mode(joint), JointMode::kIdle);
  EXPECT_NE(rig.drive(joint).state, cia402::PowerState::kOperationEnabled);
  EXPECT_NEAR(rig.where(joint), before, 0.01);
  rig.mode(rig.config().joints[joint].name, ModeRequest::kPosition);
  rig.run(50);
  EXPECT_EQ(rig.mode(joint), JointMode::kPosition) << "asked for, it drives again";
}

TEST(NodeFaults, F15ANodeThatStartsAnewInMotionIsNotConfiguredAtOnceAndComesBackOnlyAsFarAsIdle) {
  MatrixRig rig;
  rig.set_off();
  rig.intrude(0, 0x000, {0x81, MatrixRig::node_of(kElbow)});
  ASSERT_TRUE(rig.run_until(2, [&] { return rig.notices(Notice::kNodeBootUp, kElbow) == 1; }));
  EXPECT_EQ(rig.mode(kElbow), JointMode::kNotConfigured) << "in the cycle of the boot-up";
  EXPECT_TRUE(rig.is_held(kWrist));
  rig.run(1);
  EXPECT_FALSE(rig.drive(kElbow).power_stage());
  rig.expect_arm_held_but({kElbow});
  rig.expect_hand_free();
  expect_back_to_idle_and_no_further(rig, kElbow);
}

TEST(NodeFaults, F16AHeartbeatThatStopsTakesTheJointOutAlthoughItsFramesGoOn) {
  MatrixRig rig;
  rig.set_off();
  rig.hit(0, {.id = 0x703, .receiver = rig.host_node(0)});
  const auto cycles = rig.run_until(200, [&] { return rig.mode(kElbow) != JointMode::kPosition; });
  ASSERT_TRUE(cycles);
  EXPECT_EQ(rig.mode(kElbow), JointMode::kNotConfigured);
  EXPECT_GE(*cycles, 125) << "six beats of 50 ms, the last one up to 50 ms ago";
  EXPECT_LE(*cycles, 152);
  EXPECT_EQ(rig.notices(Notice::kHeartbeatLost, kElbow), 1);
  EXPECT_EQ(rig.joint(kElbow).state.missed, 0U);
  rig.expect_arm_held_but({kElbow});
  rig.clear(0);
  expect_back_to_idle_and_no_further(rig, kElbow);
}

TEST(NodeFaults, F17ANodeThatSomebodyTakesOutOfOperationIsNotConfiguredAndStaysSo) {
  for (const std::uint8_t command : {0x02, 0x80}) {
    SCOPED_TRACE(int{command});
    MatrixRig rig({.drive = [](hw::BusJoint& drive) { drive.settings.heartbeat_ms = 20; }});
    rig.set_off();
    rig.intrude(0, 0x000, {command, MatrixRig::node_of(kElbow)});
    ASSERT_TRUE(rig.run_until(15, [&] { return rig.mode(kElbow) == JointMode::kNotConfigured; }));
    rig.run(5);  // it was asked why
    EXPECT_EQ(rig.notices(Notice::kNmtChanged, kElbow), 1);
    rig.expect_arm_held_but({kElbow});
    EXPECT_NE(rig.drive(kElbow).state, cia402::PowerState::kOperationEnabled);
    rig.run(300);
    EXPECT_EQ(rig.mode(kElbow), JointMode::kNotConfigured) << "who did it may undo it";
    rig.expect_hand_free();
    for (const ModeRequest wish : {ModeRequest::kIdle, ModeRequest::kPosition}) {
      rig.mode("elbow", wish);
      EXPECT_EQ(rig.last(EventKind::kRejected, kElbow)->reason, RejectReason::kNotConfigured);
    }
    rig.mode("elbow", ModeRequest::kForceIdle);
    expect_back_to_idle_and_no_further(rig, kElbow);
  }
}

TEST(NodeFaults, ANodeThatMissedTheHostIsAFaultAlsoWhereItsEmergencyGotLost) {
  for (const bool is_lost : {false, true}) {
    SCOPED_TRACE(is_lost);
    MatrixRig rig;
    rig.set_off();
    // The host's heartbeat gets lost on the way to one drive alone, for 150 ms.
    rig.hit(0, {.id = 0x77F, .receiver = rig.board_node(kElbow)});
    if (is_lost) rig.hit(0, {.id = 0x083, .receiver = rig.host_node(0)});
    ASSERT_TRUE(rig.run_until(200, [&] { return rig.mode(kElbow) != JointMode::kPosition; }));
    rig.clear(0);
    ASSERT_TRUE(rig.run_until(100, [&] { return rig.mode(kElbow) == JointMode::kHwFault; }));
    rig.run(20);
    EXPECT_EQ(rig.joint(kElbow).fault.code, FaultCode::kCommandLost);
    EXPECT_EQ(rig.notices(Notice::kEmergency, kElbow), is_lost ? 0 : 1);
    EXPECT_EQ(rig.notices(Notice::kNmtChanged, kElbow), 0) << "nobody did";
    rig.run(400);
    rig.expect_force_idle_is_the_way_out(kElbow);
  }
}

TEST(NodeFaults, AnErrorOfLongAgoIsNoReasonForWhatSomebodyDoesToday) {
  MatrixRig rig({.drive = [](hw::BusJoint& drive) { drive.settings.heartbeat_ms = 20; }});
  rig.set_off();
  rig.hit(0, {.id = 0x77F, .receiver = rig.board_node(kElbow)});
  ASSERT_TRUE(rig.run_until(200, [&] { return rig.mode(kElbow) == JointMode::kHwFault; }));
  rig.clear(0);
  rig.run(400);
  rig.mode("elbow", ModeRequest::kForceIdle);
  ASSERT_TRUE(rig.run_until(400, [&] { return rig.mode(kElbow) == JointMode::kIdle; }));
  const int before = rig.notices(Notice::kNmtChanged, kElbow);
  rig.intrude(0, 0x000, {0x80, MatrixRig::node_of(kElbow)});
  ASSERT_TRUE(rig.run_until(60, [&] { return rig.mode(kElbow) == JointMode::kNotConfigured; }));
  rig.run(10);
  EXPECT_EQ(rig.notices(Notice::kNmtChanged, kElbow), before + 1);
  EXPECT_NE(rig.mode(kElbow), JointMode::kHwFault);
}

TEST(NodeFaults, AZeroNearTheEndOfTheCounterIsNoPlaceOfItsOwn) {
  // The counter has 32 bits: a joint at its zero, and on either side of it, shows ±2^31.
  for (const double zero : {2'147'483'647.0, 2'147'483'747.0, -2'147'483'648.0, -2'147'483'700.0}) {
    SCOPED_TRACE(zero);
    MatrixRig rig({.zero_counts = zero});
    rig.set_off();
    rig.run_for(4.0);
    for (std::size_t joint = 0; joint <= kRight; ++joint) {
      EXPECT_EQ(rig.mode(joint), JointMode::kPosition);
      EXPECT_NEAR(rig.where(joint), 0.6, 0.01);
      EXPECT_NEAR(rig.joint(joint).state.q, rig.where(joint), 1e-3);
    }
  }
}

/// Another device under a number that is taken.
class Twin {
 public:
  /// @param behind  its echo is by so much less than the other one's
  Twin(can::VirtualBus& wire, std::uint8_t number, int behind = 0)
      : wire_(&wire), node_(wire.attach("twin")), number_(number), behind_(behind) {}

  can::TimeNs operator()(can::TimeNs now) {
    std::array<can::Delivery, 16> heard;
    while (const std::size_t count = wire_->receive(node_, heard)) {
      for (std::size_t i = 0; i < count; ++i) hear(heard[i].frame, now);
    }
    if (at_ == can::kNever || now < at_) return at_;
    at_ = can::kNever;
    wire_->send(node_, what_, now);
    return at_;
  }

 private:
  void hear(const can::Frame& frame, can::TimeNs now) {
    if (frame.id == 0x000 && (frame.data[1] == number_ || frame.data[1] == 0) &&
        (frame.data[0] == 0x81 || frame.data[0] == 0x82)) {
      const std::array<std::uint8_t, 1> kBootUp{0};
      // Not with the other one's, which says the same and would be one with it on the wire.
      say(0x700U + number_, kBootUp, now + 3 * can::kMillisecond);
    } else if (frame.id == 0x080) {
      const auto echo = static_cast<std::uint8_t>(acted_ - behind_);
      const std::array<std::uint8_t, 8> elsewhere{0x37, 0x16, 10, echo, 0x40, 0x42, 0x0F, 0};
      say(0x180U + number_, elsewhere, now + can::kMillisecond);
      acted_ = life_;
    } else if (frame.id == 0x200U + number_ || frame.id == 0x300U + number_) {
      life_ = frame.data[3];
    }
  }
  void say(std::uint32_t id, std::span<const std::uint8_t> bytes, can::TimeNs when) {
    what_ = can::data_frame(id, bytes);
    at_ = when;
  }

  can::VirtualBus* wire_;
  can::NodeId node_;
  std::uint8_t number_;
  int behind_;
  std::uint8_t life_ = 0;
  std::uint8_t acted_ = 0;  ///< what it echoes: the order that acted at the SYNC before
  can::Frame what_;
  can::TimeNs at_ = can::kNever;
};

TEST(NodeFaults, F18ASecondDriveUnderOneNumberIsRefusedAtTheStartAndAFaultInOperation) {
  {
    MatrixRig rig({.start = false});
    rig.add(0, Twin(rig.wire(0), MatrixRig::node_of(kElbow)));
    const std::string text = refusal(rig);
    EXPECT_NE(text.find("elbow (node 3): two boot-up messages came after one reset"),
              std::string::npos)
        << text;
  }
  MatrixRig rig;
  rig.set_off();
  rig.add(0, Twin(rig.wire(0), MatrixRig::node_of(kElbow)));
  rig.run(6);
  EXPECT_EQ(rig.mode(kElbow), JointMode::kHwFault);
  EXPECT_EQ(rig.joint(kElbow).fault.code, FaultCode::kDuplicateNode);
  EXPECT_EQ(rig.notices(Notice::kDuplicateNode, kElbow), 1);
  rig.expect_arm_held_but({kElbow});
  rig.expect_hand_free();
}

/// With an echo that is behind, each frame is taken for a replay of the first drive's.
TEST(NodeFaults, F18ASecondDriveWhoseEchoIsBehindOrAheadIsAFaultToo) {
  constexpr int kTold = static_cast<int>(0.1 / kPeriod);
  for (const int behind : {-3, -1, 0, 1, 2, 20}) {
    SCOPED_TRACE(behind);
    MatrixRig rig;
    rig.set_off();
    rig.add(0, Twin(rig.wire(0), MatrixRig::node_of(kElbow), behind));
    ASSERT_TRUE(rig.run_until(kTold, [&] { return rig.mode(kElbow) == JointMode::kHwFault; }));
    // Ahead it is believed, and the position has jumped before it is known why.
    const FaultCode code = rig.joint(kElbow).fault.code;
    EXPECT_TRUE(code == FaultCode::kDuplicateNode ||
                (behind < 0 && code == FaultCode::kEncoderJump))
        << to_string(code);
    ASSERT_TRUE(
        rig.run_until(kTold, [&] { return rig.notices(Notice::kDuplicateNode, kElbow) > 0; }));
    const auto told = rig.last(Notice::kDuplicateNode, kElbow);
    EXPECT_EQ(told->value, 3.0) << "its node";
    EXPECT_NE(twin_evidence_of(told->limit), TwinEvidence::kUnknown);
    rig.run(kTold);
    EXPECT_EQ(rig.notices(Notice::kDuplicateNode, kElbow), 1) << "once";
    rig.expect_arm_held_but({kElbow});
  }
}

TEST(NodeFaults, F19AnotherDriveThanTheFileNamesIsRefusedWithBoth) {
  MatrixRig rig({.drive =
                     [](hw::BusJoint& drive) {
                       if (drive.name == "elbow") drive.settings.identity.serial = 99;
                     },
                 .start = false});
  const std::string text = refusal(rig);
  EXPECT_EQ(text, "bus 0: elbow: node 3, 1018h:4, serial number: expected 63h, found 3h");
}

TEST(NodeFaults, F19AMappingThatADriveKeepsIsRefusedWithThePlaceThatDiffers) {
  MatrixRig rig({.drive =
                     [](hw::BusJoint& drive) {
                       if (drive.name != "elbow") return;
                       drive.settings.remaps_pdos = false;
                       drive.settings.pdos = hw::board_layouts(true, false);
                       drive.settings.pdos[4].objects[0] = hw::mapped_object(0x60F4, 0, 32);
                     },
                 .start = false});
  const std::string text = refusal(rig);
  EXPECT_EQ(
      text,
      "bus 0: elbow: node 3, 1A01h:1, TPDO2, object 1: expected 60F40020h, found 606C0020h; `pdos` "
      "in its profile or `drive` has to be the mapping that the drive has; `jointrig bus "
      "profile` writes it");
}

TEST(NodeFaults, F20ASetUpThatADriveRefusesOrDoesNotAnswerNamesObjectAndCode) {
  {
    MatrixRig rig({.drive =
                       [](hw::BusJoint& drive) {
                         if (drive.name == "elbow") drive.settings.quick_stop = 99;
                       },
                   .start = false});
    const std::string text = refusal(rig);
    EXPECT_NE(text.find("elbow: node 3, 605Ah:0: "), std::string::npos) << text;
    EXPECT_NE(text.find("0609 00"), std::string::npos) << text;
  }
  MatrixRig rig({.start = false});
  rig.hit(0, {.id = 0x583, .receiver = rig.host_node(0)});
  const std::string text = refusal(rig);
  EXPECT_EQ(
      text,
      "bus 0: elbow: node 3, 1000h:0: no answer in time (0504 0000h, after 3 tries), while "
      "setting up its device profile (402: a drive); a drive that takes its time needs a longer "
      "`sdo_timeout`");
}

TEST(NodeFaults, F21AStateOfAWrongLengthCountsAsMissed) {
  for (const bool stays : {false, true}) {
    SCOPED_TRACE(stays);
    MatrixRig rig;
    rig.set_off();
    const int cycles = stays ? 20 : 1;
    rig.hit_state(kElbow, {.count = static_cast<std::uint32_t>(cycles)});
    for (int cycle = 0; cycle < cycles; ++cycle) {
      rig.intrude(0, 0x183, {0x37, 0x16, 10, 0, 0, 0, 0});
      rig.run(1);
    }
    EXPECT_EQ(rig.joint(kElbow).state.missed, static_cast<std::uint32_t>(cycles));
    EXPECT_EQ(rig.notices(Notice::kPdoLength, kElbow), 1);
    EXPECT_EQ(rig.mode(kElbow), stays ? JointMode::kHwFault : JointMode::kPosition);
    rig.run(1);
    if (!stays) {
      EXPECT_EQ(rig.joint(kElbow).state.missed, 0U);
    }
  }
}

bool was_told(const MatrixRig& rig, std::uint16_t code) {
  const canopen::EmergencyLog& log = rig.bus(0).emergencies(kElbow);
  for (std::size_t age = 0; age < log.kept(); ++age) {
    if (log.recent(age).emergency.code == code) return true;
  }
  return false;
}

TEST(NodeFaults, F22AnOrderOfAWrongLengthIsToldByEmergencyAndTheMotionGoesOn) {
  MatrixRig rig(
      {.drive = [](hw::BusJoint& drive) { drive.settings.feed_forward = drive.name == "elbow"; }});
  rig.set_off();
  rig.intrude(0, 0x303, {0x0F, 0, 10, 0});
  rig.run(5);
  EXPECT_EQ(rig.notices(Notice::kEmergency, kElbow), 1);
  EXPECT_TRUE(was_told(rig, 0x8210)) << "too short: not used";
  rig.run(10);  // 1015h: an emergency every 10 ms at most
  rig.intrude(0, 0x503, {0, 0, 0, 0, 0, 0, 0, 0});
  rig.run(10);
  EXPECT_EQ(rig.notices(Notice::kEmergency, kElbow), 2);
  EXPECT_TRUE(was_told(rig, 0x8220)) << "too long: partly used";
  EXPECT_EQ(rig.mode(kElbow), JointMode::kPosition);
  rig.run_for(4.5);
  EXPECT_NEAR(rig.where(kElbow), 0.6, 0.01);
}

/// A link over which a damaged line comes now and then, and takes a frame with it.
class Damaged final : public can::ForwardingTransport {
 public:
  using ForwardingTransport::ForwardingTransport;

  std::size_t receive(std::span<can::ReceivedFrame> into, can::TimeNs deadline) noexcept override {
    const std::size_t count = ForwardingTransport::receive(into, deadline);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (into[i].frame.id == 0x183 && ++states_ % 100 == 0) {
        ++garbage_;
      } else {
        into[kept++] = into[i];
      }
    }
    return kept;
  }
  [[nodiscard]] can::LinkCounters counters() const noexcept override {
    can::LinkCounters all = ForwardingTransport::counters();
    all.rx_garbage += garbage_;
    return all;
  }

 private:
  std::uint64_t states_ = 0;
  std::uint64_t garbage_ = 0;
};

TEST(NodeFaults, F23ADamagedLineIsCountedAndTheFrameInItCountsAsMissed) {
  MatrixRig rig({.link = [](std::unique_ptr<can::Transport> link) {
    return std::make_unique<Damaged>(std::move(link));
  }});
  rig.set_off();
  std::uint32_t most = 0;
  for (int cycle = 0; cycle < 400; ++cycle) {
    rig.run(1);
    most = std::max(most, rig.joint(kElbow).state.missed);
  }
  EXPECT_EQ(most, 1U);
  EXPECT_GE(rig.notices(Notice::kLineGarbage, kYaw), 2) << "told of the bus's first joint";
  EXPECT_LE(rig.notices(Notice::kLineGarbage, kYaw), 3) << "once a second";
  EXPECT_EQ(rig.mode(kElbow), JointMode::kPosition);
}

TEST(NodeFaults, F24AStormOfEmergenciesIsToldOnceAndHoldsThePart) {
  MatrixRig rig;
  rig.set_off();
  for (int cycle = 0; cycle < 500; ++cycle) {
    rig.intrude(0, 0x083, {0x00, 0x10, 0x81, 0, 0, 0, 0, 0});
    rig.intrude(0, 0x083, {0x00, 0x10, 0x81, 1, 0, 0, 0, 0});
    rig.run(1);
    ASSERT_EQ(rig.joint(kElbow).state.missed, 0U) << "the cycle is kept";
  }
  EXPECT_EQ(rig.notices(Notice::kEmergencyStorm, kElbow), 1);
  EXPECT_LE(rig.notices(Notice::kEmergency, kElbow), 2);
  EXPECT_EQ(rig.mode(kElbow), JointMode::kPosition);
  rig.expect_arm_held_but({});
  rig.expect_hand_free();
}

/// Three thousand a second are 6 in a cycle of 2 ms and with the bus's own frames nearly all that
/// the wire carries; emergencies win every arbitration against states.
TEST(NodeFaults, F24AStormOfThreeThousandASecondKeepsTheCycleWithinAFifthOfItsPeriod) {
  MatrixRig rig;
  rig.set_off();
  const can::NodeId node = rig.wire(0).attach("storm");
  std::uint64_t sent = 0;
  rig.add(0, [&rig, &sent, node, next = can::TimeNs{0}](can::TimeNs now) mutable {
    std::array<can::Delivery, 16> heard;
    while (rig.wire(0).receive(node, heard) == heard.size()) continue;
    if (next == 0) next = now;
    if (now < next) return next;
    const std::array<std::uint8_t, 8> emergency{0x00, 0x10, 0x81, static_cast<std::uint8_t>(sent)};
    sent += rig.wire(0).send(node, can::data_frame(0x083, emergency), now) ==
            can::VirtualBus::SendResult::kQueued;
    next += can::kSecond / 3000;
    return next;
  });
  const double begin = rig.bus_time(0);
  std::vector<double> periods;
  double before = begin;
  for (int cycle = 0; cycle < 1000; ++cycle) {
    rig.run(1);
    periods.push_back(rig.bus_time(0) - before);
    before = rig.bus_time(0);
  }
  EXPECT_NEAR(static_cast<double>(sent) / (before - begin), 3000.0, 30.0);
  std::sort(periods.begin(), periods.end());
  EXPECT_LE(periods[periods.size() * 99 / 100], 1.2 * kPeriod) << "on the bus's clock";
  EXPECT_EQ(rig.notices(Notice::kSkipped, kYaw), 0);
  EXPECT_LE(rig.notices(Notice::kEmergencyStorm, kElbow), 3) << "not a line for each";
  EXPECT_LE(rig.notices(Notice::kEmergency, kElbow), 2);
  for (const std::size_t joint : {kYaw, kShoulder, kElbow, kWrist}) {
    EXPECT_NE(rig.mode(joint), JointMode::kHwFault) << "states come late, not never";
  }
  EXPECT_TRUE(rig.is_held(kElbow));
  EXPECT_TRUE(rig.is_held(kWrist)) << "of the same part, on the other bus";
  rig.expect_hand_free();
}

}  // namespace
}  // namespace jointrig::matrix
