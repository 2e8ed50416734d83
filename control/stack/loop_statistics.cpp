#include "control/stack/loop_statistics.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

namespace jointrig {
namespace {

void add(std::atomic<std::uint64_t>& counter, std::uint64_t amount) noexcept {
  counter.store(counter.load(std::memory_order_relaxed) + amount,
                std::memory_order_relaxed);  // a single writer
}

std::string with_unit(double value, const char* unit) {
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, decimals, unit);
}

std::string rate_text(TimeNs period_ns) {
  if (period_ns <= 0) return "unpaced";
  const double hertz = 1e9 / static_cast<double>(period_ns);
  return hertz >= 1000.0 ? fmt::format("{:.4g} kHz", hertz / 1000.0)
                         : fmt::format("{:.4g} Hz", hertz);
}

std::string causes_text(const LoopSummary& summary) {
  std::string text;
  for (const LoopStage stage : kAllLoopStage) {
    const std::uint64_t count = summary.overruns_by[static_cast<std::size_t>(stage)];
    if (count == 0) continue;
    text += text.empty() ? " (" : ", ";
    text += fmt::format("{} {}", to_string(stage), count);
  }
  return text.empty() ? text : text + ")";
}

}  // namespace

std::string duration_text(std::int64_t duration_ns) {
  const auto value = static_cast<double>(duration_ns);
  if (duration_ns < 1000) return fmt::format("{} ns", duration_ns);
  if (value < 999.5e3) return with_unit(value * 1e-3, "µs");
  if (value < 999.5e6) return with_unit(value * 1e-6, "ms");
  return with_unit(value * 1e-9, "s");
}

std::uint64_t LoopSummary::overruns() const noexcept {
  return std::accumulate(overruns_by.begin(), overruns_by.end(), std::uint64_t{0});
}

std::string to_line(const LoopSummary& summary) {
  const DurationSummary& cycle = summary.cycle;
  std::string line = rate_text(summary.period_ns) + "  cycle p50 " + duration_text(cycle.p50_ns) +
                     "  p99 " + duration_text(cycle.p99_ns) + "  p99.9 " +
                     duration_text(cycle.p999_ns) + "  max " + duration_text(cycle.max_ns) +
                     fmt::format(" · overruns {}{}", summary.overruns(), causes_text(summary));
  if (summary.late.count > 0) {
    line += " · late p50 " + duration_text(summary.late.p50_ns) + "  p99 " +
            duration_text(summary.late.p99_ns) + "  max " + duration_text(summary.late.max_ns);
  }
  if (summary.skipped > 0) line += fmt::format(" · skipped {}", summary.skipped);
  return line;
}

std::optional<LoopStage> LoopStatistics::record(const CycleTimes& times) noexcept {
  if (reset_wanted_.load(std::memory_order_relaxed)) clear();
  const std::int64_t late_ns = times.late_ns.value_or(0);
  if (times.late_ns) late_.record(late_ns);
  read_.record(times.read_ns);
  decide_.record(times.decide_ns);
  write_.record(times.write_ns);
  cycle_.record(times.cycle_ns());
  if (late_ns + times.cycle_ns() <= period_ns_) return std::nullopt;

  const std::array<std::int64_t, kAllLoopStage.size()> stages{late_ns, times.read_ns,
                                                              times.decide_ns, times.write_ns};
  const auto longest =
      static_cast<std::size_t>(std::max_element(stages.begin(), stages.end()) - stages.begin());
  add(overruns_by_[longest], 1);
  return static_cast<LoopStage>(longest);
}

void LoopStatistics::add_skipped(std::uint64_t periods) noexcept { add(skipped_, periods); }

void LoopStatistics::clear() noexcept {
  reset_wanted_.store(
      false,
      std::memory_order_relaxed);  // first: a later request for a reset acts in the next cycle
  for (DurationHistogram* histogram : {&cycle_, &read_, &decide_, &write_, &late_}) {
    histogram->clear();
  }
  for (auto& counter : overruns_by_) counter.store(0, std::memory_order_relaxed);
  skipped_.store(0, std::memory_order_relaxed);
}

LoopSummary LoopStatistics::summary() const noexcept {
  LoopSummary result;
  result.period_ns = period_ns_;
  result.cycle = cycle_.summary();
  result.read = read_.summary();
  result.decide = decide_.summary();
  result.write = write_.summary();
  result.late = late_.summary();
  for (std::size_t i = 0; i < overruns_by_.size(); ++i) {
    result.overruns_by[i] = overruns_by_[i].load(std::memory_order_relaxed);
  }
  result.skipped = skipped_.load(std::memory_order_relaxed);
  return result;
}

std::uint64_t LoopStatistics::overruns() const noexcept {
  std::uint64_t total = 0;
  for (const auto& counter : overruns_by_) total += counter.load(std::memory_order_relaxed);
  return total;
}

}  // namespace jointrig
