#include "harness/report/verdict_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "harness/report/html_text.h"

namespace jointrig::harness::report {
namespace {

// Wide tables scroll by themselves, not with the page.
void open_table(std::ostream& out, std::string_view style, std::string_view caption,
                const std::vector<std::string_view>& columns) {
  out << "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" << caption
      << "\"><table class=\"" << style << "\"><caption>" << caption << "</caption><thead><tr>";
  for (const std::string_view column : columns) out << "<th scope=\"col\">" << column << "</th>";
  out << "</tr></thead><tbody>\n";
}

void close_table(std::ostream& out) { out << "</tbody></table></div>\n"; }

void cell(std::ostream& out, std::string_view text, std::string_view style = {}) {
  out << "<td";
  if (!style.empty()) out << " class=\"" << style << '"';
  out << '>' << escaped(text) << "</td>";
}

void open_row(std::ostream& out, const Verdict& verdict) {
  out << "<tr class=\"" << badge_of(verdict.status).style << "\"><td>";
  write_badge(out, badge_of(verdict.status));
  out << "</td>";
}

void write_name(std::ostream& out, const Verdict& verdict) {
  out << "<td>" << escaped(verdict.name);
  if (!verdict.place.empty()) {
    out << " <span class=\"place\">" << escaped(verdict.place) << "</span>";
  }
  out << "</td>";
}

std::string bounds_text(const Verdict& verdict) {
  std::string text;
  if (verdict.least) text = "≥ " + shown(verdict, *verdict.least);
  if (verdict.least && verdict.most) text += ", ";
  if (verdict.most) text += "≤ " + shown(verdict, *verdict.most);
  return text;
}

std::string expected_text(const Verdict& verdict) {
  if (verdict.kind != VerdictKind::kMetric || !verdict.expected.empty()) return verdict.expected;
  return bounds_text(verdict);
}

std::string got_text(const Verdict& verdict) {
  if (!verdict.got.empty() || !verdict.value) return verdict.got;
  return shown(verdict, *verdict.value);
}

// Margin of a metric to the nearer bound.
std::optional<double> margin_of(const Verdict& verdict) {
  if (verdict.margin || !verdict.value) return verdict.margin;
  std::optional<double> margin;
  if (verdict.most) margin = *verdict.most - *verdict.value;
  if (verdict.least) {
    const double above = *verdict.value - *verdict.least;
    margin = margin ? std::min(*margin, above) : above;
  }
  return margin;
}

std::string margin_text(const Verdict& verdict) {
  const std::optional<double> margin = margin_of(verdict);
  if (!margin) return {};
  std::string text = shown(verdict, *margin);
  if (!std::isnan(verdict.margin_at)) text += " at " + page_seconds(verdict.margin_at);
  return text;
}

void write_got(std::ostream& out, const Verdict& verdict) {
  out << "<td class=\"code\">" << escaped(got_text(verdict));
  if (!verdict.more.empty()) out << " <span class=\"place\">" << escaped(verdict.more) << "</span>";
  out << "</td>";
}

void write_expectation(std::ostream& out, const Verdict& verdict) {
  open_row(out, verdict);
  cell(out, to_string(verdict.kind), "word");
  write_name(out, verdict);
  cell(out, expected_text(verdict), "code");
  write_got(out, verdict);
  cell(out, page_seconds(verdict.at), "number");
  cell(out, margin_text(verdict), "number");
  out << "</tr>\n";
}

void write_step(std::ostream& out, const Verdict& verdict, std::size_t number, bool with_words) {
  open_row(out, verdict);
  cell(out, fmt::format("{}", number), "number");
  cell(out, verdict.phase, "word");
  write_name(out, verdict);
  cell(out, page_seconds(verdict.since), "number");
  cell(out, page_seconds(verdict.at - verdict.since), "number");
  if (with_words) {
    cell(out, verdict.expected, "code");
    cell(out, verdict.got, "code");
  }
  out << "</tr>\n";
}

}  // namespace

Badge badge_of(Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::kPassed:
      return {"ok", "✓", "passed"};
    case Outcome::kFailed:
      return {"bad", "✗", "failed"};
    case Outcome::kCouldNotRun:
      return {"bad", "✗", "could not run"};
    case Outcome::kSafetyStop:
      return {"bad", "✗", "safety stop"};
    case Outcome::kTimeout:
      return {"bad", "✗", "timed out"};
    case Outcome::kNotDeterministic:
      return {"bad", "✗", "not deterministic"};
    case Outcome::kSkipped:
      return {"none", "–", "skipped"};
  }
  return {"none", "–", "?"};
}

