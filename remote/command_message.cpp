#include "remote/command_message.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "control/core/command_facts.h"
#include "control/core/command_numbers.h"
#include "control/core/nearest_word.h"
#include "control/core/text.h"
#include "control/exchange/joint_order.h"
#include "control/exchange/robot_client.h"
#include "remote/robot.pb.h"

namespace jointrig::remote {
namespace {

using Numbers = std::vector<double>;
using Fields = std::span<const FieldInfo>;

// Writing ----------------------------------------------------------------------------------------

void write_number(const FieldInfo& info, double number, v1::Field& field) {
  const auto index = static_cast<std::size_t>(number);
  if (info.words.empty()) {
    field.add_numbers(number);
  } else {
    field.add_words(std::string(index < info.words.size() ? info.words[index] : "?"));
  }
}

std::string name_of(std::span<const double> letters) {
  std::string name;
  for (const double letter : letters) {
    if (letter != 0.0) name += static_cast<char>(letter);
  }
  return name;
}

/// A list is the last field, and takes all numbers that remain.
std::size_t count_of(const FieldInfo& info, const Numbers& numbers, std::size_t first) {
  return info.is_list ? numbers.size() - first : info.most;
}

void write_own(Fields infos, const Numbers& numbers, const RobotConfig& robot,
               v1::Command& message) {
  std::size_t next = 0;
  for (const FieldInfo& info : infos) {
    v1::Field& field = *message.add_fields();
    field.set_name(std::string(info.name));
    const std::size_t end = next + count_of(info, numbers, next);
    if (info.range == Range::kGripper &&
        numbers[next] < static_cast<double>(robot.grippers.size())) {
      field.add_words(robot.grippers[static_cast<std::size_t>(numbers[next++])].name);
    }
    if (info.range == Range::kObstacleName) {
      field.add_words(name_of(std::span(numbers).subspan(next, info.most)));
      next = end;
    }
    for (; next < end; ++next) write_number(info, numbers[next], field);
  }
}

void write_values(Fields infos, const Numbers& numbers, v1::Command& message) {
  for (std::size_t place = 0; place < infos.size(); ++place) {
    v1::Field& field = *message.add_fields();
    field.set_name(std::string(infos[place].name));
    for (std::size_t i = place; i < numbers.size(); i += infos.size()) {
      write_number(infos[place], numbers[i], field);
    }
  }
}

// Reading ----------------------------------------------------------------------------------------

/// Reads the fields of one message.
class Reader {
 public:
  Reader(const v1::Command& message, const RobotConfig& robot)
      : message_(&message), robot_(&robot), kind_(kind_named(message.kind())) {}

  [[nodiscard]] Request read() const {
    check_names();
    Request request = blank_request(kind_);
    Numbers own;
    for (const FieldInfo& info : fields_of(kind_)) add_own(info, own);
    fill_fields(request, own);
    read_arm(request);
    read_joints(request);
    return request;
  }

 private:
  static CommandKind kind_named(const std::string& word) {
    CommandKind kind{};
    if (parse(word, kind)) return kind;
    throw std::invalid_argument(
        fmt::format("no command \"{}\"{}", word, did_you_mean(word, kCommandKindWords)));
  }

  [[noreturn]] void refuse(std::string_view field, const std::string& what) const {
    throw std::invalid_argument(fmt::format("{}: {} {}", to_string(kind_), field, what));
  }

  /// Every field that is given must be one, and be given once.
  void check_names() const {
    std::vector<std::string_view> known;
    for (const FieldInfo& info : fields_of(kind_)) known.push_back(info.name);
    for (const FieldInfo& info : value_fields_of(kind_)) known.push_back(info.name);
    for (const v1::Field& field : message_->fields()) {
      if (std::find(known.begin(), known.end(), field.name()) == known.end()) {
        throw std::invalid_argument(fmt::format("{}: no field \"{}\"{}", to_string(kind_),
                                                field.name(), did_you_mean(field.name(), known)));
      }
      const auto same = [&](const v1::Field& other) { return other.name() == field.name(); };
      const auto& all = message_->fields();
      if (std::count_if(all.begin(), all.end(), same) > 1) refuse(field.name(), "is given twice");
    }
  }

