#include "hw/cia402/modes.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace jointrig::cia402 {
namespace {

TEST(Modes, TheOfferIsReadBitByBit) {
  constexpr std::uint32_t kOffer = 0x3AD;  // 11 1010 1101: 1, 3, 4, 6, 8, 9, 10
  const std::set<int> offered{1, 3, 4, 6, 8, 9, 10};
  for (int code = -128; code <= 127; ++code) {
    EXPECT_EQ(is_offered(kOffer, static_cast<std::int8_t>(code)), offered.count(code) != 0) << code;
  }
}

TEST(Modes, HomingPatternsAreReadAsTheyAreShown) {
  struct Row {
    std::uint16_t word;
    std::optional<Homing> homing;
  };
  for (const Row& row : {Row{0x0237, Homing::kRunning}, Row{0x0637, Homing::kNotStarted},
                         Row{0x1237, Homing::kAttainedMoving}, Row{0x1637, Homing::kDone},
                         Row{0x2237, Homing::kErrorMoving}, Row{0x2637, Homing::kErrorStanding},
                         Row{0x3237, std::nullopt}, Row{0x3637, std::nullopt}}) {
    EXPECT_EQ(homing_of(row.word), row.homing) << std::hex << row.word;
    if (row.homing) {
      EXPECT_EQ(status_bits(*row.homing), row.word & 0x3400);
    }
  }
}

TEST(Modes, HaveNames) {
  EXPECT_EQ(mode_in_words(8), "cyclic synchronous position");
  EXPECT_EQ(mode_in_words(-1), "a maker's mode");
  EXPECT_EQ(mode_in_words(5), "an unknown mode");
  EXPECT_EQ(to_string(Homing::kDone), "done");
}

}  // namespace
}  // namespace jointrig::cia402
