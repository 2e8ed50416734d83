#include "app/check/check_plan.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/check/check_script.h"
#include "app/check/checked_arm.h"
#include "control/core/board_defaults.h"
#include "control/core/text.h"
#include "harness/config/yaml_document.h"
#include "harness/runner/signals.h"

namespace jointrig::app {
namespace {

using harness::yaml_number;

constexpr double kPerJoint = 6.0;   // [s] of a scenario beside its moves, twice of what any needs
constexpr double kHoldTime = 10.0;  // [s]
constexpr double kOverSpeed = 2.0;  // of velocity_max: the fault over_speed
constexpr double kDegree = 3.14159265358979323846 / 180.0;

/// Everything that a kind needs to write its scenario.
class Planner {
 public:
  Planner(CheckKind kind, const Discovery& found, std::vector<CheckedJoint> joints,
          const JointSet& checked, std::string robot);
  CheckPlan make();

 private:
  using Joint = CheckedJoint;

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

  void begin(const std::string& requirements);
  void calibrate();
  void stand_in_position();
  void allow_contacts();
  void allow_closeness();
  void go_home(const Joint& joint);
  void all_go_home();
  void guide_arm(const ArmConfig& arm, std::size_t number);
  void move_and_push_tool(const CheckedArm& arm, std::size_t number);
  /// Arms with a joint that is checked.
  [[nodiscard]] std::vector<const ArmConfig*> asked_arms() const;
  /// Joints for which `fits` is true; the others are left out, for a reason.
  template <typename Fits>
  std::vector<const Joint*> those(Fits fits, const std::string& why_not);
  std::vector<const Joint*> movable() {
    return those([](const Joint& joint) { return joint.way != 0.0; },
                 "no room between its start and its limits, the robot's other bodies or the scene");
  }
  /// {elbow: 0.3, wrist: 0.1}
  template <typename Value>
  static std::string each(const std::vector<const Joint*>& joints, Value value);

