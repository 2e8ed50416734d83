#include "control/core/nearest_word.h"

#include <gtest/gtest.h>

namespace jointrig::harness {
namespace {

const std::vector<std::string> kWords{"hold", "decelerate", "damp", "idle", "stiffness"};

TEST(NearestWord, CountsEditsAsATypistMakesThem) {
  EXPECT_EQ(edit_distance("stiffness", "stiffness"), 0U);
  EXPECT_EQ(edit_distance("stifness", "stiffness"), 1U);    // one left out
  EXPECT_EQ(edit_distance("stifffness", "stiffness"), 1U);  // one too many
  EXPECT_EQ(edit_distance("stiffmess", "stiffness"), 1U);   // one replaced
  EXPECT_EQ(edit_distance("stiffnses", "stiffness"), 1U);   // two swapped
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);  // the textbook's example
}

TEST(NearestWord, CaseDoesNotCount) { EXPECT_EQ(edit_distance("HOLD", "hold"), 0U); }

TEST(NearestWord, FindsWhatWasMeant) {
  EXPECT_EQ(nearest_word("hald", kWords), "hold");
  EXPECT_EQ(nearest_word("decelarate", kWords), "decelerate");
  EXPECT_EQ(nearest_word("stifness", kWords), "stiffness");
}

TEST(NearestWord, FindsAWordThatWasCutShortOrWrittenOut) {
  const std::vector<std::string> options{"--jobs", "--out", "--until-reached"};
  EXPECT_EQ(nearest_word("--output-directory", options), "--out");
  EXPECT_EQ(nearest_word("--until", options), "--until-reached");
  EXPECT_EQ(nearest_word("STIFF", kWords), "stiffness");
  EXPECT_EQ(nearest_word("sti", kWords), "") << "three letters may begin anything";
}

TEST(NearestWord, PrefersFewEditsToABeginning) {
  EXPECT_EQ(nearest_word("outputs", std::vector<std::string>{"outp", "output"}), "output");
}

TEST(NearestWord, IsSilentWhereNothingIsNear) {
  EXPECT_EQ(nearest_word("torque", kWords), "");
  EXPECT_EQ(nearest_word("x", kWords), "");
  EXPECT_EQ(nearest_word("hold", std::vector<std::string>{}), "");
  EXPECT_EQ(nearest_word(std::string(100'000, 'h'), kWords), "");
}

TEST(NearestWord, OfEquallyNearOnesTheFirst) {
  EXPECT_EQ(nearest_word("r_elbow3", std::vector<std::string>{"r_elbow1", "r_elbow2"}), "r_elbow1");
}

TEST(NearestWord, EndsASentence) {
  EXPECT_EQ(did_you_mean("hald", kWords), "; did you mean \"hold\"?");
  EXPECT_EQ(did_you_mean("torque", kWords), "");
}

}  // namespace
}  // namespace jointrig::harness
