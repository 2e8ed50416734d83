// Plans made on a thread of their own: taken once, or never where nobody wants them any more.

#include "app/planner/planner.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "control/planning/joint_trajectory.h"

namespace jointrig::app {
namespace {

using namespace std::chrono_literals;

/// Within it everything here is over, on any machine.
constexpr auto kLong = std::chrono::milliseconds(20000);

JointSet joints(std::initializer_list<std::size_t> numbers) {
  JointSet set;
  for (const std::size_t number : numbers) set.set(number);
  return set;
}

/// Joint 0 goes from 0 to `goal` in a second.
JointPlan way_to(double goal) {
  JointLimits limits;
  limits.q_min = -3.0;
  limits.q_max = 3.0;
  limits.v_max = 10.0;
  limits.a_max = 100.0;
  return plan_timed({{0}, {limits}}, {{0.0}, {}}, {{1.0, {goal}, {0.0}, {}}});
}

double goal_of(const JointPlan& plan) {
  std::vector<MotionState> states(1);
  JointPlan::Cursor cursor;
  plan.at(plan.duration(), cursor, states);
  return states[0].q;
}

/// A plan that is at work until it is cancelled.
class Endless {
 public:
  [[nodiscard]] MakePlan make() const {
    return [is_at_work = is_at_work_](PlanWatch& watch) -> JointPlan {
      for (;; is_at_work->store(true)) {
        watch.reach(0.25);
        std::this_thread::yield();
      }
    };
  }
  void wait_until_at_work() const {
    while (!is_at_work_->load()) std::this_thread::yield();
  }

