// The schema, the structs and the tables of keys are three lists of the same things.

#include <nlohmann/json.hpp>
#include <set>

#include "harness/config/joint_settings.h"
#include "harness/config/units.h"
#include "tests/harness/config/support.h"

namespace jointrig::harness {
namespace {

using nlohmann::json;

const json& properties(const char* definition) {
  static const json kSchema = json::parse(robot_schema_text());
  return kSchema.at("definitions").at(definition).at("properties");
}

// A default in the schema, as a number in SI.
double default_number(const json& property) {
  const json& value = property.at("default");
  if (value.is_number()) return value.get<double>();
  return quantity(parse_yaml(value.get<std::string>(), "default"),
                  property.at("x-unit").get<std::string>());
}

TEST(RobotSchema, NumbersOfTheBoardHaveTheDefaultsOfTheStruct) {
  JointConfig joint;
  for (const JointNumber& number : kBoardNumbers) {
    SCOPED_TRACE(number.key);
    EXPECT_EQ(default_number(properties("board").at(std::string(number.key))), number.field(joint));
  }
}

TEST(RobotSchema, ABrakesTimesHaveTheDefaultsOfTheStruct) {
  JointConfig joint;
  for (const JointNumber& number : kBrakeNumbers) {
    SCOPED_TRACE(number.key);
    if (number.zero_is_unset) continue;  // its torque has to be given
    EXPECT_EQ(default_number(properties("brake").at(std::string(number.key))), number.field(joint));
  }
}

TEST(RobotSchema, DefaultsOfDrivesAndBusesAreThoseOfTheStructs) {
  JointConfig joint;
  for (const JointNumber& number : kDriveNumbers) {
    SCOPED_TRACE(number.key);
    const json& property = properties("drive").at(std::string(number.key));
    if (property.contains("default")) {
      EXPECT_EQ(default_number(property), number.field(joint));
    } else {
      EXPECT_EQ(number.field(joint), 0.0) << "not told";
    }
  }
  for (const DriveFlag& flag : kDriveFlags) {
    EXPECT_EQ(properties("drive").at(std::string(flag.key)).at("default"), joint.drive.*flag.field);
  }
  for (const DriveInteger& integer : kDriveIntegers) {
    if (integer.key == "node") continue;  // must be given
    EXPECT_EQ(properties("drive").at(std::string(integer.key)).at("default"),
              joint.drive.*integer.field);
  }
  const BusConfig bus;
  EXPECT_EQ(properties("bus").at("bit_rate").at("default"), bus.bit_rate);
  EXPECT_EQ(properties("bus").at("data_bit_rate").at("default"), bus.data_bit_rate);
  EXPECT_EQ(default_number(properties("bus").at("budget")), bus.budget);
  EXPECT_EQ(bus.cycle_ns, 0) << "the period";
}

TEST(RobotSchema, OtherDefaultsAreThoseOfTheStructs) {
  const JointConfig joint;
  const RobotConfig robot;
  EXPECT_EQ(default_number(properties("timeout").at("after")), joint.timeout.seconds);
  EXPECT_EQ(properties("timeout").at("reaction").at("default"), to_string(joint.timeout.reaction));
  EXPECT_EQ(properties("joint").at("gravity_in_torque").at("default"), joint.gravity_in_torque);
  EXPECT_EQ(properties("joint").at("closes_position").at("default") == "board",
            joint.board_closes_position);
  EXPECT_EQ(properties("board").at("needs_calibration").at("default"),
            joint.board.needs_calibration);
  for (const DriveMode mode : kAllDriveMode) {
    const json& words = properties("board").at("drive_modes").at("default");
    const bool is_there = std::find(words.begin(), words.end(), to_string(mode)) != words.end();
    EXPECT_EQ(is_there, joint.board.drive_modes.has(mode)) << to_string(mode);
  }
  EXPECT_EQ(to_ns(default_number(properties("robot").at("period"))), robot.period_ns);
  EXPECT_EQ(properties("robot").at("delay_cycles").at("default"), robot.delay_cycles);
  EXPECT_EQ(default_number(properties("robot").at("speed_override")), robot.speed_override);
  EXPECT_EQ(properties("robot").at("pin_base").at("default"), robot.pin_base);
  EXPECT_EQ(properties("robot").at("motors").at("default"), robot.motors);
  const json& plant = properties("robot").at("plant").at("properties");
  EXPECT_EQ(default_number(plant.at("mass_scale")), robot.plant.mass_scale);
  EXPECT_EQ(default_number(plant.at("friction_scale")), robot.plant.friction_scale);
  EXPECT_EQ(plant.at("keep_overlaps").at("default"), robot.plant.keep_overlaps);
  EXPECT_EQ(default_number(plant.at("encoder_noise")), robot.plant.encoder_noise);
  EXPECT_EQ(default_number(plant.at("torque_noise")), robot.plant.torque_noise);
  EXPECT_EQ(plant.at("seed").at("default"), robot.plant.seed);
}

TEST(RobotSchema, WordsAreThoseOfTheEnumerations) {
  const auto words = [](const json& property) {
    return property.at("enum").get<std::vector<std::string_view>>();
  };
  EXPECT_EQ(
      words(properties("timeout").at("reaction")),
      std::vector<std::string_view>(kTimeoutReactionWords.begin(), kTimeoutReactionWords.end()));
  EXPECT_EQ(words(properties("joint").at("backend")),
            std::vector<std::string_view>(kBackendKindWords.begin(), kBackendKindWords.end()));
  EXPECT_EQ(words(properties("board").at("drive_modes").at("items")),
            std::vector<std::string_view>(kDriveModeWords.begin(), kDriveModeWords.end()));
  EXPECT_EQ(words(properties("bus").at("protocol")),
            std::vector<std::string_view>(kBusProtocolWords.begin(), kBusProtocolWords.end()));
  EXPECT_EQ(words(properties("drive").at("velocity_unit")),
            std::vector<std::string_view>(kDriveVelocityUnitWords.begin(),
                                          kDriveVelocityUnitWords.end()));
  EXPECT_EQ(
      words(properties("drive").at("torque_base")),
      std::vector<std::string_view>(kDriveTorqueBaseWords.begin(), kDriveTorqueBaseWords.end()));
}

TEST(RobotSchema, HasTheKeysAndUnitsThatAreReadAndNoOthers) {
  const auto keys_of = [](const json& list) {
    std::set<std::string> keys;
    for (const auto& [key, value] : list.items()) keys.insert(key);
    return keys;
  };
  std::set<std::string> joint{"inertia",
                              "bandwidth",
                              "damping_ratio",
                              "timeout",
                              "gravity_in_torque",
                              "closes_position",
                              "board",
                              "brake",
                              "drive",
                              "backend",
                              "cycle"};
  for (const JointNumber& number : kJointNumbers) {
    joint.insert(std::string(number.key));
    EXPECT_EQ(properties("joint").at(std::string(number.key)).at("x-unit"), number.units);
  }
  std::set<std::string> board{"drive_modes", "needs_calibration"};
  for (const JointNumber& number : kBoardNumbers) {
    board.insert(std::string(number.key));
    EXPECT_EQ(properties("board").at(std::string(number.key)).at("x-unit"), number.units);
  }
  for (const BoardOption& option : kBoardOptions) {
    board.insert(std::string(option.key));
    EXPECT_EQ(properties("board").at(std::string(option.key)).at("x-unit"), option.units);
  }
  std::set<std::string> brake;
  for (const JointNumber& number : kBrakeNumbers) {
    brake.insert(std::string(number.key));
    EXPECT_EQ(properties("brake").at(std::string(number.key)).at("x-unit"), number.units);
  }
  EXPECT_EQ(keys_of(properties("brake")), brake);
  std::set<std::string> drive{"bus",     "layout", "velocity_unit", "torque_base",
                              "without", "pdos",   "profile"};
  for (const JointNumber& number : kDriveNumbers) {
    drive.insert(std::string(number.key));
    EXPECT_EQ(properties("drive").at(std::string(number.key)).at("x-unit"), number.units);
  }
  for (const DriveInteger& integer : kDriveIntegers) drive.insert(std::string(integer.key));
  for (const DriveFlag& flag : kDriveFlags) drive.insert(std::string(flag.key));
  for (const DriveIdentityKey& part : kDriveIdentity) drive.insert(std::string(part.key));
  EXPECT_EQ(keys_of(properties("joint")), joint);
  EXPECT_EQ(keys_of(properties("drive")), drive);
  EXPECT_EQ(keys_of(properties("board")), board);
}

TEST(RobotSchema, EveryKeyHasAMeaningInTheTable) {
  const std::string table = robot_schema().tables_markdown();
  std::size_t rows = 0;
  for (std::size_t at = table.find("| `"); at != std::string::npos; at = table.find("\n| `", at)) {
    const std::size_t begin = table.find("| `", at);
    const std::string row = table.substr(begin, table.find('\n', begin) - begin);
    at = begin;
    ++rows;
    const bool is_name = row.find("<pose>` |") != std::string::npos ||
                         row.find("joints.<joint>` |") != std::string::npos ||
                         row.find("arms.<arm>` |") != std::string::npos ||
                         row.find("buses.<bus>` |") != std::string::npos ||
                         row.find("feet.<foot>` |") != std::string::npos ||
                         row.find("laws.<law>` |") != std::string::npos ||
                         row.find("grippers.<gripper>` |") != std::string::npos ||
                         row.find("parameters.<name>` |") != std::string::npos;
    EXPECT_TRUE(is_name || !row.ends_with("|  |")) << row;
  }
  EXPECT_GT(rows, 60U);
}

}  // namespace
}  // namespace jointrig::harness
