// The C++ half of robot_log_python_test.py.
//
//     robot_log_tool run LOG EXPECTED CYCLES   a synthetic run, and each value in it as text
//     robot_log_tool endless LOG               a run in real time until killed; prints its time
//     robot_log_tool fields                    the tables of docs/logging.md

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <iostream>
#include <string>
#include <thread>

#include "harness/log/event_text.h"
#include "harness/log/log_messages.h"
#include "harness/log/robot_log.h"
#include "tests/harness/log/synthetic_run.h"

namespace jointrig::harness {
namespace {

constexpr std::size_t kJoints = 7;

/// Lines of "topic time_ns field value", doubles in hexadecimal so that no bit gets lost.
class Expected {
 public:
  explicit Expected(const std::string& path) : file_(std::fopen(path.c_str(), "w")) {}
  ~Expected() { std::fclose(file_); }
  Expected(const Expected&) = delete;
  Expected& operator=(const Expected&) = delete;

  void at(const std::string& topic, TimeNs time) {
    topic_ = topic;
    time_ = time;
  }
  void number(const char* field, double value) {
    std::fprintf(file_, "%s %" PRId64 " %s f:%a\n", topic_.c_str(), time_, field, value);
  }
  void natural(const char* field, std::uint64_t value) {
    std::fprintf(file_, "%s %" PRId64 " %s i:%" PRIu64 "\n", topic_.c_str(), time_, field, value);
  }
  void word(const char* field, std::string_view value) {
    std::fprintf(file_, "%s %" PRId64 " %s s:%.*s\n", topic_.c_str(), time_, field,
                 static_cast<int>(value.size()), value.data());
  }

