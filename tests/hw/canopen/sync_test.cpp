#include "hw/canopen/sync.h"

#include <gtest/gtest.h>

#include "tests/hw/canopen/frame_text.h"

namespace jointrig::canopen {
namespace {

TEST(Sync, HasNoDataWithoutACounter) {
  SyncProducer sync;
  EXPECT_EQ(to_text(sync.next()), "080#");
  EXPECT_EQ(to_text(sync.next()), "080#");
}

TEST(Sync, CountsFromOneToItsOverflow) {
  SyncProducer sync(3);
  Texts texts;
  for (int i = 0; i < 5; ++i) texts.push_back(to_text(sync.next()));
  EXPECT_EQ(texts, (Texts{"080#01", "080#02", "080#03", "080#01", "080#02"}));
}

TEST(Sync, NeverCatchesUp) {
  SyncProducer sync(240);
  FrameQueue out;
  constexpr std::int64_t kPeriod = 1'000'000;
  sync.start(kPeriod, 0);
  EXPECT_TRUE(sync.poll(0, out));
  EXPECT_FALSE(sync.poll(kPeriod - 1, out));
  EXPECT_TRUE(sync.poll(4 * kPeriod + 1, out));  // 1, 2, 3 never came: this is number 4
  EXPECT_EQ(sync.skipped(), 3U);
  EXPECT_FALSE(sync.poll(5 * kPeriod - 1, out));
  EXPECT_TRUE(sync.poll(5 * kPeriod, out));
  EXPECT_EQ(taken_from(out), (Texts{"080#01", "080#02", "080#03"}));
}

TEST(Sync, StartedAnewItCountsFromOne) {
  SyncProducer sync(240);
  FrameQueue out;
  sync.start(1'000'000, 0);
  sync.poll(0, out);
  sync.poll(1'000'000, out);
  sync.start(1'000'000, 5'000'000);
  sync.poll(5'000'000, out);
  EXPECT_EQ(taken_from(out), (Texts{"080#01", "080#02", "080#01"}));
}

TEST(Sync, ItsLengthFollowsTheOverflow) {
  EXPECT_TRUE(sync_length_fits(from_text("080#"), 0));
  EXPECT_FALSE(sync_length_fits(from_text("080#01"), 0));
  EXPECT_TRUE(sync_length_fits(from_text("080#01"), 240));
  EXPECT_FALSE(sync_length_fits(from_text("080#"), 240));
  EXPECT_FALSE(sync_length_fits(from_text("080#0102"), 240));
}

}  // namespace
}  // namespace jointrig::canopen
