#include <cmath>
#include <numbers>

#include "tests/harness/config/support.h"

namespace jointrig::harness {
namespace {

constexpr double kPi = std::numbers::pi;

// The error of a robot.yaml whose third line is `keys`.
std::string errors_in(const std::string& keys) {
  return error_of([&] { return a_robot_with(keys); });
}

TEST(RobotFile, ThreeLinesAreEnough) {
  RobotConfig expected = a_robot();
  expected.name = "two";
  EXPECT_EQ(a_robot_with("name: two\n"), expected);
}

TEST(RobotFile, SetsWhatIsOfTheRobot) {
  const RobotConfig robot = a_robot_with(
      "keyframe: up\npin_base: true\ngravity: [0, 1 mm/s^2, -1.62]\nmotors: true\npackage_path: "
      "[/opt, /b]\nperiod: 2 "
      "ms\ndelay_cycles: 3\n"
      "plant: {mass_scale: 110 %, friction_scale: 2, encoder_noise: 0.01 deg, seed: 7,\n"
      "        payloads: [{body: hand, mass: 500 g, centre: [0, 1 cm, 0.1]}]}\n");
  EXPECT_EQ(robot.keyframe, "up");
  EXPECT_TRUE(robot.pin_base);
  EXPECT_EQ(robot.gravity, (std::array<double, 3>{0.0, 1e-3, -1.62}));
  EXPECT_TRUE(robot.motors);
  EXPECT_EQ(robot.package_path, (std::vector<std::string>{"/opt", "/b"}));
  EXPECT_EQ(robot.period_ns, 2'000'000);
  EXPECT_EQ(robot.delay_cycles, 3);
  EXPECT_DOUBLE_EQ(robot.plant.mass_scale, 1.1);
  EXPECT_EQ(robot.plant.friction_scale, 2.0);
  EXPECT_DOUBLE_EQ(robot.plant.encoder_noise, 0.01 * kPi / 180);
  EXPECT_EQ(robot.plant.seed, 7U);
  ASSERT_EQ(robot.plant.payloads.size(), 1U);
  EXPECT_EQ(robot.plant.payloads[0].mass, 0.5);
  EXPECT_EQ(robot.plant.payloads[0].centre, (std::vector<double>{0.0, 0.01, 0.1}));
}

TEST(RobotFile, TheParticularGoesBeforeTheGeneral) {
  const RobotConfig robot = a_robot_with(
      "parts: {arms: [l_elbow, r_elbow]}\n"
      "joints: {r_elbow: {stiffness: 3}, arms: {stiffness: 2, damping: 2}}\n"
      "defaults: {stiffness: 1, damping: 1, velocity_max: 1}\n");
  EXPECT_EQ(robot.joints[0].gains.stiffness, 2.0);
  EXPECT_EQ(robot.joints[1].gains.stiffness, 1.0);
  EXPECT_EQ(robot.joints[2].gains.stiffness, 3.0);
  EXPECT_EQ(robot.joints[2].gains.damping, 2.0);
  EXPECT_EQ(robot.joints[2].limits.v_max, 1.0);
}

TEST(RobotFile, AGroupsValueWithAUnitGoesToTheJointsOfItsKind) {
  const RobotConfig robot = a_robot_with("defaults: {velocity_max: 90 deg/s}\n");
  EXPECT_DOUBLE_EQ(robot.joints[0].limits.v_max, kPi / 2);
  EXPECT_EQ(robot.joints[1].limits.v_max, 2.0);  // the lift slides
}

TEST(RobotFile, SetsTimeoutAndBoard) {
  const RobotConfig robot = a_robot_with(
      "joints:\n"
      "  r_elbow:\n"
      "    timeout: {after: 100 ms, reaction: damp}\n"
      "    closes_position: board\n"
      "    gravity_in_torque: false\n"
      "    board: {drive_modes: [off, position], supply: 24 V, armature: 0.1 kg m^2,\n"
      "            needs_calibration: true, temperature_max: 80 degC}\n");
  const JointConfig& joint = robot.joints[2];
  EXPECT_EQ(joint.timeout, (StreamTimeout{0.1, TimeoutReaction::kDamp}));
  EXPECT_TRUE(joint.board_closes_position);
  EXPECT_FALSE(joint.gravity_in_torque);
  EXPECT_EQ(joint.board.drive_modes, (DriveModes{DriveMode::kOff, DriveMode::kPosition}));
  EXPECT_EQ(joint.board.supply_V, 24.0);
  EXPECT_EQ(joint.board.armature, 0.1);
  EXPECT_EQ(joint.board.friction, std::nullopt);
  EXPECT_TRUE(joint.board.needs_calibration);
  EXPECT_EQ(joint.board.temperature_max_C, 80.0);
  EXPECT_EQ(robot.joints[0].board, BoardConfig{});
}

TEST(RobotFile, PartsStandInPlaceOfGuessedOnesAndMayNest) {
  const RobotConfig robot = a_robot_with("parts: {arms: [r_elbow, l_elbow], body: [lift, arms]}\n");
  EXPECT_EQ(robot.parts, (std::vector<PartConfig>{{"arms", {2, 0}}, {"body", {1, 2, 0}}}));
}

TEST(RobotFile, PosesAreOfJointsPartsAndLists) {
  const RobotConfig robot = a_robot_with(
      "parts: {arms: [r_elbow, l_elbow]}\n"
      "poses: {a: {arms: 90 deg}, b: {r_elbow: 0.5, arms: [1, 2], lift: 3 cm}, c: {}}\n");
  ASSERT_EQ(robot.poses.size(), 3U);
  using Positions = std::vector<std::optional<double>>;
  EXPECT_EQ(robot.poses[0].q, (Positions{kPi / 2, std::nullopt, kPi / 2}));
  EXPECT_EQ(robot.poses[1].q, (Positions{2.0, 0.03, 0.5}));  // its own name goes before the part's
  EXPECT_EQ(robot.poses[2].q, (Positions{std::nullopt, std::nullopt, std::nullopt}));
}

TEST(RobotFile, OverridesAddPartsAndWinOverTheFile) {
  RobotConfig robot =
      a_robot_with("parts: {arms: [l_elbow, r_elbow]}\njoints: {r_elbow: {kp: 50}}\n");
  const YamlNode keys = parse_yaml(
      "{parts: {right: [r_elbow]}, joints: {right: {bandwidth: 5 Hz}}, defaults: {damping: 9}}",
      "scenario.yaml");
  apply_robot_overrides(keys, robot);
  EXPECT_EQ(robot.parts.size(), 2U);
  EXPECT_DOUBLE_EQ(robot.joints[2].gains.kp, 0.25 * std::pow(2 * kPi * 5, 2));
  EXPECT_EQ(robot.joints[2].gains.damping, 9.0);
}

TEST(RobotFile, IsTakenWholeOrNotAtAll) {
  RobotConfig robot = a_robot();
  const YamlNode file = parse_yaml(
      "schema: 1\nmodel: x.xml\npin_base: true\ndefaults: {stiffness: 1}\nposes: {a: {no: 1}}\n",
      "robot.yaml");
  EXPECT_THROW(apply_robot_file(file, robot), FileError);
  EXPECT_EQ(robot, a_robot());
}

TEST(RobotFile, NeedsItsSchemaAndAModel) {
  RobotConfig robot = a_robot();
  EXPECT_EQ(
      error_of([&] { return apply_robot_file(parse_yaml("name: x\n", "robot.yaml"), robot); }),
      "robot.yaml:1:1: key \"schema\" is missing\n"
      "  name: x\n"
      "  ^\n"
      "robot.yaml:1:1: key \"model\" is missing\n"
      "  name: x\n"
      "  ^");
  EXPECT_EQ(sentence_of([&] { return apply_robot_file(parse_yaml("", "robot.yaml"), robot); }),
            "expected a mapping, got nothing");
}

TEST(RobotFile, AnUnknownJointGetsTheNearest) {
  EXPECT_EQ(errors_in("joints:\n  r_elbw: {kp: 3}\n"),
            "robot.yaml:4:3: there is no joint or part \"r_elbw\"; did you mean \"r_elbow\"?\n"
            "    r_elbw: {kp: 3}\n"
            "    ^");
  EXPECT_EQ(sentence_in("parts: {arm: [l_elbw]}"),
            "there is no joint or part \"l_elbw\"; did you mean \"l_elbow\"?");
  EXPECT_EQ(sentence_in("poses: {home: {lfit: 0.1}}"),
            "there is no joint or part \"lfit\"; did you mean \"lift\"?");
}

TEST(RobotFile, APartHasAJointOnceAndANameOfItsOwn) {
  EXPECT_EQ(errors_in("parts: {arm: [l_elbow, lift, l_elbow]}\n"),
            "robot.yaml:3:30: part arm has the joint \"l_elbow\" twice\n"
            "  parts: {arm: [l_elbow, lift, l_elbow]}\n"
            "                               ^");
  EXPECT_EQ(sentence_in("parts: {lift: [l_elbow]}"),
            "a joint is called \"lift\" too; name the part otherwise");
  EXPECT_EQ(sentence_in("parts: {all: [l_elbow]}"),
            "\"all\" stands for the whole robot; name the part otherwise");
  EXPECT_EQ(sentence_in("parts: {arm: []}"), "arm: expected at least 1 values, got 0");
}

TEST(RobotFile, APoseHasAValueForEachJointOfAPart) {
  EXPECT_EQ(sentence_in("parts: {arms: [l_elbow, r_elbow]}\nposes: {home: {arms: [1, 2, 3]}}"),
            "arms has 2 joints, got 3 values");
  EXPECT_EQ(sentence_in("poses: {home: {lift: 3 deg}}"),
            "expected a length (m, mm), got 3 deg, an angle");
}

TEST(RobotFile, AJointTakesUnitsOfItsKind) {
  EXPECT_EQ(errors_in("joints: {lift: {velocity_max: 30 deg/s}}\n"),
            "robot.yaml:3:31: velocity_max: lift is a slide; expected a speed (m/s), got 30 deg/s\n"
            "  joints: {lift: {velocity_max: 30 deg/s}}\n"
            "                                ^");
  EXPECT_EQ(sentence_in("parts: {arms: [l_elbow, r_elbow]}\njoints: {arms: {start: 1 cm}}"),
            "start: all joints here are hinges; expected an angle (rad, deg), got 1 cm");
}

TEST(RobotFile, NegativeAndUndefinedGainsAreRefused) {
  EXPECT_EQ(sentence_in("joints: {r_elbow: {kp: -1 Nm/rad}}"),
            "kp: -1 Nm/rad is below the minimum, 0 Nm/rad");
  EXPECT_EQ(sentence_in("joints: {r_elbow: {stiffness: .nan}}"),
            "stiffness: .nan is not a finite number");
}

TEST(RobotFile, BandwidthAndKpContradictEachOther) {
  EXPECT_EQ(errors_in("joints: {r_elbow: {bandwidth: 5 Hz, kp: 30}}\n"),
            "robot.yaml:3:20: bandwidth and kp both set kp; give one of them\n"
            "  joints: {r_elbow: {bandwidth: 5 Hz, kp: 30}}\n"
            "                     ^");
  EXPECT_EQ(sentence_in("joints: {r_elbow: {damping_ratio: 1, kd: 30}}"),
            "damping_ratio and kd both set kd; give one of them");
}

TEST(RobotFile, NoDampingWithoutASpringOfItsOwnIsRefused) {
  EXPECT_EQ(errors_in("joints: {r_elbow: {bandwidth: 5 Hz, damping_ratio: 0}}\n"),
            "robot.yaml:3:37: damping_ratio: 0 leaves r_elbow without any feedback; give more than "
            "0, or kp for a spring without a damper\n"
            "  joints: {r_elbow: {bandwidth: 5 Hz, damping_ratio: 0}}\n"
            "                                      ^");
  EXPECT_EQ(a_robot_with("joints: {r_elbow: {kp: 30, damping_ratio: 0}}\n").joints[2].gains.kd,
            0.0);
  EXPECT_GT(a_robot_with("joints: {r_elbow: {damping_ratio: 0.01}}\n").joints[2].gains.kd, 0.0);
}

TEST(RobotFile, BandwidthNeedsAnInertia) {
  RobotConfig robot = a_robot();
  robot.joints[2].gains = {};
  const auto apply = [&robot](const std::string& keys) {
    RobotConfig copy = robot;
    apply_robot_overrides(parse_yaml(keys, "f.yaml"), copy);
    return copy;
  };
  EXPECT_EQ(sentence_of([&] { apply("joints: {r_elbow: {bandwidth: 5 Hz}}"); }),
            "bandwidth needs the inertia of r_elbow, which isn't known; give it");
  const RobotConfig given = apply("joints: {r_elbow: {bandwidth: 5 Hz, inertia: 2 kg m^2}}");
  EXPECT_DOUBLE_EQ(given.joints[2].gains.kp, 2.0 * std::pow(2 * kPi * 5, 2));
  EXPECT_DOUBLE_EQ(given.joints[2].gains.kd, 2.0 * 2.0 * (2 * kPi * 5));
}

TEST(RobotFile, AStartOutsideTheLimitsIsRefused) {
  EXPECT_EQ(errors_in("joints:\n  r_elbow: {start: 3 rad}\n"),
            "robot.yaml:4:20: r_elbow starts at 3, outside its limits, -2 to 2.5\n"
            "    r_elbow: {start: 3 rad}\n"
            "                     ^");
  EXPECT_EQ(errors_in("defaults: {position_max: -0.5}\n"),
            "robot.yaml:3:26: l_elbow starts at 0, outside its limits, -2 to -0.5\n"
            "  defaults: {position_max: -0.5}\n"
            "                           ^\n"
            "robot.yaml:3:26: lift starts at 0, outside its limits, -2 to -0.5\n"
            "  defaults: {position_max: -0.5}\n"
            "                           ^\n"
            "robot.yaml:3:26: r_elbow starts at 0, outside its limits, -2 to -0.5\n"
            "  defaults: {position_max: -0.5}\n"
            "                           ^");
}

TEST(RobotFile, LimitsThatContradictEachOtherAreRefused) {
  EXPECT_EQ(sentence_in("joints: {r_elbow: {position_max: -3}}"),
            "position_max of r_elbow, -3, is not above position_min, -2");
  EXPECT_EQ(sentence_in("joints: {r_elbow: {soft_margin: 2.25}}"),
            "soft_margin of r_elbow, 2.25, leaves nothing of its range, -2 to 2.5");
  EXPECT_EQ(sentence_in("joints: {r_elbow: {position_min: -.inf, soft_margin: 9}}"), "");
}

TEST(RobotFile, APoseOutsideTheLimitsIsRefusedAtItsName) {
  EXPECT_EQ(errors_in("poses:\n  home: {r_elbow: 3}\n"),
            "robot.yaml:4:3: pose home puts r_elbow at 3, outside its limits, -2 to 2.5\n"
            "    home: {r_elbow: 3}\n"
            "    ^");
}

TEST(RobotFile, FeetWithoutAGroundBelowAreRefused) {
  const std::string feet = "whole_body: {feet: {sole: {frame: foot, size: [0.1, 0.1]}}}\n";
  EXPECT_EQ(errors_in("gravity: [0, 1 m/s^2, -9.81]\n" + feet),
            "robot.yaml:3:10: gravity [0, 1, -9.81] leaves no ground below the feet: a robot with "
            "whole_body stands under a gravity along -z, or is bolted down (pin_base: true)\n"
            "  gravity: [0, 1 m/s^2, -9.81]\n"
            "           ^");
  EXPECT_EQ(sentence_in("gravity: [0, 0, -1.62]\n" + feet), "");
  EXPECT_EQ(sentence_in("gravity: [0, 0, 9.81]\npin_base: true\n" + feet), "");
  EXPECT_EQ(sentence_in("gravity: [0, 0, 9.81]\n"), "");
}

TEST(RobotFile, TimesShorterThanTheCycleAreRefused) {
  EXPECT_EQ(sentence_in("defaults: {timeout: {after: 0.5 ms}}"),
            "timeout.after of l_elbow, 0.0005 s, is shorter than the period, 0.001 s");
  EXPECT_EQ(sentence_in("joints: {lift: {board: {watchdog: 0.1 ms}}}"),
            "board.watchdog of lift, 0.0001 s, is shorter than the period, 0.001 s");
}

TEST(RobotFile, ABoardThatCannotDoWhatItIsAskedIsRefused) {
  EXPECT_EQ(sentence_in("joints: {lift: {closes_position: board, board: {drive_modes: [off, "
                        "torque]}}}"),
            "the board of lift can't close the position loop: its drive_modes lack \"position\"");
  EXPECT_EQ(sentence_in("joints: {lift: {board: {ambient: 95 degC}}}"),
            "ambient of lift, 95 degC, is not below temperature_max, 90 degC");
}

TEST(RobotFile, BlamesTheParticularBeforeTheGeneral) {
  EXPECT_EQ(errors_in("defaults: {soft_margin: 0.1}\n"
                      "parts: {arms: [l_elbow, r_elbow]}\n"
                      "joints: {arms: {soft_margin: 0.2}, r_elbow: {soft_margin: 3}}\n"),
            "robot.yaml:5:59: soft_margin of r_elbow, 3, leaves nothing of its range, -2 to 2.5\n"
            "  joints: {arms: {soft_margin: 0.2}, r_elbow: {soft_margin: 3}}\n"
            "                                                            ^");
}

}  // namespace
}  // namespace jointrig::harness
