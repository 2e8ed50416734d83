// The fault matrix, row F42: boards that were lost come back while the program runs.

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <array>
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

  [[nodiscard]] bool is_in() const { return is_in_; }
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

TEST(BoardsBack, ASecondBoardUnderANumberIsToldWithin200MillisecondsInWhateverPhaseItComes) {
  MatrixRig rig;
  Stranger second(rig, kWrist, 99);
  rig.add(1, std::ref(second));
  rig.set_off();
  for (std::uint32_t seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE(seed);
    std::minstd_rand random(seed);
    const auto pick = [&](int most) { return std::uniform_int_distribution<int>(1, most)(random); };
    rig.user().move(rig.user().select("wrist"), seed % 2 == 0 ? 0.4 : -0.4, 0.5);
    rig.run(pick(150));
    if (seed % 4 == 0) rig.mode("wrist", ModeRequest::kIdle);
    const bool unheard = seed % 3 == 0;
    if (unheard) rig.hit(1, {.id = 0x701, .receiver = rig.host_node(1), .for_cycles = 5});
    rig.forget_events();
    second.plug(true);
    if (unheard) {  // then it waits, off and mute, until somebody resets both
      rig.run(10);
      rig.intrude(1, 0x000, {0x82, MatrixRig::node_of(kWrist)});
    }
    ASSERT_TRUE(
        rig.run_until(kSeen, [&] { return rig.notices(Notice::kDuplicateNode, kWrist) > 0; }));
    rig.run(1);
    EXPECT_EQ(rig.mode(kWrist), JointMode::kHwFault);
    EXPECT_EQ(rig.joint(kWrist).fault.code, FaultCode::kDuplicateNode);
    EXPECT_EQ(rig.joint(kWrist).fault.value, MatrixRig::node_of(kWrist));
    rig.run(pick(100));
    second.plug(false);
    rig.clear(1);
    rig.run(pick(100));
    expect_one_force_idle_to_bring_back(rig, kWrist);
    rig.mode("arm", ModeRequest::kPosition);  // it waited
    rig.run(2);
  }
}

// Storms
// -------------------------------------------------------------------------------------------

/// Storms at random moments. JOINTRIG_STORMS=100 runs so many, JOINTRIG_STORM_SEED others; each
/// names its number.
class Storms {
 public:
  explicit Storms(std::uint32_t seed)
      : random_(seed),
        elbows_in_shoulder_(rig_, kShoulder, 3),
        shoulders_in_elbow_(rig_, kElbow, 2),
        second_wrist_(rig_, kWrist, 99) {
    for (Stranger* each : {&elbows_in_shoulder_, &shoulders_in_elbow_})
      rig_.add(0, std::ref(*each));
    rig_.add(1, std::ref(second_wrist_));
    rig_.set_off();
  }

  MatrixRig& rig() { return rig_; }

  /// Some seconds in which boards, wires, adapters and the host come and go, then a calm in which
  /// all are back.
  void rage() {
    rig_.user().move(rig_.user().select("all"), 0.1 * pick(-6, 6), 0.5);
    const int blows = pick(3, 6);
    for (int i = 0; i < blows; ++i) {
      blow();
      if (testing::Test::HasFatalFailure()) return;
      run(pick(1, 150));
    }
    calm_down();
  }

