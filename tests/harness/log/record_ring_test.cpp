#include "harness/log/record_ring.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>

namespace jointrig::harness {
namespace {

/// Records of 8 to 72 bytes, each filled with its own number.
std::size_t size_of_record(std::uint64_t n) { return 8 + n * 7 % 9 * 8; }

bool write(RecordRing& ring, std::uint64_t n) {
  std::byte* at = ring.reserve(size_of_record(n));
  if (at == nullptr) return false;
  for (std::size_t i = 0; i < size_of_record(n); i += 8) std::memcpy(at + i, &n, 8);
  ring.commit();
  return true;
}

/// True when the oldest record is whole and the n-th.
bool read(RecordRing& ring, std::uint64_t n) {
  const auto record = ring.front();
  bool good = record.size() == size_of_record(n);
  for (std::size_t i = 0; good && i < record.size(); i += 8) {
    good = std::memcmp(record.data() + i, &n, 8) == 0;
  }
  ring.pop();
  return good;
}

TEST(RecordRing, RefusesWhatDoesNotFitAndLosesNothingOfWhatDid) {
  RecordRing ring(256);
  std::uint64_t written = 0;
  while (write(ring, written)) ++written;
  ASSERT_GT(written, 2u);
  for (std::uint64_t n = 0; n < written; ++n) EXPECT_TRUE(read(ring, n));
  EXPECT_TRUE(ring.front().empty());
  EXPECT_TRUE(ring.empty());
}

TEST(RecordRing, KeepsTheRoomThatItIsToldToKeep) {
  RecordRing ring(256);
  ASSERT_NE(ring.reserve(120, 128), nullptr);
  ring.commit();
  EXPECT_EQ(ring.reserve(8, 128), nullptr);
  EXPECT_NE(ring.reserve(120, 0), nullptr);
}

TEST(RecordRing, WhatIsReservedAndNotCommittedIsNotSeen) {
  RecordRing ring(256);
  ASSERT_NE(ring.reserve(8), nullptr);
  EXPECT_TRUE(ring.front().empty());
}

TEST(RecordRing, HandsOverEveryRecordInOrderFromOneThreadToAnother) {
  constexpr std::uint64_t kRecords = 200'000;
  RecordRing ring(1024);
  std::uint64_t wrong = 0;
  std::thread consumer([&] {
    for (std::uint64_t n = 0; n < kRecords; ++n) {
      while (ring.front().empty()) std::this_thread::yield();
      if (!read(ring, n)) ++wrong;
    }
  });
  for (std::uint64_t n = 0; n < kRecords; ++n) {
    while (!write(ring, n)) std::this_thread::yield();
  }
  consumer.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_TRUE(ring.empty());
}

}  // namespace
}  // namespace jointrig::harness