  const Discovery* found_;
  std::string robot_;
  std::vector<Joint> all_;     // of the robot
  std::vector<bool> checked_;  // by joint
  std::optional<CheckScript> script_;
  CheckPlan plan_;
};

Planner::Planner(CheckKind kind, const Discovery& found, std::vector<CheckedJoint> joints,
                 const JointSet& checked, std::string robot)
    : found_(&found), robot_(std::move(robot)), all_(std::move(joints)) {
  plan_.kind = kind;
  for (std::size_t i = 0; i < all_.size(); ++i) checked_.push_back(checked.test(i));
}

template <typename Fits>
std::vector<const CheckedJoint*> Planner::those(Fits fits, const std::string& why_not) {
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
std::string Planner::each(const std::vector<const Joint*>& joints, Value value) {
  std::string map;
  for (const Joint* joint : joints) {
    map += (map.empty() ? "{" : ", ") + joint->key + ": " + yaml_number(value(*joint));
  }
  return map + "}";
}

void Planner::begin(const std::string& requirements) {
  double longest = 60.0;
  for (const Joint& joint : all_) longest += kPerJoint + 4.0 * joint.move_time();
  script_.emplace(plan_.kind, robot_, requirements, longest);
  calibrate();
}

void Planner::calibrate() {
  std::vector<std::string> names;
  std::vector<std::string> others;  // else they fall meanwhile
  for (const Joint& joint : all_) {
    (joint.config->board.needs_calibration ? names : others).push_back(joint.key);
  }
  if (names.empty()) return;
  if (!others.empty()) {
    script_->setup("set_mode: {{joints: [{}], mode: position}}", joined(others));
  }
  script_->setup("calibrate: {{joints: [{}]}}", joined(names));
}

void Planner::stand_in_position() {
  script_->setup("set_mode: {{joints: all, mode: position}}");
  script_->setup("wait: 0.5 s");
}

/// A push on purpose isn't the contact that collision detection is there for.
void Planner::allow_contacts() {
  if (found_->config.detection) script_->setup("set_protection: {{collision_detection: false}}");
}

/// A joint beside another body is pushed off it by collision avoidance, as it should be; that is no
/// fault of the hold, of a torque or of a duty.
void Planner::allow_closeness() {
  if (found_->config.avoidance) script_->setup("set_protection: {{collision_avoidance: false}}");
}

void Planner::go_home(const Joint& joint) {
  script_->step("set_mode: {{joints: {}, mode: position}}", joint.key);
  script_->step("move: {{joints: {{{}: {}}}}}", joint.key, yaml_number(joint.q()));
  script_->wait(0.2);
}

void Planner::all_go_home() {
  std::vector<const Joint*> joints;
  for (const Joint& joint : all_) joints.push_back(&joint);
  script_->step("set_mode: {{joints: all, mode: position}}");
  script_->wait(0.3);
  script_->step("move: {{joints: {}}}", each(joints, [](const Joint& joint) { return joint.q(); }));
  script_->wait(0.2);
}

void Planner::hold() {
  begin("truth");
  const bool falls = std::any_of(all_.begin(), all_.end(), [](const Joint& joint) {
    return joint.config->board.needs_calibration;
  });
  if (falls) stand_in_position();  // a calibrated motor is off until a mode is asked for
  const std::string from = script_->mark("start");
  script_->step("set_mode: {{joints: all, mode: position}}");
  script_->wait(kHoldTime);
  for (const Joint* joint : those([](const Joint&) { return true; }, "")) {
    script_->metric(*joint, "drift", "truth.$.q - at(truth.$.q, start)", {from}, "peak",
                    fmt::format("max: {}", joint->close()));
  }
}

void Planner::move() {
  begin("truth");
  stand_in_position();
  int i = 0;
  for (const Joint* joint : movable()) {
    const std::string goal = yaml_number(joint->q() + joint->way);
    const std::string go = script_->mark(fmt::format("go_{}", ++i));
    script_->step("move: {{joints: {{{}: {}}}}}", joint->key, goal);
    script_->wait(0.3);
    const std::string there = script_->mark(fmt::format("there_{}", i));
    script_->wait(0.3);
    const std::string end = script_->mark(fmt::format("end_{}", i));
    go_home(*joint);
    script_->metric(*joint, "overshoot", "truth.$.q", {go, end}, "overshoot",
                    "target: " + goal + ", max: 5 %");
    script_->metric(*joint, "error", "truth.$.q - $.q_ref", {there, end}, "peak",
                    fmt::format("max: {}", joint->close()));
  }
}

void Planner::direct() {
  constexpr double kShareOfStep = 0.95;  // so that no rounding refuses it
  begin("truth");
  stand_in_position();
  int i = 0;
  for (const Joint* joint : movable()) {
    const double most = kShareOfStep * joint->config->limits.step_max;
    const double step = joint->sign() * std::min(most, std::abs(joint->way));
    const std::string goal = yaml_number(joint->q() + step);
    script_->step("set_mode: {{joints: {}, mode: position_direct}}", joint->key);
    const std::string go = script_->mark(fmt::format("go_{}", ++i));
    script_->step("stream: {{position: {{{}: {}}}, for: 0.8 s}}", joint->key, goal);
    const std::string end = script_->mark(fmt::format("end_{}", i));
    go_home(*joint);
    script_->metric(*joint, "overshoot", "truth.$.q", {go, end}, "overshoot",
                    "target: " + goal + ", max: 5 %");
    script_->metric(*joint, "speed", "truth.$.v / $.v_max", {go, end}, "peak", "max: 105 %");
  }
}

void Planner::velocity() {
  begin("truth");
  stand_in_position();
  int i = 0;
  for (const Joint* joint : movable()) {
    const double v = joint->sign() * joint->speed(1.0, 0.8, 0.3);
    script_->step("set_mode: {{joints: {}, mode: velocity}}", joint->key);
    script_->step("stream: {{velocity: {{{}: {}}}, for: 0.4 s}}", joint->key, yaml_number(v));
    const std::string steady = script_->mark(fmt::format("steady_{}", ++i));
    script_->step("stream: {{velocity: {{{}: {}}}, for: 0.3 s}}", joint->key, yaml_number(v));
    const std::string off = script_->mark(fmt::format("off_{}", i));
    script_->step("stream: {{velocity: {{{}: 0}}, for: 0.6 s}}", joint->key);
    const std::string rests = script_->mark(fmt::format("rests_{}", i));
    script_->step("stream: {{velocity: {{{}: 0}}, for: 0.4 s}}", joint->key);
    const std::string end = script_->mark(fmt::format("end_{}", i));
    go_home(*joint);
    script_->metric(*joint, "speed off",
                    "mean(truth.$.v - $.v_ref, 0.1 s) / (" + yaml_number(v) +
                        (joint->config->slide ? " m/s)" : " rad/s)"),
                    {steady, off}, "peak", "max: 10 %");
    script_->metric(*joint, "drift at rest", "truth.$.q - at(truth.$.q, " + rests + ")",
                    {rests, end}, "peak", fmt::format("max: {}", joint->close()));
  }
}

void Planner::mixed() {
  begin("truth");
  stand_in_position();
  int i = 0;
  for (const Joint* joint : movable()) {
    const double v = joint->sign() * joint->speed(0.8, 0.5, 0.3);
    script_->step("set_mode: {{joints: {}, mode: mixed}}", joint->key);
    script_->step("stream: {{velocity: {{{}: {}}}, for: 0.4 s}}", joint->key, yaml_number(v));
    const std::string goal = yaml_number(joint->q() + joint->way);
    script_->step("move: {{joints: {{{}: {}}}}}", joint->key, goal);
    script_->wait(0.3);
    const std::string there = script_->mark(fmt::format("there_{}", ++i));
    script_->wait(0.3);
    const std::string end = script_->mark(fmt::format("end_{}", i));
    go_home(*joint);
    const std::string unit = joint->config->slide ? " m" : " rad";
    script_->metric(*joint, "error", "truth.$.q - (" + goal + unit + ")", {there, end}, "peak",
                    fmt::format("max: {}", joint->close()));
  }
}

void Planner::torque() {
  const bool all_compensated = std::all_of(
      all_.begin(), all_.end(), [](const Joint& joint) { return joint.config->gravity_in_torque; });
  if (!all_compensated) {
    plan_.why_not = "the robot's file sets gravity_in_torque: false, and would fall";
    return;
  }
  constexpr double kFor = 0.1;  // [s]
  begin("torque, truth");
  stand_in_position();
  allow_closeness();
  script_->step("set_mode: {{joints: all, mode: torque}}");
  const std::string floats = script_->mark("floats");
  script_->wait(1.0);
  const std::string floated = script_->mark("floated");
  all_go_home();
  int i = 0;
  for (const Joint* joint : those([](const Joint&) { return true; }, "")) {
    script_->metric(*joint, "drift", "truth.$.q - at(truth.$.q, floats)", {floats, floated}, "peak",
                    fmt::format("max: {}", joint->floating()));
  }
  for (const Joint* joint : movable()) {
    // A fifth of its way in that time, half of its velocity limit, a third of its torque: at most.
    const double v = joint->speed(0.2, kFor / 2.0, 0.5);
    const JointGains& gains = joint->config->gains;
    const double wanted = gains.friction + gains.viscous * v + joint->inertia * v / kFor;
    const double tau = std::min(wanted, joint->torque_left() / 2.0);
    const double expected = joint->speed_after(tau, kFor, joint->inertia);
    const double least = joint->speed_after(tau, kFor, joint->held_inertia) / expected;
    if (!(expected > 0.02 * v)) {
      plan_.notes.push_back(joint->config->name +
                            ": its friction takes what torque its weight leaves");
      continue;
    }
    script_->step("set_mode: {{joints: all, mode: torque}}");
    script_->step("stream: {{torque: {{{}: {}}}, for: {} s}}", joint->key,
                  yaml_number(joint->sign() * tau), yaml_number(kFor));
    const std::string pushed = script_->mark(fmt::format("pushed_{}", ++i));
    script_->step("wait: 1 ms");
    const std::string seen = script_->mark(fmt::format("seen_{}", i));
    all_go_home();
    script_->metric(*joint, "speed against its inertia's",
                    "truth.$.v / (" + yaml_number(joint->sign() * expected) +
                        (joint->config->slide ? " m/s)" : " rad/s)"),
                    {pushed, seen}, "final",
                    fmt::format("min: {:.4g} %, max: 200 %", 50.0 * least));
  }
}

void Planner::openloop() {
  constexpr double kLongest = 0.3;     // [s]
  constexpr double kOverWeight = 0.5;  // of the weight, that the back-EMF's share is to be at least
  begin("duty, truth");
  stand_in_position();
  allow_closeness();
  int i = 0;
  for (const Joint* joint : movable()) {
    // U duty = R i + kt v, kt i = weight + friction: control/core/board_defaults.h has the values.
    const BoardConfig board = with_defaults(joint->config->board, joint->config->limits);
    const double kt = board.torque_constant;
    const double braking = kt * kt / board.resistance_ohm;  // [N·m·s/rad]
    const double clear =
        std::min(kOverWeight * std::abs(joint->weight) / braking, 0.6 * joint->v_max());
    const double spare =
        (0.95 * joint->tau_max() - std::abs(joint->weight) - joint->config->gains.friction) /
        braking;
    const double speed = std::min(spare, std::max(joint->speed(0.5, kLongest, 0.3), clear));
    if (!(speed > 0.0 && speed >= 0.5 * clear)) {
      plan_.notes.push_back(joint->config->name + ": its weight leaves too little of its torque");
      continue;
    }
    const double time = std::min(kLongest, std::abs(joint->way) / speed);
    const double lag = joint->held_inertia / (braking + joint->config->gains.viscous);
    const double way = speed * (time + lag * std::expm1(-time / lag));
    const double v = joint->sign() * speed;
    const double load = joint->weight + joint->sign() * joint->config->gains.friction +
                        joint->config->gains.viscous * v;
    const double duty = (load * board.resistance_ohm / kt + kt * v) / board.supply_V;
    if (std::abs(duty) > 1.0) {
      plan_.notes.push_back(joint->config->name +
                            ": its voltage can't drive it against its weight");
      continue;
    }
    // From idle its duty is all that the motor gets: after a hold the torque that held it would be
    // blended into the first 0.1 s, and can turn a light joint the other way.
    script_->step("set_mode: {{joints: {}, mode: idle}}", joint->key);
    script_->step("set_mode: {{joints: {}, mode: openloop}}", joint->key);
    const std::string go = script_->mark(fmt::format("go_{}", ++i));
    script_->step("stream: {{duty: {{{}: {}}}, for: {} s}}", joint->key, yaml_number(duty),
                  yaml_number(time));
    const std::string end = script_->mark(fmt::format("end_{}", i));
    script_->step("set_mode: {{joints: {}, mode: position}}", joint->key);
    script_->wait(0.5);
    const std::string held = script_->mark(fmt::format("held_{}", i));
    script_->wait(0.3);
    const std::string stood = script_->mark(fmt::format("stood_{}", i));
    go_home(*joint);
    script_->metric(*joint, "way against the voltage's",
                    "(truth.$.q - at(truth.$.q, " + go + ")) / (" +
                        yaml_number(joint->sign() * way) + (joint->config->slide ? " m)" : " rad)"),
                    {go, end}, "final", "min: 5 %");
    script_->metric(*joint, "speed", "truth.$.v / $.v_max", {go, end}, "peak", "max: 105 %");
    script_->metric(*joint, "error", "truth.$.q - $.q_ref", {held, stood}, "peak",
                    fmt::format("max: {}", joint->close()));
  }
  if (i == 0 && plan_.why_not.empty()) plan_.why_not = joined(plan_.notes);
}

void Planner::idle() {
  begin("truth");
  stand_in_position();
  allow_closeness();
  script_->step("set_mode: {{joints: all, mode: idle}}");
  script_->step("wait: 50 ms");
  const std::string caught = script_->mark("caught");
  script_->step("set_mode: {{joints: all, mode: position}}");
  script_->wait(1.0);
  const std::string stands = script_->mark("stands");
  script_->wait(0.5);
  for (const Joint* joint : those([](const Joint&) { return true; }, "")) {
    script_->metric(*joint, "speed", "truth.$.v / max($.v_max, abs(at(truth.$.v, caught)))",
                    {caught}, "peak", "max: 110 %");
    script_->metric(*joint, "error", "truth.$.q - $.q_ref", {stands}, "peak",
                    fmt::format("max: {}", joint->close()));
  }
}

void Planner::timeout() {
  begin("truth");
  stand_in_position();
  const std::vector<const Joint*> joints = those(
      [](const Joint& joint) {
        const TimeoutReaction reaction = joint.config->timeout.reaction;
        return joint.way != 0.0 &&
               (reaction == TimeoutReaction::kHold || reaction == TimeoutReaction::kDecelerate);
      },
      "no room between its start and its limits, or its reaction to silence holds no position");
  if (joints.empty()) return;
  double silent = 0.0;
  for (const Joint* joint : joints) silent = std::max(silent, joint->config->timeout.seconds);
  script_->step("set_mode: {{joints: [{}], mode: velocity}}", joined(joints, ", ", &Joint::key));
  script_->step("stream: {{velocity: {}, for: 0.4 s}}", each(joints, [&](const Joint& joint) {
                  return joint.sign() * joint.speed(0.6, 0.4 + silent, 0.2);
                }));
  script_->wait(silent + 0.8);
  const std::string stands = script_->mark("stands");
  script_->wait(1.0);
  for (const Joint* joint : joints) {
    script_->ends_in_mode(joint->key, "position");
    script_->metric(*joint, "drift", "truth.$.q - at(truth.$.q, stands)", {stands}, "peak",
                    fmt::format("max: {}", joint->close()));
  }
}

void Planner::stop() {
  constexpr double kSlower = 1.2;  // than the slowest joint needs
  begin("truth");
  stand_in_position();
  const std::vector<const Joint*> joints = movable();
  if (joints.empty()) return;
  double longest = 0.0;
  for (const Joint* joint : joints) longest = std::max(longest, kSlower * joint->move_time());
  script_->step("move: {{joints: {}, duration: {} s, wait: false}}",
                each(joints, [](const Joint& joint) { return joint.q() + joint.way; }),
                yaml_number(longest));
  script_->wait(longest / 2.0);
  const std::string stopped = script_->mark("stopped");
  script_->step("stop: {{joints: all}}");
  script_->wait(1.0);
  const std::string stands = script_->mark("stands");
  script_->wait(0.5);
  for (const Joint* joint : joints) {
    script_->ends_in_mode(joint->key, "position");
    script_->metric(*joint, "way beyond braking",
                    "abs(truth.$.q - at(truth.$.q, stopped)) - at(truth.$.v, stopped)^2 / (2 * "
                    "$.a_max)",
                    {stopped}, "max", fmt::format("max: {}", joint->brake_room()));
    script_->metric(*joint, "drift", "truth.$.q - at(truth.$.q, stands)", {stands}, "peak",
                    fmt::format("max: {}", joint->close()));
  }
}

void Planner::push() {
  constexpr double kLeast = 0.05;  // of its torque: with less left it isn't pushed
  begin("truth, disturbances");
  stand_in_position();
  allow_contacts();
  std::vector<const Joint*> joints =
      those([](const Joint& joint) { return joint.torque_left() > kLeast * joint.tau_max(); },
            "its own weight takes all but 15 % of its torque");
  // A fault ends the check: those that can't but be too fast come last.
  std::stable_partition(joints.begin(), joints.end(), [](const Joint* joint) {
    return joint->speed_unanswered(joint->push_torque()) < kOverSpeed * joint->v_max();
  });
  int i = 0;
  for (const Joint* joint : joints) {
    const std::string pushed = script_->mark(fmt::format("pushed_{}", ++i));
    script_->step("force: {{joint: {}, along: {}, for: 0.3 s}}", joint->key,
                  yaml_number(joint->sign() * joint->push_torque()));
    script_->wait(1.3);
    const std::string back = script_->mark(fmt::format("back_{}", i));
    script_->wait(0.3);
    const std::string end = script_->mark(fmt::format("end_{}", i));
    script_->metric(*joint, "speed", "truth.$.v / $.v_max", {pushed, end}, "peak", "max: 110 %");
    script_->metric(*joint, "error", "truth.$.q - $.q_ref", {back, end}, "peak",
                    fmt::format("max: {}", joint->close()));
  }
}

void Planner::load() {
  constexpr double kStair = 0.04;  // [s]
  constexpr double kLoaded = 1.9;  // [s] each stair: the load goes as it came
  constexpr double kMostOfRange = 0.25;
  begin("truth, disturbances");
  stand_in_position();
  allow_contacts();
  std::vector<const Joint*> joints =
      those([](const Joint& joint) { return joint.torque_left() > 0.0; },
            "its own weight takes 90 % of its torque or more");
  // A fault ends the check: those that a stair turns against their stop come last.
  std::stable_partition(joints.begin(), joints.end(), [](const Joint* joint) {
    return joint->gives_way(joint->load_stair()) < kMostOfRange * joint->range();
  });
  int i = 0;
  for (const Joint* joint : joints) {
    const bool is_light = std::abs(joint->weight) < 1e-3 * joint->tau_max();
    const double side = is_light ? -joint->sign() : std::copysign(1.0, joint->weight);
    const std::string loaded = script_->mark(fmt::format("loaded_{}", ++i));
    for (int stair = 0; stair < kLoadStairs; ++stair) {
      script_->step("force: {{joint: {}, along: {}, for: {} s}}", joint->key,
                    yaml_number(-side * joint->load_stair()), yaml_number(kLoaded));
      script_->wait(kStair);
    }
    script_->wait(1.0);
    const std::string held = script_->mark(fmt::format("held_{}", i));
    script_->wait(0.4);
    const std::string end = script_->mark(fmt::format("end_{}", i));
    script_->wait(1.0);
    script_->metric(*joint, "deflection", "truth.$.q - $.q_ref", {loaded, end}, "peak",
                    fmt::format("max: {}", joint->far()));
    script_->metric(*joint, "error", "truth.$.q - $.q_ref", {held, end}, "peak",
                    fmt::format("max: {}", joint->close()));
  }
}

void Planner::guide_arm(const ArmConfig& arm, std::size_t number) {
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
                    "peak", fmt::format("max: {}", joint.floating()));
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
    script_->step("force: {{joint: {}, along: {}, for: {} s}}", by_hand->key,
                  yaml_number(by_hand->sign() * tau), yaml_number(kFor));
    script_->wait(kFor);
    const std::string followed = script_->mark(fmt::format("followed_{}", number));
    const double expected = by_hand->sign() * v * kFor / 2.0;
    script_->metric(*by_hand, "way against the hand's",
                    "(truth.$.q - at(truth.$.q, " + stayed + ")) / (" + yaml_number(expected) +
                        (by_hand->config->slide ? " m)" : " rad)"),
                    {stayed, followed}, "final", "min: 20 %");
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

void Planner::guide() {
  const std::vector<ArmConfig>& arms = found_->config.arms;
  if (arms.empty()) {
    plan_.why_not = "no arm with a tool in the robot's file (`arms`, docs/robots.md)";
    return;
  }
  begin("torque, truth, disturbances");
  stand_in_position();
  std::size_t number = 0;
  for (const ArmConfig* arm : asked_arms()) guide_arm(*arm, ++number);
  if (number == 0) plan_.why_not = "none of the joints belongs to an arm";
}

std::vector<const ArmConfig*> Planner::asked_arms() const {
  std::vector<const ArmConfig*> asked;
  for (const ArmConfig& arm : found_->config.arms) {
    const bool is_asked = std::any_of(arm.joints.begin(), arm.joints.end(),
                                      [&](JointIndex joint) { return checked_[joint]; });
    if (is_asked) asked.push_back(&arm);
  }
  return asked;
}

/// Its tool goes there and back, and is pushed by a force F that its springs take by F/K.
void Planner::move_and_push_tool(const CheckedArm& arm, std::size_t number) {
  constexpr double kClose = 0.002;  // [m] beside what friction may hold it off
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
  const std::string close = fmt::format("max: {} mm", yaml_number(1e3 * (kClose + arm.stuck())));

  const auto move_to = [&](const auto& goal) {
    std::string goals;
    for (std::size_t i = 0; i < arm.q.size(); ++i) {
      goals += (goals.empty() ? "" : ", ") + all_[arm.config->joints[i]].key + ": " +
               yaml_number(goal(i));
    }
    if (!goals.empty()) script_->step("move: {{joints: {{{}}}}}", goals);
  };
  move_to([&](std::size_t i) { return arm.q[i]; });
  script_->step("set_mode: {{joints: {}, mode: cartesian}}",
                harness::yaml_string(arm.config->part));
  script_->wait(0.5);
  const std::string go = marked("go");
  script_->step("move_tool: {{arm: {}, by: {}}}", arm.name, three(kToolWay * arm.in_base));
  script_->wait(0.8);
  const std::string there = marked("there");
  script_->wait(0.2);
  const std::string end = marked("end");
  const std::string way = arm.way_since(go);
  metric("overshoot", way + " / (" + yaml_number(kToolWay) + " m)", {go, end}, "overshoot",
         "target: 1, max: 10 %");
  metric("error", way + " - " + yaml_number(kToolWay) + " m", {there, end}, "peak", close);

  script_->step("move_tool: {{arm: {}, by: {}}}", arm.name, three(-kToolWay * arm.in_base));
  script_->wait(1.0);
  const std::string pushed = marked("pushed");
  script_->step("force: {{body: {}, point: {}, force: {}, for: 2 s}}", arm.body, three(arm.point),
                three(arm.push * arm.in_world));
  script_->wait(1.8);
  const std::string held = marked("held");
  script_->wait(0.2);
  const std::string let_go = marked("let_go");
  script_->wait(2.5);  // a posture swings more slowly than the tool
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
         fmt::format("max: {} mm", yaml_number(1e3 * (kClose + 2.0 * arm.stuck()))));
  for (const JointIndex index : arm.config->joints) {
    script_->metric(all_[index], "speed at rest", "truth.$.v", {rests, stood}, "peak",
                    all_[index].config->slide ? "max: 5 mm/s" : "max: 0.02 rad/s");
  }
  script_->step("set_mode: {{joints: {}, mode: position}}", harness::yaml_string(arm.config->part));
  move_to([&](std::size_t i) { return all_[arm.config->joints[i]].q(); });  // out of others' way
}

void Planner::cartesian() {
  if (found_->config.arms.empty()) {
    plan_.why_not = "no arm with a tool in the robot's file (`arms`, docs/robots.md)";
    return;
  }
  begin("torque, truth, disturbances");
  stand_in_position();
  allow_contacts();
  std::size_t number = 0;
  for (const ArmConfig* arm : asked_arms()) {
    const CheckedArm checked = checked_arm(*found_, *arm, all_);
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

CheckPlan Planner::make() {
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

}  // namespace

CheckPlan plan_check(CheckKind kind, const Discovery& found, std::vector<CheckedJoint> joints,
                     const JointSet& checked, const std::string& robot) {
  return Planner(kind, found, std::move(joints), checked, robot).make();
}

}  // namespace jointrig::app
