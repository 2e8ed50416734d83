// The fault matrix, row F42: boards that were lost come back while the program runs.

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

#include "app/boards/seats.h"
#include "tests/hw/matrix/matrix_rig.h"

namespace jointrig::matrix {
namespace {

using hw::NodePhase;

/// Cycles in which a lost board has to show [200 ms].
constexpr int kSeen = static_cast<int>(0.2 / kPeriod);

void take_power(MatrixRig& rig, std::size_t joint, double seconds) {
  rig.board(joint).inject(sim::SimFault::kPowerOff, 0.0,
                          static_cast<std::uint64_t>(std::lround(seconds / kPeriod)));
}

bool is_back(const MatrixRig& rig, std::size_t joint, int times = 1) {
  return rig.notices(Notice::kBoardBack, joint) >= times;
}

/// One Force-idle and one mode are all that it takes, and the joint stays where it is.
void expect_one_force_idle_to_bring_back(MatrixRig& rig, std::size_t joint) {
  const std::string& name = rig.config().joints[joint].name;
  SCOPED_TRACE(name);
  rig.mode(name, ModeRequest::kForceIdle);
  ASSERT_TRUE(rig.run_until(400, [&] { return rig.mode(joint) == JointMode::kIdle; }));
  const double before = rig.where(joint);
  rig.mode(name, ModeRequest::kPosition);
  rig.run(30);
  ASSERT_EQ(rig.mode(joint), JointMode::kPosition);
  EXPECT_NEAR(rig.joint(joint).reference.q, before, 2e-3) << "it begins where the joint is";
  EXPECT_NEAR(rig.where(joint), before, 5e-3);
}

TEST(BoardsBack, ABoardWithoutPowerIsBackWithItsMotorOffAndGoesOnWhereItsJointWasMovedTo) {
  MatrixRig rig;
  rig.set_off();
  take_power(rig, kElbow, 1.0);
  const double lost_at = rig.joint(kElbow).state.q;
  ASSERT_TRUE(rig.run_until(kSeen, [&] { return rig.mode(kElbow) == JointMode::kHwFault; }));
  EXPECT_EQ(rig.joint(kElbow).fault.code, FaultCode::kBoardLost);
  rig.expect_arm_held_but({kElbow});
  rig.expect_hand_free();
  ASSERT_TRUE(rig.run_until(800, [&] { return is_back(rig, kElbow); }));
  const double way = std::abs(rig.where(kElbow) - lost_at);
  if (has_weight()) {
    EXPECT_LT(way, 0.05) << "its brake caught it";
  } else {
    EXPECT_GT(way, 0.02) << "it coasted meanwhile";
  }
  EXPECT_NEAR(rig.joint(kElbow).state.q, rig.where(kElbow), 1e-3) << "read anew";
  rig.run(300);
  EXPECT_EQ(rig.mode(kElbow), JointMode::kHwFault) << "nothing goes on by itself";
  EXPECT_FALSE(rig.drive(kElbow).power_stage());
  EXPECT_EQ(rig.bus(0).phase(kElbow), NodePhase::kRunning);
  EXPECT_EQ(rig.notices(Notice::kBoardBack, kElbow), 1);
  EXPECT_EQ(rig.notices(Notice::kBoardBack, kYaw), 0);
  expect_one_force_idle_to_bring_back(rig, kElbow);
  rig.user().move(rig.user().select("elbow"), 0.1, 0.5);
  rig.run_for(4.0);
  EXPECT_NEAR(rig.where(kElbow), 0.1, 0.01);
}

TEST(BoardsBack, ALinkThatWasCutForTwoSecondsBringsEachOfItsBoardsBack) {
  MatrixRig rig;
  rig.set_off();
  rig.cut(0);
  rig.run_for(2.0);
  for (const std::size_t joint : {kYaw, kShoulder, kElbow}) {
    EXPECT_EQ(rig.mode(joint), JointMode::kHwFault);
    EXPECT_FALSE(is_back(rig, joint));
  }
  rig.mend(0);
  for (const std::size_t joint : {kYaw, kShoulder, kElbow}) {
    ASSERT_TRUE(rig.run_until(800, [&] { return is_back(rig, joint); }));
  }
  EXPECT_FALSE(is_back(rig, kWrist)) << "it was never away";
  rig.run(200);
  for (const std::size_t joint : {kYaw, kShoulder, kElbow}) {
    EXPECT_EQ(rig.mode(joint), JointMode::kHwFault);
    EXPECT_FALSE(rig.drive(joint).power_stage());
    expect_one_force_idle_to_bring_back(rig, joint);
  }
}

TEST(BoardsBack, AnOrderToResetThatGetsLostIsGivenAgain) {
  MatrixRig rig;
  rig.set_off();
  rig.hit(0, {.id = 0x703, .receiver = rig.host_node(0)});
  ASSERT_TRUE(rig.run_until(200, [&] { return rig.mode(kElbow) == JointMode::kNotConfigured; }));
  rig.clear(0);
  rig.hit(0, {.id = 0x000, .count = 1, .receiver = rig.board_node(kElbow)});
  ASSERT_TRUE(rig.run_until(100, [&] { return rig.bus(0).phase(kElbow) == NodePhase::kAbsent; }));
  ASSERT_TRUE(rig.run_until(800, [&] { return is_back(rig, kElbow); }));
  EXPECT_EQ(rig.mode(kElbow), JointMode::kIdle);
}

TEST(BoardsBack, ABoardWhoseBootUpGetsLostIsAskedForAgain) {
  MatrixRig rig;
  rig.set_off();
  take_power(rig, kElbow, 0.5);
  ASSERT_TRUE(rig.run_until(200, [&] { return rig.bus(0).phase(kElbow) == NodePhase::kLost; }));
  rig.hit(0, {.id = 0x703, .count = 1, .receiver = rig.host_node(0)});
  ASSERT_TRUE(rig.run_until(1000, [&] { return is_back(rig, kElbow); }));
  expect_one_force_idle_to_bring_back(rig, kElbow);
}

TEST(BoardsBack, ASetUpWithoutAnAnswerIsBegunAgain) {
  MatrixRig rig;
  rig.set_off();
  rig.hit(0, {.id = 0x583, .receiver = rig.host_node(0), .for_cycles = 1000});
  take_power(rig, kElbow, 0.3);
  ASSERT_TRUE(rig.run_until(900, [&] { return rig.notices(Notice::kSetupFailed, kElbow) >= 1; }));
  EXPECT_FALSE(is_back(rig, kElbow));
  ASSERT_TRUE(rig.run_until(1200, [&] { return is_back(rig, kElbow); }));
  expect_one_force_idle_to_bring_back(rig, kElbow);
}

/// A board that was plugged in in another's place.
class Stranger {
 public:
  Stranger(MatrixRig& rig, std::size_t place, std::uint32_t serial)
      : rig_(&rig),
        bus_(MatrixRig::bus_of(place)),
        node_(rig.wire(bus_).attach("stranger")),
        board_(sim::make_board_spec(rig.config().joints[place], rig.config().plant, kPeriod)),
        drive_(spec(rig, place, serial), board_) {
    board_.power_on({});
  }

