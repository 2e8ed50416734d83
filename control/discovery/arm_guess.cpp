#include "control/discovery/arm_guess.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "control/discovery/joint_tree.h"
#include "control/discovery/name_words.h"
#include "control/discovery/survey.h"

namespace jointrig {
namespace {

constexpr std::size_t kLeastHinges = 5;  // choice: with four a tool has no orientation of its own
constexpr double kLeastLength = 0.25;    // m, a choice: thumbs have five hinges, too

// Words in names, the best first.
constexpr std::array<std::string_view, 9> kToolSites{"tool", "tcp",      "pinch",      "grip", "ee",
                                                     "eef",  "effector", "attachment", "palm"};
constexpr std::array<std::string_view, 9> kToolBodies{
    "tool", "tcp", "ee", "eef", "effector", "palm", "hand", "gripper", "flange"};
constexpr std::array<std::string_view, 6> kHandWords{"grip",    "gripper", "jaw",
                                                     "knuckle", "hand",    "finger"};
// No tools, though they may be the outermost bodies of an arm.
constexpr std::array<std::string_view, 5> kSights{"camera", "cam", "realsense", "lens", "optical"};

bool has_any(const std::vector<std::string>& words, const auto& wanted) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(wanted.begin(), wanted.end(), word) != wanted.end();
  });
}

/// The joint and those behind it up to the next branch.
std::vector<JointIndex> chain_from(const JointTree& tree, JointIndex joint) {
  std::vector<JointIndex> chain{joint};
  while (tree.children[chain.back()].size() == 1) {
    chain.push_back(tree.children[chain.back()].front());
  }
  return chain;
}

/// The first run of enough hinges that belong to no hand; empty where there is none, or a leg's.
std::vector<JointIndex> arm_in(const std::vector<JointIndex>& chain, const RobotConfig& robot) {
  std::vector<JointIndex> run;
  for (const JointIndex joint : chain) {
    const JointConfig& config = robot.joints[joint];
    const std::vector<std::string> words = words_of(config.name);
    if (limb_of(words) == "leg") return {};
    const bool ends = config.slide || has_any(words, kHandWords) || limb_of(words) == "hand";
    if (!ends) run.push_back(joint);
    if (!ends) continue;
    if (run.size() >= kLeastHinges) break;
    run.clear();
  }
  if (run.size() < kLeastHinges || run.size() > kMaxArmJoints) run.clear();
  return run;
}

/// From the first joint's axis over those of the others to the last link's centre of mass, in the
/// start pose [m].
double length_of(const std::vector<JointIndex>& arm, const Survey& survey) {
  const mjModel& m = *survey.model;
  const auto anchor = [&](JointIndex joint) {
    return survey.data->xanchor + 3 * survey.controlled[joint];
  };
  double length = mju_dist3(anchor(arm.back()),
                            survey.data->xipos + 3 * m.jnt_bodyid[survey.controlled[arm.back()]]);
  for (std::size_t i = 1; i < arm.size(); ++i) {
    length += mju_dist3(anchor(arm[i - 1]), anchor(arm[i]));
  }
  return length;
}

struct Candidate {
  std::string name;
  int depth = 0;  ///< bodies from the last link outwards
};

int depth_of(const mjModel& m, int body, int link) {
  int depth = 0;
  for (; body > link; body = m.body_parentid[body]) ++depth;
  return depth;
}

/// Those that end with the best word ("right_hand" rather than "right_hand_camera"), else have it;
/// of these the outermost. Empty where none has any.
std::string best_of(const std::vector<Candidate>& all, const auto& words) {
  for (const std::string_view word : words) {
    const Candidate* best = nullptr;
    bool best_ends = false;
    for (const Candidate& one : all) {
      const std::vector<std::string> own = words_of(one.name);
      if (!has_any(own, std::array{word})) continue;
      const bool ends = own.back() == word;
      const bool better =
          best == nullptr || ends > best_ends || (ends == best_ends && one.depth >= best->depth);
      if (!better) continue;
      best = &one;
      best_ends = ends;
    }
    if (best != nullptr) return best->name;
  }
  return {};
}

std::string tool_behind(const mjModel& m, int joint) {
  const int link = m.jnt_bodyid[joint];
  std::vector<Candidate> sites;
  std::vector<Candidate> bodies;
  for (int s = 0; s < m.nsite; ++s) {
    const int body = m.site_bodyid[s];
    const std::string name = name_of(m, mjOBJ_SITE, s);
    if (m.body_weldid[body] == link && !name.empty()) {
      sites.push_back({name, depth_of(m, body, link)});
    }
  }
  for (int b = link; b < m.nbody; ++b) {
    const std::string name = name_of(m, mjOBJ_BODY, b);
    if (m.body_weldid[b] == link && !name.empty()) bodies.push_back({name, depth_of(m, b, link)});
  }
  if (std::string site = best_of(sites, kToolSites); !site.empty()) return site;
  if (std::string body = best_of(bodies, kToolBodies); !body.empty()) return body;
  std::erase_if(bodies, [](const Candidate& one) { return has_any(words_of(one.name), kSights); });
  const auto outermost =
      std::max_element(bodies.begin(), bodies.end(),
                       [](const Candidate& a, const Candidate& b) { return a.depth < b.depth; });
  return outermost != bodies.end() ? outermost->name : std::string();
}

