// Reading a file ends in a robot or in a FileError, whatever stands in it.

#include <random>

#include "tests/harness/config/support.h"

namespace jointrig::harness {
namespace {

const std::string kFile = R"(schema: 1
name: odd
model: odd.xml
period: 1 ms
parts: {arms: [l_elbow, r_elbow]}
poses:
  home: {arms: [10 deg, 0.2], lift: 3 cm}
defaults: &d
  velocity_max: 2
  timeout: {after: 100 ms, reaction: hold}
joints:
  arms: {bandwidth: 8 Hz, damping_ratio: 90 %}
  r_elbow:
    <<: *d
    stiffness: 20 Nm/rad
    ki: 3 Nm/(rad s)
    acceleration_max: 5 rad/s^2
    board: {drive_modes: [off, torque], supply: 24 V, encoder_step: 1.5e-6}
plant: {payloads: [{body: "h\x61nd", mass: 500 g}], mass_scale: 110 %, seed: 7}
)";

enum class Outcome { kRobot, kFileError };

// Anything else that is thrown fails the test.
Outcome outcome(const std::string& text) {
  RobotConfig robot = a_robot();
  try {
    apply_robot_file(parse_yaml(text, "robot.yaml"), robot);
  } catch (const FileError& error) {
    EXPECT_FALSE(std::string(error.what()).empty());
    EXPECT_EQ(robot, a_robot());
    return Outcome::kFileError;
  }
  return Outcome::kRobot;
}

TEST(Mutation, TheFileItselfIsARobot) { EXPECT_EQ(outcome(kFile), Outcome::kRobot); }

TEST(Mutation, EveryTruncationEndsWell) {
  int errors = 0;
  for (std::size_t length = 0; length < kFile.size(); ++length) {
    SCOPED_TRACE(length);
    errors += outcome(kFile.substr(0, length)) == Outcome::kFileError ? 1 : 0;
  }
  EXPECT_GT(errors, 100);
}

TEST(Mutation, RandomChangesEndWell) {
  const std::vector<std::string> pieces{"*d", "&d ",  "<<: ",  "{",  "}",   "[",        "]",
                                        ": ", "- ",   "\n",    "\t", "---", "\xFF\xFE", "!!int ",
                                        "~",  ".nan", "1e999", "-",  "'",   "\"",       "\xC3"};
  std::mt19937_64 random(7);
  const auto below = [&random](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  int robots = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string text = kFile;
    for (std::size_t change = 0; change <= below(4); ++change) {
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text.erase(at, 1 + below(12));
          break;
        case 2:
          text.insert(at, pieces[below(pieces.size())]);
          break;
        default:
          text.insert(at, text.substr(below(text.size()), below(40)));
      }
      if (text.empty()) text = " ";
    }
    SCOPED_TRACE(text);
    robots += outcome(text) == Outcome::kRobot ? 1 : 0;
  }
  EXPECT_GT(robots, 20);    // some changes hit a name or a number and do no harm
  EXPECT_LT(robots, 1500);  // and most do harm
}

}  // namespace
}  // namespace jointrig::harness
