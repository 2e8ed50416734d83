/// A million messages of any content, without a socket in between: each is refused in a sentence,
/// or is a command that comes back as it went.

#include <google/protobuf/stubs/logging.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "control/core/command_facts.h"
#include "remote/command_message.h"
#include "remote/robot.pb.h"

namespace jointrig::remote {
namespace {

constexpr int kMessages = 1'000'000;

/// A robot in which fields, joints and arms have something to name.
RobotConfig armed_robot() {
  RobotConfig robot;
  for (const char* name : {"waist", "elbow", "wrist"}) robot.joints.emplace_back().name = name;
  robot.parts.push_back({"upper", {2, 1}});
  robot.arms.emplace_back().name = "arm";
  return robot;
}

class MessageFuzz : public ::testing::Test {
 protected:
  /// One message for each kind, as a client of ours would write it, and with numbers at the edge.
  void SetUp() override {
    google::protobuf::SetLogHandler(nullptr);  // a line for each text that is no UTF-8
    for (const CommandKind kind : kAllCommandKind) {
      v1::Command message;
      message.set_kind(std::string(to_string(kind)));
      message.set_epoch(1);
      if (is_for_arm(kind)) message.set_arm("arm");
      const bool names_joints =
          std::visit([]<typename C>(const C&) { return NamesJoints<C>; }, blank_request(kind));
      if (names_joints) message.add_joints("upper");
      for (const FieldInfo& info : fields_of(kind)) add(info, info.most, message);
      for (const FieldInfo& info : value_fields_of(kind)) add(info, 1, message);
      seeds_.push_back(message.SerializeAsString());
    }
  }
  void add(const FieldInfo& info, std::size_t count, v1::Command& message) {
    v1::Field& field = *message.add_fields();
    field.set_name(std::string(info.name));
    for (std::size_t i = 0; i < count; ++i) {
      if (info.words.empty()) {
        field.add_numbers(0.5 * static_cast<double>(i));
      } else {
        field.add_words(std::string(info.words.front()));
      }
    }
  }
  std::size_t below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
  }

  /// Bytes turned, cut out, doubled, or put in from another message.
  std::string mutated() {
    std::string bytes = seeds_[below(seeds_.size())];
    for (std::size_t times = below(4); times > 0 && !bytes.empty(); --times) {
      const std::size_t at = below(bytes.size());
      const std::string& other = seeds_[below(seeds_.size())];
      switch (below(4)) {
        case 0:
          bytes[at] = static_cast<char>(below(256));
          break;
        case 1:
          bytes.erase(at, below(20));
          break;
        case 2:
          bytes.insert(at, bytes.substr(at, below(20)));
          break;
        default:
          bytes.insert(at, other.substr(below(other.size()), below(30)));
      }
    }
    return bytes;
  }
  /// A message in whose structure one thing is wrong, where bytes turned seldom reach.
  void twist(v1::Command& message) {
    static const double kWild[] = {-1.0, 1e308, std::numeric_limits<double>::quiet_NaN(),
                                   -std::numeric_limits<double>::infinity(), 4e9};
    if (message.fields_size() == 0) return;
    v1::Field& field = *message.mutable_fields(static_cast<int>(below(message.fields_size())));
    switch (below(6)) {
      case 0:
        field.add_numbers(kWild[below(std::size(kWild))]);
        break;
      case 1:
        field.clear_numbers();
        break;
      case 2:
        field.add_words("position");
        break;
      case 3:
        for (double& number : *field.mutable_numbers()) number = kWild[below(std::size(kWild))];
        break;
      case 4:
        message.add_joints(below(2) == 0 ? "waist" : "elbow");
        break;
      default:
        message.set_arm(below(2) == 0 ? "" : "leg");
    }
  }

  RobotConfig robot_ = armed_robot();
  std::vector<std::string> seeds_;
  std::mt19937 random_{20261};
};

TEST_F(MessageFuzz, AMillionEndInASentenceOrInACommandThatComesBackAsItWent) {
  int unreadable = 0;
  int refused = 0;
  int taken = 0;
  v1::Command message;
  for (int i = 0; i < kMessages; ++i) {
    if (!message.ParseFromString(mutated())) {
      ++unreadable;
      continue;
    }
    if (below(3) == 0) twist(message);
    try {
      const Request request = read_command(message, robot_);
      ++taken;
      v1::Command back;
      write_command(request, robot_, back);
      v1::Command again;
      write_command(read_command(back, robot_), robot_, again);
      // As bytes, since NaN differs from itself.
      ASSERT_EQ(back.SerializeAsString(), again.SerializeAsString()) << message.DebugString();
    } catch (const std::invalid_argument& error) {
      ++refused;
      ASSERT_NE(error.what()[0], '\0');
    }
  }
  // All three ways are walked many times.
  EXPECT_GT(unreadable, kMessages / 20);
  EXPECT_GT(refused, kMessages / 20);
  EXPECT_GT(taken, kMessages / 20);
}

}  // namespace
}  // namespace jointrig::remote
