#include "app/wiggle/said_lines.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string_view>

namespace jointrig::app {
namespace {

struct SaidLinesTest : ::testing::Test {
  SaidLinesTest() { EXPECT_EQ(::pipe(ends.data()), 0); }
  ~SaidLinesTest() override {
    ::close(ends[0]);
    hang_up();
  }
  SaidLinesTest(const SaidLinesTest&) = delete;
  SaidLinesTest& operator=(const SaidLinesTest&) = delete;

  void say(std::string_view text) {
    EXPECT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void hang_up() {
    if (ends[1] >= 0) ::close(ends[1]);
    ends[1] = -1;
  }

  std::array<int, 2> ends{-1, -1};
};

TEST_F(SaidLinesTest, ALineIsThereOnceItIsWhole) {
  SaidLines said(ends[0]);
  EXPECT_FALSE(said.has_line()) << "and nobody waited for it";
  say("ye");
  EXPECT_FALSE(said.has_line());
  say("s\n");
  EXPECT_TRUE(said.has_line());
  EXPECT_EQ(said.take(), "yes");
  EXPECT_FALSE(said.has_line());
}

TEST_F(SaidLinesTest, LinesThatComeAtOnceAreTakenOneByOne) {
  SaidLines said(ends[0]);
  say("y\nn\n\ny\n");
  for (const std::string_view expected : {"y", "n", "", "y"}) {
    ASSERT_TRUE(said.has_line());
    EXPECT_EQ(said.take(), expected);
  }
  EXPECT_FALSE(said.has_line());
}

TEST_F(SaidLinesTest, TheEndOfTheInputAnswersEachQuestionWithNothing) {
  SaidLines said(ends[0]);
  say("y\nno");
  hang_up();
  for (const std::string_view expected : {"y", "no", "", ""}) {
    ASSERT_TRUE(said.has_line());
    EXPECT_EQ(said.take(), expected);
  }
}

TEST(SaidLines, AnInputThatCannotBeReadIsAtItsEnd) {
  const int closed = ::dup(STDIN_FILENO);
  ::close(closed);
  SaidLines said(closed);
  EXPECT_TRUE(said.has_line());
  EXPECT_EQ(said.take(), "");
}

}  // namespace
}  // namespace jointrig::app