  void plug(bool in) {
    is_in_ = in;
    if (in) drive_.restart(static_cast<std::int64_t>(1e9 * rig_->bus_time(bus_)));
  }

  can::TimeNs operator()(can::TimeNs now) {
    std::array<can::Delivery, 16> heard;
    while (const std::size_t count = rig_->wire(bus_).receive(node_, heard)) {
      for (std::size_t i = 0; i < count && is_in_; ++i) drive_.receive(heard[i].frame, now);
    }
    if (is_in_) drive_.poll(now);
    while (const auto frame = drive_.next_frame()) {
      if (is_in_) rig_->wire(bus_).send(node_, *frame, now);
    }
    return now + can::kMillisecond;
  }

 private:
  static app::VirtualDriveSpec spec(MatrixRig& rig, std::size_t place, std::uint32_t serial) {
    auto its = std::get<app::VirtualDriveSpec>(app::seats_of(rig.config(), 0)[place].board);
    its.serial = serial;
    return its;
  }

  MatrixRig* rig_;
  std::size_t bus_;
  can::NodeId node_;
  sim::SimBoard board_;
  app::VirtualDrive drive_;
  bool is_in_ = false;
};

TEST(BoardsBack, BoardsThatChangedPlacesAreRefusedWithBothNumbersUntilTheyAreBackInTheirOwn) {
  MatrixRig rig;
  rig.set_off();
  Stranger elbows_in_shoulder(rig, kShoulder, 3);
  Stranger shoulders_in_elbow(rig, kElbow, 2);
  rig.add(0, std::ref(elbows_in_shoulder));
  rig.add(0, std::ref(shoulders_in_elbow));
  take_power(rig, kShoulder, 4.0);
  take_power(rig, kElbow, 4.0);
  rig.run_for(0.5);
  elbows_in_shoulder.plug(true);
  shoulders_in_elbow.plug(true);
  rig.run_for(1.0);
  for (const std::size_t joint : {kShoulder, kElbow}) {
    SCOPED_TRACE(rig.config().joints[joint].name);
    EXPECT_EQ(rig.notices(Notice::kOtherBoard, joint), 1);
    EXPECT_EQ(rig.notices(Notice::kBoardBack, joint), 0);
    EXPECT_EQ(rig.bus(0).phase(joint), NodePhase::kFailed);
  }
  EXPECT_EQ(rig.last(Notice::kOtherBoard, kElbow)->value, 2.0);
  EXPECT_EQ(rig.last(Notice::kOtherBoard, kElbow)->limit, 3.0);
  EXPECT_EQ(rig.bus(0).node_text(kElbow),
            "elbow (node 3) came back with the serial number 2h, at the start it was 3h: put its "
            "own board back, or start again with this one");
  rig.mode("elbow", ModeRequest::kForceIdle);
  rig.run_for(1.0);
  EXPECT_NE(rig.mode(kElbow), JointMode::kIdle) << "asking helps nothing";
  EXPECT_EQ(rig.notices(Notice::kOtherBoard, kElbow), 2);
  elbows_in_shoulder.plug(false);
  shoulders_in_elbow.plug(false);
  ASSERT_TRUE(rig.run_until(2000, [&] { return is_back(rig, kElbow) && is_back(rig, kShoulder); }));
  expect_one_force_idle_to_bring_back(rig, kElbow);
  expect_one_force_idle_to_bring_back(rig, kShoulder);
}

// Storms
// -------------------------------------------------------------------------------------------

/// Storms at random moments; JOINTRIG_STORMS=100 runs so many, each names its number.
class Storms {
 public:
  explicit Storms(std::uint32_t seed) : random_(seed) { rig_.set_off(); }

