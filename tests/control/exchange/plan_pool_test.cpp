#include "control/exchange/plan_pool.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "tests/support/alloc_guard.h"

namespace jointrig {
namespace {

struct Waypoints {
  std::vector<double> q;
};
using Pool = PlanPool<Waypoints>;

PlanTicket hand_over(Pool& pool, std::vector<double> q) {
  std::optional<Pool::Draft> draft = pool.claim();
  (*draft)->q = std::move(q);
  return pool.hand_over(std::move(*draft));
}

TEST(PlanPool, ThePlanInTheLoopIsThePlanThatWasHandedOver) {
  Pool pool(2);
  const PlanTicket ticket = hand_over(pool, {1.0, 2.0, 3.0});

  const Waypoints* plan = pool.take(ticket);

  ASSERT_NE(plan, nullptr);
  EXPECT_EQ(plan->q, (std::vector<double>{1.0, 2.0, 3.0}));
}

TEST(PlanPool, ATicketIsGoodForOneTake) {
  Pool pool(1);
  const PlanTicket ticket = hand_over(pool, {1.0});
  ASSERT_NE(pool.take(ticket), nullptr);

  EXPECT_EQ(pool.take(ticket), nullptr);

  pool.give_back(ticket);
  EXPECT_EQ(pool.take(ticket), nullptr);
  const PlanTicket next = hand_over(pool, {2.0});
  EXPECT_EQ(next.slot, ticket.slot);
  EXPECT_EQ(pool.take(ticket), nullptr) << "the slot has another plan now";
  EXPECT_NE(pool.take(next), nullptr);
}

TEST(PlanPool, ATicketOfNothingIsRefused) {
  Pool pool(1);
  EXPECT_EQ(pool.take({}), nullptr);
  EXPECT_EQ(pool.take({7, 1}), nullptr);
  EXPECT_EQ(pool.take({0, 1}), nullptr);
  EXPECT_FALSE(pool.withdraw({7, 1}));
}

TEST(PlanPool, AFullPoolGivesNoDraftUntilTheLoopHasGivenOneBack) {
  Pool pool(2);
  const PlanTicket first = hand_over(pool, {1.0});
  const PlanTicket second = hand_over(pool, {2.0});
  EXPECT_FALSE(pool.claim());
  ASSERT_NE(pool.take(second), nullptr);
  EXPECT_FALSE(pool.claim());

  pool.give_back(second);

  std::optional<Pool::Draft> draft = pool.claim();
  ASSERT_TRUE(draft);
  EXPECT_TRUE((*draft)->q.empty()) << "a draft is an empty plan";
  EXPECT_NE(pool.take(first), nullptr);
}

TEST(PlanPool, ADraftThatIsDroppedGoesBack) {
  Pool pool(1);
  { const std::optional<Pool::Draft> dropped = pool.claim(); }
  EXPECT_TRUE(pool.claim());
}

TEST(PlanPool, APlanCanBeWithdrawnUntilTheLoopHasIt) {
  Pool pool(1);
  const PlanTicket early = hand_over(pool, {1.0});
  EXPECT_TRUE(pool.withdraw(early));
  EXPECT_EQ(pool.take(early), nullptr);

  const PlanTicket late = hand_over(pool, {2.0});
  ASSERT_NE(pool.take(late), nullptr);
  EXPECT_FALSE(pool.withdraw(late));
}

TEST(PlanPool, TheLoopNeitherAllocatesNorFrees) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  Pool pool(4);
  std::array<PlanTicket, 4> tickets;
  for (PlanTicket& ticket : tickets) ticket = hand_over(pool, std::vector<double>(1000, 1.0));

