#pragma once
/// Finds the zero of an encoder that loses it at power-off.

#include "sim/board/board_spec.h"

namespace jointrig::sim {

struct CalibrationState {
  double start = 0.0;     ///< encoder reading at the begin [rad or m]
  double way = 0.0;       ///< signed distance to move from there
  double target = 0.0;    ///< present setpoint, from the start
  double elapsed = 0.0;   ///< [s]
  double furthest = 0.0;  ///< largest distance reached
  bool returning = false;

  template <typename Hash>
  void add_to(Hash& hash) const noexcept {
    const auto& [start_, way_, target_, elapsed_, furthest_, returning_] = *this;
    hash.add(start_, way_, target_, elapsed_, furthest_, returning_);
  }
};

enum class CalibrationStep : std::uint8_t { kMoving, kDone, kBlocked };

/// The encoder's scale carries distance-coded reference marks: the gap between two neighbours
/// identifies them, so a short motion anywhere gives the zero (as on Heidenhain's DCM scales). The
/// board moves its joint by calibration_way at calibration_speed, towards the middle of its range,
/// and back. A joint that needs more than three times the planned time, plus 0.5 s, is blocked.
class Calibration {
 public:
  explicit Calibration(const BoardSpec& spec) noexcept;

  void begin(double reading, CalibrationState& state) const noexcept;

  /// Runs one cycle; the board's position loop moves the joint to start + target at `speed()`.
  CalibrationStep advance(double reading, CalibrationState& state) const noexcept;

  [[nodiscard]] double speed(const CalibrationState& state) const noexcept;
  [[nodiscard]] double progress(const CalibrationState& state) const noexcept;
  [[nodiscard]] double way() const noexcept { return way_; }

 private:
  double way_;
  double speed_;
  double period_;
  double middle_;  ///< middle of the range, in the encoder's own zero
};

}  // namespace jointrig::sim
