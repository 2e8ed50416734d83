#include "gui/panel/joint_filter.h"

#include <algorithm>

#include "gui/panel/event_list.h"

namespace jointrig::gui {
namespace {

bool is_named(std::string_view word, const RobotConfig& config, JointIndex joint) {
  if (contains_word(config.joints[joint].name, word)) return true;
  return std::any_of(config.parts.begin(), config.parts.end(), [&](const PartConfig& part) {
    return contains_word(part.name, word) &&
           std::find(part.joints.begin(), part.joints.end(), joint) != part.joints.end();
  });
}

bool is_so(std::string_view word, const JointSnapshot& joint) {
  if (word == "compliant") return joint.interaction == InteractionMode::kCompliant;
  if (word == "stiff") return joint.interaction == InteractionMode::kStiff;
  if (word == "fault") return joint.mode == JointMode::kHwFault;
  if (word == "limited") return joint.limits.any();
  if (word == "moving") return joint.moving;
  return false;
}

bool fits_word(std::string_view word, const RobotConfig& config, JointIndex joint,
               const JointSnapshot& snapshot) {
  constexpr std::string_view kMode = "mode:";
  constexpr std::string_view kIs = "is:";
  if (word.starts_with(kMode)) {
    return to_string(snapshot.mode).starts_with(word.substr(kMode.size()));
  }
  if (word.starts_with(kIs)) return is_so(word.substr(kIs.size()), snapshot);
  return is_named(word, config, joint);
}

}  // namespace

bool fits(std::string_view filter, const RobotConfig& config, JointIndex joint,
          const JointSnapshot& snapshot) {
  while (!filter.empty()) {
    const std::size_t end = std::min(filter.find(' '), filter.size());
    if (end > 0 && !fits_word(filter.substr(0, end), config, joint, snapshot)) return false;
    filter.remove_prefix(std::min(end + 1, filter.size()));
  }
  return true;
}

std::vector<JointIndex> shown_joints(const RobotConfig& config, int part, std::string_view filter,
                                     const Snapshot& snapshot) {
  std::vector<JointIndex> shown;
  const auto add = [&](JointIndex joint) {
    if (joint < snapshot.joints.size() && fits(filter, config, joint, snapshot.joints[joint])) {
      shown.push_back(joint);
    }
  };
  if (part >= 0 && static_cast<std::size_t>(part) < config.parts.size()) {
    for (const JointIndex joint : config.parts[static_cast<std::size_t>(part)].joints) add(joint);
  } else {
    // Part by part, then the joints without a part.
    JointSet listed;
    for (const PartConfig& p : config.parts) {
      for (const JointIndex joint : p.joints) {
        if (!listed.test(joint)) add(joint);
        listed.set(joint);
      }
    }
    for (std::size_t i = 0; i < config.joints.size(); ++i) {
      if (!listed.test(i)) add(static_cast<JointIndex>(i));
    }
  }
  return shown;
}

}  // namespace jointrig::gui
