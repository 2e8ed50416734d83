#include "tests/control/stack/mode_switches.h"

#include <algorithm>
#include <cmath>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"

namespace jointrig::testing {
namespace {

constexpr double kDt = 1e-3;

const RobotConfig& franka() {
  static const RobotConfig config = [] {
    RobotConfig robot = app::load_robot(harness::find_robot("franka")).config;
    robot.joints[3].limits.tau_max = 40.0;  // so that a wall saturates it without moving the arm
    robot.avoidance->on = false;            // that wall is pressed on purpose
    robot.detection->on = false;
    return robot;
  }();
  return config;
}

/// The joint that is watched, and the pose it is watched in. Joint 1 turns about the vertical;
/// joint 4 carries the forearm.
struct Setting {
  std::size_t joint = 0;
  std::vector<double> pose;
};

Setting setting(Situation situation) {
  const std::vector<double> home{0, -0.785398, 0, -2.356194, 0, 1.570796, 0.785398, 0.04};
  const std::vector<double> stretched{0, 0.9, 0, -0.9, 0, 1.8, 0.785398, 0.04};
  switch (situation) {
    case Situation::kAtRest:
    case Situation::kMoving:
      return {0, home};
    default:
      return {3, stretched};
  }
}

/// A stack on the Franka arm, the watched joint in a mode and the others held in position.
class Fixture {
 public:
  explicit Fixture(Situation situation)
      : setting_(setting(situation)),
        rig_(franka(), {.plant = plant_options()}),
        client_(rig_.stack().config(), rig_.stack().inbox(), "test"),
        reader_(rig_.stack().events()),
        joint_(setting_.joint) {
    rig_.start();
    rig_.loop().step();
    client_.set_mode(client_.select("all"), ModeRequest::kPosition);
    run(5);
    RobotClient::Each<Move::Value> goal;
    for (std::size_t i = 0; i < setting_.pose.size(); ++i) {
      goal.push_back({static_cast<JointIndex>(i), {setting_.pose[i], 0.0}});
    }
    client_.send<Move>(goal);
    run(4000);
  }

  void ask(const Stand& stand) {
    client_.set_interaction(one(), stand.interaction);
    client_.set_mode(one(), static_cast<ModeRequest>(stand.mode));
  }

  /// The command of a mode that drives the joint with about this speed, or this share of its
  /// torque.
  void command(ControlMode mode, double speed, double torque) {
    const auto j = static_cast<JointIndex>(joint_);
    const JointSnapshot& now = joint();
    const double gravity = 0.0;  // torque mode adds it
    switch (mode) {
      case ControlMode::kPosition:
        if (cycle_ % 200 == 0)
          client_.move(one(), now.reference.q + speed * 0.8, std::abs(speed) * 2);
        break;
      case ControlMode::kPositionDirect:
        client_.send<StreamPosition>({{j, {now.reference.q + speed * kDt}}});
        break;
      case ControlMode::kVelocity:
      case ControlMode::kMixed:
        client_.send<StreamVelocity>({{j, {speed}}});
        break;
      case ControlMode::kTorque:
        client_.send<StreamTorque>({{j, {torque - gravity}}});
        break;
      case ControlMode::kOpenloop:
        client_.send<StreamDuty>({{j, {torque > 0 ? 0.05 : 0.0}}});
        break;
      case ControlMode::kIdle:
      case ControlMode::kCartesian:  // of a whole arm: arm_test.cpp
        break;
    }
  }

  void run(int cycles) {
    for (int i = 0; i < cycles; ++i, ++cycle_) rig_.loop().step();
  }
  void drive(ControlMode mode, double speed, double torque, int cycles) {
    for (int i = 0; i < cycles; ++i) {
      command(mode, speed, torque);
      run(1);
    }
  }

  /// A wall just above the hand, for the elbow to press against.
  void raise_wall() {
    sim::Plant& plant = rig_.sim()->plant();
    const sim::Pose hand = plant.body_pose(plant.body("panda_hand"));
    plant.place(0, {{hand.position[0], hand.position[1], hand.position[2] + 0.35}, {1, 0, 0, 0}});
  }
  void fault_and_recover() {
    rig_.sim()->inject(joint_, sim::SimFault::kOverCurrent, 0.0, to_ns(0.005));
    run(10);
    client_.set_mode(one(), ModeRequest::kForceIdle);
    run(12);
  }

  [[nodiscard]] const JointSnapshot& joint() { return rig_.stack().snapshot().joints[joint_]; }
  [[nodiscard]] const JointLimits& limits() { return franka().joints[joint_].limits; }
  [[nodiscard]] const JointGains& gains() { return franka().joints[joint_].gains; }
  /// Torque of the motor and position of the joint, of the plant itself.
  [[nodiscard]] double torque() { return rig_.sim()->plant().torque(joint_); }
  [[nodiscard]] double q() { return rig_.sim()->truth(joint_).q; }
  /// Torque that holds the joint where it is.
  [[nodiscard]] double weight() {
    const mjData& data = rig_.sim()->plant().data();
    return std::abs(data.qfrc_bias[joint_]);  // the arm's joints are the model's first
  }
  /// Faults of the watched joint since the last call.
  [[nodiscard]] int faults() {
    int seen = 0;
    for (Event e; reader_.next(e);) seen += e.kind == EventKind::kFault && e.joint == joint_;
    return seen;
  }
  [[nodiscard]] double v() { return rig_.sim()->truth(joint_).v; }

 private:
  static sim::PlantOptions plant_options() {
    sim::PlantOptions options;
    options.obstacles = {
        {.name = "wall", .shape = sim::ObstacleShape::kBox, .size = {1.0, 1.0, 0.2}}};
    return options;
  }
  [[nodiscard]] JointSet one() const { return JointSet{}.set(joint_); }

