#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "hw/can/bit_time.h"

namespace jointrig::can {

/// Share of a bus that cyclic frames may take, stuffed at worst; the rest is for SDO, heartbeats,
/// emergencies and frames sent again. A choice: at 1 kHz and 1 Mbit/s two joints with one command
/// and one answer each fit (59.5 %) and leave three more frames of 8 bytes a millisecond; three
/// joints (86.5 %) do not fit.
inline constexpr double kCyclicBudget = 0.7;

/// The shortest cycle of a bus that carries these frames once each: their time, stuffed at worst,
/// over the budget [ns].
/// @param frames  all of one period
[[nodiscard]] TimeNs least_cycle(std::span<const CyclicFrame> frames, const BitRates& rates,
                                 double budget = kCyclicBudget);

/// The time on the wire that makes a load, stuffed at worst: `1 × 55 µs + 14 × 135 µs = 1945 µs of
/// 3000 µs`.
/// @param frames  not empty
[[nodiscard]] std::string sum_in_words(std::span<const CyclicFrame> frames, const BitRates& rates);

/// Whether a bus can carry these frames: empty if so, else a sentence with the load, the limit and
/// what would help. For the configuration of a bus, before it is opened.
/// @param bus     its name, for the sentence
/// @param budget  above 0
[[nodiscard]] std::optional<std::string> why_overfull(std::string_view bus,
                                                      std::span<const CyclicFrame> frames,
                                                      const BitRates& rates,
                                                      double budget = kCyclicBudget);

}  // namespace jointrig::can
