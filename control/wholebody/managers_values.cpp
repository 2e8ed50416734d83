// Inner values of the managers' tasks: what is wanted of each, how far it is off, its weight.

#include <algorithm>
#include <cctype>

#include "control/wholebody/managers.h"

namespace jointrig {
namespace {

constexpr std::size_t kOfJoint = 3;

/// A joint's name as a part of a signal's: lower-case letters, digits, and _ between them.
std::string as_signal(const std::string& name) {
  std::string word;
  for (const char c : name) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) != 0) {
      word += static_cast<char>(std::tolower(letter));
    } else if (!word.empty() && word.back() != '_') {
      word += '_';
    }
  }
  while (!word.empty() && word.back() == '_') word.pop_back();
  return word;
}

void add_joint(std::vector<BodySignalWords>& words, const JointConfig& joint) {
  const char* unit = joint.slide ? "m" : "rad";
  const std::string name = joint_signal_of(joint);
  words.push_back({name + "_wanted", unit, "position that it is pulled to; its own while none is"});
  words.push_back({name + "_error", unit, "wanted position less its own"});
  words.push_back({name + "_weight", "", "of its acceleration in the program"});
}

}  // namespace

std::string joint_signal_of(const JointConfig& joint) { return "joint_" + as_signal(joint.name); }

std::vector<BodySignalWords> BodyManagers::values_of(const WholeBodyConfig& config,
                                                     std::span<const JointConfig> joints) {
  std::vector<BodySignalWords> words;
  if (!config.chest.empty()) add_turned(words, "chest");
  if (!config.head.empty()) add_turned(words, "head");
  if (!config.pelvis.empty()) {
    add_turned(words, "pelvis");
    words.push_back({"height_wanted", "m", "of the pelvis above the soles"});
    words.push_back({"height_weight", "", "in the program; 0: not driven"});
    for (const char* axis : {"_x", "_y"}) {
      const std::string end = axis;
      words.push_back({"place_wanted" + end, "m", "of the pelvis, in the stance frame"});
      words.push_back({"place_error" + end, "m", "wanted place less its place, likewise"});
      words.push_back({"place_weight" + end, "", "in the program; 0: not driven"});
    }
  }
  for (const HandConfig& hand : config.hands) {
    add_placed(words, hand.name + "_hand");
    words.push_back({hand.name + "_hand_force_wanted", "N", "along the normal, of its message"});
    words.push_back({hand.name + "_hand_force_weight", "", "of that in the program"});
  }
  for (const FootConfig& foot : config.feet) add_placed(words, foot.name + "_foot");
  for (const JointConfig& joint : joints) add_joint(words, joint);
  return words;
}

void BodyManagers::show_pelvis(const FloatingModel& model, const WholeBodyCommand& command,
                               ValueWriter& out) const noexcept {
  const SpatialTask& task = command.spatial[pelvis_.task];
  const bool is_turned = state_.pelvis.queue.active();
  if (is_turned) {
    out.turned(model, task, state_.pelvis.goal(state_.stance).rotation);
  } else {
    out.zeros(ValueWriter::kTurned);
  }
  const bool has_height = state_.height.active();
  out.put(has_height ? state_.height.now().x[0] : 0.0);
  out.put(has_height ? ValueWriter::weight(task, 2) : 0.0);
  if (!state_.place.active()) return out.zeros(6);
  const Eigen::Vector2d wanted = lead_of(model).pelvis;
  const Eigen::Vector2d here = place_now(model).x.head<2>();
  for (int axis = 0; axis < 2; ++axis) {
    out.put(wanted[axis]);
    out.put(wanted[axis] - here[axis]);
    out.put(ValueWriter::weight(task, static_cast<std::size_t>(axis)));
  }
}

void BodyManagers::show_hand(const FloatingModel& model, std::size_t i,
                             const WholeBodyCommand& command, ValueWriter& out) const noexcept {
  out.placed(model, command.spatial[hands_[i].task], state_.hands[i].goal(state_.stance));
  const bool bears = has_contact(i) && state_.bearing[i].on();
  out.put(bears ? state_.bearing[i].force() : 0.0);
  out.put(bears ? config_.bearing_weight : 0.0);
}

/// A joint is pulled to its posture, unless a message moves it: then to that one's place, if it is
/// moved by itself. One that moves for another task is damped alone.
void BodyManagers::show_joints(const FloatingModel& model, const Shown& shown,
                               std::span<double> values) const noexcept {
  const auto at = [&](int joint) {
    const JointIndex its = shown.joint_of[static_cast<std::size_t>(joint)];
    return values.subspan(kOfJoint * its, kOfJoint);
  };
  const JointTask& posture = shown.command.privileged;
  const JointTask& moved = shown.command.joints;
  for (int i = 0; i < model.joint_count(); ++i) {
    const double q = model.q()[static_cast<std::size_t>(i)];
    const bool is_pulled = posture.weights[i] == config_.posture_weight;
    const std::span<double> to = at(i);
    to[0] = is_pulled ? shown.posture[i] : q;
    to[1] = to[0] - q;
    to[2] = posture.weights[i] + (moved.on ? moved.weights[i] : 0.0);
  }
  const auto lead = [&](const HandManager& manager, const HandSetup& limb) {
    if (manager.space() != HandManager::Space::kJoint) return;
    for (std::size_t k = 0; k < limb.joints.size(); ++k) {
      const std::span<double> to = at(limb.joints[k]);
      to[0] = manager.queue().now().x[static_cast<Eigen::Index>(k)];
      to[1] = to[0] - model.q()[static_cast<std::size_t>(limb.joints[k])];
    }
  };
  lead(state_.neck, neck_);
  for (std::size_t i = 0; i < hands_.size(); ++i) {
    lead(state_.hands[i], hands_[i]);
    lead(state_.fingers[i], hands_[i].fingers);
  }
}

void BodyManagers::show_values(const FloatingModel& model, const Shown& shown,
                               std::span<double> values) const noexcept {
  if (!state_.stands) {
    std::fill(values.begin(), values.end(), 0.0);
    return;
  }
  ValueWriter out(values);
  const auto turned = [&](const Part& part, const TurningManager& manager) {
    if (!part.there) return;
    out.turned(model, shown.command.spatial[part.task], manager.goal(state_.stance).rotation);
  };
  turned(chest_, state_.chest);
  turned(head_, state_.head);
  if (pelvis_.there) show_pelvis(model, shown.command, out);
  for (std::size_t i = 0; i < hands_.size(); ++i) show_hand(model, i, shown.command, out);
  for (std::size_t i = 0; i < feet_.size(); ++i) {
    out.placed(model, shown.command.spatial[feet_[i].task],
               goal_of(state_.feet[i].queue().now(), state_.stance));
  }
  show_joints(model, shown, values.subspan(out.next()));
}

}  // namespace jointrig