 private:
  std::shared_ptr<std::atomic<bool>> is_at_work_ = std::make_shared<std::atomic<bool>>(false);
};

TEST(Planner, MakesAPlanOnAnotherThreadThatIsTakenOnce) {
  Planner planner;
  std::thread::id made_by;
  const Planner::Job job = planner.submit(joints({0}), [&](PlanWatch&) {
    made_by = std::this_thread::get_id();
    return way_to(0.5);
  });
  ASSERT_TRUE(job->wait_for(kLong));
  EXPECT_EQ(job->state(), PlanJobState::kMade);
  EXPECT_EQ(job->progress(), 1.0);
  const std::optional<JointPlan> plan = job->take();
  ASSERT_TRUE(plan.has_value());
  EXPECT_NEAR(goal_of(*plan), 0.5, 1e-12);
  EXPECT_NE(made_by, std::this_thread::get_id());
  EXPECT_EQ(job->state(), PlanJobState::kTaken);
  EXPECT_FALSE(job->take().has_value());
  job->cancel();  // too late: the plan has another owner
  EXPECT_EQ(job->state(), PlanJobState::kTaken);
}

TEST(Planner, GivesARefusalAsAPlanThatSaysWhy) {
  Planner planner;
  const Planner::Job job = planner.submit(joints({0}), [](PlanWatch&) { return way_to(9.0); });
  ASSERT_TRUE(job->wait_for(kLong));
  const std::optional<JointPlan> plan = job->take();
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->failure().reason, RejectReason::kPlanPosition);
}

TEST(Planner, NeverGivesOutAPlanThatWasCancelledBeforeDuringOrAfterItsMaking) {
  Planner planner;
  const Endless endless;
  const Planner::Job during = planner.submit(joints({0}), endless.make());
  const Planner::Job before = planner.submit(joints({1}), [](PlanWatch&) { return way_to(0.1); });
  const Planner::Job after = planner.submit(joints({2}), [](PlanWatch&) { return way_to(0.2); });
  endless.wait_until_at_work();
  EXPECT_EQ(during->state(), PlanJobState::kPlanning);
  EXPECT_EQ(during->progress(), 0.25);
  EXPECT_EQ(before->state(), PlanJobState::kWaiting);
  before->cancel();
  during->cancel();  // and the thread is free for the next
  ASSERT_TRUE(after->wait_for(kLong));
  EXPECT_EQ(after->state(), PlanJobState::kMade);
  after->cancel();
  for (const Planner::Job& job : {before, during, after}) {
    EXPECT_EQ(job->state(), PlanJobState::kCancelled);
    EXPECT_FALSE(job->take().has_value());
  }
}

TEST(Planner, ALaterPlanSupersedesThoseOfItsJointsAndNoOthers) {
  Planner planner;
  const Endless endless;
  const Planner::Job one = planner.submit(joints({0, 1}), [](PlanWatch&) { return way_to(0.1); });
  ASSERT_TRUE(one->wait_for(kLong));
  const Planner::Job two = planner.submit(joints({2}), [](PlanWatch&) { return way_to(0.2); });
  const Planner::Job three = planner.submit(joints({3}), endless.make());
  const Planner::Job last = planner.submit(joints({1, 3}), [](PlanWatch&) { return way_to(0.4); });
  ASSERT_TRUE(last->wait_for(kLong));
  EXPECT_EQ(one->state(), PlanJobState::kSuperseded);
  EXPECT_EQ(three->state(), PlanJobState::kSuperseded);
  EXPECT_FALSE(one->take().has_value());
  ASSERT_TRUE(two->take().has_value());
  ASSERT_TRUE(last->take().has_value());
}

TEST(Planner, TellsTheSentenceOfWhatBrokeAndGoesOn) {
  Planner planner;
  const Planner::Job broken = planner.submit(
      joints({0}), [](PlanWatch&) -> JointPlan { throw std::runtime_error("no such site"); });
  const Planner::Job next = planner.submit(joints({1}), [](PlanWatch&) { return way_to(0.1); });
  ASSERT_TRUE(next->wait_for(kLong));
  EXPECT_EQ(broken->state(), PlanJobState::kBroken);
  EXPECT_EQ(broken->error(), "no such site");
  EXPECT_FALSE(broken->take().has_value());
  EXPECT_TRUE(next->take().has_value());
}

TEST(Planner, EndsWhatIsAtWorkWhenItEnds) {
  const Endless endless;
  Planner::Job job;
  {
    Planner planner;
    job = planner.submit(joints({0}), endless.make());
    endless.wait_until_at_work();
  }
  EXPECT_EQ(job->state(), PlanJobState::kCancelled);
}

TEST(PlanWatch, TellsTheShareOfThePartsTogetherAndNeverLess) {
  PlanWatch watch;
  watch.begin_part(0.0, 0.6);
  watch.reach(0.5);
  EXPECT_DOUBLE_EQ(watch.progress(), 0.3);
  watch.reach(0.25);
  EXPECT_DOUBLE_EQ(watch.progress(), 0.3);
  watch.begin_part(0.6, 1.0);
  watch.reach(0.5);
  EXPECT_DOUBLE_EQ(watch.progress(), 0.8);
  watch.cancel();
  EXPECT_THROW(watch.reach(0.9), PlanCancelled);
}

// Four threads ask, cancel and take; each plan has one end, and no two of one joint are taken after
// one another in the wrong order.
TEST(Planner, AskedByManyThreadsEachPlanIsTakenOrEndedAndNeverBoth) {
  constexpr int kAsks = 200;
  Planner planner;
  std::atomic<int> taken{0};
  std::atomic<int> ended{0};
  const auto ask = [&](std::size_t joint) {
    for (int i = 0; i < kAsks; ++i) {
      const double goal = 1e-3 * (i + 1);
      const Planner::Job job = planner.submit(joints({joint, joint + 1}), [=](PlanWatch& watch) {
        for (int k = 0; k < 20; ++k) watch.reach(k / 20.0);
        return way_to(goal);
      });
      std::jthread canceller;
      if (i % 3 == 0) canceller = std::jthread([job] { job->cancel(); });
      ASSERT_TRUE(job->wait_for(kLong));
      const std::optional<JointPlan> plan = job->take();
      (plan ? taken : ended).fetch_add(1);
      if (plan) {
        EXPECT_NEAR(goal_of(*plan), goal, 1e-12);
      }
      const PlanJobState state = job->state();
      EXPECT_EQ(plan.has_value(), state == PlanJobState::kTaken) << to_string(state);
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t joint = 0; joint < 4; ++joint) threads.emplace_back(ask, joint);
  }
  EXPECT_EQ(taken + ended, 4 * kAsks);
  EXPECT_GT(taken, 0);
  EXPECT_GT(ended, 0);
}

}  // namespace
}  // namespace jointrig::app
