#include "harness/config/file_error.h"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace jointrig::harness {
namespace {

const std::string kNoName = "(no file)";

// Characters of a line start where a byte isn't a UTF-8 continuation.
bool starts_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

// The line cut to a width that fits a terminal, and a caret beneath the column.
std::string with_caret(const std::string& line, int column) {
  constexpr int kBefore = 70;
  constexpr int kWidth = 100;
  const int first = std::max(0, column - 1 - kBefore);
  std::string shown;
  int index = -1;
  for (const char byte : line) {
    if (starts_character(byte)) ++index;
    if (index < first || index >= first + kWidth) continue;
    const bool is_control = static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F;
    shown += is_control ? ' ' : byte;
  }
  return "  " + shown + "\n  " + std::string(static_cast<std::size_t>(column - 1 - first), ' ') +
         "^";
}

std::string full_text(const std::vector<FileProblem>& problems) {
  std::string text;
  const std::size_t shown = std::min(problems.size(), FileError::kMostProblems);
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) text += '\n';
    text += to_string(problems[i]);
  }
  if (problems.size() > shown) {
    text += fmt::format("\n(and {} more)", problems.size() - shown);
  }
  return text;
}

}  // namespace

std::string to_string(const SourceSpot& spot) {
  const std::string& name = spot.source ? spot.source->name : kNoName;
  const bool has_place = spot.line > 0 && !(spot.source && spot.source->is_argument);
  if (!has_place) return name.empty() ? "" : name + ": ";
  return fmt::format("{}:{}:{}: ", name, spot.line, spot.column);
}

std::string to_string(const FileProblem& problem) {
  std::string text = to_string(problem.spot) + problem.sentence;
  const SourceSpot& spot = problem.spot;
  const bool has_line = spot.source && !spot.source->is_argument && spot.line > 0 &&
                        static_cast<std::size_t>(spot.line) <= spot.source->lines.size();
  if (!has_line || spot.column < 1) return text;
  return text + "\n" +
         with_caret(spot.source->lines[static_cast<std::size_t>(spot.line) - 1], spot.column);
}

FileError::FileError(std::vector<FileProblem> problems)
    : std::runtime_error(full_text(problems)), problems_(std::move(problems)) {
  if (problems_.empty()) throw std::logic_error("a FileError needs a problem");
}

FileError::FileError(const SourceSpot& spot, std::string sentence)
    : FileError(std::vector<FileProblem>{{spot, std::move(sentence)}}) {}

const std::string& FileError::file() const noexcept {
  const SourceSpot& spot = problems_.front().spot;
  return spot.source ? spot.source->name : kNoName;
}

void Problems::add(const SourceSpot& spot, std::string sentence) {
  list_.push_back({spot, std::move(sentence)});
}

void Problems::throw_if_any() const {
  if (list_.empty()) return;
  std::vector<FileProblem> sorted = list_;
  // By place within a file; files stay in the order in which they were met.
  std::vector<const SourceText*> met;
  const auto rank = [&met](const FileProblem& problem) {
    const auto found = std::find(met.begin(), met.end(), problem.spot.source.get());
    return std::tuple(found - met.begin(), problem.spot.line, problem.spot.column);
  };
  for (const FileProblem& problem : list_) {
    const SourceText* source = problem.spot.source.get();
    if (std::find(met.begin(), met.end(), source) == met.end()) met.push_back(source);
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  throw FileError(std::move(sorted));
}

}  // namespace jointrig::harness
