#include "app/own_library.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace jointrig::app {
namespace {

namespace fs = std::filesystem;

constexpr OwnLibrary kLibrary{"own_library_test_library.so", "there is none: build it",
                              "can't load it ({}): install what it needs"};

/// Where a library of this program is looked for first.
fs::path place_of_the_library() {
  return fs::canonical("/proc/self/exe").parent_path() / kLibrary.name;
}

std::string refusal(const char* symbol) {
  try {
    static_cast<void>(own_symbol(kLibrary, symbol));
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "none";
}

/// The words of the system's loader on a file are between two pieces of our own sentence.
void expect_the_loaders_words(const std::string& sentence, const std::string& word) {
  EXPECT_TRUE(sentence.starts_with("can't load it (")) << sentence;
  EXPECT_TRUE(sentence.ends_with("): install what it needs")) << sentence;
  EXPECT_NE(sentence.find(word), std::string::npos) << sentence;
}

class OwnLibraryFile : public testing::Test {
 protected:
  void SetUp() override { fs::remove(place_of_the_library()); }
  void TearDown() override { fs::remove(place_of_the_library()); }
};

TEST_F(OwnLibraryFile, ThatThisBuildLacksIsToldWithTheCure) {
  EXPECT_EQ(refusal("entry"), "there is none: build it");
}

TEST_F(OwnLibraryFile, ThatTheSystemCannotLoadIsToldWithItsReason) {
  std::ofstream(place_of_the_library()) << "no library";
  expect_the_loaders_words(refusal("entry"), kLibrary.name);
}

TEST_F(OwnLibraryFile, OfAnotherVersionLacksTheEntryAndIsToldSo) {
  fs::create_symlink(JOINTRIG_SOME_LIBRARY, place_of_the_library());
  expect_the_loaders_words(refusal("no_such_entry"), "no_such_entry");
  EXPECT_NE(own_symbol(kLibrary, "jointrig_user_law"), nullptr);
}

}  // namespace
}  // namespace jointrig::app
