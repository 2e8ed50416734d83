// Plans of an arm's tool and of its joints replace each other at random in the loop, while they
// move, and what the stack sends never breaks continuity. plan_followers_test has those of joints
// alone.

#include "tests/support/replacements.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <string>

#include "app/rig/rig.h"
#include "control/core/quaternion.h"
#include "control/exchange/robot_client.h"
#include "control/planning/arm_trajectory.h"
#include "control/planning/joint_trajectory.h"

namespace jointrig {
namespace {

app::RigOptions kinematic() {
  app::RigOptions options;
  options.backend = BackendKind::kKinematic;
  return options;
}

/// Random goals lead the hand near to the arm itself, and avoidance would stop it there.
RobotConfig without_avoidance(const char* robot) {
  RobotConfig config = app::load_robot(harness::find_robot(robot)).config;
  if (config.avoidance) config.avoidance->on = false;
  return config;
}

/// Plans at random for one arm, in a loop of its own.
class RandomPlans {
 public:
  RandomPlans(const char* robot, unsigned seed)
      : rig_(without_avoidance(robot), kinematic()),
        client_(rig_.stack().config(), rig_.stack().inbox(), "test"),
        events_(rig_.stack().events()),
        tree_(rig_.stack().config()),
        of_tool_(rig_.stack().config(), tree_, 0, ToolFrame::kBase),
        random_(seed) {
    for (const JointIndex joint : rig_.stack().config().arms[0].joints) all_.set(joint);
    joints_ = TrajectoryJoints::of(rig_.stack().config(), all_);
    rig_.start();
    client_.set_mode(client_.select("all"), ModeRequest::kPosition);
    for (int i = 0; i < 300; ++i) rig_.loop().step();
    middle_ = now().arms[0].tool;
    look(before_);
    for (const JointReference& joint : before_) home_.push_back(joint.q);
  }

  [[nodiscard]] double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  [[nodiscard]] bool moves() { return !now().plans.empty(); }

  /// Goes on from the plan that is followed, or begins at rest.
  /// @returns it was accepted, and took the place of the one before
  bool follow_another() {
    TrajectoryStart start;
    double time = 0.0;
    const bool goes_on = moves();
    PlanTicket after;
    if (goes_on) {
      const PlanSnapshot& followed = now().plans[0];
      after = {followed.slot, followed.round};
      time = std::min(followed.time + between(0.01, 0.06) * followed.pace, plan_->duration());
      std::vector<MotionState> states(joints_.index.size());
      JointPlan::Cursor cursor;
      plan_->at(time, cursor, states);
      for (const MotionState& state : states) {
        start.q.push_back(state.q);
        start.v.push_back(state.v);
      }
    } else {
      for (const JointIndex joint : joints_.index) {
        start.q.push_back(now().joints[joint].reference.q);
      }
    }
    const bool is_of_tool = random_() % 3 != 0;
    JointPlan next = is_of_tool ? path_of_tool(start) : path_of_joints(start);
    if (next.failure()) {
      ++not_planned[std::string(to_string(next.failure().reason))];
      return false;
    }
    if (goes_on) {
      next.after_slot = after.slot;
      next.after_round = after.round;
      next.after_time = time;
    }
    if (!accepted(next)) return false;
    if (goes_on && is_of_tool) ++tools_replaced;
    plan_ = std::make_shared<const JointPlan>(std::move(next));
    return goes_on && takes_its_place();
  }

