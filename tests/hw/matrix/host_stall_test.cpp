// A host that stands still for some cycles and comes back: nothing is lost, and all goes on.
//
// A stall of n cycles: for n periods no SYNC and no command come, and the boards' own time goes on.
// A board bridges four periods, then stops by itself, and gives the host up after twenty. The SYNC
// of the host's return is one period more.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/hw/matrix/matrix_rig.h"

namespace jointrig::matrix {
namespace {

constexpr int kBridged = 3;   ///< longest stall that a board bridges
constexpr int kLongest = 18;  ///< longest stall after which no board has given the host up
constexpr std::array kArm{kYaw, kShoulder, kElbow, kWrist};

RigOptions with_position_drives() {
  RigOptions options;
  options.change = [](RobotConfig& robot) {
    for (JointConfig& joint : robot.joints) {
      joint.board.drive_modes = {DriveMode::kOff, DriveMode::kPosition};
    }
  };
  return options;
}

/// Both ways in which a joint is driven: the stack closes its loop, or its board.
struct Rooms {
  const char* what;
  RigOptions options;
};
std::vector<Rooms> both() { return {{"torque", {}}, {"position", with_position_drives()}}; }

int faults(const MatrixRig& rig) {
  int count = 0;
  for (std::size_t joint = kYaw; joint <= kRight; ++joint) count += rig.joint(joint).fault ? 1 : 0;
  return count;
}

TEST(HostStall, AMoveGoesOnToItsGoalAfterAnyStallThatTheBoardsSurvive) {
  for (const Rooms& room : both()) {
    for (int stall = 1; stall <= kLongest; ++stall) {
      SCOPED_TRACE(std::string(room.what) + ", stall of " + std::to_string(stall));
      MatrixRig rig(room.options);
      rig.set_off();
      rig.freeze_host(stall);
      const bool is_bridged = stall <= kBridged;
      rig.run(1);
      EXPECT_EQ(rig.is_held(kElbow), !is_bridged);
      rig.run(4);
      EXPECT_FALSE(rig.is_held(kElbow)) << "its board follows again";
      for (const std::size_t joint : kArm) {
        EXPECT_EQ(rig.notices(Notice::kRpdoTimeout, joint), is_bridged ? 0 : 1);
        EXPECT_EQ(rig.notices(Notice::kPartHeld, joint), is_bridged ? 0 : 1);
        EXPECT_EQ(rig.notices(Notice::kPartFreed, joint), is_bridged ? 0 : 1) << "it says both";
        EXPECT_EQ(rig.notices(Notice::kEncoderGlitch, joint), 0);
      }
      ASSERT_NO_FATAL_FAILURE(rig.run_for(4.5));
      for (const std::size_t joint : kArm) {
        EXPECT_EQ(rig.mode(joint), JointMode::kPosition);
        EXPECT_NEAR(rig.where(joint), 0.6, 0.01);
        EXPECT_LT(std::abs(rig.speed(joint)), 0.02);
      }
      EXPECT_EQ(faults(rig), 0);
    }
  }
}

TEST(HostStall, AfterALongerOneTheBoardsHaveGivenTheHostUpAndEachJointSaysSo) {
  for (int stall = kLongest + 1; stall <= 25; ++stall) {
    SCOPED_TRACE(stall);
    MatrixRig rig;
    rig.set_off();
    rig.freeze_host(stall);
    rig.run(10);
    for (std::size_t joint = kYaw; joint <= kRight; ++joint) {
      EXPECT_EQ(rig.mode(joint), JointMode::kHwFault);
      // The code of the last drive may come behind the emergencies of the others.
      const FaultCode code = rig.joint(joint).fault.code;
      EXPECT_TRUE(code == FaultCode::kCommandLost || code == FaultCode::kDriveFault)
          << to_string(code);
      EXPECT_EQ(rig.notices(Notice::kPartFreed, joint), 0) << "nothing goes on";
      EXPECT_GE(rig.notices(Notice::kPartWaits, joint), 1);
    }
  }
}

TEST(HostStall, AtFullSpeedNoSampleCountsAsAJumpOfTheEncoder) {
  for (int stall = 1; stall <= kLongest; ++stall) {
    SCOPED_TRACE(stall);
    MatrixRig rig;
    rig.mode("all", ModeRequest::kPosition);
    rig.run(30);
    const double v_max = rig.config().joints[kWrist].limits.v_max;
    rig.user().move(JointSet{}.set(kWrist), 2.2, v_max);
    const auto fast = rig.run_until(2000, [&] { return rig.speed(kWrist) > 0.8 * v_max; });
    ASSERT_TRUE(fast) << "it gets that fast";
    rig.freeze_host(stall);
    rig.run(20);
    EXPECT_EQ(rig.notices(Notice::kEncoderGlitch, kWrist), 0);
    EXPECT_FALSE(rig.joint(kWrist).fault) << to_string(rig.joint(kWrist).fault.code);
    ASSERT_NO_FATAL_FAILURE(rig.run_for(4.0));
    EXPECT_NEAR(rig.where(kWrist), 2.2, 0.01);
  }
}

TEST(HostStall, InNoPhaseOfTheLifeCounterIsABoardLostOrAJointLeftHeld) {
  MatrixRig rig;
  rig.mode("all", ModeRequest::kPosition);
  rig.run_for(0.2);
  for (int stall = 1; stall <= kLongest; ++stall) {
    for (int phase = 0; phase < 256; ++phase) {
      rig.freeze_host(stall);
      rig.run(13);  // without a divisor in common with 256: every phase comes once
      for (std::size_t joint = kYaw; joint <= kRight; ++joint) {
        ASSERT_EQ(rig.mode(joint), JointMode::kPosition) << stall << " at phase " << phase;
        ASSERT_FALSE(rig.is_held(joint)) << stall << " at phase " << phase;
        ASSERT_LT(std::abs(rig.where(joint)), 0.01) << stall << " at phase " << phase;
      }
    }
  }
}

TEST(HostStall, AReferenceGoesOnFromTheJointAndTheJointIsNotPulledBack) {
  for (const Rooms& room : both()) {
    for (const int stall : {4, 8, 12, 16, 18}) {
      SCOPED_TRACE(std::string(room.what) + ", stall of " + std::to_string(stall));
      MatrixRig rig(room.options);
      rig.mode("all", ModeRequest::kPosition);
      rig.run(30);
      rig.user().move(rig.user().select("arm"), 1.5, 1.0);
      ASSERT_TRUE(rig.run_until(2000, [&] { return rig.speed(kElbow) > 0.9; }));
      rig.freeze_host(stall);
      rig.run(1);
      const double v_max = rig.config().joints[kElbow].limits.v_max;
      const double step = 1.01 * v_max * kPeriod;
      EXPECT_NEAR(rig.joint(kElbow).reference.q, rig.joint(kElbow).state.q, step);
      double back = 0.0;
      double behind = 0.0;
      double before = rig.joint(kElbow).reference.q;
      for (int cycle = 0; cycle < 250; ++cycle) {
        rig.run(1);
        const JointReference& reference = rig.joint(kElbow).reference;
        ASSERT_LE(std::abs(reference.q - before), step) << cycle;
        before = reference.q;
        back = std::min(back, rig.speed(kElbow));
        behind = std::max(behind, std::abs(reference.q - rig.where(kElbow)));
      }
      EXPECT_GT(back, -0.1) << "no more than any stop swings back";
      EXPECT_LT(behind, 0.05);
      ASSERT_NO_FATAL_FAILURE(rig.run_for(4.0));
      EXPECT_NEAR(rig.where(kElbow), 1.5, 0.01);
    }
  }
}

/// A sender that goes on in each cycle, and one that fell silent with the stall.
struct Streamed {
  ModeRequest mode;
  std::function<void(MatrixRig&, double)> send;  ///< the sample of this time [s]
};
std::vector<Streamed> streams() {
  const auto elbow = JointIndex{kElbow};
  return {
      {ModeRequest::kVelocity,
       [=](MatrixRig& rig, double) {
         rig.user().send<StreamVelocity>({{elbow, {0.4}}});
       }},
      {ModeRequest::kMixed,
       [=](MatrixRig& rig, double) {
         rig.user().send<StreamVelocity>({{elbow, {0.4}}});
       }},
      {ModeRequest::kTorque,
       [=](MatrixRig& rig, double) {
         rig.user().send<StreamTorque>({{elbow, {0.5}}});
       }},
      {ModeRequest::kPositionDirect,
       [=](MatrixRig& rig, double t) {
         rig.user().send<StreamPosition>({{elbow, {0.4 * (t - std::sin(4 * t) / 4)}}});
       }},
  };
}

TEST(HostStall, AStreamGoesOnWithItsNextSampleAndNoneIsRefused) {
  for (const Streamed& stream : streams()) {
    for (const int stall : {2, 4, 5, 9, 13, 18}) {
      SCOPED_TRACE(std::string(to_string(stream.mode)) + ", stall of " + std::to_string(stall));
      MatrixRig rig;
      rig.mode("all", ModeRequest::kPosition);
      rig.run(30);
      rig.mode("elbow", stream.mode);
      rig.run(5);
      double t = 0.0;
      const auto send = [&](int cycles) {
        for (int i = 0; i < cycles; ++i, t += kPeriod) {
          stream.send(rig, t);
          rig.run(1);
        }
      };
      send(400);
      ASSERT_GT(rig.where(kElbow), 0.05);
      const double before = rig.where(kElbow);
      rig.freeze_host(stall);
      t += stall * kPeriod;
      send(300);
      EXPECT_EQ(rig.mode(kElbow), as_joint_mode(requested_mode(stream.mode)));
      EXPECT_FALSE(rig.is_held(kElbow));
      EXPECT_FALSE(rig.last(EventKind::kRejected, kElbow));
      EXPECT_GT(rig.where(kElbow), before + 0.05) << "it goes on";
      if (stream.mode == ModeRequest::kVelocity) {
        EXPECT_NEAR(rig.speed(kElbow), 0.4, 0.02);
      }
      if (stream.mode == ModeRequest::kPositionDirect) {
        EXPECT_NEAR(rig.where(kElbow), 0.4 * (t - std::sin(4 * t) / 4), 0.02);
      }
    }
  }
}

TEST(HostStall, AStreamThatFellSilentWithItEndsByItsTimeoutInPositionAndSaysSo) {
  for (const Streamed& stream : streams()) {
    SCOPED_TRACE(to_string(stream.mode));
    MatrixRig rig;
    rig.mode("all", ModeRequest::kPosition);
    rig.run(30);
    rig.mode("elbow", stream.mode);
    rig.run(5);
    for (int i = 0; i < 400; ++i) {
      stream.send(rig, i * kPeriod);
      rig.run(1);
    }
    rig.freeze_host(10);
    rig.run(10);
    EXPECT_FALSE(rig.is_held(kElbow));
    EXPECT_FALSE(rig.last(EventKind::kCommandTimeout, kElbow));
    const auto cycles = rig.run_until(
        200, [&] { return rig.last(EventKind::kCommandTimeout, kElbow).has_value(); });
    ASSERT_TRUE(cycles);
    EXPECT_LE(*cycles * kPeriod, 0.2 + 5 * kPeriod) << "from the stall's end at the latest";
    const bool has_goal =
        stream.mode == ModeRequest::kPositionDirect || stream.mode == ModeRequest::kMixed;
    EXPECT_EQ(rig.mode(kElbow),
              has_goal ? as_joint_mode(requested_mode(stream.mode)) : JointMode::kPosition);
    rig.run_for(0.5);
    const double there = rig.where(kElbow);
    rig.run_for(1.0);
    EXPECT_NEAR(rig.where(kElbow), there, 1e-3) << "it holds";
  }
}

TEST(HostStall, AMoveThatIsAskedForWhileItsBoardDoesNotFollowBeginsOnceItDoes) {
  MatrixRig rig;
  rig.mode("all", ModeRequest::kPosition);
  rig.run(100);
  rig.freeze_host(10);
  rig.user().move(rig.user().select("arm"), 0.3, 0.5);
  rig.run(1);
  ASSERT_TRUE(rig.is_held(kElbow));
  EXPECT_FALSE(rig.last(EventKind::kRejected, kElbow));
  EXPECT_TRUE(rig.joint(kElbow).moving);
  rig.run_for(3.0);
  for (const std::size_t joint : kArm) EXPECT_NEAR(rig.where(joint), 0.3, 0.01);
}

TEST(HostStall, AMoveGoesOnNoFasterThanItWasAskedFor) {
  MatrixRig rig;
  rig.set_off();
  rig.freeze_host(10);
  double fastest = 0.0;
  for (int cycle = 0; cycle < 2000; ++cycle) {
    rig.run(1);
    fastest = std::max(fastest, std::abs(rig.joint(kElbow).reference.v));
  }
  EXPECT_LT(fastest, 0.31) << "0.3 rad/s";
  EXPECT_NEAR(rig.where(kElbow), 0.6, 0.01);
}

TEST(HostStall, AnOrderThatWaitedForSyncThroughTheStallIsNotFollowed) {
  MatrixRig rig;
  rig.mode("all", ModeRequest::kPosition);
  rig.run(30);
  rig.mode("elbow", ModeRequest::kTorque);
  rig.run(5);
  for (int i = 0; i < 100; ++i) {
    rig.user().send<StreamTorque>({{kElbow, {1.0}}});
    rig.run(1);
  }
  rig.freeze_host(15);
  const std::uint16_t before = rig.drive(kElbow).statusword;
  EXPECT_EQ(before & cia402::status::kModeSpecific12, 0) << "it stopped by itself";
  rig.run(1);
  EXPECT_EQ(rig.drive(kElbow).statusword & cia402::status::kModeSpecific12, 0)
      << "the order that SYNC takes is from before the stall";
  rig.run(1);
  EXPECT_NE(rig.drive(kElbow).statusword & cia402::status::kModeSpecific12, 0);
}

}  // namespace
}  // namespace jointrig::matrix
