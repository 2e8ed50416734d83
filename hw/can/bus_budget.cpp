#include "hw/can/bus_budget.h"

#include <fmt/core.h>

#include <cmath>

namespace jointrig::can {

std::optional<std::string> why_overfull(std::string_view bus, std::span<const CyclicFrame> frames,
                                        const BitRates& rates, double budget) {
  const double load = cyclic_load(frames, rates, Stuffing::kWorst);
  if (load <= budget) return std::nullopt;
  const double excess = load / budget;
  return fmt::format(
      "{}: its cyclic frames would take {:.1f} % of the wire at {} bit/s, {:.0f} % is the limit; "
      "make the cycle at least {:.1f} times as long, or spread the joints over at least {:.0f} "
      "buses.",
      bus, 100 * load, rates.nominal, 100 * budget, std::ceil(10 * excess) / 10, std::ceil(excess));
}

}  // namespace jointrig::can
