#include "app/rig/parameter_file.h"

#include <filesystem>
#include <stdexcept>

#include "app/rig/robot_loading.h"
#include "harness/config/joint_settings.h"
#include "harness/config/whole_file.h"
#include "harness/config/yaml_edit.h"

namespace jointrig::app {
namespace {

/// As in robot.yaml: "350 Nm/rad". It reads back to the same bits.
std::string text_of(const JointConfig& joint, JointParameter parameter, double value) {
  if (parameter == JointParameter::kBandwidth) return harness::yaml_number(value) + " Hz";
  if (parameter == JointParameter::kDampingRatio) return harness::yaml_number(value);
  for (const harness::JointNumber& number : harness::kJointNumbers) {
    if (number.key != to_string(parameter)) continue;
    const std::size_t bar = number.units.find('|');
    return harness::yaml_number(value) + " " +
           std::string(joint.slide ? number.units.substr(bar + 1) : number.units.substr(0, bar));
  }
  throw std::logic_error("a parameter that robot.yaml doesn't have");
}

}  // namespace

ParameterFile::ParameterFile(harness::RobotSource source) : source_(std::move(source)) {
  const harness::SourceText* text = source_.file.spot().source.get();
  if (source_.file.is_null() || text == nullptr) return;
  path_ = text->name;
  text_ = harness::bytes_of_file(path_);
}

std::string ParameterFile::edited(const RobotConfig& opened,
                                  const std::vector<ChangedParameter>& changed) const {
  if (path_.empty()) throw std::runtime_error("this robot has no robot.yaml to write to");
  if (harness::bytes_of_file(path_) != text_) {
    throw std::runtime_error(path_ +
                             " has changed since it was opened: open the robot again, or change "
                             "it by hand");
  }
  std::vector<harness::YamlEdit> edits;
  for (const ChangedParameter& one : changed) {
    const JointConfig& joint = opened.joints[one.joint];
    edits.push_back({{"joints", joint.name, std::string(to_string(one.parameter))},
                     text_of(joint, one.parameter, one.now)});
  }
  std::string text = harness::edited_yaml(text_, path_, edits);
  // The check by the reader itself.
  harness::RobotSource next = source_;
  next.file = harness::parse_yaml(text, path_);
  const RobotConfig read = load_robot(next).config;
  for (const ChangedParameter& one : changed) {
    if (value_of(read.joints[one.joint], one.parameter) == one.now) continue;
    throw std::runtime_error("something outranks " + std::string(to_string(one.parameter)) +
                             " of " + opened.joints[one.joint].name + " in " + path_ +
                             " (a scenario's config?): nothing was written");
  }
  return text;
}

std::string ParameterFile::compare(const RobotConfig& opened,
                                   const std::vector<ChangedParameter>& changed) const {
  return harness::line_diff(text_, edited(opened, changed));
}

void ParameterFile::write(const RobotConfig& opened, const std::vector<ChangedParameter>& changed) {
  const std::string text = edited(opened, changed);
  harness::write_whole_file(path_, text, harness::WholeFile::Keep::kDurable);
  text_ = text;
}

}  // namespace jointrig::app
