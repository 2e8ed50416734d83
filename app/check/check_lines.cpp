#include "app/check/check_lines.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>

namespace jointrig::app {
namespace {

using harness::Outcome;
using harness::Result;
using harness::Verdict;
using harness::VerdictKind;

constexpr std::size_t kMostLines = 3;
constexpr std::string_view kOf = " of ";  // CheckScript::metric: what of joint

/// A metric with its distance from its bound: above 1 it has failed.
struct Judged {
  const Verdict* verdict = nullptr;
  double ratio = 0.0;
  bool by_least = false;
};

Judged judged(const Verdict& verdict) {
  Judged all{&verdict, -std::numeric_limits<double>::infinity(), false};
  if (verdict.most) all.ratio = *verdict.value / *verdict.most;
  if (verdict.least) {
    const double least = *verdict.value > 0.0 ? *verdict.least / *verdict.value
                                              : std::numeric_limits<double>::infinity();
    if (least > all.ratio) all = {&verdict, least, true};
  }
  if (!std::isfinite(*verdict.value)) all.ratio = std::numeric_limits<double>::infinity();
  return all;
}

/// All metrics that were judged, worst first.
std::vector<Judged> by_ratio(const Result& result) {
  std::vector<Judged> all;
  for (const Verdict& verdict : result.verdicts) {
    if (verdict.kind == VerdictKind::kMetric && verdict.value) all.push_back(judged(verdict));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Judged& a, const Judged& b) { return a.ratio > b.ratio; });
  return all;
}

std::string text_of(const Judged& metric) {
  const Verdict& verdict = *metric.verdict;
  const double bound = metric.by_least ? *verdict.least : *verdict.most;
  return fmt::format("{} {}, at {} {}", verdict.name, shown(verdict, *verdict.value),
                     metric.by_least ? "least" : "most", shown(verdict, bound));
}

std::string_view word_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kPassed:
      return "PASS";
    case Outcome::kFailed:
      return "FAIL";
    case Outcome::kSkipped:
      return "n/a";
    case Outcome::kSafetyStop:
      return "STOP";
    case Outcome::kTimeout:
      return "TIME";
    case Outcome::kCouldNotRun:
    case Outcome::kNotDeterministic:
      break;
  }
  return "ERROR";
}

/// Failures that are no metric's: a step, a mode at the end.
std::vector<std::string> other_failures(const Result& result) {
  std::vector<std::string> all;
  for (const Verdict& verdict : result.verdicts) {
    if (!verdict.failed() || (verdict.kind == VerdictKind::kMetric && verdict.value)) continue;
    if (verdict.kind == VerdictKind::kFaults) continue;  // the reason says it
    all.push_back(
        fmt::format("{}: expected {}, got {}", verdict.name, verdict.expected, verdict.got));
  }
  return all;
}

std::vector<std::string> texts_of(const Result& result, std::string& not_judged) {
  std::vector<std::string> texts;
  if (result.outcome != Outcome::kPassed && result.outcome != Outcome::kFailed) {
    texts.push_back(result.reason);
  }
  if (result.outcome == Outcome::kCouldNotRun || result.outcome == Outcome::kSkipped) return texts;
  if (result.outcome != Outcome::kPassed) {
    for (std::string& other : other_failures(result)) texts.push_back(std::move(other));
  }
  const std::vector<Judged> metrics = by_ratio(result);
  for (const Judged& metric : metrics) {
    if (metric.verdict->failed() || texts.empty()) texts.push_back(text_of(metric));
  }
  const auto skipped =
      std::count_if(result.verdicts.begin(), result.verdicts.end(), [](const Verdict& verdict) {
        return verdict.kind == VerdictKind::kMetric &&
               verdict.status == harness::VerdictStatus::kSkipped;
      });
  if (skipped > 0) not_judged = fmt::format("{} requirements were not reached", skipped);
  return texts;
}

/// "left out elbow: its weight": the joints begin at 9 and end at 14.
struct NotedJoints {
  std::size_t begin = 0;
  std::size_t end = 0;
};

