// Motions whose plans are made on the planner's thread.

#include "app/robot/motion_queue.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <thread>

#include "control/planning/joint_trajectory.h"

namespace jointrig {
namespace {

/// A joint that holds at 0, and a queue for it.
struct Queue {
  explicit Queue(bool waits) : queue(&pool, waits), now(std::make_unique<Snapshot>()) {
    JointSnapshot joint;
    joint.mode = JointMode::kPosition;
    joint.state.status = BoardStatus::kEnabled;
    now->joints.push_back(joint);
    set.set(0);
  }

  void push(app::MakePlan make) {
    QueuedMotion motion;
    motion.joints = set;
    motion.ask = [this, make](const QueuedMotion::Start&, const Snapshot&, double /*begin*/) {
      return job = planner.submit(set, make);
    };
    motion.begins = [this](const JointPlan& plan, double /*begin*/) { begun = plan.duration(); };
    queue.push(std::move(motion));
  }

  JointPlanPool pool{4};
  MotionQueue queue;
  std::unique_ptr<Snapshot> now;
  JointSet set;
  app::Planner planner;
  app::Planner::Job job;
  double begun = 0.0;
};

JointPlan a_second() {
  JointLimits limits;
  limits.q_min = -3.0;
  limits.q_max = 3.0;
  limits.v_max = 10.0;
  limits.a_max = 100.0;
  return plan_timed({{0}, {limits}}, {{0.0}, {}}, {{1.0, {0.5}, {0.0}, {}}});
}

JointPlan endless(PlanWatch& watch) {
  while (true) {
    watch.reach(0.25);
    std::this_thread::yield();
  }
}

TEST(MotionQueue, ThatWaitsHandsAPlanOverInTheCycleInWhichItIsAskedFor) {
  Queue robot(/*waits=*/true);
  robot.push([](PlanWatch&) { return a_second(); });
  EXPECT_EQ(robot.queue.commands(*robot.now).size(), 1U);
  EXPECT_EQ(robot.begun, 1.0);
  EXPECT_EQ(robot.queue.planning(robot.set), std::nullopt);
}

TEST(MotionQueue, ThatDoesNotWaitGoesOnWhileAPlanIsMadeAndCancelsItWithTheMotion) {
  Queue robot(/*waits=*/false);
  robot.push(endless);
  EXPECT_EQ(robot.queue.planning(robot.set), 0.0);
  EXPECT_TRUE(robot.queue.commands(*robot.now).empty());
  while (robot.job->progress() < 0.25) std::this_thread::yield();
  EXPECT_TRUE(robot.queue.commands(*robot.now).empty());
  EXPECT_EQ(robot.queue.planning(robot.set), 0.25);
  EXPECT_TRUE(robot.queue.is_busy(robot.set, *robot.now));
  robot.queue.clear(robot.set);
  EXPECT_EQ(robot.job->state(), app::PlanJobState::kCancelled);
  EXPECT_TRUE(robot.queue.commands(*robot.now).empty());
  EXPECT_FALSE(robot.queue.is_busy(robot.set, *robot.now));
}

TEST(MotionQueue, ForgetsAMotionWhosePlanBrokeWithItsSentence) {
  Queue robot(/*waits=*/true);
  robot.push([](PlanWatch&) -> JointPlan { throw std::runtime_error("no such site"); });
  EXPECT_THROW(static_cast<void>(robot.queue.commands(*robot.now)), std::runtime_error);
  EXPECT_FALSE(robot.queue.is_busy(robot.set, *robot.now));
}

}  // namespace
}  // namespace jointrig
