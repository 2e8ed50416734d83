#pragma once
/// A force/torque sensor or an IMU with a node of its own on a CANopen bus, from the host's side:
/// it is found, set up and started; then each SYNC brings a sample.
///
///     value = digits · scale (2102h or 2112h)         per axis, in the frame of its site
///
/// kNoNumber in place of digits is NaN.
///
/// A sample counts if its two frames are there when the cycle is closed, have one counter, another
/// one than the sample before, and the sensor tells no fault (:2 of its sample, or an EMCY that is
/// not taken back). In any other cycle the last sample is carried on, and grows older by a cycle.
///
/// A sensor drives nothing, so one that fell over is set up again by itself, whatever the reason;
/// but one that comes back with another serial number is refused.
///
/// After construction nothing allocates but problem(). Thread: the bus's.

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "control/core/robot_io.h"
#include "hw/canopen/emergency.h"
#include "hw/canopen/nmt_master.h"
#include "hw/driver/node_phase.h"
#include "hw/driver/sensor_setup.h"

namespace jointrig::hw {

class SensorNode {
 public:
  static constexpr std::int64_t kTryAgain = 500'000'000;  // [ns] in a phase that leads nowhere

  /// @param nmt, out  of its bus; outlive the node
  SensorNode(const SensorSettings& settings, canopen::NmtMaster& nmt, canopen::FrameQueue& out);

  [[nodiscard]] std::uint8_t number() const noexcept { return settings_.node; }
  [[nodiscard]] const std::string& site() const noexcept { return settings_.site; }
  [[nodiscard]] canopen::SensorKind kind() const noexcept { return settings_.kind; }
  [[nodiscard]] NodePhase phase() const noexcept { return phase_; }
  [[nodiscard]] std::size_t steps_done() const noexcept { return setup_.done(); }

  /// The bus is reset: its boot-up message is to come.
  void start(std::int64_t now) noexcept;
  /// @return false if the frame is not of this node
  bool receive(const can::Frame& frame, std::int64_t now) noexcept;
  void follow(const canopen::NmtEvent& event, std::int64_t now) noexcept;
  void poll(std::int64_t now) noexcept;
  /// From now on one that fell over is set up again.
  void begin() noexcept { begun_ = true; }
  /// The virtual boards were replaced: 2011h.
  void expect_boards(std::uint32_t token) noexcept { setup_.expect(0x2011, 0, token); }
  void stop() noexcept;

  void open_cycle() noexcept { halves_ = {}; }
  [[nodiscard]] bool is_complete() const noexcept;
  void close_cycle() noexcept;

  /// A sample has come, or it tells a fault.
  [[nodiscard]] bool is_settled() const noexcept { return has_sample_ || is_faulty(); }
  [[nodiscard]] bool is_faulty() const noexcept;
  /// The newest sample; `missed` counts cycles of the bus since.
  [[nodiscard]] ForceTorqueState wrench() const noexcept {
    return {values_[0], values_[1], missed_};
  }
  [[nodiscard]] ImuState motion() const noexcept { return {values_[0], values_[1], missed_}; }

  /// Why it does not run, or gives no sample, with its name; else empty.
  /// @param had_cycles  in which it could have given one
  [[nodiscard]] std::string problem(bool had_cycles) const;

 private:
  /// Content of one of its two frames.
  struct Half {
    std::array<std::int16_t, 3> digits{};
    std::uint8_t counter = 0;
    std::uint8_t status = 0;
    bool is_there = false;
  };

  void set_phase(NodePhase phase, std::int64_t now) noexcept;
  void restart(std::int64_t now) noexcept;
  void follow_setup(std::int64_t now) noexcept;
  void end_setup(std::int64_t now) noexcept;
  void take(const can::Frame& frame, Half& half) noexcept;
  [[nodiscard]] bool has_fresh_sample() const noexcept;
  [[nodiscard]] bool has_scale() const noexcept { return scales_[0] > 0.0 && scales_[1] > 0.0; }
  [[nodiscard]] bool is_stuck() const noexcept;
  [[nodiscard]] std::string phase_words() const;

  SensorSettings settings_;
  canopen::NmtMaster* nmt_;
  canopen::FrameQueue* out_;
  SetupRun setup_;
  NodePhase phase_ = NodePhase::kAbsent;
  std::int64_t since_ = 0;    ///< in its phase [ns]
  std::uint32_t serial_ = 0;  ///< at the start; 0: not known
  bool is_other_ = false;     ///< came back with another one
  bool begun_ = false;
  canopen::EmergencyLog emergencies_;
  std::array<Half, 2> halves_{};                   ///< of the open cycle
  std::uint8_t counter_ = 0;                       ///< of the newest sample
  std::uint8_t status_ = 0;                        ///< as last told
  bool has_sample_ = false;                        ///< since it was last set up
  std::array<double, 2> scales_{};                 ///< [N, N·m] or [m/s², rad/s]
  std::array<std::array<double, 3>, 2> values_{};  ///< of the newest sample
  std::uint32_t missed_ = 0;
};

}  // namespace jointrig::hw
