// The whole-body controller as one of the robot's laws: its name, parameters and signals.

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "control/core/user_law.h"
#include "control/stack/config_error.h"
#include "control/stack/whole_body.h"
#include "control/stack/whole_body_signals.h"
#include "control/wholebody/value_writer.h"

namespace jointrig {
namespace {

constexpr double kNoBudget = 0.01;  ///< [s]: the law's own work is a copy

/// Declares; the torques come from WholeBody, which UserLaws asks in its place.
class WholeBodyLaw final : public UserLaw {
 public:
  explicit WholeBodyLaw(std::vector<BodySignalWords> signals) : signals_(std::move(signals)) {}

  void declare(LawDeclaration& d) override {
    for (const LawWord& shift : kBodyParameters) {
      d.target(shift.name, 0.0, -kLargestShift, kLargestShift, shift.unit);
    }
    for (const BodySignalWords& one : signals_) d.signal(one.name.c_str(), one.unit);
  }
  void torque(LawCycle& /*cycle*/) override {}

 private:
  std::vector<BodySignalWords> signals_;
};

std::string upright_name(std::size_t frame) { return fmt::format("upright_{}", frame + 1); }

std::size_t hands_with_contact(const WholeBodyConfig& body) {
  return std::min(body.hands.size(), kMaxContacts - std::min<std::size_t>(body.feet.size(), 4));
}

void add_contact(std::vector<BodySignalWords>& words, const std::string& name) {
  add_axes(words, name + "_force", "N", "of the scene on it, of the solution, in the world");
  add_axes(words, name + "_torque", "N·m", "likewise, about its frame's origin");
  words.push_back({name + "_edges", "", "edges of its friction pyramids without force"});
  words.push_back({name + "_at_most", "", "1: at the largest force that it may be given"});
  words.push_back({name + "_gave_way", "", "1: it was to stand still, and could not"});
}

void add_own_values(const RobotConfig& robot, std::vector<BodySignalWords>& words) {
  const WholeBodyConfig& body = *robot.whole_body;
  add_axes(words, "com_wanted", "m", "goal of the centre of mass in this cycle, in the world");
  add_axes(words, "com_place", "m", "the centre of mass, in the world");
  add_axes(words, "com_weight", "", "of its momentum's rate in the program; 0: not driven");
  add_axes(words, "spin", "N·m·s", "angular momentum about the centre of mass; 0 is wanted");
  words.push_back({"spin_weight", "", "of its rate in the program"});
  for (std::size_t i = 0; i < body.upright.size(); ++i) add_turned(words, upright_name(i));
  for (const FootConfig& foot : body.feet) add_contact(words, foot.name);
  for (std::size_t i = 0; i < hands_with_contact(body); ++i) {
    add_contact(words, body.hands[i].name + "_hand");
  }
  words.push_back({"active_ranges", "", "joints held back by their range or speed"});
  words.push_back({"active_torques", "", "joints at their torque limit"});
  words.push_back({"active_edges", "", "edges of friction pyramids without force"});
  words.push_back({"active_loads", "", "contacts at the largest force that they may be given"});
  words.push_back({"gave_way_joint_limits", "", "1: the joints' ranges gave way in this cycle"});
  words.push_back({"attempts", "", "of the solver: one, and one for each that gave way"});
  for (const JointConfig& joint : robot.joints) {
    words.push_back({joint_signal_of(joint) + "_held", "",
                     "by 1, 2: lowest, highest acceleration; 3, 4: torque limit below, above 0"});
  }
}

void add_values_of_lead(std::vector<BodySignalWords>& words) {
  for (const char* axis : {"_x", "_y"}) {
    words.push_back({std::string("lead") + axis, "m",
                     "of the reference's centre of mass from its goal, for balance"});
  }
  for (const char* axis : {"_x", "_y"}) {
    words.push_back({std::string("pressure") + axis, "m",
                     "centre of pressure by the feet's sensors, in the world"});
  }
  words.push_back({"away", "rad", "largest way of a joint from the reference's"});
}

/// Joints whose names differ in nothing but marks ("l knee", "l_knee") would give one name twice.
void number_repeated(std::vector<BodySignalWords>& words) {
  std::set<std::string> taken;
  for (BodySignalWords& one : words) {
    const std::string name = one.name;
    for (int n = 2; !taken.insert(one.name).second; ++n) one.name = fmt::format("{}_{}", name, n);
  }
}

[[noreturn]] void refuse(const WholeBodyConfig& body, const std::string& what) {
  throw ConfigError(body.place + "whole_body: " + what);
}

void check(const WholeBodyConfig& body) {
  if (body.feet.empty()) refuse(body, "it has no feet; give the frame and size of each sole");
  if (body.feet.size() > kMaxFeet) {
    refuse(body, fmt::format("it has {} feet, more than {}", body.feet.size(), kMaxFeet));
  }
  if (body.hands.size() > kMaxHands) {
    refuse(body, fmt::format("it has {} hands, more than {}", body.hands.size(), kMaxHands));
  }
  const std::size_t frames = body.upright.size() + BodyManagers::tasks_of(body);
  if (frames > kMaxUpright) {
    refuse(body, fmt::format("upright, chest, head, pelvis and hands name {} frames, more than {}",
                             frames, kMaxUpright));
  }
  for (const std::string& frame : body.upright) {
    if (frame != body.chest && frame != body.head && frame != body.pelvis) continue;
    refuse(body, "\"" + frame +
                     "\" is in upright, and a part that messages turn: leave it out of upright");
  }
}

}  // namespace

std::vector<BodySignalWords> body_signals(const RobotConfig& robot) {
  const WholeBodyConfig& body = *robot.whole_body;
  std::vector<BodySignalWords> words;
  for (const LawWord& one : kBodySignals) words.push_back({one.name, one.unit, one.meaning});
  for (const FootConfig& foot : body.feet) {
    words.push_back({foot.name + "_force", "N", "contact force of the solution, magnitude"});
  }
  const auto append = [&](const std::vector<BodySignalWords>& more) {
    words.insert(words.end(), more.begin(), more.end());
  };
  append(BodyManagers::signals_of(body));
  append(BodyManagers::values_of(body, robot.joints));
  add_own_values(robot, words);
  if (body.mode == CoreMode::kInverseKinematics) add_values_of_lead(words);
  number_repeated(words);
  return words;
}

void add_whole_body_law(RobotConfig& robot) {
  if (!robot.whole_body || robot.pin_base) return;
  check(*robot.whole_body);
  const auto is_it = [](const LawConfig& law) { return law.is_whole_body; };
  if (std::any_of(robot.laws.begin(), robot.laws.end(), is_it)) return;
  LawConfig law;
  law.name = kWholeBodyLaw;
  law.place = robot.whole_body->place;
  law.joints.resize(robot.joints.size());
  std::iota(law.joints.begin(), law.joints.end(), JointIndex{0});
  law.budget = kNoBudget;
  law.is_whole_body = true;
  if (robot.whole_body->mode == CoreMode::kInverseKinematics) law.modes = {ControlMode::kPosition};
  law.maker = std::make_shared<const UserLawMaker>(
      [signals = body_signals(robot)] { return std::make_shared<WholeBodyLaw>(signals); });
  robot.laws.push_back(std::move(law));
}

}  // namespace jointrig
