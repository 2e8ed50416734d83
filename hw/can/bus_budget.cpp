#include "hw/can/bus_budget.h"

#include <fmt/core.h>

#include <cmath>
#include <map>
#include <utility>

namespace jointrig::can {

TimeNs least_cycle(std::span<const CyclicFrame> frames, const BitRates& rates, double budget) {
  TimeNs sum = 0;
  for (const CyclicFrame& each : frames) {
    sum += each.count * duration(each.frame, rates, Stuffing::kWorst);
  }
  return static_cast<TimeNs>(std::ceil(static_cast<double>(sum) / budget));
}

std::string sum_in_words(std::span<const CyclicFrame> frames, const BitRates& rates) {
  // Frames that take as long, of the same period, are one term.
  std::map<std::pair<TimeNs, TimeNs>, int> terms;
  for (const CyclicFrame& each : frames) {
    terms[{each.period, duration(each.frame, rates, Stuffing::kWorst)}] += each.count;
  }
  std::string words;
  TimeNs sum = 0;
  TimeNs period = 0;
  constexpr double kMicro = 1e-3;  // of a nanosecond
  for (const auto& [term, count] : terms) {
    const bool is_other = period != 0 && term.first != period;
    if (is_other)
      words += fmt::format(" = {:.4g} µs of {:.4g} µs; ", sum * kMicro, period * kMicro);
    if (is_other) sum = 0;
    if (!words.empty() && !is_other) words += " + ";
    words += fmt::format("{} × {:.4g} µs", count, term.second * kMicro);
    sum += count * term.second;
    period = term.first;
  }
  return words + fmt::format(" = {:.4g} µs of {:.4g} µs", sum * kMicro, period * kMicro);
}

std::optional<std::string> why_overfull(std::string_view bus, std::span<const CyclicFrame> frames,
                                        const BitRates& rates, double budget) {
  const double load = cyclic_load(frames, rates, Stuffing::kWorst);
  if (load <= budget) return std::nullopt;
  const double excess = load / budget;
  return fmt::format(
      "{}: its cyclic frames would take {:.1f} % of the wire at {} bit/s ({}), {:.0f} % is the "
      "limit; make the cycle at least {:.1f} times as long, or spread the joints over at least "
      "{:.0f} buses.",
      bus, 100 * load, rates.nominal, sum_in_words(frames, rates), 100 * budget,
      std::ceil(10 * excess) / 10, std::ceil(excess));
}

}  // namespace jointrig::can