  RealtimeGuard guard;
  for (const PlanTicket ticket : tickets) {
    const Waypoints* plan = pool.take(ticket);
    if (plan != nullptr && plan->q.size() == 1000) pool.give_back(ticket);
  }
  EXPECT_EQ(guard.violations(), kNoViolations) << guard.report();
}

TEST(PlanPool, WhatTheLoopGaveBackIsFreedByCollect) {
  PlanPool<std::shared_ptr<int>> pool(2);
  const auto memory = std::make_shared<int>(1);
  const auto handed_over = [&] {
    auto draft = pool.claim();
    **draft = memory;
    return pool.hand_over(std::move(*draft));
  };
  const PlanTicket back = handed_over();
  const PlanTicket kept = handed_over();
  ASSERT_NE(pool.take(back), nullptr);
  ASSERT_NE(pool.take(kept), nullptr);
  pool.give_back(back);
  EXPECT_EQ(memory.use_count(), 3) << "not in the loop";

  pool.collect();

  EXPECT_EQ(memory.use_count(), 2) << "the loop has the other one";
}

TEST(PlanPool, APlanThatNeverReachesTheLoopIsFreedAtOnce) {
  PlanPool<std::shared_ptr<int>> pool(1);
  const auto memory = std::make_shared<int>(1);
  {
    auto dropped = pool.claim();
    **dropped = memory;
  }
  EXPECT_EQ(memory.use_count(), 1);

  auto draft = pool.claim();
  **draft = memory;
  ASSERT_TRUE(pool.withdraw(pool.hand_over(std::move(*draft))));
  EXPECT_EQ(memory.use_count(), 1);
}

/// A plan that counts where it is freed.
std::atomic<int> freed_in_the_loop{0};
thread_local bool is_loop = false;
struct Witness {
  std::vector<double> q;
  Witness() = default;
  Witness(const Witness&) = delete;
  Witness(Witness&&) = default;
  Witness& operator=(const Witness&) = delete;
  Witness& operator=(Witness&& other) noexcept {
    if (is_loop && q.capacity() != 0) ++freed_in_the_loop;
    q = std::move(other.q);
    return *this;
  }
  ~Witness() {
    if (is_loop && q.capacity() != 0) ++freed_in_the_loop;
  }
};

// Run under the thread sanitizer in CI. The tickets carry no order of their own, so that the pool's
// is all there is between the writer of a plan and its reader.
TEST(PlanPool, AHundredThousandPlansComeWholeFromTwoPlannersAndAreFreedOutside) {
  constexpr std::uint64_t kEach = 50'000;
  constexpr std::size_t kPlanners = 2;
  PlanPool<Witness> pool(256);
  struct Line {  // what a command's inbox is: tickets in order
    std::vector<std::atomic<std::uint64_t>> tickets =
        std::vector<std::atomic<std::uint64_t>>(kEach);
  };
  std::array<Line, kPlanners> lines;
  std::atomic<bool> is_over{false};

  const auto claimed = [&] {
    for (;;) {
      std::optional<PlanPool<Witness>::Draft> draft = pool.claim();
      if (draft || is_over) return draft;
      std::this_thread::yield();
    }
  };
  const auto plan = [&](std::size_t planner) {
    for (std::uint64_t i = 0; i < kEach; ++i) {
      std::optional<PlanPool<Witness>::Draft> draft = claimed();
      if (!draft) return;
      // The number of the plan, as often as its length: a torn one has another sum.
      (*draft)->q.assign(1 + i % 50, static_cast<double>(i));
      const PlanTicket ticket = pool.hand_over(std::move(*draft));
      lines[planner].tickets[i].store(std::uint64_t{ticket.slot} << 32U | ticket.round,
                                      std::memory_order_relaxed);
      if (i % 1000 == 0) pool.collect();
    }
  };

  /// A ticket may be seen before its plan. Bounded, so that a plan that never comes fails the test.
  const auto taken_from = [&pool](PlanTicket ticket) {
    const Witness* found = pool.take(ticket);
    for (int look = 0; found == nullptr && look < 1000; ++look) {
      std::this_thread::yield();
      found = pool.take(ticket);
    }
    return found;
  };
  std::uint64_t wrong = 0;
  const auto loop = [&] {
    is_loop = true;
    std::array<std::uint64_t, kPlanners> next{};
    std::array<PlanTicket, 3> held{};  // given back in another order than taken
    std::uint64_t taken = 0;
    while (taken < kPlanners * kEach) {
      const std::uint64_t before = taken;
      for (std::size_t p = 0; p < kPlanners; ++p) {
        if (next[p] == kEach) continue;
        const std::uint64_t word = lines[p].tickets[next[p]].load(std::memory_order_relaxed);
        if (word == 0) continue;
        const PlanTicket ticket{static_cast<std::uint32_t>(word >> 32U),
                                static_cast<std::uint32_t>(word)};
        const Witness* now = taken_from(ticket);
        const std::uint64_t i = next[p]++;
        const double sum =
            now == nullptr ? -1.0 : std::accumulate(now->q.begin(), now->q.end(), 0.0);
        if (sum != static_cast<double>((1 + i % 50) * i)) ++wrong;
        PlanTicket& place = held[taken++ % held.size()];
        if (place) pool.give_back(place);
        place = ticket;
      }
      if (taken == before) std::this_thread::yield();
    }
    for (const PlanTicket ticket : held) pool.give_back(ticket);
    is_over = true;
  };

  std::array<std::thread, kPlanners> planners{std::thread(plan, 0), std::thread(plan, 1)};
  std::thread the_loop(loop);
  for (std::thread& planner : planners) planner.join();
  the_loop.join();

  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(freed_in_the_loop, 0);
}

}  // namespace
}  // namespace jointrig
