#pragma once
/// Sets up one CANopen drive: SDOs ask, write and read back in pre-operational,
/// before it may be started. The list of steps is data, made once; a state machine runs it on
/// frames and times, so that several drives are set up side by side and the cycle of others goes
/// on meanwhile.
///
/// Every written value is read back. The first value that is not as required ends the set-up: a
/// drive is never started half configured.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/canopen/sdo_client.h"
#include "hw/driver/pdo_layout.h"

namespace jointrig::hw {

struct SetupStep {
  enum class Kind : std::uint8_t {
    kExpect,  ///< read; must be `value` in the bits of `mask`
    kWrite,   ///< write `value`, read it back
    kTell,    ///< write `value`; it is an order, not a setting, and is not read back
    kNote,    ///< read and keep: SetupRun::noted(); 0 if the drive refuses
  };
  Kind kind = Kind::kExpect;
  std::uint16_t index = 0;
  std::uint8_t sub = 0;
  std::uint8_t bytes = 4;  ///< of the value on the wire: 1, 2 or 4
  std::uint32_t value = 0;
  std::uint32_t mask = 0xFFFF'FFFF;
  std::string what;  ///< for messages: "vendor", "quick stop option code"
  std::string help;  ///< for messages: the key of a drive that lets it start all the same
};

/// The identity (1018h) that a drive must have; a part that isn't given is not checked.
struct DriveIdentity {
  std::optional<std::uint32_t> vendor, product, revision, serial;
};

/// Adds the steps that ask for the given parts of an identity, and for 2011h of a virtual board.
void add_identity_parts(const DriveIdentity& identity, std::optional<std::uint32_t> boards_token,
                        std::vector<SetupStep>& steps);

/// The host's number on the bus: the one whose heartbeat the drives watch.
inline constexpr std::uint8_t kHostNode = 127;

struct DriveSettings {
  std::uint8_t node = 1;
  DriveIdentity identity;
  std::uint32_t modes_needed = 0;          ///< bits of 6502h
  std::uint32_t period_us = 1000;          ///< of SYNC; 1006h and 60C2h
  std::uint16_t heartbeat_ms = 50;         ///< of the drive, 1017h
  std::uint16_t allowed_silence_ms = 300;  ///< after which the host calls the drive lost
  std::uint16_t host_silence_ms = 150;     ///< after which it calls the host dead, 1016h
  std::uint16_t sdo_time_out_ms = 100;     ///< for each answer; it is asked three times
  // The set-up leaves out what a drive does not have: nullopt, false. Without 1016h it does not
  // notice that the host has died, and has to by other means.
  std::optional<std::int16_t> quick_stop = 6;         ///< 605Ah
  std::optional<std::int16_t> disable_operation = 0;  ///< 605Ch: idle is idle at once
  std::optional<std::int16_t> fault_reaction = 2;     ///< 605Eh
  std::optional<std::int16_t> connection_lost = 1;    ///< 6007h
  std::optional<std::uint32_t> following_window;      ///< 6065h [counts]
  std::uint16_t following_ms = 20;                    ///< 6066h, written with it
  bool watches_host = true;                           ///< 1016h
  bool has_sync_period = true;                        ///< 1006h
  bool has_interpolation = true;                      ///< 60C2h
  bool has_supported_modes = true;                    ///< 6502h
  bool has_life_counter = true;                       ///< 2010h: a board of the project
  std::uint8_t missed_syncs = 5;                      ///< 2010h:3, bridged by the board
  bool remaps_pdos = true;  ///< false: its mapping is fixed, and must already be the one needed
  bool feed_forward = false;
  bool has_brake = false;     ///< which the drive switches by itself: 60FEh:2 keeps off it
  bool tells_inputs = false;  ///< 60FDh travels with each cycle
  /// Objects in each frame; empty: as on a board of the project. With `remaps_pdos` the drive is
  /// mapped so, else it has to be.
  PdoLayouts pdos;
  /// 2011h must say this: a virtual board, one of those that its host talks to.
  std::optional<std::uint32_t> boards_token;
};

/// `pdos`, or those of a board of the project.
[[nodiscard]] PdoLayouts layouts_of(const DriveSettings& settings);

/// The steps in the order in which CiA 302 sets up a slave: who it is, how it is watched, what it
/// does when something fails, its PDOs.
[[nodiscard]] std::vector<SetupStep> setup_steps(const DriveSettings& settings);

class SetupRun {
 public:
  enum class State : std::uint8_t { kIdle, kRunning, kDone, kFailed };

  SetupRun(std::uint8_t node, std::vector<SetupStep> steps, canopen::SdoClientOptions options = {});

  void start(std::int64_t now, canopen::FrameQueue& out) noexcept;
  /// @return false if the frame is no answer to this
  bool receive(const can::Frame& frame, std::int64_t now, canopen::FrameQueue& out) noexcept;
  void poll(std::int64_t now, canopen::FrameQueue& out) noexcept;
  void cancel(canopen::FrameQueue& out) noexcept;

  /// The steps that read this object expect another value from the next start() on.
  void expect(std::uint16_t index, std::uint8_t sub, std::uint32_t value) noexcept;

  [[nodiscard]] State state() const noexcept { return state_; }
  /// In kFailed: the drive did not answer; it refused nothing.
  [[nodiscard]] bool was_silent() const noexcept;
  /// In kFailed: an object of the identity has another value.
  struct OtherIdentity {
    std::uint32_t found = 0;
    std::uint32_t expected = 0;
  };
  [[nodiscard]] std::optional<OtherIdentity> other_identity() const noexcept;
  /// In kFailed: two drives have answered in this run, each with its serial number (1018h:4).
  [[nodiscard]] bool heard_two() const noexcept { return second_serial_.has_value(); }
  /// 1018h:4 as read in this run; 0: the drive has none.
  [[nodiscard]] std::uint32_t serial() const noexcept;
  /// Steps done, of how many.
  [[nodiscard]] std::size_t done() const noexcept { return at_; }
  [[nodiscard]] std::size_t size() const noexcept { return steps_.size(); }
  /// Values that kNote steps read, in the order of those steps.
  [[nodiscard]] const std::vector<std::uint32_t>& noted() const noexcept { return noted_; }

  /// The reason in kFailed: one sentence. Allocates.
  [[nodiscard]] std::string failure_text() const;

 private:
  void hear_serial(const can::Frame& frame) noexcept;
  void begin_step(std::int64_t now, canopen::FrameQueue& out) noexcept;
  void follow(std::int64_t now, canopen::FrameQueue& out) noexcept;
  void finish_step(std::int64_t now, canopen::FrameQueue& out) noexcept;
  void next_step(std::int64_t now, canopen::FrameQueue& out) noexcept;

  std::uint8_t node_;
  std::vector<SetupStep> steps_;
  canopen::SdoClient sdo_;
  State state_ = State::kIdle;
  std::size_t at_ = 0;
  bool reading_back_ = false;
  bool mismatch_ = false;
  std::uint32_t found_ = 0;
  std::size_t found_bytes_ = 0;
  std::optional<std::uint32_t> first_serial_;   ///< heard in this run
  std::optional<std::uint32_t> second_serial_;  ///< another one
  std::vector<std::uint32_t> noted_;
  std::size_t notes_ = 0;
};

}  // namespace jointrig::hw
