#include "app/gui/session_expectations.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/config/yaml_document.h"
#include "harness/runner/signals.h"

namespace jointrig::app {
namespace {

constexpr double kMoreThan = 1.2;      // largest allowed over recorded value: a choice
constexpr double kLeastMargin = 0.1;   // s or N·m: a choice
constexpr double kLongestWait = 20.0;  // s: the scenario's timeout leaves 30 s

/// The course of a joint in the recording, in the units of the screen: ° or mm.
struct Course {
  JointIndex joint = 0;
  double final = 0.0;
  double peak_torque = 0.0;  ///< [N·m or N]
  double settled = 0.0;      ///< [s] from the start of the recording
};

struct Units {
  double tolerance;
  const char* length;
  const char* torque;
};

Units units_of(const JointConfig& joint) {
  return joint.slide ? Units{2.0, "mm", "N"} : Units{1.0, "deg", "Nm"};
}

/// Nothing: it stood still, its motor is off, or a sample is missing.
std::optional<Course> course_of(const gui::History& history, const RobotConfig& config,
                                JointIndex joint, gui::SampleSpan span) {
  const auto& q = history.live(history.signal(joint, gui::JointTrace::kPosition));
  const auto& tau = history.live(history.signal(joint, gui::JointTrace::kTorque));
  const double tolerance = units_of(config.joints[joint]).tolerance;
  const gui::Statistics of_q = gui::statistics(q, span.from, span.to);
  const bool is_off = history.modes(joint).empty() ||
                      history.modes(joint).back().mode == JointMode::kIdle ||
                      history.modes(joint).back().mode == JointMode::kHwFault;
  if (is_off || of_q.count == 0 || of_q.high - of_q.low < tolerance) return std::nullopt;
  const auto final = static_cast<double>(q.at(span.to - 1));
  if (std::isnan(final)) return std::nullopt;
  std::uint64_t settled = span.to - 1;
  const auto is_there = [&](std::uint64_t i) {
    return std::abs(static_cast<double>(q.at(i)) - final) <= tolerance;
  };
  while (settled > span.from && is_there(settled - 1)) --settled;
  const gui::Statistics of_tau = gui::statistics(tau, span.from, span.to);
  return Course{joint, final, std::max(std::abs(of_tau.low), std::abs(of_tau.high)),
                static_cast<double>(settled - span.from) * history.period()};
}

std::string final_line(const JointConfig& joint, const Course& course) {
  const Units units = units_of(joint);
  const std::string expression =
      fmt::format("abs({}.q {} {:.4g} {}) < {:g} {}", harness::quoted_where_odd(joint.name),
                  course.final < 0.0 ? "+" : "-", std::abs(course.final), units.length,
                  units.tolerance, units.length);
  return "    - {expr: " + harness::yaml_string(expression) + "}\n";
}

std::string metric_lines(const JointConfig& joint, const Course& course) {
  const Units units = units_of(joint);
  const std::string signal = harness::quoted_where_odd(joint.name);
  const double torque = std::max(kMoreThan * course.peak_torque, kLeastMargin);
  const double time = kMoreThan * course.settled + kLeastMargin;
  return fmt::format(
      "  - {{name: {0}, of: {1}, stat: peak, max: {2:.3g} {3}}}  # {4:.3g}\n"
      "  - {{name: {5}, of: {6}, stat: settling_time, band: {7:g} {8}, max: {9:.3g} s}}  # "
      "{10:.3g}\n",
      harness::yaml_string(joint.name + " peak torque"), harness::yaml_string(signal + ".tau"),
      torque, units.torque, course.peak_torque, harness::yaml_string(joint.name + " settles"),
      harness::yaml_string(signal + ".q"), units.tolerance, units.length, time, course.settled);
}

}  // namespace

std::string proposed_expectations(const gui::SessionRecorder& session, const RobotConfig& config,
                                  const gui::History& history, TimeNs ended) {
  const double from = history.history_time(session.began_ns());
  const gui::SampleSpan span =
      gui::samples_between(history, from, history.history_time(ended) - history.period());
  std::vector<Course> courses;
  for (std::size_t i = 0; i < config.joints.size() && span.from < span.to; ++i) {
    const auto course = course_of(history, config, static_cast<JointIndex>(i), span);
    if (course) courses.push_back(*course);
  }
  if (courses.empty()) return {};
  const TimeNs last =
      session.commands().empty() ? session.began_ns() : session.commands().back().time_ns;
  const double rest = std::clamp(to_seconds(ended - last), 0.0, kLongestWait);
  std::string text = fmt::format("  - wait: {:.3f} s\n", rest);
  text += "\n# Proposed from the recording: strike out what doesn't matter.\nassert:\n  at_end:\n";
  for (const Course& course : courses) text += final_line(config.joints[course.joint], course);
  const bool is_whole = from >= history.oldest() - history.period();
  if (!is_whole) return text;
  text += "\nmetrics:  # with the recorded value behind\n";
  for (const Course& course : courses) text += metric_lines(config.joints[course.joint], course);
  return text;
}

}  // namespace jointrig::app
