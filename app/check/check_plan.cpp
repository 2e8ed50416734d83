#include "app/check/check_plan.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "app/check/check_planner.h"

namespace jointrig::app {
namespace {

using harness::yaml_number;

constexpr double kPerJoint =
    12.0;  // [s] of a scenario beside its moves and timeouts, more than any needs

}  // namespace

CheckPlanner::CheckPlanner(CheckKind kind, const Discovery& found, std::vector<CheckedJoint> joints,
                           const JointSet& checked, std::string robot, PathCollision& collision,
                           const CheckPlace& place)
    : found_(&found),
      collision_(&collision),
      robot_(std::move(robot)),
      place_(place),
      all_(std::move(joints)) {
  plan_.kind = kind;
  for (std::size_t i = 0; i < all_.size(); ++i) checked_.push_back(checked.test(i));
}

void CheckPlanner::begin(const std::string& requirements) {
  double longest = 60.0;
  for (const Joint& joint : all_)
    longest += kPerJoint + 4.0 * joint.move_time() + 2.0 * joint.config->timeout.seconds;
  script_.emplace(plan_.kind, robot_, requirements, longest, place_.witness);
  calibrate();
  if (is_served()) go_to_start();
}

void CheckPlanner::calibrate() {
  std::vector<std::string> names;
  std::vector<std::string> others;  // else they fall meanwhile
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const Joint& joint = all_[i];
    const bool needs_it =
        joint.config->board.needs_calibration && (!is_served() || place_.to_calibrate.test(i));
    (needs_it ? names : others).push_back(joint.key);
  }
  if (names.empty()) return;
  if (!others.empty()) {
    script_->setup("set_mode: {{joints: [{}], mode: position}}", joined(others));
  }
  script_->setup("calibrate: {{joints: [{}]}}", joined(names));
}

/// A robot that is served stands where it was left. Its server looks for collisions on the whole
/// way to its start before it moves.
void CheckPlanner::go_to_start() {
  std::vector<const Joint*> joints;
  for (const Joint& joint : all_) joints.push_back(&joint);
  script_->setup("set_mode: {{joints: all, mode: position}}");
  script_->setup("wait: 0.5 s");  // joints that were on their way, or fell, come to rest first
  script_->setup("trajectory: {{waypoints: [{{label: start of the check, joints: {}}}]}}",
                 each(joints, [](const Joint& joint) { return joint.config->q_start; }));
  script_->setup("wait: 0.5 s");
}

void CheckPlanner::stand_in_position() {
  script_->setup("set_mode: {{joints: all, mode: position}}");
  script_->setup("wait: 0.5 s");
}

/// A push on purpose isn't the contact that collision detection is there for.
void CheckPlanner::allow_contacts() {
  if (found_->config.detection) script_->setup("set_protection: {{collision_detection: false}}");
}

/// A joint beside another body is pushed off it by collision avoidance, as it should be; that is no
/// fault of the hold, of a torque or of a duty.
void CheckPlanner::allow_closeness() {
  if (found_->config.avoidance) script_->setup("set_protection: {{collision_avoidance: false}}");
}

void CheckPlanner::allow_closeness_from_here() {
  if (found_->config.avoidance) script_->step("set_protection: {{collision_avoidance: false}}");
}

std::string CheckPlanner::at_their_pace(const std::vector<const Joint*>& joints) {
  constexpr double kSlower = 1.2;  // than the slowest joint needs
  double longest = 0.0;
  for (const Joint* joint : joints) {
    if (joint->is_slow()) longest = std::max(longest, kSlower * joint->move_time());
  }
  return longest > 0.0 ? fmt::format(", duration: {} s", yaml_number(longest)) : std::string();
}

void CheckPlanner::tell_slow(const std::vector<const Joint*>& joints) {
  std::vector<std::pair<std::string, std::string>> told;  // by what is said: the joints
  for (const Joint* joint : joints) {
    if (!joint->is_slow()) continue;
    const std::string why = fmt::format(
        "a viscous friction of {:.3g} {}*s/{} lets the motor's {:.3g} {} keep up {:.2g} {}/s, of a "
        "velocity_max of {:.3g}: asked for half of that at most; set velocity_max",
        joint->config->gains.viscous, joint->unit(), joint->unit_of_way(), joint->tau_max(),
        joint->unit(), joint->top_speed(), joint->unit_of_way(), joint->v_max());
    const auto is_same = [&](const auto& each) { return each.first == why; };
    const auto same = std::find_if(told.begin(), told.end(), is_same);
    if (same == told.end())
      told.emplace_back(why, joint->config->name);
    else
      same->second += ", " + joint->config->name;
  }
  for (const auto& [why, names] : told) {
    plan_.remarks.push_back(fmt::format("slow  {}: {}", names, why));
  }
}

std::vector<CheckPlanner::Group> CheckPlanner::groups_of(const std::vector<const Joint*>& joints) {
  std::vector<Group> groups;
  for (const Joint* joint : joints) {
    const auto is_its_own = [&](const Group& group) {
      return !place_.one_by_one && joint->group >= 0 && group[0]->group == joint->group;
    };
    const auto own = std::find_if(groups.begin(), groups.end(), is_its_own);
    if (own == groups.end()) {
      groups.push_back({joint});
    } else {
      own->push_back(joint);
      plan_.asks_groups = true;
    }
  }
  return groups;
}

void CheckPlanner::go_home(const Group& group) {
  script_->step("set_mode: {{joints: {}, mode: position}}", keys(group));
  script_->step("move: {{joints: {}{}}}", each(group, [](const Joint& joint) { return joint.q(); }),
                at_their_pace(group));
  script_->wait(0.2);
}

void CheckPlanner::all_go_home() {
  std::vector<const Joint*> joints;
  for (const Joint& joint : all_) joints.push_back(&joint);
  script_->step("set_mode: {{joints: all, mode: position}}");
  script_->wait(0.3);
  script_->step("move: {{joints: {}{}}}",
                each(joints, [](const Joint& joint) { return joint.q(); }), at_their_pace(joints));
  script_->wait(0.2);
}

CheckPlan CheckPlanner::make() {
  switch (plan_.kind) {
    case CheckKind::kHold:
      hold();
      break;
    case CheckKind::kMove:
      move();
      break;
    case CheckKind::kDirect:
      direct();
      break;
    case CheckKind::kVelocity:
      velocity();
      break;
    case CheckKind::kMixed:
      mixed();
      break;
    case CheckKind::kTorque:
      torque();
      break;
    case CheckKind::kOpenloop:
      openloop();
      break;
    case CheckKind::kIdle:
      idle();
      break;
    case CheckKind::kTimeout:
      timeout();
      break;
    case CheckKind::kStop:
      stop();
      break;
    case CheckKind::kPush:
      push();
      break;
    case CheckKind::kLoad:
      load();
      break;
    case CheckKind::kGuide:
      guide();
      break;
    case CheckKind::kCartesian:
      cartesian();
      break;
  }
  if (plan_.why_not.empty()) plan_.yaml = script_->text();
  return plan_;
}

CheckPlan plan_check(CheckKind kind, const Discovery& found, std::vector<CheckedJoint> joints,
                     const JointSet& checked, const std::string& robot, PathCollision& collision,
                     const CheckPlace& place) {
  return CheckPlanner(kind, found, std::move(joints), checked, robot, collision, place).make();
}

}  // namespace jointrig::app