  [[nodiscard]] const v1::Field& field(const FieldInfo& info) const {
    for (const v1::Field& field : message_->fields()) {
      if (field.name() == info.name) return field;
    }
    refuse(info.name, "is missing");
  }

  [[nodiscard]] double word_number(const FieldInfo& info, const std::string& given) const {
    for (std::size_t i = 0; i < info.words.size(); ++i) {
      if (info.words[i] == given) return static_cast<double>(i);
    }
    const std::string near = did_you_mean(given, info.words);
    refuse(info.name, fmt::format("has no word \"{}\"{}", given,
                                  near.empty() ? ": it has " + joined(info.words) : near));
  }

  /// Numbers of a field; words as their indices.
  [[nodiscard]] Numbers numbers_of(const FieldInfo& info) const {
    const v1::Field& given = field(info);
    // A gripper goes by its name, or by its number.
    if (info.range == Range::kGripper && given.words_size() == 1 && given.numbers_size() == 0) {
      return {static_cast<double>(gripper_named(*robot_, given.words(0)))};
    }
    // So does an obstacle, by its characters.
    if (info.range == Range::kObstacleName && given.words_size() == 1 &&
        given.numbers_size() == 0) {
      if (!fits_name(given.words(0))) refuse(info.name, "is no name of 1 to 16 characters");
      const ObstacleName name = obstacle_name(given.words(0));
      return {name.begin(), name.end()};
    }
    const bool has_words = !info.words.empty();
    if (has_words ? given.numbers_size() > 0 : given.words_size() > 0) {
      refuse(info.name, has_words ? "takes words, not numbers" : "takes numbers, not words");
    }
    Numbers numbers(given.numbers().begin(), given.numbers().end());
    for (const std::string& word : given.words()) numbers.push_back(word_number(info, word));
    return numbers;
  }

  void add_own(const FieldInfo& info, Numbers& all) const {
    const Numbers numbers = numbers_of(info);
    if (info.is_list ? numbers.size() > info.most : numbers.size() != info.most) {
      refuse(info.name, fmt::format("takes {}{} values, and {} are given",
                                    info.is_list ? "at most " : "", info.most, numbers.size()));
    }
    all.insert(all.end(), numbers.begin(), numbers.end());
  }

  void read_arm(Request& request) const {
    if (!is_for_arm(kind_)) {
      if (!message_->arm().empty()) refuse("arm", "is given, and the command is for no arm");
      return;
    }
    try {
      set_arm(request, arm_named(*robot_, message_->arm()));
    } catch (const UnknownName& error) {
      throw UnknownName(fmt::format("{}: {}", to_string(kind_), error.what()));
    }
  }

  /// Joints in the order of their names; a part's in its own order.
  [[nodiscard]] std::vector<JointIndex> named_joints() const {
    std::vector<JointIndex> joints;
    JointSet met;
    for (const std::string& name : message_->joints()) {
      for (const JointIndex joint : joints_in_order(*robot_, name)) {
        if (met.test(joint)) {
          throw std::invalid_argument(fmt::format("{}: joint {} is named twice", to_string(kind_),
                                                  robot_->joints[joint].name));
        }
        met.set(joint);
        joints.push_back(joint);
      }
    }
    return joints;
  }

