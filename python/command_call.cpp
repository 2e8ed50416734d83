#include "python/command_call.h"

#include <fmt/core.h>
#include <nanobind/stl/string.h>

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "control/core/command_facts.h"
#include "control/core/command_numbers.h"
#include "control/core/nearest_word.h"
#include "control/exchange/joint_order.h"
#include "control/exchange/robot_client.h"

namespace jointrig::python {
namespace {

using Numbers = std::vector<double>;

/// Where an argument stands, for messages.
struct Place {
  CommandKind kind;
  const FieldInfo* field;
  const RobotConfig* robot;
};

[[noreturn]] void refuse(const Place& at, const std::string& what) {
  throw std::invalid_argument(fmt::format("{}: {} {}", to_string(at.kind), at.field->name, what));
}

std::string shown(nb::handle argument) { return nb::cast<std::string>(nb::repr(argument)); }

bool is_text(nb::handle argument) { return PyUnicode_Check(argument.ptr()) != 0; }

bool is_sequence(nb::handle argument) {
  if (is_text(argument) || PySequence_Check(argument.ptr()) == 0) return false;
  if (PySequence_Size(argument.ptr()) >= 0) return true;
  PyErr_Clear();  // an array without dimensions
  return false;
}

double word_number(const Place& at, nb::handle argument) {
  const std::span<const std::string_view> words = at.field->words;
  if (!is_text(argument)) refuse(at, "is " + shown(argument) + ": give one of its words");
  const std::string given = nb::cast<std::string>(argument);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == given) return static_cast<double>(i);
  }
  std::string known;
  for (const std::string_view word : words)
    known += (known.empty() ? "" : ", ") + std::string(word);
  const std::string near = did_you_mean(given, words);
  refuse(at, fmt::format("has no word \"{}\"{}", given, near.empty() ? ": it has " + known : near));
}

double number_of(const Place& at, nb::handle argument) {
  if (at.field->range == Range::kGripper && is_text(argument)) {
    return gripper_named(*at.robot, nb::cast<std::string>(argument));
  }
  if (!at.field->words.empty()) return word_number(at, argument);
  if (at.field->range == Range::kFlag) {
    const int truth = PyObject_IsTrue(argument.ptr());
    if (truth < 0) throw nb::python_error();
    return truth;
  }
  const double number = PyFloat_AsDouble(argument.ptr());
  if (PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    refuse(at, "is " + shown(argument) + ": give a number");
  }
  return number;
}

/// Rows of a matrix follow each other.
void add_numbers(const Place& at, nb::handle argument, Numbers& numbers) {
  if (!is_sequence(argument)) {
    numbers.push_back(number_of(at, argument));
    return;
  }
  for (const nb::handle item : argument) add_numbers(at, item, numbers);
}

/// A law, or a parameter of the law before it, by its name.
double law_number(const Place& at, const std::string& given, const Numbers& before) {
  std::vector<std::string> known;
  const auto found = [&](const auto& named) {
    for (const auto& one : named) {
      if (one.name == given) return static_cast<double>(known.size());
      known.push_back(one.name);
    }
    const std::string near = did_you_mean(given, known);
    refuse(at, fmt::format("has no \"{}\"{}", given, known.empty() ? ": there is none" : near));
  };
  if (before.empty()) return found(at.robot->laws);
  const double law = before.front();
  if (!(law >= 0.0 && law < static_cast<double>(at.robot->laws.size()))) {
    refuse(at, "has a name, and the law before it is none of the robot's");
  }
  return found(at.robot->laws[static_cast<std::size_t>(law)].parameters);
}

void add_own(const Place& at, nb::handle argument, Numbers& numbers) {
  if (at.field->range == Range::kLaw && is_text(argument)) {
    numbers.push_back(law_number(at, nb::cast<std::string>(argument), numbers));
    return;
  }
  if (at.field->range == Range::kObstacleName) {
    const std::string name = is_text(argument) ? nb::cast<std::string>(argument) : "";
    if (!fits_name(name))
      refuse(at, "is " + shown(argument) + ": give a text of 1 to 16 characters");
    for (const std::uint8_t letter : obstacle_name(name)) numbers.push_back(letter);
    return;
  }
  // A sphere has one size: what a shape has no use for is left away.
  if (at.field->range == Range::kObstacleSize && !is_sequence(argument)) {
    numbers.insert(numbers.end(), {number_of(at, argument), 0.0, 0.0});
    return;
  }
  const std::size_t before = numbers.size();
  const bool is_one = at.field->most == 1 && !at.field->is_list;
  if (is_one == is_sequence(argument)) {
    refuse(at, is_one ? "takes one value, not " + shown(argument)
                      : "is " + shown(argument) + ": give a sequence of numbers");
  }
  add_numbers(at, argument, numbers);
  if (at.field->range == Range::kObstacleSize && numbers.size() - before < at.field->most) {
    numbers.resize(before + at.field->most);
  }
  const std::size_t count = numbers.size() - before;
  if (at.field->is_list ? count <= at.field->most : count == at.field->most) return;
  refuse(at, fmt::format("takes {}{} values, and {} are given", at.field->is_list ? "at most " : "",
                         at.field->most, count));
}

