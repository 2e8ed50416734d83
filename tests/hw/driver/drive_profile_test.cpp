// Drives that lack objects, told to the driver by robot.yaml and its profile alone.

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "app/rig/robot_loading.h"
#include "app/rig/wiring.h"
#include "tests/hw/driver/unlike_drive.h"

namespace jointrig::hw {
namespace {

namespace fs = std::filesystem;
using cia402::PowerState;

constexpr std::uint8_t kNode = 5;
constexpr double kCountsPerRad = 4096 * 20 / 6.283185307179586;

class Folder {
 public:
  Folder()
      : path_(fs::temp_directory_path() /
              ("jointrig_unlike_drives_" + std::to_string(::getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }

 private:
  fs::path path_;
};

constexpr const char* kModel =
    "<mujoco><worldbody><body><joint name='elbow' axis='0 1 0' range='-90 90'/>"
    "<geom type='capsule' fromto='0 0 0 0.2 0 0' size='0.03' mass='1'/></body></worldbody>"
    "<actuator><motor joint='elbow' ctrlrange='-8 8'/></actuator></mujoco>";

/// The driver with one joint, and its drive, on a wire that carries every frame at once.
class Bench {
 public:
  /// @param profile  keys of the profile's `drive`, indented by two
  Bench(const Folder& folder, const Unlikeness& unlikeness, const std::string& profile,
        const std::string& modes = "off, position, velocity, torque", bool has_brake = false)
      : drive(kNode, unlikeness) {
    (void)folder.write("elbow.xml", kModel);
    (void)folder.write("unlike.yaml", "schema: 1\ndrive:\n  encoder_increments: 4096\n" + profile);
    const std::string file = folder.write(
        "robot.yaml",
        "schema: 1\nmodel: elbow.xml\nperiod: 1 ms\nbuses: {wire: {address: 'socketcan:none'}}\n"
        "defaults: {velocity_max: 1000}\n"
        "joints: {elbow: {" +
            std::string(has_brake ? "brake: {torque: 8 Nm}, " : "") + "board: {drive_modes: [" +
            modes +
            "]},\n  drive: {bus: wire, node: 5, gear: 20, rated_torque: 1 Nm, profile: "
            "unlike.yaml}}}\n");
    robot = app::load_robot(harness::find_robot(file)).config;
    problems = app::wiring_problems(robot);
    if (problems.empty()) bus = app::driver_bus(robot, 0, std::nullopt, false);
    drive.inside().node().power_on(now);
    while (drive.next_frame()) {
    }
  }

  void settle() {
    for (bool any = true; any;) {
      any = false;
      while (const auto frame = bus->out().pop()) {
        any = true;
        drive.receive(*frame, now);
      }
      drive.inside().node().poll(now);
      while (const auto frame = drive.next_frame()) {
        any = true;
        bus->receive(*frame, now);
      }
      bus->poll(now);
    }
  }

  void cycles(int count, const JointSetpoint& setpoint = {}) {
    for (int i = 0; i < count; ++i) {
      now += 1'000'000;
      bus->open_cycle(now);
      settle();
      bus->close_cycle();
      bus->read(0, 0.0, state);
      bus->write(0, setpoint);
      settle();
    }
  }

  /// @return the reason why it did not; "" if it did
  std::string start() {
    bus->start(now);
    cycles(200);
    bus->begin();
    std::string text;
    for (const std::string& problem : bus->problems(true)) text += problem + "\n";
    return text;
  }

  [[nodiscard]] std::int32_t counts() {
    return drive.inside().node().objects().object<std::int32_t>(0x6064).get();
  }
  [[nodiscard]] PowerState power() { return drive.inside().drive().state; }

  std::int64_t now = 0;
  UnlikeDrive drive;
  RobotConfig robot;
  std::vector<std::string> problems;
  std::unique_ptr<JointBus> bus;
  JointState state;
};

JointSetpoint at(double q) {
  JointSetpoint setpoint;
  setpoint.drive = DriveMode::kPosition;
  setpoint.q = q;
  return setpoint;
}

/// Moves, stops, faults, and recovers when it is asked to.
void must_work(Bench& bench) {
  ASSERT_TRUE(bench.problems.empty()) << bench.problems.front();
  ASSERT_EQ(bench.start(), "");
  EXPECT_EQ(bench.state.status, BoardStatus::kReady);
  bench.cycles(10, at(0.4));
  EXPECT_EQ(bench.power(), PowerState::kOperationEnabled);
  EXPECT_EQ(bench.counts(), std::lround(0.4 * kCountsPerRad));
  EXPECT_NEAR(bench.state.q, 0.4, 1.0 / kCountsPerRad);
  bench.cycles(5);
  EXPECT_EQ(bench.power(), PowerState::kSwitchedOn) << "idle";
  bench.cycles(10, at(-0.2));
  EXPECT_EQ(bench.counts(), std::lround(-0.2 * kCountsPerRad));
  bench.drive.inside().raise_fault(0x2310);
  bench.cycles(5, at(0.1));
  EXPECT_EQ(bench.state.status, BoardStatus::kHwFault);
  EXPECT_EQ(bench.state.fault, FaultCode::kOverCurrent);
  EXPECT_EQ(bench.counts(), std::lround(-0.2 * kCountsPerRad)) << "a fault is no motion";
  JointSetpoint clear;
  clear.request = BoardRequest::kClearFault;
  bench.cycles(5, clear);
  bench.cycles(5);
  EXPECT_EQ(bench.state.status, BoardStatus::kReady);
  bench.cycles(10, at(0.1));
  EXPECT_EQ(bench.counts(), std::lround(0.1 * kCountsPerRad));
}

struct Lack {
  std::uint16_t object;
  Unlikeness drive;
  const char* name;
};

class DriveWithout : public testing::TestWithParam<Lack> {
 protected:
  [[nodiscard]] static std::string hex() { return fmt::format("0x{:04X}", GetParam().object); }
  /// Modes whose targets it takes.
  [[nodiscard]] static std::string modes() {
    if (GetParam().object == 0x6071) return "off, position, velocity";
    return GetParam().object == 0x60FF ? "off, position, torque"
                                       : "off, position, velocity, torque";
  }
  [[nodiscard]] static bool has_brake() { return GetParam().object == 0x60FE; }
  Folder folder_;
};

TEST_P(DriveWithout, IsNotStartedAndTheMessageNamesTheLineOfAProfileThatHelps) {
  Bench bench(folder_, GetParam().drive, "", "off, position, velocity, torque", has_brake());
  ASSERT_TRUE(bench.problems.empty());
  const std::string text = bench.start();
  EXPECT_NE(text.find("list " + hex() + " in `without` of its profile or `drive`"),
            std::string::npos)
      << text;
}

TEST_P(DriveWithout, MovesStopsFaultsAndRecoversOnceItsProfileSaysSo) {
  Bench bench(folder_, GetParam().drive, "  without: [" + hex() + "]\n", modes(), has_brake());
  must_work(bench);
}

INSTANTIATE_TEST_SUITE_P(
    EachObject, DriveWithout,
    testing::Values(Lack{0x0005, {.unmappable = {0x0005, 0x0006}, .maps_once = true}, "Dummies"},
                    Lack{0x1006, {.lacks = {0x1006}}, "SyncPeriod"},
                    Lack{0x1016, {.lacks = {0x1016}}, "ConsumerHeartbeat"},
                    Lack{0x603F, {.unmappable = {0x603F}}, "MappableErrorCode"},
                    Lack{0x605A, {.lacks = {0x605A}}, "QuickStopOption"},
                    Lack{0x605C, {.lacks = {0x605C}}, "DisableOption"},
                    Lack{0x605E, {.lacks = {0x605E}}, "FaultReaction"},
                    Lack{0x6007, {.lacks = {0x6007}}, "ConnectionOption"},
                    Lack{0x6061, {.lacks = {0x6061}}, "ModeDisplay"},
                    Lack{0x6071, {.lacks = {0x6071}}, "TargetTorque"},
                    Lack{0x60C2, {.lacks = {0x60C2}}, "InterpolationTime"},
                    Lack{0x60FE, {.lacks = {0x60FE}}, "DigitalOutputs"},
                    Lack{0x60FF, {.lacks = {0x60FF}}, "TargetVelocity"},
                    Lack{0x6502, {.lacks = {0x6502}}, "SupportedModes"}),
    [](const auto& tested) { return tested.param.name; });

TEST(DriveProfiles, AllObjectsThatTheDriverCanDoWithoutAreTriedHere) {
  EXPECT_EQ(kDispensableObjects.size(), 14U);
}

TEST(DriveProfiles, ADriveThatLacksAllOfThemAtOnceIsDrivenByPosition) {
  const Folder folder;
  Unlikeness bare{.lacks = {0x1006, 0x1016, 0x605A, 0x605C, 0x605E, 0x6007, 0x6061, 0x6071, 0x60C2,
                            0x60FF, 0x6502},
                  .unmappable = {0x0005, 0x0006, 0x603F},
                  .maps_once = true};
  Bench bench(
      folder, bare,
      "  without: [0x0005, 0x1006, 0x1016, 0x603F, 0x605A, 0x605C, 0x605E, 0x6007, 0x6061,\n"
      "    0x6071, 0x60C2, 0x60FF, 0x6502]\n",
      "off, position");
  must_work(bench);
}

TEST(DriveProfiles, APositionDriveNeedsNoTargetOfAnotherModeAndNoKey) {
  const Folder folder;
  Bench bench(folder, {.lacks = {0x6071, 0x60FF}}, "", "off, position");
  must_work(bench);
}

TEST(DriveProfiles, AModeWhoseTargetIsNotMappedIsRefusedBeforeABusIsOpened) {
  const Folder folder;
  Bench bench(folder, {}, "  without: [0x6071]\n", "off, position, torque");
  ASSERT_EQ(bench.problems.size(), 1U);
  EXPECT_EQ(bench.problems.front(),
            "the drive of elbow: no PDO takes 6071h, the target of mode torque; map it, or take "
            "torque out of `board.drive_modes`");
}

/// A mapping of the maker's, under the maker's identifiers.
void fix_mapping(UnlikeDrive& drive) {
  struct Pdo {
    std::uint16_t record;
    std::uint32_t id;
    std::vector<std::uint32_t> objects;
  };
  for (const Pdo& pdo :
       {Pdo{0x1400, 0x241, {0x60400010, 0x60600008}}, Pdo{0x1401, 0x342, {0x60400010, 0x607A0020}},
        Pdo{0x1800, 0x1C1, {0x60410010, 0x60610008, 0x60640020}},
        Pdo{0x1801, 0x2C2, {0x606C0020, 0x60770010}}}) {
    const auto mapping = static_cast<std::uint16_t>(pdo.record + 0x200);
    drive.set(pdo.record, 1, 4, pdo.id | 0x8000'0000U);
    drive.set(mapping, 0, 1, 0);
    std::uint8_t sub = 0;
    for (const std::uint32_t object : pdo.objects) drive.set(mapping, ++sub, 4, object);
    drive.set(mapping, 0, 1, sub);
    drive.set(pdo.record, 2, 1, 1);
    drive.set(pdo.record, 1, 4, pdo.id);
  }
}

constexpr const char* kFixed =
    "  remaps_pdos: false\n  pdos:\n"
    "    rpdo1: {cob_id: 0x241, objects: [0x60400010, 0x60600008]}\n"
    "    rpdo2: {cob_id: 0x342, objects: [0x60400010, 0x607A0020]}\n"
    "    tpdo1: {cob_id: $NODEID+0x1BC, objects: [0x60410010, 0x60610008, 0x60640020]}\n"
    "    tpdo2: {cob_id: 0x2C2, objects: [0x606C0020, 0x60770010]}\n";

TEST(DriveProfiles, AFixedMappingUnderIdentifiersOfItsOwnIsTakenAsItIs) {
  const Folder folder;
  Bench bench(folder, {.keeps_mapping = true}, kFixed, "off, position");
  bench.drive.after_reset = [&] { fix_mapping(bench.drive); };
  must_work(bench);
}

TEST(DriveProfiles, AFixedMappingThatTheProfileDoesNotHaveIsToldWithTheLineThatHelps) {
  const Folder folder;
  Bench bench(folder, {.keeps_mapping = true}, "", "off, position");
  bench.drive.after_reset = [&] { fix_mapping(bench.drive); };
  const std::string text = bench.start();
  EXPECT_NE(text.find("say `remaps_pdos: false` and give it as `pdos`"), std::string::npos) << text;
}

TEST(DriveProfiles, OfACia402DriveIsRefusedForAServoOfAnotherProtocol) {
  const Folder folder;
  Bench bench(folder, {.keeps_mapping = true}, kFixed, "off, position");
  for (const BusProtocol protocol : {BusProtocol::kMoteus, BusProtocol::kDynamixel}) {
    RobotConfig robot = bench.robot;
    ASSERT_EQ(robot.buses.size(), 1U);
    robot.buses.front().protocol = protocol;
    const auto problems = app::wiring_problems(robot);
    const auto named = std::count_if(problems.begin(), problems.end(), [](const auto& sentence) {
      return sentence.starts_with(
          "the drive of elbow: `pdos` and `without` are of a CiA 402 drive");
    });
    EXPECT_EQ(named, 1);
  }
}

TEST(DriveProfiles, TwoDrivesUnderOneIdentifierAreRefusedAndThoseThatAddTheirNumberAreNot) {
  const Folder folder;
  Bench bench(folder, {.keeps_mapping = true}, kFixed, "off, position");
  RobotConfig two = bench.robot;
  two.joints.push_back(two.joints.front());
  two.joints.back().name = "wrist";
  two.joints.back().drive.node = 6;
  const auto problems = app::wiring_problems(two);
  ASSERT_EQ(problems.size(), 3U) << "241h, 342h, 2C2h, and not 1C1h with 1C2h";
  EXPECT_EQ(
      problems.front(),
      "the drive of elbow and the drive of wrist both have a PDO with identifier 241h; a cob_id "
      "\"$NODEID+0x180\" adds the drive's number");
}

TEST(DriveProfiles, TheFollowingWindowIsWrittenInTheDrivesCounts) {
  const Folder folder;
  Bench bench(folder, {}, "  following_window: 2 deg\n  following_time: 30 ms\n");
  ASSERT_EQ(bench.start(), "");
  auto& objects = bench.drive.inside().node().objects();
  EXPECT_EQ(objects.object<std::uint32_t>(0x6065).get(), std::lround(4096 * 20 / 180.0));
  EXPECT_EQ(objects.object<std::uint16_t>(0x6066).get(), 30);
}

/// For a drive that has no window of its own: the ideal one heeds none.
constexpr const char* kWatched = "  following_window: 2 deg\n  following_time: 20 ms\n";
constexpr double kDegree = 3.14159265358979323846 / 180.0;

TEST(FollowingWatch, AJointThatStaysBehindItsTargetIsStoppedByTheHostAfterTheTime) {
  const Folder folder;
  Bench bench(folder, {}, kWatched);
  ASSERT_EQ(bench.start(), "");
  bench.cycles(10, at(0.0));
  bench.drive.inside().set_blocked(true);
  bench.cycles(60, at(1.9 * kDegree));
  EXPECT_EQ(bench.state.status, BoardStatus::kEnabled) << "inside of the window";
  // An order acts at the SYNC after it, the report of the next SYNC shows it.
  bench.cycles(20, at(-2.1 * kDegree));
  EXPECT_EQ(bench.state.status, BoardStatus::kEnabled) << "not for long enough";
  bench.cycles(4, at(-2.1 * kDegree));
  EXPECT_EQ(bench.state.status, BoardStatus::kHwFault);
  EXPECT_EQ(bench.state.fault, FaultCode::kFollowingError);
  EXPECT_NEAR(bench.state.fault_value, 2.1 * kDegree, 2.0 / kCountsPerRad);
  EXPECT_DOUBLE_EQ(bench.state.fault_limit, 2.0 * kDegree);
  bench.cycles(5, at(-2.1 * kDegree));
  EXPECT_EQ(bench.power(), PowerState::kSwitchedOn) << "its stage is off";
  bench.drive.inside().set_blocked(false);
  JointSetpoint clear;
  clear.request = BoardRequest::kClearFault;
  bench.cycles(5, clear);
  bench.cycles(40, at(0.2));
  EXPECT_EQ(bench.state.status, BoardStatus::kEnabled);
  EXPECT_EQ(bench.counts(), std::lround(0.2 * kCountsPerRad));
}

TEST(FollowingWatch, AFastMotionThatIsFollowedIsNoFault) {
  const Folder folder;
  Bench bench(folder, {}, kWatched);
  ASSERT_EQ(bench.start(), "");
  // 50 rad/s: 2.9° in each cycle, so that a target compared a cycle too late is out of the window.
  for (int i = 0; i < 60; ++i) bench.cycles(1, at(0.05 * i));
  EXPECT_EQ(bench.state.status, BoardStatus::kEnabled);
}

TEST(FollowingWatch, AnEncoderThatStandsWhileVelocityIsAskedForIsAFault) {
  const Folder folder;
  Bench bench(folder, {}, kWatched);
  ASSERT_EQ(bench.start(), "");
  JointSetpoint turn;
  turn.drive = DriveMode::kVelocity;
  turn.v = 0.5;
  // The ideal drive's position stands in cyclic velocity: 4° at 0.5 rad/s are 140 ms.
  bench.cycles(130, turn);
  EXPECT_EQ(bench.state.status, BoardStatus::kEnabled);
  bench.cycles(25, turn);
  EXPECT_EQ(bench.state.status, BoardStatus::kHwFault);
  EXPECT_EQ(bench.state.fault, FaultCode::kEncoderFrozen);
}

}  // namespace
}  // namespace jointrig::hw
