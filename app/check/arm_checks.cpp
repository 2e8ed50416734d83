#include <algorithm>
#include <cmath>

#include "app/check/check_planner.h"
#include "harness/runner/signals.h"

namespace jointrig::app {
namespace {

using harness::yaml_number;

constexpr double kDegree = 3.14159265358979323846 / 180.0;

/// Bound of a joint's way while nothing moves the arm: the term `limits` pushes it out of its zone.
std::string may_float(const ArmConfig& arm, const CheckedJoint& joint) {
  const double depth = depth_in_zone(arm, *joint.config);
  if (depth == 0.0) return fmt::format("max: {}", joint.floating());
  const bool slide = joint.config->slide;
  return fmt::format("max: {} {}", yaml_number(depth + (slide ? 0.01 : 2.0 * kDegree)),
                     slide ? "m" : "rad");
}

}  // namespace

void CheckPlanner::guide_arm(const ArmConfig& arm, std::size_t number) {
  constexpr double kFor = 0.5;  // [s]
  const std::string name = harness::yaml_string(arm.name);
  script_->mark(fmt::format("cuff_{}", number));
  script_->step("set_arm: {{arm: {}, cuff: 60 s}}", name);
  script_->step("wait: {{event: {}, timeout: 2 s}}",
                harness::yaml_string("guide." + harness::quoted_where_odd(arm.part) + ".let_go"));
  const std::string free = script_->mark(fmt::format("free_{}", number));
  script_->wait(2.0);
  const std::string stayed = script_->mark(fmt::format("stayed_{}", number));
  // A hand at the joint with the most room turns it by 2° and a little more, well below the speed
  // that ends guiding.
  const Joint* by_hand = nullptr;
  for (const JointIndex index : arm.joints) {
    const Joint& joint = all_[index];
    script_->metric(joint, "drift", "truth.$.q - at(truth.$.q, " + free + ")", {free, stayed},
                    "peak", may_float(arm, joint));
    if (by_hand == nullptr || std::abs(joint.way) > std::abs(by_hand->way)) by_hand = &joint;
  }
  if (by_hand != nullptr && by_hand->way != 0.0) {
    const JointGains& gains = by_hand->config->gains;
    const double v = std::min(8.0 * kDegree / kFor, 0.3 * arm.zero_g.speed_max);
    const double stop_time = arm.zero_g.stop_time;
    const double rate = stop_time > 0.0 ? 3.0 / stop_time : 0.0;  // 5 % are left at stop_time
    // Between those with the other joints free and held: their friction holds them in part.
    const double inertia = std::sqrt(by_hand->inertia * by_hand->held_inertia);
    const double tau = gains.friction + (gains.viscous + arm.zero_g.damping) * v +
                       inertia * v * (1.0 / kFor + rate);
    // A hand at the joint of a heavy arm is more than one at its tool may be.
    const bool feels_hands = found_->config.detection && found_->config.detection->on;
    if (feels_hands) script_->step("set_protection: {{collision_detection: false}}");
    script_->step("force: {{joint: {}, along: {}, for: {} s}}", by_hand->key,
                  yaml_number(by_hand->sign() * tau), yaml_number(kFor));
    script_->wait(kFor);
    const std::string followed = script_->mark(fmt::format("followed_{}", number));
    const double expected = by_hand->sign() * v * kFor / 2.0;
    script_->metric(*by_hand, "way against the hand's",
                    "(truth.$.q - at(truth.$.q, " + stayed + ")) / (" + yaml_number(expected) +
                        (by_hand->config->slide ? " m)" : " rad)"),
                    {stayed, followed}, "final", "min: 20 %");
    script_->wait(0.2);  // until nothing is felt of it
    if (feels_hands) script_->step("set_protection: {{collision_detection: true}}");
  }
  script_->step("set_arm: {{arm: {}, cuff: 0 s}}", name);
  script_->wait(1.0);
  const std::string held = script_->mark(fmt::format("held_{}", number));
  script_->wait(0.5);
  const std::string end = script_->mark(fmt::format("end_{}", number));
  for (const JointIndex index : arm.joints) {
    const Joint& joint = all_[index];
    script_->metric(joint, "drift after it", "truth.$.q - at(truth.$.q, " + held + ")", {held, end},
                    "peak", fmt::format("max: {}", joint.close()));
  }
}

void CheckPlanner::guide() {
  const std::vector<ArmConfig>& arms = found_->config.arms;
  if (arms.empty()) {
    plan_.why_not = "no arm with a tool in the robot's file (`arms`, docs/robots.md)";
    return;
  }
  begin("torque, disturbances");
  stand_in_position();
  std::size_t number = 0;
  for (const ArmConfig* arm : asked_arms()) guide_arm(*arm, ++number);
  if (number == 0) plan_.why_not = "none of the joints belongs to an arm";
}

std::vector<const ArmConfig*> CheckPlanner::asked_arms() const {
  std::vector<const ArmConfig*> asked;
  for (const ArmConfig& arm : found_->config.arms) {
    const bool is_asked = std::any_of(arm.joints.begin(), arm.joints.end(),
                                      [&](JointIndex joint) { return checked_[joint]; });
    if (is_asked) asked.push_back(&arm);
  }
  return asked;
}

/// Its tool goes there and back, and is pushed by a force F that its springs take by F/K.
void CheckPlanner::move_and_push_tool(const CheckedArm& arm, std::size_t number) {
  constexpr double kSlower = 1.2;  // than the slowest joint needs
  const auto marked = [&](const char* word) {
    return script_->mark(fmt::format("{}_{}", word, number));
  };
  const auto three = [](const Eigen::Vector3d& v) {
    return fmt::format("[{}, {}, {}]", yaml_number(v.x() + 0.0), yaml_number(v.y() + 0.0),
                       yaml_number(v.z() + 0.0));
  };
  const auto metric = [&](const std::string& what, const std::string& of, const Span& span,
                          const std::string& statistic, const std::string& bound) {
    script_->metric(what, arm.config->name, of, span, statistic, bound);
  };
  const std::string close =
      fmt::format("max: {} mm", yaml_number(1e3 * (kToolClose + arm.stuck())));
  // Until the tool is there: its target's way, and the springs', which take long where joints are
  // heavy or have much friction.
  const auto settle = [&](double least) {
    constexpr double kWayTime = 0.5;  // [s] of kToolWay
    script_->wait(std::max(least, kWayTime + arm.settling));
  };

  // All joints in the same time: on the straight way that was looked at for bodies to meet.
  double duration = 0.0;
  for (std::size_t i = 0; i < arm.q.size(); ++i) {
    const Joint& joint = all_[arm.config->joints[i]];
    duration = std::max(duration, kSlower * joint.time_for(arm.q[i] - joint.q()));
  }
  const auto move_to = [&](const auto& goal) {
    std::string goals;
    for (std::size_t i = 0; i < arm.q.size(); ++i) {
      goals += (goals.empty() ? "" : ", ") + all_[arm.config->joints[i]].key + ": " +
               yaml_number(goal(i));
    }
    if (goals.empty()) return;
    script_->step("move: {{joints: {{{}}}, duration: {} s}}", goals, yaml_number(duration));
  };
  move_to([&](std::size_t i) { return arm.q[i]; });
  script_->step("set_mode: {{joints: {}, mode: cartesian}}",
                harness::yaml_string(arm.config->part));
  script_->wait(0.5);
  const std::string go = marked("go");
  script_->step("move_tool: {{arm: {}, by: {}}}", arm.name, three(kToolWay * arm.in_base));
  settle(0.8);
  const std::string there = marked("there");
  script_->wait(0.2);
  const std::string end = marked("end");
  const std::string way = arm.way_since(go);
  metric("overshoot", way + " / (" + yaml_number(kToolWay) + " m)", {go, end}, "overshoot",
         "target: 1, max: 10 %");
  metric("error", way + " - " + yaml_number(kToolWay) + " m", {there, end}, "peak", close);

  script_->step("move_tool: {{arm: {}, by: {}}}", arm.name, three(-kToolWay * arm.in_base));
  settle(1.0);
  const std::string pushed = marked("pushed");
  script_->step("force: {{body: {}, point: {}, force: {}, for: {} s}}", arm.body, three(arm.point),
                three(arm.push * arm.in_world), yaml_number(std::max(1.8, arm.settling) + 0.2));
  script_->wait(std::max(1.8, arm.settling));
  const std::string held = marked("held");
  script_->wait(0.2);
  const std::string let_go = marked("let_go");
  settle(2.5);  // a posture swings more slowly than the tool
  const std::string rests = marked("rests");
  script_->wait(0.5);
  const std::string stood = marked("stood");
  const double by_friction = 200.0 * arm.friction / arm.push;  // [%] one way and the other
  metric("way against F/K",
         arm.way_since(pushed) + " / (" + yaml_number(arm.push * arm.compliance) + " m)",
         {held, let_go}, "mean",
         fmt::format("min: {:.4g} %, max: {:.4g} %", std::max(0.0, 90.0 - by_friction),
                     110.0 + by_friction));
  metric("way back", arm.way_since(pushed), {rests, stood}, "peak",
         fmt::format("max: {} mm", yaml_number(1e3 * (kToolClose + 2.0 * arm.stuck()))));
  for (const JointIndex index : arm.config->joints) {
    script_->metric(all_[index], "speed at rest", "truth.$.v", {rests, stood}, "peak",
                    all_[index].config->slide ? "max: 5 mm/s" : "max: 0.02 rad/s");
  }
  script_->step("set_mode: {{joints: {}, mode: position}}", harness::yaml_string(arm.config->part));
  // Out of others' way. That way is free, but at its end links may be nearer than the margin at
  // which avoidance stops them: they were so at the start.
  const bool is_kept_off =
      !arm.q.empty() && found_->config.avoidance && found_->config.avoidance->on;
  if (is_kept_off) script_->step("set_protection: {{collision_avoidance: false}}");
  move_to([&](std::size_t i) { return all_[arm.config->joints[i]].q(); });
  if (is_kept_off) script_->step("set_protection: {{collision_avoidance: true}}");
}

void CheckPlanner::cartesian() {
  if (found_->config.arms.empty()) {
    plan_.why_not = "no arm with a tool in the robot's file (`arms`, docs/robots.md)";
    return;
  }
  begin("torque, disturbances");
  stand_in_position();
  allow_contacts();
  std::size_t number = 0;
  for (const ArmConfig* arm : asked_arms()) {
    const CheckedArm checked = checked_arm(*found_, *arm, all_, *collision_);
    if (checked.why_not.empty()) {
      move_and_push_tool(checked, ++number);
    } else {
      plan_.notes.push_back(arm->name + ": " + checked.why_not);
    }
  }
  if (number > 0) return;
  plan_.why_not =
      plan_.notes.empty() ? "none of the joints belongs to an arm" : joined(plan_.notes);
}

}  // namespace jointrig::app