  /// Looks at what is sent, cycle by cycle.
  void run(int cycles) {
    constexpr double kCycle = 1e-3;
    for (int i = 0; i < cycles; ++i) {
      rig_.loop().step();
      look(here_);
      for (std::size_t j = 0; j < here_.size(); ++j) {
        const JointLimits& limits = joints_.limits[j];
        const double v = (here_[j].q - before_[j].q) / kCycle;
        const double a = (here_[j].v - before_[j].v) / kCycle;
        const double mean = 0.5 * (before_[j].v + here_[j].v);
        speed = std::max(speed, std::abs(v) / limits.v_max);
        acceleration = std::max(acceleration, std::abs(a) / limits.a_max);
        torn = std::max(torn, std::abs(v - mean) / (limits.a_max * kCycle));
      }
      std::swap(before_, here_);
    }
  }
  /// To the end of the plan that is followed.
  void run_out() {
    for (int i = 0; i < 120'000 && moves(); ++i) run(1);
  }

  void set_pace(double pace) { client_.set_speed_override(pace); }
  /// Where the plan that ended was to end: distance of the references [rad].
  [[nodiscard]] double off_its_end() const {
    std::vector<MotionState> states(joints_.index.size());
    JointPlan::Cursor cursor;
    plan_->at(plan_->duration(), cursor, states);
    double most = 0.0;
    for (std::size_t j = 0; j < states.size(); ++j) {
      most = std::max(most, std::abs(states[j].q - before_[j].q));
    }
    return most;
  }

  // Largest shares of the bounds in what was sent.
  double speed = 0.0;
  double acceleration = 0.0;
  double torn = 0.0;  ///< position and velocity belong together, to half a cycle's acceleration
  int tools_replaced = 0;
  std::map<std::string, int> not_planned;  ///< by reason
  std::map<std::string, int> refused;      ///< by the loop

 private:
  [[nodiscard]] const Snapshot& now() { return rig_.stack().snapshot(); }
  void look(std::vector<JointReference>& references) {
    references.clear();
    for (const JointIndex joint : joints_.index) {
      references.push_back(now().joints[joint].reference);
    }
  }

  JointPlan path_of_tool(const TrajectoryStart& start) {
    const ArmConfig& arm = rig_.stack().config().arms[0];
    std::vector<ArmWaypoint> waypoints;
    for (int k = 0; k < 2; ++k) {
      ArmWaypoint& to = waypoints.emplace_back();
      to.position = middle_.position;
      for (double& x : *to.position) x += between(-0.12, 0.12);
      to.orientation = product(of_turn(between(-0.3, 0.3), between(-0.3, 0.3), between(-0.3, 0.3)),
                               middle_.orientation);
      to.corner_distance = k == 0 ? between(0.0, 0.05) : 0.0;
      to.linear_speed = between(0.2, 1.0) * arm.speed_max;
      to.linear_acceleration = between(0.2, 1.0) * arm.acceleration_max;
      to.rotational_speed = between(0.2, 1.0) * arm.rotation_speed_max;
      to.rotational_acceleration = between(0.2, 1.0) * arm.rotation_acceleration_max;
    }
    return of_tool_.plan(now(), waypoints, nullptr, start);
  }
  JointPlan path_of_joints(const TrajectoryStart& start) {
    std::vector<double> goal;
    for (const double home : home_) goal.push_back(home + between(-0.4, 0.4));
    return plan_through(joints_, start, {{goal, between(0.2, 1.0), 1.0}});
  }

  bool accepted(const JointPlan& plan) {
    Event event;
    while (events_.next(event)) continue;
    auto draft = rig_.stack().plans().claim();
    **draft = std::make_shared<const JointPlan>(plan);
    const PlanTicket ticket = rig_.stack().plans().hand_over(std::move(*draft));
    client_.post(FollowPlan{all_, ticket.slot, ticket.round});
    run(1);
    has_left_ = false;
    while (events_.next(event)) {
      has_left_ = has_left_ || is_replaced(event);
      if (event.kind != EventKind::kRejected) continue;
      ++refused[std::string(to_string(event.reason))];
      return false;
    }
    return true;
  }
  static bool is_replaced(const Event& event) {
    return event.kind == EventKind::kPlan &&
           event.detail == static_cast<std::uint8_t>(PlanChange::kReplaced);
  }
  /// The plan before is left for the new one, at the latest at the slowest pace.
  bool takes_its_place() {
    std::string told;
    for (int i = 0; i < 1000 && !has_left_; ++i) {
      run(1);
      Event event;
      while (events_.next(event)) {
        has_left_ = has_left_ || is_replaced(event);
        told += " " + std::string(to_string(event.kind));
      }
    }
    EXPECT_TRUE(has_left_) << "accepted, and not followed:" << told;
    return has_left_;
  }

  app::Rig rig_;
  RobotClient client_;
  EventRing::Reader events_;
  KinematicTree tree_;
  ArmTrajectory of_tool_;
  std::mt19937 random_;
  JointSet all_;
  TrajectoryJoints joints_;
  ToolPose middle_;
  std::vector<double> home_;
  std::shared_ptr<const JointPlan> plan_;
  std::vector<JointReference> before_;
  std::vector<JointReference> here_;
  bool has_left_ = false;  ///< the plan before, for the one that was accepted last
};

std::string told(const std::map<std::string, int>& counts) {
  std::string text;
  for (const auto& [reason, count] : counts) text += reason + " " + std::to_string(count) + " ";
  return text;
}

void replace_at_random(const char* robot, int wanted) {
  RandomPlans plans(robot, 20261127);  // any seed
  int replaced = 0;
  int ended = 0;
  for (int tried = 0; replaced < wanted; ++tried) {
    ASSERT_LT(tried, 3 * wanted) << replaced
                                 << " replaced; not planned: " << told(plans.not_planned)
                                 << "; refused: " << told(plans.refused);
    if (tried % 5 == 0) plans.set_pace(plans.between(0.2, 1.0));
    if (plans.follow_another()) ++replaced;
    plans.run(static_cast<int>(plans.between(0.0, 300.0)));
    if (tried % 40 != 39) continue;
    // Some come to their end.
    plans.run_out();
    ASSERT_LT(plans.off_its_end(), 1e-9);
    ++ended;
  }
  ::testing::Test::RecordProperty(std::string(robot) + "_replaced", replaced);
  ::testing::Test::RecordProperty(std::string(robot) + "_by_paths_of_the_tool",
                                  plans.tools_replaced);
  ::testing::Test::RecordProperty(std::string(robot) + "_not_planned", told(plans.not_planned));
  ::testing::Test::RecordProperty(std::string(robot) + "_refused", told(plans.refused));
  ::testing::Test::RecordProperty(std::string(robot) + "_speed_of_bound",
                                  std::to_string(plans.speed));
  ::testing::Test::RecordProperty(std::string(robot) + "_acceleration_of_bound",
                                  std::to_string(plans.acceleration));
  ::testing::Test::RecordProperty(std::string(robot) + "_torn", std::to_string(plans.torn));
  EXPECT_LE(plans.speed, 1.0 + 1e-6) << robot;
  EXPECT_LE(plans.acceleration, 1.0 + 1e-3) << robot;
  EXPECT_LE(plans.torn, 1.0) << robot;
  EXPECT_GT(plans.speed, 0.3) << robot << ": some were replaced at speed";
  EXPECT_GT(plans.tools_replaced, wanted / 3) << robot;
  EXPECT_GT(ended, 0) << robot;
}

TEST(Replacements, AtRandomWhileItMovesTheFrankasToolNeverBreaksContinuity) {
  replace_at_random("franka", testing::replacements(150));
}

TEST(Replacements, AtRandomWhileItMovesTheSawyersToolNeverBreaksContinuity) {
  replace_at_random("sawyer", testing::replacements(150));
}

}  // namespace
}  // namespace jointrig
