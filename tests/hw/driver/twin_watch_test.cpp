#include "hw/driver/twin_watch.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <random>
#include <vector>

#include "hw/canopen/bytes.h"

namespace jointrig::hw {
namespace {

constexpr int kLatest = TwinWatch::kLatest;

/// Parts of all states to which something happens on their way.
struct Line {
  double lost = 0.0;
  double late = 0.0;      ///< by up to `latest` cycles
  double repeated = 0.0;  ///< by up to `latest` cycles later
  int latest = kLatest;
  double order_lost = 0.0;  ///< the drive echoes the one before once more
};

/// A drive: it moves for some time, then it rests, then it moves.
class Drive {
 public:
  Drive(bool echoes, bool moves, std::int32_t at) : echoes_(echoes), moves_(moves), at_(at) {}

  std::array<std::uint8_t, 8> state(int cycle, bool hears) {
    constexpr int kMovesFor = 300;
    if (hears) heard_ = static_cast<std::uint8_t>(cycle);
    if (moves_ && cycle / kMovesFor % 2 == 0) ++at_;
    std::array<std::uint8_t, 8> bytes{0x37, 0x06, 0x08, echoes_ ? heard_ : std::uint8_t{0}};
    canopen::store_little_endian(std::span(bytes).subspan(4), static_cast<std::uint32_t>(at_), 4);
    return bytes;
  }

 private:
  bool echoes_;
  bool moves_;
  std::int32_t at_;
  std::uint8_t heard_ = 0;
};

/// Drives under one number on a line, and the watch behind it.
class Wire {
 public:
  Wire(const Line& line, std::uint32_t seed) : line_(line), random_(seed) {}

  void cycle(std::vector<Drive>& drives) {
    watch.synced();
    ++cycle_;
    for (Drive& drive : drives) send(drive.state(cycle_, !happens(line_.order_lost)));
    for (const auto& state : at(cycle_)) watch.heard(state);
    at(cycle_).clear();
  }
  /// The cycle in which two are found.
  std::optional<int> run(std::vector<Drive> drives, int cycles) {
    for (int i = 1; i <= cycles; ++i) {
      cycle(drives);
      if (watch.finds_two()) return i;
    }
    return std::nullopt;
  }
  TwinWatch watch;

 private:
  using State = std::array<std::uint8_t, 8>;

  [[nodiscard]] bool happens(double part) {
    return std::uniform_real_distribution<double>(0.0, 1.0)(random_) < part;
  }
  [[nodiscard]] int some_cycles() {
    return std::uniform_int_distribution<int>(1, line_.latest)(random_);
  }
  void send(const State& state) {
    if (happens(line_.lost)) return;
    const int when = cycle_ + (happens(line_.late) ? some_cycles() : 0);
    at(when).push_back(state);
    if (happens(line_.repeated))
      at(std::min(when + some_cycles(), cycle_ + kLatest)).push_back(state);
  }
  std::vector<State>& at(int cycle) {
    return under_way_[static_cast<std::size_t>(cycle) % under_way_.size()];
  }

  Line line_;
  std::mt19937 random_;
  int cycle_ = 0;
  std::array<std::vector<State>, kLatest + 1> under_way_;
};

const std::array<Line, 6> kLines{{{},
                                  {.lost = 0.03, .order_lost = 0.03},
                                  {.late = 0.3, .order_lost = 0.03},
                                  {.repeated = 0.3, .order_lost = 0.03},
                                  {.lost = 0.03, .late = 0.3, .repeated = 0.3, .order_lost = 0.03},
                                  {.lost = 0.3, .late = 0.5, .repeated = 0.5, .order_lost = 0.5}}};

TEST(TwinWatch, OneDriveIsNeverTakenForTwoWhateverHappensToItsStates) {
  constexpr int kCycles = 6'000;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    for (const bool echoes : {true, false}) {
      for (const Line& line : kLines) {
        const auto found = Wire(line, seed).run({Drive(echoes, true, 0)}, kCycles);
        EXPECT_FALSE(found) << "in cycle " << *found << " of seed " << seed;
      }
    }
  }
}

TEST(TwinWatch, TwoDrivesAreFoundWithinFiftyCyclesWhereThreeInAHundredAreLost) {
  constexpr int kMost = 50;  // 100 ms at 500 Hz
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    for (const bool echoes : {true, false}) {
      for (const bool first_moves : {true, false}) {
        for (const bool second_moves : {true, false}) {
          SCOPED_TRACE(seed);
          Wire wire({.lost = 0.03, .order_lost = 0.03}, seed);
          const Drive first(echoes, first_moves, 0);
          ASSERT_FALSE(wire.run({first}, 200));
          EXPECT_TRUE(wire.run({first, Drive(echoes, second_moves, 500'000)}, kMost))
              << echoes << first_moves << second_moves;
        }
      }
    }
  }
}

TEST(TwinWatch, OnAGoodLineTheyAreFoundInTheTwentyThirdCycleAtTheLatest) {
  for (int before = 100; before < 100 + TwinWatch::kForgets; ++before) {
    Wire wire({}, 1);
    const Drive first(true, true, 0);
    ASSERT_FALSE(wire.run({first}, before));
    EXPECT_TRUE(wire.run({first, Drive(true, true, 500'000)}, kLatest + TwinWatch::kExtra));
  }
}

TEST(TwinWatch, ABurstOfStatesThatWereHeldUpIsThoseOfOneDrive) {
  TwinWatch watch;
  Drive drive(true, true, 0);
  int cycle = 0;
  for (int burst = 0; burst < 200; ++burst) {
    std::vector<std::array<std::uint8_t, 8>> held;
    for (int i = 0; i < burst; ++i) {
      watch.synced();
      held.push_back(drive.state(++cycle, true));
    }
    for (std::size_t i = 0; i < held.size(); ++i) {  // some at once, as the wire takes them
      watch.heard(held[i]);
      if (i % 12 == 11) {
        watch.synced();
        watch.heard(drive.state(++cycle, true));
      }
      ASSERT_FALSE(watch.finds_two()) << burst;
    }
    for (int i = 0; i < burst % 40; ++i) {
      watch.synced();
      watch.heard(drive.state(++cycle, true));
      ASSERT_FALSE(watch.finds_two()) << burst;
    }
  }
}

TEST(TwinWatch, AnswersToASyncOfSomebodyElseAreNoSecondDrives) {
  TwinWatch watch;
  Drive drive(true, true, 0);
  for (int cycle = 0; cycle < 1000; ++cycle) {
    for (int sync = 0; sync < 2; ++sync) {
      watch.synced();
      watch.heard(drive.state(2 * cycle + sync, true));
    }
    ASSERT_FALSE(watch.finds_two()) << cycle;
  }
}

TEST(TwinWatch, ExtraStatesThatAreRareDoNotAddUp) {
  TwinWatch watch;
  Drive drive(true, true, 0);
  Drive other(true, true, 500'000);
  for (int cycle = 0; cycle < 100'000; ++cycle) {
    watch.synced();
    watch.heard(drive.state(cycle, true));
    if (cycle % 100 == 0) watch.heard(other.state(cycle, true));
    ASSERT_FALSE(watch.finds_two()) << cycle;
  }
}

}  // namespace
}  // namespace jointrig::hw
