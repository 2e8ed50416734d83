#include "gui/plot/history.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>

namespace jointrig {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();
constexpr double kDegPerRad = 180.0 / std::numbers::pi;

struct TraceUnits {
  std::string_view hinge;
  std::string_view slide;
};
#define JOINTRIG_TRACE_UNITS(member, word, hinge, slide) TraceUnits{hinge, slide},
constexpr std::array kUnits{JOINTRIG_TRACES(JOINTRIG_TRACE_UNITS)};

double scale_of(std::string_view unit) noexcept {
  if (unit.starts_with("°")) return kDegPerRad;
  return unit.starts_with("mm") ? 1e3 : 1.0;
}

double si_of(JointTrace trace, const JointSnapshot& joint) noexcept {
  const bool is_reference = trace == JointTrace::kReference || trace == JointTrace::kError ||
                            trace == JointTrace::kVelocityReference;
  if (is_reference && !follows_position(joint.mode)) return kMissing;
  switch (trace) {
    case JointTrace::kPosition:
      return joint.state.q;
    case JointTrace::kReference:
      return joint.reference.q;
    case JointTrace::kError:
      return joint.reference.q - joint.state.q;
    case JointTrace::kVelocity:
      return joint.state.v;
    case JointTrace::kVelocityReference:
      return joint.reference.v;
    case JointTrace::kTorque:
      return joint.state.tau;
    case JointTrace::kTorqueSent:
      return joint.setpoint.tau;
    case JointTrace::kCurrent:
      break;
  }
  return joint.state.current_A;
}

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool has_all(const std::string& name, std::string_view words) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    std::string word(words.substr(0, end));
    std::transform(word.begin(), word.end(), word.begin(), lower);
    if (name.find(word) == std::string::npos) return false;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return true;
}

}  // namespace

History::History(const RobotConfig& config, double seconds)
    : period_ns_(config.period_ns),
      period_(to_seconds(config.period_ns)),
      series_(config.joints.size() * kAllJointTrace.size() + kAllLoopTrace.size(),
              SampleRing(static_cast<std::size_t>(seconds / period_))),
      modes_(config.joints.size()) {
  for (const JointConfig& joint : config.joints) {
    names_.push_back(joint.name);
    slides_.push_back(joint.slide ? 1 : 0);
  }
}

void History::push(const Snapshot& snapshot) {
  if (end_ == 0 && next_cycle_ == 0) next_cycle_ = snapshot.cycle;
  if (snapshot.cycle > next_cycle_) push_gap(snapshot.cycle - next_cycle_);
  if (snapshot.cycle < next_cycle_) push_gap(1);
  next_cycle_ = snapshot.cycle + 1;
  offset_ns_ = snapshot.time_ns - static_cast<TimeNs>(end_) * period_ns_;
  const std::size_t joints = std::min(names_.size(), snapshot.joints.size());
  for (std::size_t i = 0; i < joints; ++i) {
    push_joint(static_cast<JointIndex>(i), snapshot.joints[i]);
  }
  const LoopTimes& times = snapshot.times;
  series_[signal(LoopTrace::kRead)].push(times.read_us);
  series_[signal(LoopTrace::kDecide)].push(times.decide_us);
  series_[signal(LoopTrace::kWrite)].push(times.write_us);
  series_[signal(LoopTrace::kJitter)].push(times.jitter_us);
  ++end_;
}

void History::push_joint(JointIndex joint, const JointSnapshot& snapshot) {
  const bool slide = slides_[joint] != 0;
  for (const JointTrace trace : kAllJointTrace) {
    const TraceUnits& units = kUnits[static_cast<std::size_t>(trace)];
    const double scale = scale_of(slide ? units.slide : units.hinge);
    series_[signal(joint, trace)].push(static_cast<float>(si_of(trace, snapshot) * scale));
  }
  std::deque<ModeChange>& modes = modes_[joint];
  if (!modes.empty() && modes.back().mode == snapshot.mode) return;
  modes.push_back({end_, snapshot.mode});
  if (modes.size() > kMostChanges) modes.pop_front();
}

