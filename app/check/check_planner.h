#pragma once
/// Writes the scenarios of a check: what all kinds share, and one function for each kind.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/check/check_plan.h"
#include "app/check/check_script.h"
#include "app/check/checked_arm.h"
#include "app/check/checked_joint.h"
#include "control/core/text.h"
#include "harness/config/yaml_document.h"

namespace jointrig::app {

/// Everything that a kind needs to write its scenario.
class CheckPlanner {
 public:
  CheckPlanner(CheckKind kind, const Discovery& found, std::vector<CheckedJoint> joints,
               const JointSet& checked, std::string robot, PathCollision& collision,
               const CheckPlace& place);
  CheckPlan make();

 private:
  using Joint = CheckedJoint;
  using Group = std::vector<const Joint*>;  ///< joints that are asked at the same time

  void hold();
  void move();
  void direct();
  void velocity();
  void mixed();
  void torque();
  void openloop();
  void idle();
  void timeout();
  void stop();
  void push();
  void load();
  void guide();
  void cartesian();

  /// @param requirements  beside those of the witness
  void begin(const std::string& requirements = {});
  [[nodiscard]] bool is_served() const noexcept { return place_.witness == CheckWitness::kReports; }
  void calibrate();
  void go_to_start();
  void stand_in_position();
  void allow_contacts();
  void allow_closeness();
  void allow_closeness_from_here();
  /// ", duration: 3 s" for a move of joints that their friction keeps from their velocity_max, else
  /// "".
  static std::string at_their_pace(const std::vector<const Joint*>& joints);
  /// Tells such joints.
  void tell_slow(const std::vector<const Joint*>& joints);
  void go_home(const Group& group);
  void all_go_home();
  /// Those of `joints` that fit; the others are told, and why.
  std::vector<const Joint*> some_of(const std::vector<const Joint*>& joints,
                                    bool (*fits)(const Joint&), const std::string& why_not);
  std::vector<const Joint*> that_float(const std::vector<const Joint*>& joints);
  std::vector<const Joint*> that_take_duty(const std::vector<const Joint*>& joints);
  /// These joints, group beside group (joint_groups.h), in the order of the first of each; where
  /// the place asks for it, one by one.
  std::vector<Group> groups_of(const std::vector<const Joint*>& joints);
  /// Those from `alone` on come one by one, after the others.
  std::vector<Group> groups_of_but(const std::vector<const Joint*>& joints,
                                   std::vector<const Joint*>::const_iterator alone);
  /// Those of a group that a torque of so many seconds drives, or a duty. The others are told.
  Group driven_by_torque(const Group& group, double seconds);
  Group driven_by_duty(const Group& group, double still);
  /// Drives a group in TORQUE, while others float, or one in OPENLOOP whose joints take their duty
  /// equally long. The sample is to count `still` longer than it is sent [s].
  void drive_by_torque(const std::vector<const Joint*>& floating, const Group& group,
                       double seconds, double still);
  void drive_by_duty(const Group& group, double still);
  /// STOP at once, which has to brake and hold these joints.
  /// @param word  for the marks
  void stop_now(const std::vector<const Joint*>& joints, const std::string& mode,
                const std::string& word);
  /// They stand from here on for that long.
  /// @param in  the mode in which they have to be
  void stops(const std::vector<const Joint*>& joints, const std::string& mode,
             const std::string& word, double seconds, const std::string& in = "position");
  void guide_arm(const ArmConfig& arm, std::size_t number);
  void move_and_push_tool(const CheckedArm& arm, std::size_t number);
  /// Arms with a joint that is checked.
  [[nodiscard]] std::vector<const ArmConfig*> asked_arms() const;
  /// Joints for which `fits` is true; the others are left out, for a reason.
  template <typename Fits>
  std::vector<const Joint*> those(Fits fits, const std::string& why_not);
  std::vector<const Joint*> movable() {
    return those(
        [](const Joint& joint) { return joint.way != 0.0; },
        "no room between its start and its limits, the robot's other bodies, the scene or poses "
        "that its motors can't hold");
  }
  /// Joints of which `value` is the same are asked at the same time, the others after them.
  template <typename Value>
  static std::vector<Group> parted_by(const std::vector<Group>& groups, Value value);
  /// [elbow, wrist]
  static std::string keys(const Group& group) {
    return "[" + joined(group, ", ", &Joint::key) + "]";
  }
  /// {elbow: 0.3, wrist: 0.1}
  template <typename Value>
  static std::string each(const std::vector<const Joint*>& joints, Value value);

  const Discovery* found_;
  PathCollision* collision_;
  std::string robot_;
  CheckPlace place_;
  std::vector<Joint> all_;     // of the robot
  std::vector<bool> checked_;  // by joint
  std::optional<CheckScript> script_;
  CheckPlan plan_;
};

template <typename Fits>
std::vector<const CheckedJoint*> CheckPlanner::those(Fits fits, const std::string& why_not) {
  std::vector<const Joint*> fitting;
  std::vector<std::string> left_out;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (!checked_[i]) continue;
    if (fits(all_[i])) {
      fitting.push_back(&all_[i]);
    } else {
      left_out.push_back(all_[i].config->name);
    }
  }
  if (!left_out.empty()) plan_.notes.push_back(joined(left_out) + ": " + why_not);
  if (fitting.empty()) plan_.why_not = "no joint can: " + why_not;
  return fitting;
}

template <typename Value>
std::vector<CheckPlanner::Group> CheckPlanner::parted_by(const std::vector<Group>& groups,
                                                         Value value) {
  std::vector<Group> parts;
  for (const Group& group : groups) {
    const auto first = static_cast<std::ptrdiff_t>(parts.size());
    for (const Joint* joint : group) {
      const auto is_alike = [&](const Group& part) { return value(*part[0]) == value(*joint); };
      const auto part = std::find_if(parts.begin() + first, parts.end(), is_alike);
      if (part == parts.end())
        parts.push_back({joint});
      else
        part->push_back(joint);
    }
  }
  return parts;
}

template <typename Value>
std::string CheckPlanner::each(const std::vector<const Joint*>& joints, Value value) {
  std::string map;
  for (const Joint* joint : joints) {
    map += (map.empty() ? "{" : ", ") + joint->key + ": " + harness::yaml_number(value(*joint));
  }
  return map + "}";
}

}  // namespace jointrig::app
