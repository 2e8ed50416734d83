#include "harness/runner/junit.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

namespace jointrig::harness {
namespace {

enum class Tag : std::uint8_t { kNone, kFailure, kError, kSkipped };

struct Case {
  std::string name;
  std::string classname;
  double seconds = 0.0;
  Tag tag = Tag::kNone;
  std::string message;
  std::string text;
  std::string place;
};

// XML 1.0 can't contain most control characters: they become question marks.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += "&#10;";
        break;
      case '\t':
        out += "&#9;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
  }
  return out;
}

std::string attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + escaped(value) + "\"";
}

std::string number(double value) {
  return fmt::format("{:.6f}", std::isfinite(value) ? value : 0.0);
}

Tag tag_of(VerdictStatus status) {
  switch (status) {
    case VerdictStatus::kFailed:
      return Tag::kFailure;
    case VerdictStatus::kError:
      return Tag::kError;
    case VerdictStatus::kSkipped:
      return Tag::kSkipped;
    default:
      return Tag::kNone;
  }
}

bool failed_as_expected(const Result& result) {
  return !result.expected_failure.empty() && result.outcome == Outcome::kPassed;
}

Case case_of(const Verdict& verdict, std::size_t number_of_step, const Result& result) {
  Case one;
  std::string kind(to_string(verdict.kind));
  one.name = kind + ": " + verdict.name;
  if (verdict.kind == VerdictKind::kStep) {
    // Numbered, so that two equal steps are two cases.
    one.name = fmt::format("{} {:02}: {}", verdict.phase, number_of_step, verdict.name);
  }
  one.classname = result.scenario;
  if (std::isfinite(verdict.since) && std::isfinite(verdict.at)) {
    one.seconds = verdict.at - verdict.since;
  }
  one.tag = tag_of(verdict.status);
  one.place = verdict.place;
  if (one.tag == Tag::kNone) return one;
  one.message = verdict.got;
  if (one.tag != Tag::kSkipped) {
    one.message = "expected " + verdict.expected + ", got " + verdict.got;
    one.text = one.message;
    if (std::isfinite(verdict.at)) one.text += "\nat " + number(verdict.at) + " s";
    if (!verdict.more.empty()) one.text += "\n" + verdict.more;
    if (!verdict.place.empty()) one.text += "\n" + verdict.place;
    if (failed_as_expected(result)) {
      one.tag = Tag::kSkipped;
      one.message = "failed as expected (" + result.expected_failure + "): " + one.message;
    }
  }
  return one;
}

// A case for an error outside of the verdicts.
Case case_of_run(const Result& result) {
  Case one;
  one.name = "run";
  one.classname = result.scenario;
  one.seconds = result.sim_time;
  one.message = result.reason;
  one.text = result.reason;
  one.tag = Tag::kError;
  if (result.outcome == Outcome::kSkipped) one.tag = Tag::kSkipped;
  if (result.outcome == Outcome::kFailed || result.outcome == Outcome::kNotDeterministic) {
    one.tag = Tag::kFailure;
  }
  return one;
}

std::vector<Case> cases_of(const Result& result) {
  std::vector<Case> cases;
  std::size_t step = 0;
  std::string phase;
  bool told = result.outcome == Outcome::kPassed;
  for (const Verdict& verdict : result.verdicts) {
    if (verdict.phase != phase) step = 0;
    phase = verdict.phase;
    cases.push_back(case_of(verdict, ++step, result));
    const Tag tag = cases.back().tag;
    told = told || tag == Tag::kFailure || tag == Tag::kError;
  }
  if (!told || result.outcome == Outcome::kNotDeterministic) cases.push_back(case_of_run(result));
  return cases;
}

std::size_t count(const std::vector<Case>& cases, Tag tag) {
  return static_cast<std::size_t>(
      std::count_if(cases.begin(), cases.end(), [tag](const Case& one) { return one.tag == tag; }));
}

std::string counts(const std::vector<Case>& cases) {
  return attribute("tests", fmt::format("{}", cases.size())) +
         attribute("failures", fmt::format("{}", count(cases, Tag::kFailure))) +
         attribute("errors", fmt::format("{}", count(cases, Tag::kError))) +
         attribute("skipped", fmt::format("{}", count(cases, Tag::kSkipped)));
}

std::string element(const Case& one) {
  std::string xml = "    <testcase" + attribute("name", one.name) +
                    attribute("classname", one.classname) + attribute("time", number(one.seconds));
  // `elbow.yaml:12:5`
  const std::size_t colon = one.place.find(':');
  if (colon != std::string::npos) {
    xml += attribute("file", one.place.substr(0, colon));
    const std::string rest = one.place.substr(colon + 1);
    xml += attribute("line", rest.substr(0, rest.find(':')));
  }
  if (one.tag == Tag::kNone) return xml + "/>\n";
  const std::string_view tag = one.tag == Tag::kFailure ? "failure"
                               : one.tag == Tag::kError ? "error"
                                                        : "skipped";
  xml += ">\n      <" + std::string(tag) + attribute("message", one.message);
  if (one.tag != Tag::kSkipped) xml += attribute("type", tag);
  if (one.text.empty() || one.tag == Tag::kSkipped) return xml + "/>\n    </testcase>\n";
  return xml + ">" + escaped(one.text) + "</" + std::string(tag) + ">\n    </testcase>\n";
}

std::string property(std::string_view name, std::string_view value) {
  return "      <property" + attribute("name", name) + attribute("value", value) + "/>\n";
}

std::string suite(const Result& result, const std::vector<Case>& cases) {
  std::string xml = "  <testsuite" + attribute("name", result.scenario) + counts(cases) +
                    attribute("time", number(result.wall_time)) + attribute("file", result.file) +
                    ">\n    <properties>\n";
  xml += property("outcome", to_string(result.outcome));
  xml += property("backend", result.backend);
  xml += property("sim_time", number(result.sim_time));
  xml += property("cycles", fmt::format("{}", result.cycles));
  if (!result.state_hash.empty()) xml += property("state_hash", result.state_hash);
  for (const auto& [name, value] : result.variation) xml += property("parameter." + name, value);
  for (const auto& [name, value] : result.properties) xml += property(name, value);
  xml += "    </properties>\n";
  for (const Case& one : cases) xml += element(one);
  if (!result.reason.empty()) {
    xml += "    <system-out>" + escaped(result.reason) + "</system-out>\n";
  }
  return xml + "  </testsuite>\n";
}

}  // namespace

std::string to_junit(std::span<const Result> results) {
  std::vector<Case> all;
  std::string suites;
  double seconds = 0.0;
  for (const Result& result : results) {
    const std::vector<Case> cases = cases_of(result);
    suites += suite(result, cases);
    all.insert(all.end(), cases.begin(), cases.end());
    seconds += result.wall_time;
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + attribute("name", "jointrig") +
         counts(all) + attribute("time", number(seconds)) + ">\n" + suites + "</testsuites>\n";
}

}  // namespace jointrig::harness