  void read_joints(Request& request) const {
    const bool takes_joints =
        std::visit([]<typename C>(const C&) { return NamesJoints<C>; }, request);
    if (!takes_joints) {
      if (message_->joints_size() > 0) refuse("joints", "are given, and the command names none");
      return;
    }
    if (message_->joints_size() == 0) refuse("joints", "are missing: name at least one");
    const std::vector<JointIndex> named = named_joints();
    std::vector<Numbers> each;
    for (const FieldInfo& info : value_fields_of(kind_)) {
      each.push_back(per_joint(info, named.size()));
    }
    std::vector<std::size_t> rising(named.size());
    for (std::size_t i = 0; i < rising.size(); ++i) rising[i] = i;
    std::sort(rising.begin(), rising.end(),
              [&](std::size_t a, std::size_t b) { return named[a] < named[b]; });
    for (const std::size_t place : rising) {
      Numbers numbers;
      for (const Numbers& field : each) numbers.push_back(field[place]);
      add_joint(request, named[place], numbers);
    }
  }

  /// A number for all joints, or one for each.
  [[nodiscard]] Numbers per_joint(const FieldInfo& info, std::size_t joints) const {
    Numbers numbers = numbers_of(info);
    if (numbers.size() == joints) return numbers;
    if (numbers.size() == 1) return Numbers(joints, numbers.front());
    refuse(info.name,
           fmt::format("has {} values, and {} joints are named: give one for all, or one each",
                       numbers.size(), joints));
  }

  const v1::Command* message_;
  const RobotConfig* robot_;
  CommandKind kind_;
};

void describe_fields(Fields infos, bool per_joint, v1::CommandKind& command) {
  for (const FieldInfo& info : infos) {
    v1::FieldKind& field = *command.add_fields();
    field.set_name(std::string(info.name));
    field.set_unit(std::string(unit_of(info.quantity, false)));
    field.set_unit_of_slide(std::string(unit_of(info.quantity, true)));
    field.set_range(std::string(describe(info.range)));
    field.set_most(static_cast<std::uint32_t>(info.most));
    field.set_is_list(info.is_list);
    field.set_per_joint(per_joint);
    for (const std::string_view word : info.words) field.add_words(std::string(word));
  }
}

}  // namespace

void write_command(const Request& request, const RobotConfig& robot, v1::Command& message) {
  const CommandKind kind = kind_of(request);
  message.set_kind(std::string(to_string(kind)));
  if (const ArmIndex arm = arm_of(request); arm < robot.arms.size()) {
    message.set_arm(robot.arms[arm].name);
  }
  std::size_t own = 0;  // numbers of the command itself; those of its values follow
  std::visit(
      [&]<typename C>(const C& command) {
        if constexpr (HasFields<C>) for_each_number(command, [&](auto&&...) { ++own; });
        if constexpr (NamesJoints<C>) {
          for (std::size_t i = 0; i < robot.joints.size(); ++i) {
            if (command.joints.test(i)) message.add_joints(robot.joints[i].name);
          }
        }
      },
      request);
  Numbers numbers;
  for_each_number_of(request, [&](double number) { numbers.push_back(number); });
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(own);
  write_own(fields_of(kind), Numbers(numbers.begin(), middle), robot, message);
  write_values(value_fields_of(kind), Numbers(middle, numbers.end()), message);
}

Request read_command(const v1::Command& message, const RobotConfig& robot) {
  return Reader(message, robot).read();
}

void describe_commands(v1::Description& description) {
  for (const CommandKind kind : kAllCommandKind) {
    v1::CommandKind& command = *description.add_commands();
    command.set_name(std::string(to_string(kind)));
    command.set_streamed(is_streamed(kind));
    for (const ControlMode mode : kAllControlMode) {
      if (modes_of(kind).has(mode)) command.add_modes(std::string(to_string(mode)));
    }
    const bool names_joints =
        std::visit([]<typename C>(const C&) { return NamesJoints<C>; }, blank_request(kind));
    command.set_target(is_for_arm(kind) ? "arm" : names_joints ? "joints" : "robot");
    describe_fields(fields_of(kind), false, command);
    describe_fields(value_fields_of(kind), true, command);
  }
}

}  // namespace jointrig::remote
