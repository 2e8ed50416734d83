#include "control/discovery/name_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace jointrig {
namespace {

bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

struct LimbWord {
  std::string_view word;
  std::string_view limb;
};
constexpr std::array kLimbWords{
    LimbWord{"finger", "hand"},  LimbWord{"thumb", "hand"},  LimbWord{"index", "hand"},
    LimbWord{"hip", "leg"},      LimbWord{"knee", "leg"},    LimbWord{"ankle", "leg"},
    LimbWord{"shoulder", "arm"}, LimbWord{"elbow", "arm"},   LimbWord{"wrist", "arm"},
    LimbWord{"waist", "torso"},  LimbWord{"torso", "torso"}, LimbWord{"neck", "head"},
    LimbWord{"head", "head"}};

}  // namespace

std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> words;
  bool fresh = true;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (!is_letter(name[i])) {
      fresh = true;
      continue;
    }
    const bool next_is_small =
        i + 1 < name.size() && is_letter(name[i + 1]) && !is_upper(name[i + 1]);
    const bool after_small = i > 0 && is_letter(name[i - 1]) && !is_upper(name[i - 1]);
    if (is_upper(name[i]) && (after_small || next_is_small)) fresh = true;
    if (fresh) words.emplace_back();
    fresh = false;
    words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
  }
  return words;
}

std::string side_of(const std::vector<std::string>& words) {
  if (words.empty()) return {};
  for (const std::string& word : words) {
    if (word == "left" || word == "right") return word;
  }
  for (const std::string& word : {words.front(), words.back()}) {
    if (word == "l") return "left";
    if (word == "r") return "right";
  }
  return {};
}

std::string limb_of(const std::vector<std::string>& words) {
  for (const LimbWord& entry : kLimbWords) {
    if (std::find(words.begin(), words.end(), entry.word) != words.end()) {
      return std::string(entry.limb);
    }
  }
  return {};
}

}  // namespace jointrig
