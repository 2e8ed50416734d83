#include <gtest/gtest.h>

#include <optional>

#include "control/stack/loop.h"
#include "tests/support/ideal_robot.h"

namespace jointrig {
namespace {

/// A backend whose cycles come late.
class LateRobot final : public testing::IdealRobot {
 public:
  using IdealRobot::IdealRobot;
  Tick wait() noexcept override {
    IdealRobot::wait();
    return {.late_ns = late};
  }
  std::optional<std::int64_t> late = 0;
};

class LoopOverrun : public ::testing::Test {
 protected:
  std::optional<Event> overrun() {
    for (Event event; reader_.next(event);) {
      if (event.kind == EventKind::kOverrun) return event;
    }
    return std::nullopt;
  }

  LateRobot robot_{testing::ideal_config(1)};
  Stack stack_{testing::ideal_config(1), robot_.capabilities, nullptr};
  Loop loop_{robot_, stack_};
  EventRing::Reader reader_{stack_.events()};
};

TEST_F(LoopOverrun, ALateWakeUpIsReportedWithAllOfItsDelay) {
  robot_.late = 5'000'000'000;  // 5 s of a period of 1 ms: no work of a cycle comes near it
  loop_.step();
  const auto event = overrun();
  ASSERT_TRUE(event);
  EXPECT_EQ(static_cast<LoopStage>(event->detail), LoopStage::kWakeUp);
  EXPECT_GE(event->value, 5.0) << "the wake-up, and the work after it";
  EXPECT_EQ(event->limit, 1e-3);
}

TEST_F(LoopOverrun, CyclesThatNothingPacesAreNeverReported) {
  robot_.late = std::nullopt;
  for (int i = 0; i < 100; ++i) loop_.step();
  EXPECT_FALSE(overrun());
}

}  // namespace
}  // namespace jointrig
