#pragma once
/// A robot without dynamics, to try sequences and programs at the highest speed: joints follow
/// their setpoints exactly, within v_max and their range. Gravity, contact, torque and faults don't
/// exist; torque and duty aren't offered.
///
///     position   q moves towards the setpoint by at most v_max a second
///     velocity   q moves at the setpoint's velocity, at most v_max
///     off        q stays
///
/// Commands act as in SimBackend, delay_cycles later. A calibration takes one cycle.

#include <atomic>
#include <limits>
#include <vector>

#include "control/backend.h"
#include "control/core/robot_config.h"
#include "sim/delay_line.h"
#include "sim/pacer.h"

namespace jointrig::sim {

struct KinematicOptions {
  TimeNs end_ns = std::numeric_limits<TimeNs>::max();  ///< the last cycle is the one before it
  Pacer* pacer = nullptr;
};

class KinematicBackend final : public Backend {
 public:
  explicit KinematicBackend(const RobotConfig& robot, const KinematicOptions& options = {});

  [[nodiscard]] const BackendDescription& description() const noexcept override {
    return description_;
  }
  void start() override;
  Tick wait() noexcept override;
  void read(RobotState& state) noexcept override;
  void write(const RobotCommand& command) noexcept override;
  void stop() noexcept override { stopped_ = true; }

  /// Ends the run at the next wait(). Any thread.
  void close() noexcept { closed_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t hash() const noexcept;

  struct Joint {
    double q = 0.0;
    double v = 0.0;
    double q_min = 0.0;
    double q_max = 0.0;
    double step_max = 0.0;
    BoardStatus status = BoardStatus::kNotConfigured;
    BoardRequest request = BoardRequest::kNone;
    bool calibrated = false;
  };
  /// State: a copy restored into the same robot continues with the same bits.
  struct State {
    std::vector<Joint> joints;
    std::vector<JointSetpoint> held;
    DelayLine on_the_way;
    std::uint64_t cycle = 0;
    bool first = true;
    bool stopped = false;
  };
  [[nodiscard]] State save() const {
    return {joints_, held_, on_the_way_, cycle_, first_, stopped_};
  }
  void restore(const State& state);

 private:
  void heed(const JointSetpoint& setpoint, Joint& joint) noexcept;
  void move(const JointSetpoint& setpoint, Joint& joint) const noexcept;
  void advance() noexcept;

  TimeNs period_ns_;
  TimeNs end_ns_;
  Pacer* pacer_;
  BackendDescription description_;
  std::vector<Joint> joints_;
  std::vector<JointSetpoint> held_;
  DelayLine on_the_way_;
  std::uint64_t cycle_ = 0;
  bool first_ = true;
  bool stopped_ = false;
  std::atomic<bool> closed_{false};
};

}  // namespace jointrig::sim