Badge badge_of(VerdictStatus status) noexcept {
  switch (status) {
    case VerdictStatus::kPassed:
      return {"ok", "✓", "passed"};
    case VerdictStatus::kWarned:
      return {"warn", "!", "warned"};
    case VerdictStatus::kFailed:
      return {"bad", "✗", "failed"};
    case VerdictStatus::kError:
      return {"bad", "✗", "error"};
    case VerdictStatus::kSkipped:
      return {"none", "–", "skipped"};
  }
  return {"none", "–", "?"};
}

void write_badge(std::ostream& out, const Badge& badge) {
  out << "<span class=\"badge " << badge.style << "\"><span aria-hidden=\"true\">" << badge.sign
      << "</span> " << badge.word << "</span>";
}

void write_facts(std::ostream& out, const std::vector<Fact>& facts) {
  out << "<dl class=\"facts\">";
  for (const auto& [what, value] : facts) {
    out << "<div><dt>" << escaped(what) << "</dt><dd>" << escaped(value) << "</dd></div>";
  }
  out << "</dl>\n";
}

void write_steps(std::ostream& out, const std::vector<Verdict>& verdicts) {
  std::vector<const Verdict*> steps;
  bool has_words = false;
  for (const Verdict& verdict : verdicts) {
    if (verdict.kind != VerdictKind::kStep) continue;
    steps.push_back(&verdict);
    has_words = has_words || !verdict.expected.empty() || !verdict.got.empty();
  }
  if (steps.empty()) return;
  std::vector<std::string_view> columns{"Verdict", "#", "Phase", "Step", "Begins", "Takes"};
  if (has_words) columns.insert(columns.end(), {"Expected", "Got"});
  open_table(out, "steps", "Steps", columns);
  for (std::size_t i = 0; i < steps.size(); ++i) write_step(out, *steps[i], i + 1, has_words);
  close_table(out);
}

void write_expectations(std::ostream& out, const std::vector<Verdict>& verdicts) {
  std::vector<const Verdict*> judged;
  for (const Verdict& verdict : verdicts) {
    if (verdict.kind != VerdictKind::kStep) judged.push_back(&verdict);
  }
  if (judged.empty()) return;
  std::stable_partition(judged.begin(), judged.end(),
                        [](const Verdict* verdict) { return verdict->failed(); });
  open_table(out, "expectations", "Expectations and metrics",
             {"Verdict", "Kind", "What", "Expected", "Got", "At", "Margin"});
  for (const Verdict* verdict : judged) write_expectation(out, *verdict);
  close_table(out);
}

void write_limits(std::ostream& out, const Result& result) {
  if (result.limits.empty()) return;
  out << "<details class=\"fold\"><summary>Limits that acted (" << result.limits.size()
      << ")</summary>\n";
  open_table(out, "limits", "Limits that acted", {"Joint", "Limit", "Cycles"});
  for (const LimitRecord& limit : result.limits) {
    out << "<tr>";
    cell(out, limit.joint, "word");
    cell(out, limit.limit, "word");
    cell(out, fmt::format("{}", limit.cycles), "number");
    out << "</tr>\n";
  }
  close_table(out);
  out << "</details>\n";
}

void write_events(std::ostream& out, const Result& result) {
  if (result.events.empty() && result.marks.empty()) return;
  struct Line {
    double time;
    std::string cycle;
    std::string kind;
    std::string joint;
    std::string sentence;
  };
  std::vector<Line> lines;
  for (const EventRecord& event : result.events) {
    lines.push_back(
        {event.time, fmt::format("{}", event.cycle), event.kind, event.joint, event.sentence});
  }
  for (const MarkRecord& mark : result.marks) {
    lines.push_back({mark.time, "", "mark", "", mark.name});
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return a.time < b.time; });
  out << "<details class=\"fold\"><summary>Events (" << lines.size() << ")</summary>\n";
  open_table(out, "events", "Events", {"Time", "Cycle", "Kind", "Joint", "Event"});
  for (const Line& line : lines) {
    EventKind kind{};  // a mark has no kind
    const bool is_bad = parse(line.kind, kind) && severity_of(kind) == EventSeverity::kError;
    out << (is_bad ? "<tr class=\"bad\">" : "<tr>");
    cell(out, page_seconds(line.time), "number");
    cell(out, line.cycle, "number");
    cell(out, line.kind, "word");
    cell(out, line.joint, "word");
    cell(out, line.sentence);
    out << "</tr>\n";
  }
  close_table(out);
  if (result.events_left_out > 0) {
    out << "<p>" << result.events_left_out
        << " more events are not kept here; the log has all of them.</p>\n";
  }
  out << "</details>\n";
}

}  // namespace jointrig::harness::report