 private:
  int pick(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random_); }

  void run(int cycles) {
    for (int i = 0; i < cycles && !testing::Test::HasFatalFailure(); ++i) {
      rig_.run(1);
      watch();
    }
  }

  /// Nothing says for longer than 200 ms that a motor follows which is off, and no mode stands for
  /// longer than a drive has to enable.
  void watch() {
    constexpr int kEnables = static_cast<int>(0.5 / kPeriod) + 2;
    for (std::size_t joint = 0; joint <= kRight; ++joint) {
      SCOPED_TRACE(rig_.config().joints[joint].name);
      const JointSnapshot& told = rig_.joint(joint);
      const bool is_driven = jointrig::is_driven(told.mode);
      const bool says_on = told.state.status == BoardStatus::kEnabled;
      const bool is_two = joint == kWrist && second_wrist_.is_in() && is_in_reach(kWrist);
      doubts_[joint] = is_driven && says_on && is_two ? doubts_[joint] + 1 : 0;
      const bool is_on = !rig_.board(joint).is_dark() &&
                         rig_.drive(joint).state == cia402::PowerState::kOperationEnabled;
      lies_[joint] = is_driven && says_on && !is_on ? lies_[joint] + 1 : 0;
      waits_[joint] = is_driven && !says_on ? waits_[joint] + 1 : 0;
      ASSERT_LE(lies_[joint], kSeen) << "its motor is off, and it says " << to_string(told.mode);
      ASSERT_LE(waits_[joint], kEnables) << "in a mode without its motor";
      ASSERT_LE(doubts_[joint], kSeen) << "two boards answer, and it says " << to_string(told.mode);
    }
  }

  void blow() {
    const auto joint = static_cast<std::size_t>(pick(0, kRight));
    const std::size_t bus = MatrixRig::bus_of(joint);
    const int kind = pick(0, 10);
    SCOPED_TRACE("blow " + std::to_string(kind) + " to " + rig_.config().joints[joint].name);
    switch (kind) {
      case 0:  // its power goes, for long or a blink
        return expect_truth({joint}, [&] { take_power(rig_, joint, 1e-3 * pick(60, 900)); });
      case 1:
        return take_power(rig_, joint, 1e-3 * pick(2, 60));
      case 2:  // a wire
        return expect_truth(on(bus), [&] { rig_.cut(bus); });
      case 3:  // somebody resets it
        return rig_.intrude(bus, 0x000, {0x81, MatrixRig::node_of(joint)});
      case 4:  // the adapter is pulled, and plugged in again
        expect_truth(on(bus), [&] { rig_.link(bus).unplug(); });
        run(pick(1, 300));
        return rig_.link(bus).plug();
      case 5:  // the program that has all boards of a bus is killed, and started again
        return expect_truth(on(bus), [&] {
          const double away = 1e-3 * pick(100, 600);
          for (const std::size_t each : on(bus)) take_power(rig_, each, away);
        });
      case 6:  // the host's program ends as it should, or is killed, and starts again
      case 7:
        for (const std::size_t each : {0U, 1U}) rig_.mend(each);  // who starts it has looked
        return rig_.restart_host(kind == 7, pick(1, 200));
      case 8:
        return swap();
      case 9:
        return double_a_board();
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

  /// Two boards change places for a while.
  void swap() {
    expect_truth({kShoulder, kElbow}, [&] {
      for (const std::size_t joint : {kShoulder, kElbow}) take_power(rig_, joint, 1.5);
    });
    elbows_in_shoulder_.plug(true);
    shoulders_in_elbow_.plug(true);
    run(pick(100, 400));
    for (const std::size_t joint : {kShoulder, kElbow}) {
      ASSERT_NE(rig_.mode(joint), JointMode::kPosition) << "another's board";
    }
    elbows_in_shoulder_.plug(false);
    shoulders_in_elbow_.plug(false);
  }

  /// Another board with the number of one that is there. Other means tell whether one of both
  /// is away, or alone.
  void double_a_board() {
    const bool was_driven = is_driven(rig_.mode(kWrist)) && is_in_reach(kWrist);
    const auto told = [&] {
      return rig_.notices(Notice::kDuplicateNode, kWrist) +
             rig_.notices(Notice::kOtherBoard, kWrist);
    };
    const int before = told();
    second_wrist_.plug(true);
    run(pick(kSeen, 400));
    ASSERT_FALSE(was_driven && told() == before) << "nobody is told that there are two";
    second_wrist_.plug(false);
  }

  /// Its board has power, and its frames reach the host.
  bool is_in_reach(std::size_t joint) {
    return !rig_.board(joint).is_dark() && rig_.joint(joint).state.missed == 0;
  }

  /// Soon nothing says that a joint without its board follows anything.
  template <typename Act>
  void expect_truth(const std::vector<std::size_t>& lost, Act act) {
    act();
    run(30);  // 60 ms: the shortest blow still lasts
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
    run(static_cast<int>(2.5 / kPeriod));
    for (std::size_t joint = 0; joint <= kRight; ++joint) {
      SCOPED_TRACE(rig_.config().joints[joint].name);
      // A quick stop that its drive was brought to ends in standing, with the motor on.
      const bool may_be_on = rig_.mode(joint) == JointMode::kPosition ||
                             rig_.drive(joint).state == cia402::PowerState::kQuickStopActive;
      ASSERT_TRUE(may_be_on || !rig_.drive(joint).power_stage()) << "nothing comes by itself";
      expect_one_force_idle_to_bring_back(rig_, joint);
    }
    if (testing::Test::HasFatalFailure()) return;
    std::array<double, kRight + 1> goals{};
    for (std::size_t joint = 0; joint <= kRight; ++joint) {
      goals[joint] = rig_.where(joint) > 0 ? rig_.where(joint) - 0.1 : rig_.where(joint) + 0.1;
      rig_.user().move(rig_.user().select(rig_.config().joints[joint].name), goals[joint], 0.5);
    }
    run(static_cast<int>(1.5 / kPeriod));
    for (std::size_t joint = 0; joint <= kRight; ++joint) {
      SCOPED_TRACE(rig_.config().joints[joint].name);
      ASSERT_EQ(rig_.mode(joint), JointMode::kPosition);
      ASSERT_NEAR(rig_.where(joint), goals[joint], 0.01) << "and it moves";
    }
  }

  std::minstd_rand random_;
  MatrixRig rig_;
  Stranger elbows_in_shoulder_, shoulders_in_elbow_, second_wrist_;
  std::array<int, kRight + 1> lies_{}, waits_{}, doubts_{};
};

int asked_for(const char* variable, int otherwise) {
  const char* const asked = std::getenv(variable);
  return asked != nullptr ? std::atoi(asked) : otherwise;
}

std::size_t allocated() { return ::mallinfo2().uordblks; }

TEST(BoardsBack, AfterEveryStormOneForceIdleAndOneModeBringEachJointBack) {
  Storms storms(static_cast<std::uint32_t>(asked_for("JOINTRIG_STORM_SEED", 7)));
  std::size_t before = 0;
  for (int storm = 0; storm < asked_for("JOINTRIG_STORMS", 6); ++storm) {
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
