/// Every command goes into the log with the names of its numbers, and comes out of it again equal.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "control/core/command_facts.h"
#include "control/core/command_numbers.h"
#include "harness/log/command_words.h"
#include "harness/log/log_reader.h"
#include "harness/log/mcap/cdr.h"
#include "harness/log/robot_log.h"
#include "tests/harness/log/synthetic_run.h"

namespace jointrig::harness {
namespace {

/// Numbers that differ, words and flags that there are; lists as long as they can be.
std::vector<double> some_numbers(std::span<const FieldInfo> fields, double first) {
  std::vector<double> numbers;
  for (const FieldInfo& field : fields) {
    for (std::size_t i = 0; i < field.most; ++i) {
      const std::size_t words = field.range == Range::kFlag ? 2 : field.words.size();
      numbers.push_back(words == 0 ? first + static_cast<double>(numbers.size())
                                   : static_cast<double>((i + 1) % words));
    }
  }
  return numbers;
}

Request filled_in(CommandKind kind, std::span<const JointIndex> joints) {
  Request request = blank_request(kind);
  EXPECT_TRUE(fill_fields(request, some_numbers(fields_of(kind), 0.125)));
  double first = -1000.5;
  for (const JointIndex joint : joints) {
    add_joint(request, joint, some_numbers(value_fields_of(kind), first += 10.0));
  }
  set_arm(request, 1);
  return request;
}

/// A message of /commands.
struct Logged {
  std::uint64_t cycle = 0;
  std::uint64_t number = 0;
  std::int64_t time_ns = 0;
  std::uint16_t sender = 0;
  CommandKind kind{};
  ArmIndex arm = 0;
  std::vector<JointIndex> joints;
  std::vector<std::string> fields;
  std::vector<std::string> value_fields;
  std::vector<double> numbers;
};

template <typename Get>
auto list_of(CdrReader& in, Get&& get) {
  std::vector<decltype(get())> list(in.get<std::uint32_t>());
  for (auto& element : list) element = get();
  return list;
}

Logged decode(std::span<const std::byte> data) {
  CdrReader in(data);
  in.get<std::int32_t>();
  in.get<std::uint32_t>();
  Logged message;
  message.cycle = in.get<std::uint64_t>();
  message.number = in.get<std::uint64_t>();
  message.time_ns = in.get<std::int64_t>();
  message.sender = in.get<std::uint16_t>();
  message.kind = static_cast<CommandKind>(in.get<std::uint8_t>());
  message.arm = in.get<std::uint8_t>();
  const auto text = [&] { return std::string(in.get_string()); };
  message.joints = list_of(in, [&] { return in.get<std::uint16_t>(); });
  message.fields = list_of(in, text);
  message.value_fields = list_of(in, text);
  message.numbers = list_of(in, [&] { return in.get<double>(); });
  EXPECT_TRUE(in.ok());
  EXPECT_EQ(in.left(), 0U);
  return message;
}

Request request_of(const Logged& message) {
  const std::span<const double> numbers(message.numbers);
  Request request = blank_request(message.kind);
  EXPECT_TRUE(fill_fields(request, numbers.first(message.fields.size())));
  std::size_t at = message.fields.size();
  for (const JointIndex joint : message.joints) {
    const std::size_t count = message.value_fields.size();
    EXPECT_TRUE(add_joint(request, joint, numbers.subspan(at, count)));
    at += count;
  }
  EXPECT_EQ(at, numbers.size());
  set_arm(request, message.arm);
  return request;
}

struct CommandLogTest : testing::Test {
  CommandLogTest()
      : path((std::filesystem::temp_directory_path() /
              ("jointrig_command_log_" + std::to_string(::getpid()) + ".mcap"))
                 .string()) {
    inbox.connect("panel");
  }
  ~CommandLogTest() override { std::filesystem::remove(path); }