/// The joints in the order in which they are named; a part's in its own order.
class NamedJoints {
 public:
  NamedJoints(CommandKind kind, nb::handle names, const RobotConfig& robot)
      : kind_(kind), robot_(&robot) {
    if (is_text(names)) {
      add(nb::cast<std::string>(names));
    } else if (is_sequence(names)) {
      for (const nb::handle name : names) {
        if (!is_text(name)) refuse_names(name);
        add(nb::cast<std::string>(name));
      }
    } else {
      refuse_names(names);
    }
  }
  [[nodiscard]] std::size_t size() const noexcept { return joints_.size(); }
  /// The joint and its place among the named ones, by rising index.
  template <typename Visit>
  void for_each_rising(Visit&& visit) const {
    for (std::size_t joint = 0; joint < robot_->joints.size(); ++joint) {
      if (set_.test(joint)) visit(static_cast<JointIndex>(joint), place_[joint]);
    }
  }

 private:
  [[noreturn]] void refuse_names(nb::handle names) const {
    throw std::invalid_argument(
        fmt::format("{}: joints is {}: give the name of a joint or a part, \"all\", or a list of "
                    "names",
                    to_string(kind_), shown(names)));
  }
  void add(const std::string& name) {
    for (const JointIndex joint : joints_in_order(*robot_, name)) add(joint);
  }
  void add(JointIndex joint) {
    if (set_.test(joint)) {
      throw std::invalid_argument(
          fmt::format("{}: joint {} is named twice", to_string(kind_), robot_->joints[joint].name));
    }
    set_.set(joint);
    place_[joint] = joints_.size();
    joints_.push_back(joint);
  }

  CommandKind kind_;
  const RobotConfig* robot_;
  JointSet set_;
  std::vector<JointIndex> joints_;
  std::array<std::size_t, kMaxJoints> place_{};
};

/// A number for all joints, or one for each.
Numbers per_joint(const Place& at, nb::handle argument, std::size_t joints) {
  Numbers numbers;
  add_numbers(at, argument, numbers);
  if (!is_sequence(argument)) return Numbers(joints, numbers.front());
  if (numbers.size() != joints) {
    refuse(at, fmt::format("has {} values, and {} joints are named: give one for all, or one each",
                           numbers.size(), joints));
  }
  return numbers;
}

ArmIndex arm_named(CommandKind kind, nb::handle name, const RobotConfig& robot) {
  try {
    return jointrig::arm_named(robot, is_text(name) ? nb::cast<std::string>(name) : shown(name));
  } catch (const UnknownName& error) {
    throw UnknownName(fmt::format("{}: {}", to_string(kind), error.what()));
  }
}

}  // namespace

Request request_of(CommandKind kind, nb::handle joints, nb::handle arm, const nb::tuple& own,
                   const nb::tuple& values, const RobotConfig& robot) {
  Request request = blank_request(kind);
  Numbers numbers;
  const std::span<const FieldInfo> fields = fields_of(kind);
  for (std::size_t i = 0; i < fields.size(); ++i)
    add_own({kind, &fields[i], &robot}, own[i], numbers);
  fill_fields(request, numbers);
  if (!arm.is_none()) set_arm(request, arm_named(kind, arm, robot));
  if (joints.is_none()) return request;

  const NamedJoints named(kind, joints, robot);
  const std::span<const FieldInfo> value_fields = value_fields_of(kind);
  std::vector<Numbers> each;
  for (std::size_t i = 0; i < value_fields.size(); ++i) {
    each.push_back(per_joint({kind, &value_fields[i], &robot}, values[i], named.size()));
  }
  named.for_each_rising([&](JointIndex joint, std::size_t place) {
    numbers.clear();
    for (const Numbers& field : each) numbers.push_back(field[place]);
    add_joint(request, joint, numbers);
  });
  return request;
}

void add_interactions(const Interactions& interactions, const RobotConfig& robot,
                      AskedTrajectory& asked) {
  for (const auto& [waypoint, arm, own] : interactions) {
    const Request request = request_of(CommandKind::kSetInteractionControl, nb::none(),
                                       nb::cast(arm), own, nb::tuple(), robot);
    const auto& control = std::get<SetInteractionControl>(request);
    if (asked.tool) {
      asked.tool->waypoints.at(waypoint).interaction = control;
    } else {
      asked.waypoints.at(waypoint).interaction = control;
    }
  }
}

}  // namespace jointrig::python
