#pragma once
/// The parameters of one PDO in the dictionary: 14xxh with 16xxh of one received, 18xxh with 1Axxh
/// of one sent (CiA 301, 7.5.2.35 to 38).
///
/// They are changed in this order only: :1 bit 31 set (PDO off) → mapping :0 = 0 → mapping
/// entries → mapping :0 = count → :1 bit 31 cleared. Anything else is refused with the code that
/// says why, so that no PDO ever runs with half a mapping.

#include <array>
#include <cstdint>
#include <span>

#include "hw/can/frame.h"
#include "hw/canopen/object_dictionary.h"

namespace jointrig::canopen {

inline constexpr std::size_t kMaxMapped = 8;
inline constexpr std::size_t kPdoBytes = 8;

/// PDOs of each direction that the predefined connection set has identifiers for.
inline constexpr std::uint32_t kPredefinedPdos = 4;
/// Identifier of a fifth TPDO. CiA 301 has none: from 680h to 6DFh it leaves identifiers free
/// (7.3.5), a node's own for each up to this one.
inline constexpr std::uint32_t kFifthTpdoBase = 0x680;
inline constexpr std::uint8_t kLastNodeOfFifthTpdo = 0x5F;

/// Identifiers of the predefined connection set, to which the node's number is added; `number`
/// counts from 0.
[[nodiscard]] constexpr std::uint32_t tpdo_base(std::uint32_t number) noexcept {
  return number < kPredefinedPdos ? 0x180 + 0x100 * number : kFifthTpdoBase;
}
[[nodiscard]] constexpr std::uint32_t rpdo_base(std::uint32_t number) noexcept {
  return 0x200 + 0x100 * number;
}

inline constexpr std::uint32_t kPdoInvalid = 0x8000'0000;  ///< bit 31 of the COB-ID

/// Transmission types (14xxh:2, 18xxh:2).
inline constexpr std::uint8_t kAcyclicOnSync = 0;
inline constexpr std::uint8_t kLastSyncType = 240;  ///< 1..240: every n-th SYNC
inline constexpr std::uint8_t kEventOfMaker = 254;
inline constexpr std::uint8_t kEventOfProfile = 255;

struct Mapped {
  Entry* entry = nullptr;  ///< nullptr: bytes of an RPDO that nobody wants (a dummy entry)
  std::size_t bytes = 0;
};

class PdoRecord {
 public:
  enum class Direction : std::uint8_t { kReceived, kSent };

  /// @param number  0-based
  /// @throws std::invalid_argument if the dictionary lacks a sub-index that is needed
  PdoRecord(ObjectDictionary& objects, Direction direction, std::uint16_t number);
  PdoRecord(const PdoRecord&) = delete;  // the dictionary holds its address
  PdoRecord& operator=(const PdoRecord&) = delete;

  /// Does the device have a PDO of this number?
  [[nodiscard]] static bool exists(const ObjectDictionary& objects, Direction direction,
                                   std::uint16_t number) noexcept;

  /// Takes over what the dictionary holds, without a check: after a reset.
  void reload() noexcept;

  /// Switched on, and something mapped.
  [[nodiscard]] bool runs() const noexcept { return enabled_ && mapped_count_ != 0; }
  [[nodiscard]] std::uint32_t id() const noexcept { return id_; }
  [[nodiscard]] std::uint8_t type() const noexcept { return type_; }
  [[nodiscard]] bool is_synchronous() const noexcept { return type_ <= kLastSyncType; }
  [[nodiscard]] std::uint16_t number() const noexcept { return number_; }
  [[nodiscard]] std::span<const Mapped> mapped() const noexcept {
    return std::span(mapped_).first(mapped_count_);
  }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::int64_t inhibit_time() const noexcept;  ///< [ns]
  [[nodiscard]] std::int64_t event_time() const noexcept;    ///< [ns]; of an RPDO its deadline
  [[nodiscard]] std::uint8_t sync_start() const noexcept;
  /// Rises whenever it was switched on or off, or its type changed.
  [[nodiscard]] std::uint32_t version() const noexcept { return version_; }

  // Called by the dictionary.
  [[nodiscard]] AbortCode check(const Entry& entry, std::uint64_t bits) const noexcept;
  void stored(const Entry& entry) noexcept;

 private:
  [[nodiscard]] AbortCode check_communication(std::uint8_t sub, std::uint64_t bits) const noexcept;
  [[nodiscard]] AbortCode check_id(std::uint64_t bits) const noexcept;
  [[nodiscard]] AbortCode check_mapping(std::uint8_t sub, std::uint64_t bits) const noexcept;
  [[nodiscard]] AbortCode check_count(std::uint64_t count) const noexcept;
  [[nodiscard]] AbortCode resolve(std::uint32_t word, Mapped& mapped) const noexcept;
  void own(std::uint16_t index);
  Entry& needed(std::uint16_t index, std::uint8_t sub);

  ObjectDictionary& objects_;
  Direction direction_;
  std::uint16_t number_;
  Entry* cob_id_ = nullptr;
  Entry* transmission_ = nullptr;
  Entry* inhibit_ = nullptr;  // the three may be missing
  Entry* event_timer_ = nullptr;
  Entry* sync_start_ = nullptr;
  Entry* count_ = nullptr;
  std::array<Entry*, kMaxMapped> words_{};

  bool enabled_ = false;
  std::uint32_t id_ = 0;
  std::uint8_t type_ = 0;
  std::array<Mapped, kMaxMapped> mapped_{};
  std::size_t mapped_count_ = 0;
  std::size_t bytes_ = 0;
  std::uint32_t version_ = 0;
};

}  // namespace jointrig::canopen
