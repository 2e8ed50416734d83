#pragma once
/// The objects in each cyclic frame of a drive, and the frame's identifier: for the board of
/// the project, a drive that is mapped anew to look like it, or one whose mapping its maker fixed.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace jointrig::hw {

/// A mapped object as 16xxh and 1Axxh write it: index · 2¹⁶ + sub · 2⁸ + bits.
[[nodiscard]] constexpr std::uint32_t mapped_object(std::uint16_t index, std::uint8_t sub,
                                                    std::uint8_t bits) noexcept {
  return std::uint32_t{index} << 16 | std::uint32_t{sub} << 8 | bits;
}

[[nodiscard]] constexpr std::size_t bytes_of(std::uint32_t object) noexcept {
  constexpr std::size_t kBitsPerByte = 8;
  return (object & 0xFFU) / kBitsPerByte;
}

/// The objects that the driver uses. It fills others in a mapping with 0, or passes them
/// over.
namespace mapped {
inline constexpr std::uint32_t kNothing8 = mapped_object(0x0005, 0, 8);  ///< dummy entries
inline constexpr std::uint32_t kNothing16 = mapped_object(0x0006, 0, 16);
inline constexpr std::uint32_t kErrorCode = mapped_object(0x603F, 0, 16);
inline constexpr std::uint32_t kControlword = mapped_object(0x6040, 0, 16);
inline constexpr std::uint32_t kStatusword = mapped_object(0x6041, 0, 16);
inline constexpr std::uint32_t kMode = mapped_object(0x6060, 0, 8);
inline constexpr std::uint32_t kModeShown = mapped_object(0x6061, 0, 8);
inline constexpr std::uint32_t kPosition = mapped_object(0x6064, 0, 32);
inline constexpr std::uint32_t kVelocity = mapped_object(0x606C, 0, 32);
inline constexpr std::uint32_t kTargetTorque = mapped_object(0x6071, 0, 16);
inline constexpr std::uint32_t kTorque = mapped_object(0x6077, 0, 16);
inline constexpr std::uint32_t kSupply = mapped_object(0x6079, 0, 32);
inline constexpr std::uint32_t kTargetPosition = mapped_object(0x607A, 0, 32);
inline constexpr std::uint32_t kVelocityOffset = mapped_object(0x60B1, 0, 32);
inline constexpr std::uint32_t kTorqueOffset = mapped_object(0x60B2, 0, 16);
inline constexpr std::uint32_t kInputs = mapped_object(0x60FD, 0, 32);
inline constexpr std::uint32_t kTargetVelocity = mapped_object(0x60FF, 0, 32);
inline constexpr std::uint32_t kLife = mapped_object(0x2010, 1, 8);  ///< the project's own
inline constexpr std::uint32_t kLifeEcho = mapped_object(0x2010, 2, 8);
inline constexpr std::uint32_t kDuty = mapped_object(0x2020, 1, 16);
inline constexpr std::uint32_t kMotorTemperature = mapped_object(0x2030, 2, 16);
inline constexpr std::uint32_t kHomingProgress = mapped_object(0x2040, 1, 16);
inline constexpr std::uint32_t kFindingValue = mapped_object(0x2041, 1, 32);
inline constexpr std::uint32_t kFindingLimit = mapped_object(0x2041, 2, 32);
}  // namespace mapped

/// One PDO.
struct PdoLayout {
  bool sent = false;         ///< by the drive
  std::uint16_t number = 0;  ///< from 0: 1400h + number, 1800h + number
  std::uint32_t id = 0;      ///< COB-ID; 0: that of the predefined connection set
  std::uint8_t type = 1;     ///< 1..240: with SYNC; 254, 255: when the drive sees fit
  std::vector<std::uint32_t> objects;
  bool is_set_up = false;  ///< though it doesn't go with SYNC: others are left as they are
  bool operator==(const PdoLayout&) const = default;

  [[nodiscard]] bool is_cyclic() const noexcept { return type <= 240; }
  /// Bytes of the frame.
  [[nodiscard]] std::size_t bytes() const noexcept;
  /// The identifier on a bus where the drive has this number.
  [[nodiscard]] std::uint32_t id_of(std::uint8_t node) const noexcept;
};

using PdoLayouts = std::vector<PdoLayout>;

/// The layouts of a board of the project. Without its life counter (2010h), a dummy of 8 bits keeps
/// the place in RPDOs; TPDOs have no dummies, so 6061h is sent twice.
/// @param inputs  with the digital inputs at every SYNC, in a frame of their own, since the others
///                are full: TPDO5 of a board of the project, whose first four have their uses,
///                TPDO3 of any other, under the identifier that it has by itself
[[nodiscard]] PdoLayouts board_layouts(bool has_life_counter, bool feed_forward,
                                       bool inputs = false);

/// One PDO each way in a cycle, so that more joints fit on a wire:
///
///     taken  as board_layouts(): that of the mode, without feed-forward
///     sent   TPDO1 statusword, position, torque, with SYNC
///            TPDO2 mode in force and error code, when they change, and each kEventPeriod
///
/// The velocity is the change of the position in a cycle. There is no echo of the life counter:
/// freshness is judged by the arrival since SYNC alone.
[[nodiscard]] PdoLayouts compact_layouts(bool has_life_counter, bool inputs = false);

/// An event-driven PDO repeats after this time, in case a frame got lost [ms] (a choice).
inline constexpr std::uint16_t kEventPeriod = 100;

/// The same without objects that a drive lacks or can't map, given by index: a PDO is left out with
/// its target, else the object alone. 0x0005: no dummy entries, and no object twice in a frame's
/// direction.
[[nodiscard]] PdoLayouts without_objects(PdoLayouts layouts,
                                         std::span<const std::uint16_t> indices);

/// True if the drive sends this object; layouts that are empty are those of a board of the project.
[[nodiscard]] bool tells(const PdoLayouts& layouts, std::uint32_t object);

/// Objects that a mapping lacks to drive a joint, a sentence each; empty: it will do.
/// @param inputs  it has to tell the digital inputs
[[nodiscard]] std::vector<std::string> gaps_of(const PdoLayouts& layouts, bool inputs = false);

}  // namespace jointrig::hw