void History::push_gap(std::uint64_t cycles) {
  // What is longer than all that is kept leaves nothing to see anyway.
  if (series_.empty()) return;
  const std::uint64_t most = std::min<std::uint64_t>(cycles, series_.front().capacity());
  for (SampleRing& series : series_) {
    for (std::uint64_t i = 0; i < most; ++i) series.push(kMissing);
  }
  end_ += most;
}

void History::mark(TimeNs time_ns, JointIndex joint, std::string text) {
  const TimeNs at = std::max<TimeNs>(0, time_ns - offset_ns_);
  marks_.push_back({static_cast<std::uint64_t>(at / period_ns_), joint, std::move(text)});
  if (marks_.size() > kMostChanges) marks_.pop_front();
}

std::string History::name(std::size_t signal) const {
  const JointIndex joint = joint_of(signal);
  if (joint == kNoJoint) {
    return "loop." + std::string(to_string(kAllLoopTrace[signal - this->signal(LoopTrace{})]));
  }
  return names_[joint] + "." + std::string(to_string(trace_of(signal)));
}

std::optional<std::size_t> History::signal_named(std::string_view wanted) const {
  for (std::size_t i = 0; i < series_.size(); ++i) {
    if (name(i) == wanted) return i;
  }
  return std::nullopt;
}

std::string_view History::unit(std::size_t signal) const noexcept {
  const JointIndex joint = joint_of(signal);
  if (joint == kNoJoint) return "µs";
  const TraceUnits& units = kUnits[static_cast<std::size_t>(trace_of(signal))];
  return slides_[joint] != 0 ? units.slide : units.hinge;
}

std::string_view History::si_unit(std::size_t signal) const noexcept {
  const std::string_view shown = unit(signal);
  if (shown == "°") return "rad";
  if (shown == "°/s") return "rad/s";
  if (shown == "mm") return "m";
  return shown == "mm/s" ? "m/s" : shown;
}

double History::per_si(std::size_t signal) const noexcept { return scale_of(unit(signal)); }

std::optional<std::size_t> History::reference_of(std::size_t signal) const noexcept {
  const JointIndex joint = joint_of(signal);
  if (joint == kNoJoint) return std::nullopt;
  switch (trace_of(signal)) {
    case JointTrace::kPosition:
      return this->signal(joint, JointTrace::kReference);
    case JointTrace::kVelocity:
      return this->signal(joint, JointTrace::kVelocityReference);
    case JointTrace::kTorque:
      return this->signal(joint, JointTrace::kTorqueSent);
    default:
      return std::nullopt;
  }
}

std::vector<std::size_t> History::find(std::string_view words) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < series_.size(); ++i) {
    std::string candidate = name(i);
    std::transform(candidate.begin(), candidate.end(), candidate.begin(), lower);
    if (has_all(candidate, words)) found.push_back(i);
  }
  return found;
}

double History::robot_time(double time) const noexcept { return time + to_seconds(offset_ns_); }

SampleSpan samples_between(const History& history, double from, double to) noexcept {
  const double first =
      std::max(std::ceil(history.index_of(from) - 1e-6), history.index_of(history.oldest()));
  const double last =
      std::min(std::floor(history.index_of(to) + 1e-6) + 1.0, static_cast<double>(history.end()));
  const auto begin = static_cast<std::uint64_t>(std::llround(std::max(0.0, first)));
  return {begin, std::max(begin, static_cast<std::uint64_t>(std::llround(std::max(0.0, last))))};
}

std::string to_csv(const History& history, const std::vector<std::size_t>& signals, double from,
                   double to) {
  std::string csv = "time [s]";
  for (const std::size_t s : signals) {
    csv += "," + history.name(s) + " [" + std::string(history.unit(s)) + "]";
  }
  csv += "\n";
  const SampleSpan span = samples_between(history, from, to);
  for (std::uint64_t i = span.from; i < span.to; ++i) {
    char text[48];
    std::snprintf(text, sizeof text, "%.6f", history.robot_time(history.time_of(i)));
    csv += text;
    for (const std::size_t s : signals) {
      const float value = history.series(s).at(i);
      std::snprintf(text, sizeof text, std::isnan(value) ? "," : ",%.9g",
                    static_cast<double>(value));
      csv += text;
    }
    csv += "\n";
  }
  return csv;
}

}  // namespace jointrig
