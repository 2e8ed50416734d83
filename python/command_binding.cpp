/// The definitions of all commands as Python data. python/write_commands.py makes the methods of
/// jointrig.Sim from them.

#include <nanobind/stl/string.h>

#include <string>
#include <vector>

#include "control/core/command.h"
#include "control/core/faults.h"
#include "python/bindings.h"

namespace jointrig::python {
namespace {

nb::str text(std::string_view words) { return nb::str(words.data(), words.size()); }

nb::tuple words_of(std::span<const std::string_view> words) {
  nb::list list;
  for (const std::string_view word : words) list.append(text(word));
  return nb::tuple(list);
}

/// Default values of the fields, number by number.
template <typename Object>
std::vector<std::vector<double>> defaults_of() {
  std::vector<std::vector<double>> all;
  const Object blank{};
  for_each_number(blank, [&](const auto& /*field*/, std::size_t index, double number) {
    if (index == 0) all.emplace_back();
    all.back().push_back(number);
  });
  return all;
}

nb::object default_of(const FieldInfo& field, const std::vector<double>& numbers) {
  const auto one = [&](double number) -> nb::object {
    if (!field.words.empty()) return text(field.words[static_cast<std::size_t>(number)]);
    if (field.range == Range::kFlag) return nb::bool_(number != 0.0);
    return nb::float_(number);
  };
  if (field.most == 1) return one(numbers.front());
  nb::list list;
  for (const double number : numbers) list.append(one(number));
  return nb::tuple(list);
}

template <typename Object>
nb::list fields_as_data() {
  static constexpr auto kInfos = field_infos<Object>();
  nb::list fields;
  // A list without a fixed size is the last field, and empty.
  std::vector<std::vector<double>> defaults = defaults_of<Object>();
  defaults.resize(kInfos.size());
  for (std::size_t i = 0; i < kInfos.size(); ++i) {
    const FieldInfo& info = kInfos[i];
    nb::dict field;
    field["name"] = text(info.name);
    field["unit"] = text(unit_of(info.quantity, false));
    field["unit_of_slide"] = text(unit_of(info.quantity, true));
    field["range"] = text(describe(info.range));
    field["range_name"] = text(to_string(info.range));
    field["count"] = info.most;
    field["is_list"] = info.is_list;
    field["words"] = words_of(info.words);
    field["default"] = default_of(info, defaults[i]);
    fields.append(field);
  }
  return fields;
}

template <typename C>
nb::dict definition_of(CommandKind kind) {
  nb::dict command;
  command["name"] = text(to_string(kind));
  command["number"] = static_cast<int>(kind);
  command["streamed"] = is_streamed<C>();
  command["target"] = NamesJoints<C> ? "joints" : IsForArm<C> ? "arm" : "robot";
  nb::list modes;
  for (const ControlMode mode : kAllControlMode) {
    if (C::kModes.has(mode)) modes.append(text(to_string(mode)));
  }
  command["modes"] = nb::tuple(modes);
  command["every_mode"] = C::kModes == kEveryMode;
  command["fields"] = nb::list();
  if constexpr (HasFields<C>) command["fields"] = fields_as_data<C>();
  command["value_fields"] = nb::list();
  if constexpr (HasValues<C>) command["value_fields"] = fields_as_data<typename C::Value>();
  return command;
}

nb::list definitions() {
  nb::list commands;
#define JOINTRIG_ADD_DEFINITION(Type, word)                       \
  {                                                               \
    nb::dict command = definition_of<Type>(CommandKind::k##Type); \
    command["struct"] = #Type;                                    \
    commands.append(command);                                     \
  }
  JOINTRIG_COMMANDS(JOINTRIG_ADD_DEFINITION)
#undef JOINTRIG_ADD_DEFINITION
  return commands;
}

}  // namespace

void bind_commands(nb::module_& m) {
  m.def("command_definitions", definitions,
        "Every command that a robot takes, as its definition has it.");
  m.attr("MODES") = words_of(kJointModeWords);
  m.attr("INTERACTIONS") = words_of(kInteractionModeWords);
  m.attr("BOARD_STATUSES") = words_of(kBoardStatusWords);
  m.attr("DRIVES") = words_of(kDriveModeWords);
  m.attr("FAULTS") = words_of(kFaultCodeWords);
  m.attr("LIMITS") = words_of(kLimitWords);
  m.attr("GRIPPER_STATES") = words_of(kGripperStateWords);
  m.attr("ARM_TERMS") = words_of(kArmTermWords);
  m.attr("ARM_LIMITS") = words_of(kArmLimitWords);
  m.attr("GUIDE_STATES") = words_of(kGuideStateWords);
  m.attr("SENSOR_STATES") = words_of(kForceSensorStateWords);
}

}  // namespace jointrig::python
