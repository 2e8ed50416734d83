#pragma once
/// Statistics of one bus by a listener: its load, each sender's share, each node's state. Frames
/// and times are passed in; it reads no clock.

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "app/bus/bus_choice.h"
#include "app/bus/frame_words.h"
#include "hw/can/bit_time.h"
#include "hw/can/load_window.h"
#include "hw/canopen/emergency.h"
#include "hw/canopen/nmt.h"

namespace jointrig::app {

struct NodeWatch {
  std::array<std::uint64_t, kFrameKinds> frames{};
  std::optional<canopen::NmtState> nmt;  ///< from its heartbeat
  std::uint64_t boot_ups = 0;
  std::optional<StateReport> state;
  std::optional<MotionReport> motion;
  std::optional<canopen::Emergency> emergency;  ///< the newest

  [[nodiscard]] std::uint64_t of(FrameKind kind) const noexcept {
    return frames[static_cast<std::size_t>(kind)];
  }
};

class BusWatch {
 public:
  /// @param now  start of the load measurement
  BusWatch(ChosenBus bus, can::TimeNs now);

  void take(const can::Frame& frame) noexcept;
  /// Ends windows of the load; call at any pace.
  void advance(can::TimeNs now) noexcept { load_.update(now, busy_); }

  [[nodiscard]] const ChosenBus& bus() const noexcept { return bus_; }
  [[nodiscard]] std::uint64_t frames() const noexcept { return frames_; }
  /// Share of the wire's time since the start, each frame with its own stuff bits; 1: full.
  [[nodiscard]] double load(can::TimeNs now) const noexcept;
  [[nodiscard]] double load_of_last_second() const noexcept { return load_.load(); }
  [[nodiscard]] double peak_load() const noexcept { return load_.peak(); }
  /// 0: frames of no node: SYNC, orders to all, other identifiers.
  [[nodiscard]] const NodeWatch& node(std::uint8_t node) const noexcept { return nodes_[node]; }

  /// A line for the bus, and one for each node that sent frames or is sent PDOs.
  [[nodiscard]] std::string table(can::TimeNs now) const;

 private:
  [[nodiscard]] std::string row(std::uint8_t node) const;

  ChosenBus bus_;
  can::TimeNs start_;
  can::TimeNs busy_ = 0;
  std::uint64_t frames_ = 0;
  can::LoadWindow load_;
  std::array<NodeWatch, canopen::kMaxNode + 1> nodes_{};
};

/// "0.7854 rad" if robot.yaml gives the drive's units, else "51472 counts".
[[nodiscard]] std::string position_in_words(const ChosenBus& bus, std::uint8_t node,
                                            std::int32_t counts);

}  // namespace jointrig::app
