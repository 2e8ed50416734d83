#include "app/run/family_errors.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

namespace jointrig::app {
namespace {

constexpr std::size_t kTellsAll = 3;  // families: up to so many each problem is told (a choice)
constexpr std::string_view kIndent = "      ";

/// A problem begins without a space; the line of its file and the mark below it have some.
bool begins_problem(std::string_view line) {
  return line.size() > kIndent.size() && line[kIndent.size()] != ' ';
}

/// The number in "(and 6 more)", else 0.
int further(std::string_view line) {
  constexpr std::string_view kAnd = "(and ";
  const std::size_t at = line.find(kAnd);
  if (at != kIndent.size()) return 0;
  int count = 0;
  std::from_chars(line.data() + at + kAnd.size(), line.data() + line.size(), count);
  return count;
}

/// The first line, the first problem, and how many more there are.
std::vector<std::string> first_problem(const std::vector<std::string>& lines) {
  std::vector<std::string> kept;
  int problems = 0;
  for (const std::string& line : lines) {
    if (kept.empty()) {
      kept.push_back(line);
    } else if (const int more = further(line); more > 0) {
      problems += more;
    } else {
      if (begins_problem(line)) ++problems;
      if (problems <= 1) kept.push_back(line);
    }
  }
  if (problems > 1) kept.push_back(fmt::format("{}(and {} more)", kIndent, problems - 1));
  return kept;
}

/// The sentences of a reason without places and quoted lines: a row of the matrix has its own.
std::string sentences_of(const std::string& reason) {
  std::string all;
  for (std::size_t begin = 0; begin < reason.size();) {
    const std::size_t end = std::min(reason.find('\n', begin), reason.size());
    const std::string_view line(reason.data() + begin, end - begin);
    begin = end + 1;
    if (line.starts_with(' ')) continue;
    const std::size_t place_ends = line.find(": ");
    all += line.substr(place_ends == std::string_view::npos ? 0 : place_ends);
    all += '\n';
  }
  return all;
}

std::string key_of(const std::string& file, const std::string& family) {
  return file + "\n" + family;
}

}  // namespace

FamilyErrors::FamilyErrors(const std::vector<harness::Scenario>& scenarios) {
  for (const harness::Scenario& scenario : scenarios) {
    Family& family = families_[key_of(scenario.file.generic_string(), scenario.family)];
    ++family.variations;
    ++family.left;
  }
}

std::vector<std::string> FamilyErrors::told(const std::string& name, const Family& family) const {
  std::vector<std::string> all;
  for (const auto& [count, lines] : family.errors) {
    std::vector<std::string> block = families_.size() > kTellsAll ? first_problem(lines) : lines;
    if (count > 1) {
      const bool is_whole = count == family.variations;
      const std::string of = is_whole ? fmt::format("all {}", count)
                                      : fmt::format("{} of {}", count, family.variations);
      block.front() = fmt::format("ERROR {}: {} variations", name, of);
    }
    all.insert(all.end(), block.begin(), block.end());
  }
  return all;
}

std::vector<std::string> FamilyErrors::news(const harness::Result& result,
                                            std::vector<std::string> own) {
  const std::lock_guard lock(mutex_);
  const auto found = families_.find(key_of(result.file, result.family));
  if (found == families_.end()) return own;
  Family& family = found->second;
  --family.left;
  if (result.outcome == harness::Outcome::kCouldNotRun && result.cycles == 0 && !own.empty()) {
    any_ = true;
    const auto [at, is_new] =
        family.of_reason.emplace(sentences_of(result.reason), family.errors.size());
    if (is_new) family.errors.emplace_back(0, std::move(own));
    ++family.errors[at->second].first;
    own.clear();
  }
  if (family.left > 0 || family.errors.empty()) return own;
  for (std::string& line : told(result.family, family)) own.push_back(std::move(line));
  return own;
}

bool FamilyErrors::any() const {
  const std::lock_guard lock(mutex_);
  return any_;
}

}  // namespace jointrig::app
