#include "control/discovery/part_guess.h"

#include <algorithm>
#include <string>

#include "control/discovery/name_words.h"

namespace jointrig {
namespace {

std::string part_of(const std::string& joint) {
  const std::vector<std::string> words = words_of(joint);
  const std::string side = side_of(words);
  std::string limb = limb_of(words);
  if (side.empty() && (limb == "torso" || limb == "head")) return limb;
  if (side.empty()) return {};
  return limb.empty() ? side : side + "_" + limb;
}

}  // namespace

std::vector<PartConfig> guess_parts(const std::vector<JointConfig>& joints) {
  std::vector<PartConfig> parts;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const std::string name = part_of(joints[i].name);
    if (name.empty()) continue;
    auto part = std::find_if(parts.begin(), parts.end(),
                             [&](const PartConfig& candidate) { return candidate.name == name; });
    if (part == parts.end()) part = parts.insert(parts.end(), {name, {}});
    part->joints.push_back(static_cast<JointIndex>(i));
  }
  std::erase_if(parts, [&](const PartConfig& part) {
    const bool is_a_joint =
        std::any_of(joints.begin(), joints.end(),
                    [&](const JointConfig& joint) { return joint.name == part.name; });
    return part.joints.size() < 2 || part.joints.size() == joints.size() || is_a_joint;
  });
  return parts;
}

}  // namespace jointrig