  Setting setting_;
  app::Rig rig_;
  RobotClient client_;
  EventRing::Reader reader_;
  std::size_t joint_;
  int cycle_ = 0;
};

/// Brings the watched joint into its situation in the mode `from`. False where that can't be: a
/// joint that is idle doesn't press against anything.
bool reach(Fixture& fixture, Situation situation, const Stand& from) {
  if (situation == Situation::kRecovered) {
    fixture.ask(from);
    fixture.run(100);
    fixture.fault_and_recover();
    return fixture.joint().mode == JointMode::kIdle;
  }
  if (situation == Situation::kSaturated) {
    if (from.mode == ControlMode::kIdle || from.mode == ControlMode::kOpenloop) return false;
    fixture.raise_wall();
    fixture.ask(from);
    fixture.drive(from.mode, 0.4, 40.0, 2500);
    return std::abs(fixture.torque()) > 0.9 * fixture.limits().tau_max;
  }
  fixture.ask(from);
  if (situation == Situation::kMoving) {
    if (from.mode == ControlMode::kIdle) {
      fixture.ask({ControlMode::kVelocity, InteractionMode::kStiff});
      fixture.drive(ControlMode::kVelocity, 0.5, 0.0, 300);
      fixture.ask(from);
      fixture.run(20);
    } else {
      fixture.drive(from.mode, 0.5, 3.0, 300);
    }
    return std::abs(fixture.v()) > 0.02;
  }
  // At rest, or under gravity: idle and openloop let go, so they are left before it has fallen far.
  const bool lets_go = from.mode == ControlMode::kIdle || from.mode == ControlMode::kOpenloop;
  fixture.run(lets_go && situation == Situation::kGravityLoaded ? 40 : 400);
  return true;
}

double explained_travel(Fixture& fixture, const Stand& to, double speed, double spring) {
  const JointLimits& limits = fixture.limits();
  const bool off = to.mode == ControlMode::kIdle || to.mode == ControlMode::kOpenloop;
  if (off) return 4.0;  // nothing holds it: it may fall or coast
  // Braking at a_max, the law's own lag (a quarter second at 10 Hz is ample), the spring's way
  // back, and what it gives way while torque is taken up at its rate.
  const double braking = speed * speed / (2.0 * limits.a_max) + speed * 0.25;
  const double lag = to.interaction == InteractionMode::kCompliant ? 0.15 : 0.02;
  return braking + spring + lag + (to.mode == ControlMode::kTorque ? speed * 0.5 + 0.05 : 0.0);
}

}  // namespace

std::string Stand::name() const {
  std::string text(to_string(mode));
  if (has_interaction(mode) && interaction == InteractionMode::kCompliant) text += " compliant";
  return text;
}

std::vector<Stand> all_stands() {
  std::vector<Stand> stands;
  for (const ControlMode mode : kAllControlMode) {
    if (mode == ControlMode::kCartesian) continue;  // of a whole arm: arm_test.cpp
    stands.push_back({mode, InteractionMode::kStiff});
    if (has_interaction(mode)) stands.push_back({mode, InteractionMode::kCompliant});
  }
  return stands;
}

Switch run_switch(Situation situation, const Stand& from, const Stand& to) {
  Fixture fixture(situation);
  Switch result;
  result.situation = situation;
  result.from = from;
  result.to = to;
  result.torque_step_max = fixture.limits().tau_rate_max * kDt;
  result.was_reached = reach(fixture, situation, from);
  if (!result.was_reached) return result;

  // From off, the motor comes on carrying the joint: the weight is no jump, it is what was missing.
  const bool was_off = fixture.joint().setpoint.drive == DriveMode::kOff;
  if (was_off) result.torque_step_max += fixture.weight();
  (void)fixture.faults();  // those of getting there
  const double q0 = fixture.q();
  const double spring = std::abs(fixture.joint().reference.q - q0);
  result.speed_before = std::abs(fixture.v());
  result.travel_max = explained_travel(fixture, to, result.speed_before, spring);
  if (from.mode == to.mode) result.travel_max += 0.5;  // no switch: what it was doing goes on
  double torque = fixture.torque();
  JointReference reference = fixture.joint().reference;
  double q_before = fixture.q();
  fixture.ask(to);
  for (int i = 0; i < 500; ++i) {
    fixture.run(1);
    const bool on = fixture.joint().setpoint.drive != DriveMode::kOff;
    if (on || to.mode != ControlMode::kIdle) {
      result.torque_step = std::max(result.torque_step, std::abs(fixture.torque() - torque));
    }
    const JointReference& now = fixture.joint().reference;
    if (has_interaction(to.mode) && i > 5) {
      // By its own velocity; or with the joint, from which it is no further than the torque
      // reaches.
      const double by_itself = std::max(std::abs(now.v), std::abs(reference.v)) * kDt;
      const double step =
          std::abs(now.q - reference.q) - by_itself - std::abs(fixture.q() - q_before);
      result.reference_step = std::max(result.reference_step, step);
    }
    reference = now;
    q_before = fixture.q();
    torque = fixture.torque();
    result.travel = std::max(result.travel, std::abs(fixture.q() - q0));
  }
  result.faults = fixture.faults();
  return result;
}

std::vector<Switch> run_all_switches() {
  std::vector<Switch> all;
  for (const Situation situation : kAllSituation) {
    for (const Stand& from : all_stands()) {
      for (const Stand& to : all_stands()) all.push_back(run_switch(situation, from, to));
    }
  }
  return all;
}

}  // namespace jointrig::testing
