#pragma once
/// Values as people write them, for EDS files and for a command line.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hw/canopen/data_type.h"

namespace jointrig::canopen {

/// In small letters, as names in EDS files are compared.
[[nodiscard]] std::string lower(std::string_view text);

/// "0x1F", "31", "037" (octal, as EDS files have it), "-5"; blanks around it are allowed.
/// @throws std::invalid_argument naming the text
[[nodiscard]] std::int64_t parse_integer(std::string_view text);

/// @throws std::invalid_argument naming the text
[[nodiscard]] double parse_real(std::string_view text);

/// The bytes of a value as they go over the bus. Octet strings and domains are pairs of hex digits.
/// @throws std::invalid_argument naming text and type if it is none or does not fit
[[nodiscard]] std::vector<std::uint8_t> parse_value(DataType type, std::string_view text);

/// The other way round: integers in decimal, strings as they are, other bytes as hex digits.
[[nodiscard]] std::string format_value(DataType type, std::span<const std::uint8_t> bytes);

}  // namespace jointrig::canopen