/// True if the part has joints of the arm only, but not all of them.
bool is_within(const PartConfig& part, const std::vector<JointIndex>& arm) {
  return part.joints.size() < arm.size() &&
         std::includes(arm.begin(), arm.end(), part.joints.begin(), part.joints.end());
}

bool is_taken(const RobotConfig& robot, const std::vector<JointIndex>& joints,
              const std::vector<GuessedArm>& arms, const std::string& name) {
  const auto called = [&](const auto& one) { return one.name == name; };
  const auto stays = [&](const PartConfig& part) {
    return called(part) && !is_within(part, joints);
  };
  return name == "all" || std::any_of(robot.parts.begin(), robot.parts.end(), stays) ||
         std::any_of(robot.joints.begin(), robot.joints.end(), called) ||
         std::any_of(arms.begin(), arms.end(), called);
}

std::string name_for(const std::vector<JointIndex>& joints, const RobotConfig& robot,
                     const std::vector<GuessedArm>& arms) {
  for (const PartConfig& part : robot.parts) {
    if (part.joints == joints) return part.name;
  }
  const auto side = [&](JointIndex joint) { return side_of(words_of(robot.joints[joint].name)); };
  const std::string first = side(joints.front());
  const bool agree =
      std::all_of(joints.begin(), joints.end(), [&](JointIndex j) { return side(j) == first; });
  const std::string stem = agree && !first.empty() ? first + "_arm" : "arm";
  std::string name = stem;
  for (int number = 2; is_taken(robot, joints, arms, name); ++number) {
    name = fmt::format("{}_{}", stem, number);
  }
  return name;
}

}  // namespace

std::vector<GuessedArm> guess_arms(const Survey& survey, const RobotConfig& robot) {
  const JointTree tree = joint_tree(survey);
  std::vector<GuessedArm> arms;
  for (std::size_t i = 0; i < robot.joints.size() && arms.size() < kMaxArms; ++i) {
    const JointIndex before = tree.before[i];
    if (before != kNoJoint && tree.children[before].size() == 1) continue;  // inside a chain
    GuessedArm arm;
    arm.joints = arm_in(chain_from(tree, static_cast<JointIndex>(i)), robot);
    if (arm.joints.empty() || length_of(arm.joints, survey) < kLeastLength) continue;
    arm.tool = tool_behind(*survey.model, survey.controlled[arm.joints.back()]);
    if (arm.tool.empty()) continue;
    arm.name = name_for(arm.joints, robot, arms);
    arms.push_back(arm);
  }
  return arms;
}

void fit_parts_to_arms(const std::vector<GuessedArm>& arms, std::vector<PartConfig>& parts) {
  for (const GuessedArm& arm : arms) {
    std::erase_if(parts, [&](const PartConfig& part) { return is_within(part, arm.joints); });
    for (PartConfig& part : parts) {
      const auto is_arms = [&](JointIndex joint) {
        return std::binary_search(arm.joints.begin(), arm.joints.end(), joint);
      };
      if (std::none_of(part.joints.begin(), part.joints.end(), is_arms)) continue;
      std::vector<JointIndex> whole;
      std::set_union(part.joints.begin(), part.joints.end(), arm.joints.begin(), arm.joints.end(),
                     std::back_inserter(whole));
      part.joints = std::move(whole);
    }
  }
}

std::vector<JointIndex> joints_behind(const std::vector<GuessedArm>& arms, const Survey& survey) {
  const JointTree tree = joint_tree(survey);
  const auto is_arms = [&arms](JointIndex joint) {
    return std::any_of(arms.begin(), arms.end(), [joint](const GuessedArm& arm) {
      return std::find(arm.joints.begin(), arm.joints.end(), joint) != arm.joints.end();
    });
  };
  std::vector<JointIndex> behind;
  for (std::size_t i = 0; i < tree.before.size(); ++i) {
    if (is_arms(static_cast<JointIndex>(i))) continue;
    JointIndex carrier = tree.before[i];
    while (carrier != kNoJoint && !is_arms(carrier)) carrier = tree.before[carrier];
    if (carrier != kNoJoint) behind.push_back(static_cast<JointIndex>(i));
  }
  return behind;
}

}  // namespace jointrig