NotedJoints joints_of(const std::string& note) {
  NotedJoints at{0, std::min(note.find(": "), note.size())};
  for (const std::string_view word : {"left out ", "light ", "slow  "}) {
    if (note.starts_with(word)) at.begin = word.size();
  }
  return at;
}

/// Its kind: what it says, without numbers, up to their explanation.
std::string kind_of(const std::string& said) {
  std::string kind;
  std::size_t colons = 0;
  for (const char c : said) {
    if (c == ':' && ++colons == 2) break;
    if (std::isdigit(static_cast<unsigned char>(c)) == 0 && c != '.') kind += c;
  }
  return kind;
}

}  // namespace

std::vector<std::string> shortened(const std::vector<std::string>& notes) {
  constexpr std::size_t kMost = 2;  // of one kind are printed in full
  struct Said {
    std::string begin, names, rest;
  };
  std::vector<Said> all;  // one for joints of which the same is said
  for (const std::string& note : notes) {
    const NotedJoints at = joints_of(note);
    const Said one{note.substr(0, at.begin), note.substr(at.begin, at.end - at.begin),
                   note.substr(at.end)};
    const auto same = std::find_if(all.begin(), all.end(), [&](const Said& said) {
      return !one.begin.empty() && said.begin == one.begin && said.rest == one.rest;
    });
    if (same == all.end())
      all.push_back(one);
    else
      same->names += ", " + one.names;
  }
  std::map<std::string, std::size_t> full;    // by kind
  std::map<std::string, std::size_t> others;  // by kind: the line of those that aren't
  std::vector<Said> lines;
  for (const Said& one : all) {
    const std::string kind = kind_of(one.begin + one.rest);
    if (one.begin.empty() || ++full[kind] <= kMost) {
      lines.push_back(one);
    } else if (const auto line = others.find(kind); line != others.end()) {
      lines[line->second].names += ", " + one.names;
    } else {
      others[kind] = lines.size();
      lines.push_back({one.begin, one.names, ": likewise (-v says how each)"});
    }
  }
  std::vector<std::string> texts;
  texts.reserve(lines.size());
  for (const Said& line : lines) texts.push_back(line.begin + line.names + line.rest);
  return texts;
}

std::vector<std::string> check_lines(CheckKind kind, const Result& result) {
  std::vector<std::string> lines;
  std::string not_judged;
  const std::vector<std::string> texts = texts_of(result, not_judged);
  std::string head = fmt::format("{:<5} {:<9} ", word_of(result.outcome), to_string(kind));
  const std::string indent(head.size(), ' ');
  for (std::size_t i = 0; i < texts.size() && i < kMostLines; ++i) {
    std::size_t begin = 0;
    while (begin <= texts[i].size()) {  // a reason may have several lines
      const std::size_t end = std::min(texts[i].find('\n', begin), texts[i].size());
      lines.push_back(head + texts[i].substr(begin, end - begin));
      head = indent;
      begin = end + 1;
    }
  }
  if (texts.empty()) lines.push_back(head);
  if (texts.size() > kMostLines) {
    lines.push_back(fmt::format("{}(and {} more)", indent, texts.size() - kMostLines));
  }
  if (!not_judged.empty()) lines.push_back(indent + not_judged);
  return lines;
}

std::vector<std::string> failing_joints(const Result& result) {
  std::vector<std::string> names;
  const auto add = [&names](const std::string& name) {
    const bool is_new = std::find(names.begin(), names.end(), name) == names.end();
    if (is_new && !name.empty()) names.push_back(name);
  };
  for (const harness::EventRecord& event : result.events) {
    if (event.kind == "fault") add(event.joint);
  }
  for (const Judged& metric : by_ratio(result)) {
    if (!metric.verdict->failed()) continue;
    const std::size_t at = metric.verdict->name.find(kOf);
    if (at != std::string::npos) add(metric.verdict->name.substr(at + kOf.size()));
  }
  return names;
}

}  // namespace jointrig::app
