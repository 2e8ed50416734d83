#include "hw/can/bus_budget.h"

#include <cmath>
#include <cstdio>

namespace jointrig::can {

std::optional<std::string> why_overfull(std::string_view bus, std::span<const CyclicFrame> frames,
                                        const BitRates& rates, double budget) {
  const double load = cyclic_load(frames, rates, Stuffing::kWorst);
  if (load <= budget) return std::nullopt;
  const double excess = load / budget;
  std::array<char, 256> text{};
  std::snprintf(text.data(), text.size(),
                ": its cyclic frames would take %.1f %% of the wire at %lld bit/s, %.0f %% is the "
                "limit; make the cycle at least %.1f times as long, or spread the joints over at "
                "least %.0f buses.",
                100 * load, static_cast<long long>(rates.nominal), 100 * budget,
                std::ceil(10 * excess) / 10, std::ceil(excess));
  return std::string(bus) + text.data();
}

}  // namespace jointrig::can