  MatrixRig& rig() { return rig_; }

  /// Some seconds in which boards and wires come and go, then a calm in which all are back.
  void rage() {
    rig_.user().move(rig_.user().select("all"), 0.1 * pick(-6, 6), 0.5);
    const int blows = pick(3, 6);
    for (int i = 0; i < blows; ++i) {
      blow();
      if (testing::Test::HasFatalFailure()) return;
      rig_.run(pick(1, 150));
    }
    calm_down();
  }

 private:
  int pick(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random_); }

  void blow() {
    const auto joint = static_cast<std::size_t>(pick(0, kRight));
    const std::size_t bus = MatrixRig::bus_of(joint);
    switch (pick(0, 4)) {
      case 0:  // its power goes, for long or a blink
        return expect_truth({joint}, [&] { take_power(rig_, joint, 1e-3 * pick(60, 900)); });
      case 1:
        return take_power(rig_, joint, 1e-3 * pick(2, 60));
      case 2:  // a wire
        return expect_truth(on(bus), [&] { rig_.cut(bus); });
      case 3:  // somebody resets it
        return rig_.intrude(bus, 0x000, {0x81, MatrixRig::node_of(joint)});
      default:  // the host stands still
        return rig_.freeze_host(pick(1, 150));
    }
  }

  static std::vector<std::size_t> on(std::size_t bus) {
    std::vector<std::size_t> joints;
    for (std::size_t i = 0; i <= kRight; ++i) {
      if (MatrixRig::bus_of(i) == bus) joints.push_back(i);
    }
    return joints;
  }

  /// 200 ms later nothing says that a joint without its board follows anything.
  template <typename Act>
  void expect_truth(const std::vector<std::size_t>& lost, Act act) {
    act();
    rig_.run(30);  // 60 ms: the shortest blow still lasts
    for (const std::size_t joint : lost) {
      const JointMode mode = rig_.mode(joint);
      ASSERT_TRUE(mode == JointMode::kHwFault || mode == JointMode::kNotConfigured)
          << rig_.config().joints[joint].name << " says " << to_string(mode);
      ASSERT_GE(rig_.joint(joint).state.missed, 1U);
    }
  }

  void calm_down() {
    rig_.mend(0);
    rig_.mend(1);
    rig_.run_for(2.5);
    for (std::size_t joint = 0; joint <= kRight; ++joint) {
      SCOPED_TRACE(rig_.config().joints[joint].name);
      const bool drives = rig_.mode(joint) == JointMode::kPosition;
      ASSERT_TRUE(drives || !rig_.drive(joint).power_stage()) << "nothing comes by itself";
      expect_one_force_idle_to_bring_back(rig_, joint);
    }
  }

  std::minstd_rand random_;
  MatrixRig rig_;
};

int storms_to_run() {
  const char* const asked = std::getenv("JOINTRIG_STORMS");
  return asked != nullptr ? std::atoi(asked) : 4;
}

std::size_t allocated() { return ::mallinfo2().uordblks; }

TEST(BoardsBack, AfterEveryStormOneForceIdleAndOneModeBringEachJointBack) {
  Storms storms(7);
  std::size_t before = 0;
  for (int storm = 0; storm < storms_to_run(); ++storm) {
    SCOPED_TRACE("storm " + std::to_string(storm));
    storms.rage();
    if (HasFatalFailure()) return;
    storms.rig().forget_events();
    if (storm == 0) before = allocated();  // whatever grows to its size has done so
  }
  EXPECT_LT(allocated(), before + 64 * 1024) << "bytes held";
}

}  // namespace
}  // namespace jointrig::matrix
