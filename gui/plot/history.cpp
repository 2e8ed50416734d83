#include "gui/plot/history.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>

#include "gui/plot/kept_windows.h"

namespace jointrig::gui {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();
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

History::Sensor History::sensor_of(const JointConfig& joint, double period) noexcept {
  constexpr double kIdeal = 1e-6;        // rad or m, of an encoder without steps: a choice
  constexpr double kTorqueShare = 1e-4;  // of the largest: a choice
  const BoardConfig& board = joint.board;
  const double step = board.encoder_step > 0.0 ? board.encoder_step : kIdeal;
  const double rate = board.velocity_bandwidth_hz > 0.0
                          ? 2.0 * std::numbers::pi * board.velocity_bandwidth_hz
                          : 1.0 / period;
  return {step, step * rate, kTorqueShare * joint.limits.tau_max};
}

History::History(const RobotConfig& config, double seconds)
    : table_(config),
      period_ns_(config.period_ns),
      period_(to_seconds(config.period_ns)),
      modes_(config.joints.size()),
      values_(table_.size()),
      modes_now_(table_.joints()) {
  const auto capacity = static_cast<std::size_t>(seconds / period_);
  series_.reserve(table_.size());
  for (std::size_t i = 0; i < table_.size(); ++i) series_.emplace_back(capacity);
  for (const JointConfig& joint : config.joints) {
    names_.push_back(joint.name);
    sensors_.push_back(sensor_of(joint, period_));
  }
}

const SampleRing& History::series(std::size_t signal) const noexcept {
  if (shown_) {
    const auto kept = shown_->series.find(signal);
    if (kept != shown_->series.end()) return kept->second;
  }
  return series_[signal];
}

double History::first_seen() const noexcept {
  return shown_ ? std::min(oldest(), shown_->time.low) : oldest();
}

void History::push(const Snapshot& snapshot) {
  table_.read(snapshot, values_, modes_now_);
  push({snapshot.cycle, snapshot.time_ns, values_, modes_now_});
}

void History::push(const TraceRow& row) {
  if (end_ == 0 && next_cycle_ == 0) next_cycle_ = row.cycle;
  if (row.cycle > next_cycle_) push_gap(row.cycle - next_cycle_);
  if (row.cycle < next_cycle_) push_gap(1);
  next_cycle_ = row.cycle + 1;
  offset_ns_ = row.time_ns - static_cast<TimeNs>(end_) * period_ns_;
  for (std::size_t i = 0; i < series_.size(); ++i) series_[i].push(row.values[i]);
  for (std::size_t i = 0; i < row.modes.size(); ++i) {
    follow_mode(static_cast<JointIndex>(i), row.modes[i]);
  }
  ++end_;
}

void History::follow_mode(JointIndex joint, JointMode mode) {
  std::deque<ModeChange>& modes = modes_[joint];
  if (!modes.empty() && modes.back().mode == mode) return;
  modes.push_back({end_, mode});
  if (modes.size() > kMostChanges) modes.pop_front();
}

void History::push_gap(std::uint64_t cycles) {
  // A gap longer than the whole record leaves no sample.
  if (series_.empty()) return;
  const std::uint64_t most = std::min<std::uint64_t>(cycles, series_.front().capacity());
  for (SampleRing& series : series_) {
    for (std::uint64_t i = 0; i < most; ++i) series.push(kMissing);
  }
  end_ += most;
}

std::uint64_t History::index_at(TimeNs robot) const noexcept {
  return static_cast<std::uint64_t>(std::max<TimeNs>(0, robot - offset_ns_) / period_ns_);
}

void History::mark(TimeNs time_ns, JointIndex joint, std::string text) {
  marks_.push_back({index_at(time_ns), joint, std::move(text)});
  if (marks_.size() > kMostChanges) marks_.pop_front();
}

void History::mark_overrun(TimeNs time_ns, double seconds) {
  overruns_.push_back({index_at(time_ns), seconds});
  if (overruns_.size() > kMostChanges) overruns_.pop_front();
}

const OtherTrace* History::other(std::size_t signal) const noexcept {
  const std::size_t first = table_.first_other();
  return signal < first ? nullptr : &table_.others()[signal - first];
}

double History::resolution(std::size_t signal) const noexcept {
  if (const OtherTrace* known = other(signal)) return known->resolution;
  const JointIndex joint = joint_of(signal);
  if (joint == kNoJoint) return 1.0;
  const Sensor& sensor = sensors_[joint];
  switch (trace_of(signal)) {
    case JointTrace::kPosition:
    case JointTrace::kReference:
    case JointTrace::kError:
      return sensor.position * per_si(signal);
    case JointTrace::kVelocity:
    case JointTrace::kVelocityReference:
      return sensor.velocity * per_si(signal);
    default:
      return sensor.torque;
  }
}

std::string History::name(std::size_t signal) const {
  if (const OtherTrace* known = other(signal)) return known->name;
  const JointIndex joint = joint_of(signal);
  if (joint == kNoJoint) {
    return "loop." + std::string(to_string(kAllLoopTrace[signal - this->signal(LoopTrace{})]));
  }
  return names_[joint] + "." + std::string(to_string(trace_of(signal)));
}

History::Place History::place(std::size_t signal) const {
  if (const OtherTrace* known = other(signal)) return {known->topic, known->field};
  const JointIndex joint = joint_of(signal);
  const std::string whole = name(signal);
  return {joint == kNoJoint ? "/loop" : "/j/" + names_[joint], whole.substr(whole.rfind('.') + 1)};
}

std::optional<std::size_t> History::signal_named(std::string_view wanted) const {
  for (std::size_t i = 0; i < series_.size(); ++i) {
    if (name(i) == wanted) return i;
  }
  return std::nullopt;
}

std::string_view History::unit(std::size_t signal) const noexcept {
  if (const OtherTrace* known = other(signal)) return known->unit;
  const JointIndex joint = joint_of(signal);
  if (joint == kNoJoint) return "µs";
  return unit_of(trace_of(signal), table_.is_slide(joint));
}

std::string_view History::si_unit(std::size_t signal) const noexcept {
  if (const OtherTrace* known = other(signal)) return known->si_unit;
  const std::string_view shown = unit(signal);
  if (shown == "°") return "rad";
  if (shown == "°/s") return "rad/s";
  if (shown == "mm") return "m";
  return shown == "mm/s" ? "m/s" : shown;
}

double History::per_si(std::size_t signal) const noexcept {
  const OtherTrace* known = other(signal);
  return known != nullptr ? known->per_si : gui::per_si(unit(signal));
}

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

std::size_t History::bytes() const noexcept {
  std::size_t sum = 0;
  for (const SampleRing& series : series_) sum += series.bytes();
  return sum;
}

double History::robot_time(double time) const noexcept { return time + to_seconds(offset_ns_); }

SampleSpan samples_between(const History& history, double from, double to) noexcept {
  const double first =
      std::max(std::ceil(history.index_of(from) - 1e-6), history.index_of(history.first_seen()));
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
  std::vector<SampleReader> readers;
  for (const std::size_t s : signals) readers.emplace_back(history.series(s));
  const SampleSpan span = samples_between(history, from, to);
  for (std::uint64_t i = span.from; i < span.to; ++i) {
    fmt::format_to(std::back_inserter(csv), "{:.6f}", history.robot_time(history.time_of(i)));
    for (SampleReader& reader : readers) {
      const float value = reader.at_or_missing(i);
      csv += ',';
      if (!std::isnan(value)) {
        fmt::format_to(std::back_inserter(csv), "{:.9g}", static_cast<double>(value));
      }
    }
    csv += "\n";
  }
  return csv;
}

}  // namespace jointrig::gui
