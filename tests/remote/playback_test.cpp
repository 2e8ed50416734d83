/// The time of a log that is replayed, against t = t0 + speed · passed.

#include "remote/playback.h"

#include <gtest/gtest.h>

#include <limits>

namespace jointrig::remote {
namespace {

using std::chrono::milliseconds;

constexpr std::int64_t kMs = 1'000'000;
constexpr PlaybackClock::Range kRange{1000 * kMs, 3000 * kMs};

PlaybackClock::Instant at(int ms) { return PlaybackClock::Instant(milliseconds(ms)); }

TEST(PlaybackClock, PassesWithItsSpeedWhileItPlaysAndSomebodyWatches) {
  PlaybackClock clock(kRange, 0.5F, /*is_playing=*/true);
  EXPECT_EQ(clock.time_at(at(900)), 1000 * kMs);  // nobody watches
  clock.watch(true, at(1000));
  EXPECT_EQ(clock.time_at(at(1400)), 1200 * kMs);
  EXPECT_EQ(clock.obey({true, 4.0F, std::nullopt, ""}, at(1400)), "");
  EXPECT_EQ(clock.time_at(at(1500)), 1600 * kMs);
  EXPECT_EQ(clock.obey({false, 4.0F, std::nullopt, ""}, at(1500)), "");
  EXPECT_EQ(clock.time_at(at(9000)), 1600 * kMs);
  EXPECT_EQ(clock.obey({true, 1.0F, std::nullopt, ""}, at(9000)), "");
  clock.watch(false, at(9100));
  clock.watch(true, at(9500));
  EXPECT_EQ(clock.time_at(at(9600)), 1800 * kMs);
  EXPECT_EQ(clock.state(at(9600)).status, PlaybackStatus::kPlaying);
  clock.set(1750 * kMs, at(9600));
  EXPECT_EQ(clock.time_at(at(9610)), 1760 * kMs);
}

TEST(PlaybackClock, EndsAtTheEndAndLeavesItByAStepAlone) {
  PlaybackClock clock(kRange, 10.0F, /*is_playing=*/true);
  clock.watch(true, at(0));
  EXPECT_EQ(clock.time_at(at(200)), kRange.end_ns);
  EXPECT_EQ(clock.time_at(at(1'000'000'000)), kRange.end_ns);
  EXPECT_EQ(clock.state(at(300)).status, PlaybackStatus::kPlaying);  // its messages still come
  clock.end();
  EXPECT_EQ(clock.state(at(300)).status, PlaybackStatus::kEnded);
  EXPECT_EQ(clock.obey({true, 1.0F, std::nullopt, ""}, at(400)), "");
  EXPECT_EQ(clock.state(at(400)).status, PlaybackStatus::kEnded);
  EXPECT_EQ(clock.obey({true, 1.0F, 1500U * kMs, ""}, at(500)), "");
  EXPECT_EQ(clock.state(at(600)).time_ns, 1600 * kMs);
  EXPECT_EQ(clock.state(at(600)).status, PlaybackStatus::kPlaying);
}

TEST(PlaybackClock, AWishWithOneBadValueChangesNothing) {
  PlaybackClock clock(kRange, 2.0F, /*is_playing=*/false);
  clock.watch(true, at(0));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float speed : {nan, infinity, -infinity, -1.0F, 0.0F, 0.009F, 10.1F}) {
    EXPECT_NE(clock.obey({true, speed, 2000U * kMs, ""}, at(1)), "") << speed;
  }
  for (const std::uint64_t time :
       {std::uint64_t{0}, std::uint64_t{1000U * kMs - 1U}, std::uint64_t{3000U * kMs + 1U},
        std::numeric_limits<std::uint64_t>::max()}) {
    EXPECT_NE(clock.obey({true, 1.0F, time, ""}, at(1)), "") << time;
  }
  const PlaybackState state = clock.state(at(100));
  EXPECT_EQ(state.status, PlaybackStatus::kPaused);
  EXPECT_EQ(state.time_ns, kRange.start_ns);
  EXPECT_EQ(state.speed, 2.0F);
  for (const float speed : {0.01F, 10.0F}) {
    EXPECT_EQ(clock.obey({true, speed, std::nullopt, ""}, at(200)), "") << speed;
  }
}

}  // namespace
}  // namespace jointrig::remote