 private:
  std::FILE* file_;
  std::string topic_;
  TimeNs time_ = 0;
};

void expect_joint(Expected& out, const std::string& name, TimeNs t, const JointSnapshot& j) {
  out.at("/j/" + name, t);
  out.natural("stamp.sec", static_cast<std::uint64_t>(t / 1'000'000'000));
  out.natural("stamp.nanosec", static_cast<std::uint64_t>(t % 1'000'000'000));
  out.number("q", j.state.q);
  out.number("v", j.state.v);
  out.number("tau", j.state.tau);
  out.number("current", j.state.current_A);
  out.number("temperature", j.state.temperature_C);
  out.number("q_ref", j.reference.q);
  out.number("v_ref", j.reference.v);
  out.number("a_ref", j.reference.a);
  out.number("tau_ref", j.reference.tau);
  out.number("duty_ref", j.reference.duty);
  out.number("q_cmd", j.setpoint.q);
  out.number("v_cmd", j.setpoint.v);
  out.number("tau_cmd", j.setpoint.tau);
  out.number("duty_cmd", j.setpoint.duty);
  out.number("stiffness", j.stiffness);
  out.number("damping", j.damping);
  out.number("error", j.reference.q - j.state.q);
  out.number("timeout_left", j.timeout_left);
  out.word("MODE", to_string(j.mode));
  out.word("INTERACTION", to_string(j.interaction));
  out.word("BOARD", to_string(j.state.status));
  out.word("DRIVE", to_string(j.setpoint.drive));
  out.word("FAULT", to_string(j.fault.code));
  for (const Limit limit : kAllLimit) {
    out.word(j.limits.has(limit) ? "LIMIT" : "NO_LIMIT", to_string(limit));
  }
  out.natural("moving", j.moving ? 1 : 0);
  out.natural("timed_out", j.timed_out ? 1 : 0);
}

void expect_joint_states(Expected& out, const RobotConfig& config, const Snapshot& snapshot) {
  out.at("/joint_states", snapshot.time_ns);
  for (std::size_t i = 0; i < config.joints.size(); ++i) {
    const std::string index = "[" + std::to_string(i) + "]";
    const JointState& state = snapshot.joints[i].state;
    out.word(("name" + index).c_str(), config.joints[i].name);
    out.number(("position" + index).c_str(), state.q);
    out.number(("velocity" + index).c_str(), state.v);
    out.number(("effort" + index).c_str(), state.tau);
  }
}

void expect_event(Expected& out, const RobotConfig& config, const Event& e) {
  out.at("/events", e.time_ns);
  out.word("msg", sentence(e, config, "panel"));
  out.word("name", config.joints[e.joint].name);
  out.at("/event_data", e.time_ns);
  out.natural("cycle", e.cycle);
  out.natural("number", e.number);
  out.number("value", e.value);
  out.number("limit", e.limit);
  out.natural("sender", e.sender);
  out.natural("joint", e.joint);
  out.word("KIND", to_string(e.kind));
  out.word("COMMAND", to_string(e.command));
  out.word("REASON", to_string(e.reason));
  out.word("FAULT", to_string(e.fault));
  out.word("MODE", to_string(e.mode));
  out.natural("was", static_cast<std::uint64_t>(e.was));
  out.natural("detail", e.detail);
  out.word("QUANTITY", to_string(e.quantity));
  out.word("kind_word", to_string(e.kind));
  out.word("joint_name", config.joints[e.joint].name);
  out.word("sender_name", "panel");
}

void append_command(RobotLog& log, Expected& out, const SyntheticRun& run) {
  const Snapshot& now = run.snapshot();
  Move move;
  move.joints.set(2).set(5);
  move.values.push_back({0.1, 0.2});
  move.values.push_back({-0.3, 0.4});
  const Command command{
      .request = move, .sender = 1, .number = now.cycle, .time_ns = now.time_ns - 1};
  log.append(command, now.cycle, now.time_ns);
  out.at("/commands", now.time_ns);
  out.natural("cycle", now.cycle);
  out.natural("number", now.cycle);
  out.word("COMMAND", "move");
  out.natural("joints[0]", 2);
  out.natural("joints[1]", 5);
  out.word("value_fields[0]", "goal");
  out.word("value_fields[1]", "speed");
  out.number("numbers[0]", 0.1);
  out.number("numbers[1]", 0.2);
  out.number("numbers[2]", -0.3);
  out.number("numbers[3]", 0.4);
}

int run(const std::string& path, const std::string& expected_path, int cycles) {
  const RobotConfig config = synthetic_robot(kJoints);
  EventRing events;
  CommandInbox inbox;
  inbox.connect("panel");
  SyntheticRun run(kJoints);
  Expected out(expected_path);
  RobotLogOptions options;
  options.own_thread = false;
  options.run = {{"seed", "42"}, {"scenario", "synthetic.yaml"}};
  options.attachments = {{"robot.yaml", "application/yaml", "joints: {}\n"}};
  RobotLog log(path, config, events, inbox, options);
  for (int i = 0; i < cycles; ++i) {
    run.step();
    if (i % 7 == 3) {  // one at a time: the test tells messages apart by topic and time
      const Event event = run.event();
      events.publish(event);
      expect_event(out, config, event);
    }
    if (i % 100 == 50) append_command(log, out, run);
    log.push(run.snapshot(), run.state());
    const TimeNs t = run.snapshot().time_ns;
    for (std::size_t j = 0; j < kJoints; ++j) {
      expect_joint(out, config.joints[j].name, t, run.snapshot().joints[j]);
    }
    if (i % 10 == 0) expect_joint_states(out, config, run.snapshot());
    out.at("/loop", t);
    out.natural("cycle", run.snapshot().cycle);
    out.natural("overruns", run.snapshot().overruns);
    out.number("jitter_us", 4.5);
  }
  return log.close().ok ? 0 : 1;
}

int endless(const std::string& path) {
  EventRing events;
  CommandInbox inbox;
  SyntheticRun run(kJoints);
  RobotLogOptions options;
  RobotLog log(path, synthetic_robot(kJoints), events, inbox, options);
  auto start = std::chrono::steady_clock::now();
  for (int cycle = 0;; ++cycle) {
    run.step();
    log.push(run.snapshot(), run.state());
    if (cycle % 50 == 0) std::cout << run.snapshot().time_ns << std::endl;
    // A stop of the machine is not caught up: the log's time never outruns the clock's.
    const auto due = start + std::chrono::milliseconds(cycle + 1);
    const auto now = std::chrono::steady_clock::now();
    if (now > due) start += now - due;
    std::this_thread::sleep_until(due);
  }
}

void print_table(const char* topic, const MessageSchema& schema) {
  std::cout << "### `" << topic << "`: " << schema.name() << "\n\n"
            << "| field | type | unit | meaning |\n| --- | --- | --- | --- |\n";
  for (const MessageField& field : schema.fields()) {
    std::string type(field.message != nullptr ? field.message->name()
                                              : std::string(to_string(field.type)));
    if (field.shape == FieldShape::kArray) type += "[" + std::to_string(field.count) + "]";
    if (field.shape == FieldShape::kSequence) type += "[]";
    std::cout << "| `" << field.name << "` | " << type << " | " << field.unit << " | "
              << field.comment << " |\n";
  }
  std::cout << "\n";
}

/// A law of one's own has the fields that it declares, in the order of its declaration.
LawConfig any_law() {
  LawConfig law;
  law.name = "example";
  law.signals = {{"signal", "its own"}};
  law.parameters = {{.name = "parameter", .unit = "its own"}};
  return law;
}

int fields() {
  print_table("/j/<joint>", *joint_message_schema(false).schema());
  print_table("/board/<joint>", *board_message_schema(false).schema());
  print_table("/raw/<joint>", *raw_message_schema(false).schema());
  print_table("/loop", *loop_message_schema().schema());
  print_table("/base", *base_message_schema().schema());
  print_table("/ft/<number>", *force_torque_message_schema().schema());
  print_table("/imu/<number>", *imu_message_schema().schema());
  print_table("/arm/<arm>", *arm_message_schema().schema());
  print_table("/law/<law>", *law_message_schema(any_law()));
  print_table("/gripper/<gripper>", *gripper_message_schema().schema());
  print_table("/protection", *protection_message_schema().schema());
  print_table("/protection/<joint>", *joint_protection_message_schema(false).schema());
  print_table("/truth/<joint>", *joint_truth_message_schema(false).schema());
  print_table("/body/<name>`, `/site/<name>", *point_message_schema().schema());
  print_table("/contact/<body>", *contact_message_schema().schema());
  print_table("/event_data", *event_message_schema());
  print_table("/commands", *command_message_schema());
  return 0;
}

int dispatch(const std::vector<std::string>& arguments) {
  const std::string verb = arguments.empty() ? "" : arguments[0];
  if (verb == "run") return run(arguments.at(1), arguments.at(2), std::stoi(arguments.at(3)));
  if (verb == "endless") return endless(arguments.at(1));
  if (verb == "fields") return fields();
  std::cerr << "robot_log_tool: no verb '" << verb << "'\n";
  return 2;
}

}  // namespace
}  // namespace jointrig::harness

int main(int argc, char** argv) {
  try {
    return jointrig::harness::dispatch({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
