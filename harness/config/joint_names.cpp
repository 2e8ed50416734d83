#include "harness/config/joint_names.h"

#include <fmt/core.h>

#include <algorithm>

#include "control/core/nearest_word.h"
#include "harness/config/units.h"

namespace jointrig::harness {
namespace {

template <typename Named>
void replace_or_add(std::vector<Named>& list, Named item) {
  const auto same = [&item](const Named& other) { return other.name == item.name; };
  const auto found = std::find_if(list.begin(), list.end(), same);
  if (found == list.end()) {
    list.push_back(std::move(item));
  } else {
    *found = std::move(item);
  }
}

PartConfig read_part(const YamlNode::Entry& entry, const RobotConfig& config, Problems& problems) {
  PartConfig part{entry.key, {}};
  if (joint_index(config, part.name) != kNoJoint) {
    problems.add(entry.spot,
                 "a joint is called \"" + part.name + "\" too; name the part otherwise");
  }
  if (part.name == "all") {
    problems.add(entry.spot, "\"all\" stands for the whole robot; name the part otherwise");
  }
  for (const YamlNode& item : entry.value.items()) {
    problems.collect([&] {
      for (const JointIndex joint : joints_called(config, item.text(), item.spot())) {
        if (std::find(part.joints.begin(), part.joints.end(), joint) != part.joints.end()) {
          problems.add(item.spot(), "part " + part.name + " has the joint \"" +
                                        config.joints[joint].name + "\" twice");
        }
        part.joints.push_back(joint);
      }
    });
  }
  return part;
}

// One value for all of `joints`, or a list with one for each.
void read_positions(const YamlNode::Entry& entry, const std::vector<JointIndex>& joints,
                    const RobotConfig& config, PoseConfig& pose) {
  const YamlNode& values = entry.value;
  if (values.is_sequence() && values.items().size() != joints.size()) {
    throw values.error(fmt::format("{} has {} joints, got {} values", entry.key, joints.size(),
                                   values.items().size()));
  }
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const YamlNode& value = values.is_sequence() ? values.items()[i] : values;
    pose.q[joints[i]] = quantity(value, config.joints[joints[i]].slide ? "m" : "rad");
  }
}

}  // namespace

JointIndex joint_index(const RobotConfig& config, const std::string& name) noexcept {
  for (std::size_t i = 0; i < config.joints.size(); ++i) {
    if (config.joints[i].name == name) return static_cast<JointIndex>(i);
  }
  return kNoJoint;
}

const PartConfig* find_part(const RobotConfig& config, const std::string& name) noexcept {
  for (const PartConfig& part : config.parts) {
    if (part.name == name) return &part;
  }
  return nullptr;
}

std::vector<JointIndex> joints_called(const RobotConfig& config, const std::string& name,
                                      const SourceSpot& spot) {
  const JointIndex joint = joint_index(config, name);
  if (joint != kNoJoint) return {joint};
  if (const PartConfig* part = find_part(config, name)) return part->joints;
  std::vector<std::string> names;
  for (const JointConfig& each : config.joints) names.push_back(each.name);
  for (const PartConfig& part : config.parts) names.push_back(part.name);
  throw FileError(spot, "there is no joint or part \"" + name + "\"" + did_you_mean(name, names));
}

void apply_parts(const YamlNode& parts, RobotConfig& config, Problems& problems) {
  for (const YamlNode::Entry& entry : parts.entries()) {
    replace_or_add(config.parts, read_part(entry, config, problems));
  }
}

void apply_poses(const YamlNode& poses, RobotConfig& config, Problems& problems) {
  for (const YamlNode::Entry& entry : poses.entries()) {
    PoseConfig pose{entry.key, {}};
    pose.q.resize(config.joints.size());
    // Joints by their own name come last: they override their part.
    for (const bool own_name : {false, true}) {
      for (const YamlNode::Entry& value : entry.value.entries()) {
        const bool is_joint = joint_index(config, value.key) != kNoJoint;
        if (is_joint != own_name) continue;
        problems.collect([&] {
          read_positions(value, joints_called(config, value.key, value.spot), config, pose);
        });
      }
    }
    replace_or_add(config.poses, std::move(pose));
  }
}

}  // namespace jointrig::harness
