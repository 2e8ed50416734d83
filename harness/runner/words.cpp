#include "harness/runner/words.h"

#include <algorithm>

#include "control/core/faults.h"
#include "control/core/gripper.h"
#include "control/core/law_config.h"
#include "control/core/modes.h"

namespace jointrig::harness {
namespace {

// A word's number is its index plus this: far from 0 and 1, which are false and true.
constexpr double kFirstCode = 1000.0;

std::vector<std::string_view> collect() {
  std::vector<std::string_view> words;
  const auto add = [&words](const auto& list) {
    for (const std::string_view word : list) {
      if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
    }
  };
  add(kJointModeWords);
  add(kInteractionModeWords);
  add(kBoardStatusWords);
  add(kFaultCodeWords);
  add(kDriveModeWords);
  add(kLawStateWords);
  add(kGripperStateWords);
  return words;
}

}  // namespace

const std::vector<std::string_view>& all_words() {
  static const std::vector<std::string_view> words = collect();
  return words;
}

std::optional<double> word_code(std::string_view word) {
  const auto& words = all_words();
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) return std::nullopt;
  return kFirstCode + static_cast<double>(found - words.begin());
}

std::string_view word_of(double code) noexcept {
  const auto& words = all_words();
  const double place = code - kFirstCode;
  if (!(place >= 0.0 && place < static_cast<double>(words.size()))) return {};
  return words[static_cast<std::size_t>(place)];
}

}  // namespace jointrig::harness
