#include "harness/runner/console_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace jointrig::harness {
namespace {

std::string_view word_of(const Result& result) {
  switch (result.outcome) {
    case Outcome::kPassed:
      return result.expected_failure.empty() ? "PASS" : "XFAIL";
    case Outcome::kFailed:
      return "FAIL";
    case Outcome::kCouldNotRun:
      return "ERROR";
    case Outcome::kSafetyStop:
      return "STOP";
    case Outcome::kTimeout:
      return "TIME";
    case Outcome::kNotDeterministic:
      return "DIFF";
    case Outcome::kSkipped:
      return "SKIP";
  }
  return "?";
}

std::string first_line(const Result& result) {
  constexpr double kShortest = 0.1;  // [s] below it the speed has no meaning: a choice
  std::string line = fmt::format("{:<5} {}", word_of(result), result.scenario);
  if (result.cycles > 0) {
    constexpr std::size_t kColumn = 46;
    line.resize(std::max(line.size(), kColumn), ' ');
    line += fmt::format(" {:6.1f} s", result.sim_time);
    if (result.wall_time > 0.0 && result.sim_time >= kShortest) {
      line += fmt::format(" in {:.2f} s ({:.0f}x)", result.wall_time,
                          result.sim_time / result.wall_time);
    }
  }
  return line;
}

// Adds each line of a text, indented: the problems of a file have several.
void add_indented(const std::string& text, std::vector<std::string>& lines) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back("      " + text.substr(begin, end - begin));
    begin = end + 1;
  }
}

bool is_worth_telling(const Verdict& verdict, bool verbose) {
  return verbose || verdict.failed() || verdict.status == VerdictStatus::kWarned;
}

void add_verdict(const Verdict& verdict, std::vector<std::string>& lines) {
  const std::string kind(verdict.kind == VerdictKind::kStep ? verdict.phase
                                                            : to_string(verdict.kind));
  lines.push_back("      " + std::string(to_string(verdict.status)) + " " + kind + " " +
                  verdict.name + (verdict.place.empty() ? "" : "  (" + verdict.place + ")"));
  const bool is_bad = verdict.failed() || verdict.status == VerdictStatus::kWarned;
  if (is_bad) lines.push_back("        expected " + verdict.expected);
  if (!verdict.got.empty()) {
    const std::string when =
        is_bad && std::isfinite(verdict.at) ? fmt::format(", at {:.3f} s", verdict.at) : "";
    lines.push_back("        got      " + verdict.got + when);
  }
  if (!verdict.more.empty()) lines.push_back("                 " + verdict.more);
  if (!is_bad && verdict.margin) {
    lines.push_back("        margin   " + shown(verdict, *verdict.margin));
  }
}

}  // namespace

std::vector<std::string> console_lines(const Result& result, bool verbose) {
  std::vector<std::string> lines{first_line(result)};
  const bool told = std::any_of(result.verdicts.begin(), result.verdicts.end(),
                                [](const Verdict& verdict) { return verdict.failed(); });
  if (!result.reason.empty() && (!told || result.outcome == Outcome::kPassed ||
                                 result.outcome == Outcome::kNotDeterministic)) {
    add_indented(result.reason, lines);
  }
  const bool quiet = result.outcome == Outcome::kPassed && !result.expected_failure.empty();
  for (const Verdict& verdict : result.verdicts) {
    if (is_worth_telling(verdict, verbose) && (!quiet || verbose)) add_verdict(verdict, lines);
  }
  for (const std::string& note : result.notes) lines.push_back("      note: " + note);
  return lines;
}

std::vector<std::string> lines_of_check(const Result& result) {
  const bool fits = result.outcome == Outcome::kPassed;
  std::vector<std::string> lines{
      fmt::format("{:<5} {}", fits ? "ok" : word_of(result), result.scenario)};
  if (!result.reason.empty()) add_indented(result.reason, lines);
  for (const std::string& note : result.notes) lines.push_back("      note: " + note);
  return lines;
}

std::string summary_line(const std::vector<Outcome>& outcomes) {
  std::string line;
  for (const Outcome outcome : kAllOutcome) {
    const auto count = std::count(outcomes.begin(), outcomes.end(), outcome);
    if (count == 0) continue;
    std::string word(to_string(outcome));
    std::replace(word.begin(), word.end(), '_', ' ');
    line += fmt::format("{}{} {}", (line.empty() ? "" : ", "), count, word);
  }
  return line.empty() ? "no scenario" : line;
}

}  // namespace jointrig::harness
