/// Parameters and service calls of viewers become commands, or are refused in a sentence.

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <stdexcept>

#include "control/core/command_facts.h"
#include "remote/viewer_parameters.h"
#include "remote/viewer_services.h"
#include "tests/support/ideal_robot.h"

namespace jointrig::remote {
namespace {

using testing::ideal_config;

TEST(ViewerParametersTest, EachNumberOfAJointIsSetByTheCommandThatHasItsNameItsJointAndItsValue) {
  const RobotConfig robot = ideal_config(3);
  const ViewerParameters parameters(robot);
  for (std::size_t joint = 0; joint < robot.joints.size(); ++joint) {
    for (const JointParameter one : kAllJointParameter) {
      const std::string name = robot.joints[joint].name + "/" + std::string(to_string(one));
      const Request request = parameters.command_for({name, 0.25});
      const auto* const set = std::get_if<SetParameter>(&request);
      ASSERT_NE(set, nullptr) << name;
      EXPECT_EQ(set->parameter, one);
      EXPECT_EQ(set->joints.count(), 1U);
      EXPECT_TRUE(set->joints.test(joint));
      ASSERT_EQ(set->values.size(), 1U);
      EXPECT_EQ(set->values[0].value, 0.25);
    }
  }
}

TEST(ViewerParametersTest, ValuesAreThoseOfTheTableAndComplianceThatOfTheSnapshot) {
  const RobotConfig robot = ideal_config(2);
  ViewerParameters parameters(robot);
  ParameterTable table;
  double next = 1.0;
  for (std::vector<double>& row : table) row = {next++, next++};
  Snapshot now;
  now.speed_override = 0.5;
  now.joints.resize(2);
  now.joints[1].stiffness = 77.0;
  parameters.look(now, table);

  const auto value = [&](const std::string& name) {
    return std::get<double>(parameters.named({name}).at(0).value);
  };
  EXPECT_EQ(value("speed_override"), 0.5);
  EXPECT_EQ(value(robot.joints[1].name + "/stiffness"), 77.0);
  EXPECT_EQ(value(robot.joints[0].name + "/kp"), 1.0);
  EXPECT_EQ(value(robot.joints[1].name + "/kp"), 2.0);
  EXPECT_EQ(value(robot.joints[1].name + "/torque_rate_max"), 22.0);
}

/// Request to a service, by its definition, with the robot's first joint where joints are named.
std::vector<std::byte> a_request(const RobotConfig& robot) {
  std::vector<std::byte> bytes{std::byte{0}, std::byte{1}, std::byte{0}, std::byte{0}};
  const auto put = [&](const void* from, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(from);
    bytes.insert(bytes.end(), first, first + size);
  };
  const auto put_text = [&](const std::string& text) {
    while (bytes.size() % 4 != 0) bytes.push_back(std::byte{0});
    const auto length = static_cast<std::uint32_t>(text.size() + 1);
    put(&length, 4);
    put(text.c_str(), length);
  };
  const std::uint32_t joints = 1;
  put(&joints, 4);
  put_text(robot.joints[0].name);
  put_text("idle");
  return bytes;
}

TEST(ViewerServices, ARequestIsACommandWhateverItsPlaceAndAnyBytesAreOneOrARefusal) {
  const RobotConfig robot = ideal_config(2);
  ServiceWish wish;
  wish.service = 100 + static_cast<std::uint32_t>(CommandKind::kSetMode);
  wish.request = a_request(robot);
  const Request request = command_of(wish, robot);
  const auto* const set = std::get_if<SetMode>(&request);
  ASSERT_NE(set, nullptr);
  EXPECT_EQ(set->mode, ModeRequest::kIdle);
  EXPECT_TRUE(set->joints.test(0));
  EXPECT_EQ(set->joints.count(), 1U);

  std::mt19937 random(14);
  std::size_t refused = 0;
  constexpr std::size_t kTries = 60'000;
  for (std::size_t i = 0; i < kTries; ++i) {
    ServiceWish other = wish;
    for (std::size_t k = 0; k <= i % 3; ++k) {
      other.request[random() % other.request.size()] = static_cast<std::byte>(random());
    }
    if (i % 5 == 0) other.request.resize(random() % other.request.size());
    if (i % 7 == 0) other.service = 100 + static_cast<std::uint32_t>(random() % 61);
    try {
      static_cast<void>(command_of(other, robot));
    } catch (const std::invalid_argument&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, kTries / 2);
  EXPECT_LT(refused, kTries) << "some changes leave sense";
}

}  // namespace
}  // namespace jointrig::remote
