/// Prints the tables of docs/commands.md out of the definition of each command.

#include <cstdio>
#include <string>

#include "control/core/command.h"
#include "control/core/command_facts.h"

namespace jointrig {
namespace {

std::string code(std::string_view word) { return "`" + std::string(word) + "`"; }

std::string modes_text(const ModeSet& modes) {
  if (modes == kEveryMode) return "every mode";
  std::string text;
  for (const ControlMode mode : kAllControlMode) {
    if (!modes.has(mode)) continue;
    text += (text.empty() ? "" : ", ") + code(to_string(mode));
  }
  return text;
}

/// A number for each joint, and six along and about axes, have two units.
std::string unit_text(const FieldInfo& field, bool is_of_joint) {
  const std::string_view angular = unit_of(field.quantity, false);
  const std::string_view linear = unit_of(field.quantity, true);
  const bool has_one = angular == linear || field.range == Range::kLoadInertia;
  if (has_one) return std::string(angular);
  const std::string both = std::string(linear) + " along, " + std::string(angular) + " about";
  return is_of_joint ? std::string(angular) + "; " + std::string(linear) + " of a slide" : both;
}

std::string range_text(const FieldInfo& field) {
  if (field.words.empty()) return std::string(describe(field.range));
  std::string text;
  for (const std::string_view word : field.words) text += (text.empty() ? "" : ", ") + code(word);
  return field.range == Range::kWord ? text : std::string(describe(field.range)) + ": " + text;
}

std::string count_text(const FieldInfo& field, bool is_of_joint) {
  if (is_of_joint) return "one a joint";
  if (field.range == Range::kPostureStiffness) return "none, or one a joint of the arm";
  if (field.range == Range::kWaypoints) return "rows";
  if (field.range == Range::kUserAcceleration) return "one a joint of it";
  if (field.is_list) return field.name == "damping" ? "none, 6 or 36" : "6 or 36";
  return std::to_string(field.most);
}

struct Row {
  std::string command;
  std::string modes;
};

void print_row(const Row& row, const std::string& field, const std::string& count,
               const std::string& unit, const std::string& range) {
  std::printf("| %s | %s | %s | %s | %s | %s |\n", row.command.c_str(), field.c_str(),
              count.c_str(), unit.c_str(), range.c_str(), row.modes.c_str());
}

void print_command(CommandKind kind) {
  Row row{code(to_string(kind)), modes_text(modes_of(kind))};
  if (is_streamed(kind)) row.command += ", streamed";
  if (fields_of(kind).empty() && value_fields_of(kind).empty()) print_row(row, "–", "", "", "");
  for (const bool is_of_joint : {false, true}) {
    for (const FieldInfo& field : is_of_joint ? value_fields_of(kind) : fields_of(kind)) {
      const bool has_two = is_of_joint || field.range == Range::kPostureStiffness ||
                           field.range == Range::kUserAcceleration;
      print_row(row, code(field.name), count_text(field, is_of_joint), unit_text(field, has_two),
                range_text(field));
      row = {};
    }
  }
}

bool names_joints(CommandKind kind) {
  bool does = false;
  with_command_type(kind, [&]<typename C>(std::type_identity<C>) { does = NamesJoints<C>; });
  return does;
}

template <typename IsMeant>
void print_table(const char* heading, IsMeant&& is_meant) {
  std::printf("### %s\n\n", heading);
  std::printf("| command | field | how many | unit | range | taken in |\n");
  std::printf("| --- | --- | --- | --- | --- | --- |\n");
  for (const CommandKind kind : kAllCommandKind) {
    if (is_meant(kind)) print_command(kind);
  }
}

}  // namespace
}  // namespace jointrig

int main() {
  using namespace jointrig;
  print_table("For joints", names_joints);
  std::printf("\n");
  print_table("For an arm", [](CommandKind kind) { return is_for_arm(kind); });
  std::printf("\n");
  print_table("For the robot",
              [](CommandKind kind) { return !names_joints(kind) && !is_for_arm(kind); });
  return 0;
}