  /// Through a file.
  std::vector<Logged> logged(const std::vector<Command>& commands) {
    RobotLogOptions options;
    options.own_thread = false;
    RobotLog log(path, config, events, inbox, options);
    for (const Command& command : commands) log.append(command, 17, 17'000'000);
    SyntheticRun run(config.joints.size());
    run.step();
    log.push(run.snapshot(), run.state());
    log.close();
    const LogReader reader(path);
    std::vector<Logged> messages;
    const mcap::StoredChannel* channel = reader.file().find("/commands");
    if (channel == nullptr) return messages;
    reader.file().for_each({.channels = {channel->id}}, [&](const mcap::StoredMessage& message) {
      messages.push_back(decode(message.data));
      return true;
    });
    return messages;
  }

  std::string path;
  RobotConfig config = synthetic_robot(7);
  EventRing events;
  CommandInbox inbox;
};

TEST_F(CommandLogTest, ACommandOfAnyKindComesBackEqual) {
  std::vector<JointIndex> all;
  for (std::size_t i = 0; i < kMaxJoints; ++i) all.push_back(static_cast<JointIndex>(i));
  for (const auto& joints : {std::vector<JointIndex>{2, 5}, all}) {
    std::vector<Command> commands;
    for (const CommandKind kind : kAllCommandKind) {
      commands.push_back({.request = filled_in(kind, joints),
                          .sender = 1,
                          .number = commands.size() + 1,
                          .time_ns = 5});
    }
    const std::vector<Logged> messages = logged(commands);
    ASSERT_EQ(messages.size(), commands.size());
    for (std::size_t i = 0; i < messages.size(); ++i) {
      SCOPED_TRACE(to_string(kAllCommandKind[i]));
      EXPECT_EQ(messages[i].kind, kAllCommandKind[i]);
      EXPECT_EQ(messages[i].cycle, 17U);
      EXPECT_EQ(messages[i].number, i + 1);
      EXPECT_EQ(messages[i].sender, 1U);
      EXPECT_EQ(messages[i].time_ns, 5);
      EXPECT_EQ(request_of(messages[i]), commands[i].request);
      const std::set<std::string> fields(messages[i].fields.begin(), messages[i].fields.end());
      EXPECT_EQ(fields.size(), messages[i].fields.size()) << "no name twice";
    }
  }
}

TEST_F(CommandLogTest, NumbersHaveTheNamesOfTheirFields) {
  Move move;
  move.joints.set(2);
  move.values.push_back({0.5, 1.5});
  SetToolTarget target;
  target.arm = 0;
  SetToolDamping damping;
  damping.arm = 0;
  SetInteractionControl control;
  control.arm = 0;
  control.posture_stiffness.resize(2);
  const std::vector<Logged> messages = logged({{.request = move},
                                               {.request = target},
                                               {.request = damping},
                                               {.request = control},
                                               {.request = Stop{JointSet{}.set(3)}}});
  ASSERT_EQ(messages.size(), 5U);
  using Names = std::vector<std::string>;
  EXPECT_EQ(messages[0].fields, Names{});
  EXPECT_EQ(messages[0].value_fields, (Names{"goal", "speed"}));
  EXPECT_EQ(messages[0].numbers, (std::vector<double>{0.5, 1.5}));
  EXPECT_EQ(messages[1].fields,
            (Names{"position.x", "position.y", "position.z", "orientation.w", "orientation.x",
                   "orientation.y", "orientation.z", "frame"}));
  EXPECT_EQ(messages[2].fields, Names{"ratio"}) << "a list that is empty has no names";
  const Names& last = messages[3].fields;
  EXPECT_EQ(last.front(), "active");
  EXPECT_EQ(last[1], "mode.x");
  EXPECT_EQ(last[12], "stiffness.rz");
  EXPECT_EQ(last.back(), "posture_stiffness.1");
  EXPECT_EQ(last.size(), messages[3].numbers.size());
  EXPECT_EQ(messages[4].joints, std::vector<JointIndex>{3});
  EXPECT_TRUE(messages[4].numbers.empty());
}

}  // namespace
}  // namespace jointrig::harness
