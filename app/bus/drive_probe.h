#pragma once
/// Looks at a CiA 402 drive by SDO uploads alone, and writes the first version of its drive profile
/// (docs/drives.md) from what it finds. Nothing is written to the drive: whether it would take
/// another mapping is not known afterwards, so the mapping that it has is kept where that will do,
/// and the frugal one is asked for where it won't.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hw/driver/pdo_layout.h"

namespace jointrig::app {

/// The answer of a drive to an upload: the value, or nothing for an object that it doesn't have.
/// Throws if the drive is silent.
using ReadObject =
    std::function<std::optional<std::vector<std::uint8_t>>(std::uint16_t index, std::uint8_t sub)>;

struct ProbedDrive {
  std::uint8_t node = 1;
  std::string name;  ///< 1008h; "" if it has none
  std::optional<std::uint32_t> vendor, product, modes;
  std::optional<std::int16_t> quick_stop, disable_operation, fault_reaction, connection_lost;
  std::optional<std::uint32_t> increments, encoder_turns, motor_turns, shaft_turns;
  std::optional<std::uint32_t> rated_current, rated_torque;  ///< 6075h, 6076h
  bool is_a_board = false;             ///< of the project: it has 2010h with its scales
  std::vector<std::uint16_t> missing;  ///< of kDispensableObjects, those that can be read at all
  hw::PdoLayouts pdos;                 ///< those that go with SYNC, as they stand
};

/// Throws std::runtime_error with a sentence if it is no drive.
[[nodiscard]] ProbedDrive probe_drive(std::uint8_t node, const ReadObject& read);

/// True if a joint can be driven with the PDOs as they stand, in the first of its modes.
[[nodiscard]] bool is_driven_by_its_pdos(const ProbedDrive& drive);

/// The text of the profile.
/// @param slowest_answer  [s]
[[nodiscard]] std::string profile_text(const ProbedDrive& drive, double slowest_answer);

}  // namespace jointrig::app
