/// Shares of a C++ test's cases: together they are all of it, and nothing is in two of them.

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <string>

#include "tests/support/share.h"

namespace jointrig::testing {
namespace {

class Shares : public ::testing::Test {
 protected:
  void SetUp() override {
    if (has_shares()) before_ = std::getenv("JOINTRIG_SHARE");
    unsetenv("JOINTRIG_SHARE");
  }
  void TearDown() override {
    if (before_) setenv("JOINTRIG_SHARE", before_->c_str(), 1);
    if (!before_) unsetenv("JOINTRIG_SHARE");
  }

  std::optional<std::string> before_;
};

TEST_F(Shares, WithoutTheVariableEachCaseIsRun) {
  EXPECT_FALSE(has_shares());
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(in_share("case " + std::to_string(i)));
}

TEST_F(Shares, EachCaseIsInJustOneOfFour) {
  std::array<int, 100> met{};
  for (int share = 0; share < 4; ++share) {
    setenv("JOINTRIG_SHARE", (std::to_string(share) + "/4").c_str(), 1);
    EXPECT_TRUE(has_shares());
    int cases = 0;
    for (int i = 0; i < 100; ++i) {
      if (!in_share("case " + std::to_string(i))) continue;
      ++met[static_cast<std::size_t>(i)];
      ++cases;
    }
    EXPECT_GT(cases, 10) << "of 100 in share " << share;
  }
  for (const int times : met) EXPECT_EQ(times, 1);
}

}  // namespace
}  // namespace jointrig::testing
