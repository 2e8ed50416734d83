#pragma once
/// A robot in MuJoCo: the plant, and a simulated board per joint. The only control in here is the
/// boards' firmware.
///
///     time      t_k                                        t_{k+1}
///     loop      wait, read state of t_k, write command k   wait ...
///     boards    sense at t_k         act on setpoints      sense at t_{k+1}
///     plant                          one period of physics
///
/// A command of cycle k arrives at t_{k + delay_cycles}: with 1 it moves the robot from t_{k+1} on,
/// and the state of cycle k + 2 is the first to show it. Until the first command comes the robot is
/// held in its start pose, as brakes, a stand or hands hold a real robot that is not driven yet;
/// with held_until_driven it is held until a command switches a motor on.

#include <atomic>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "control/backend.h"
#include "control/core/robot_config.h"
#include "sim/delay_line.h"
#include "sim/pacer.h"
#include "sim/plant.h"
#include "sim/sensors.h"

namespace jointrig::sim {

struct SimOptions {
  PlantOptions plant;
  TimeNs end_ns = std::numeric_limits<TimeNs>::max();  ///< the last cycle is the one before it
  Pacer* pacer = nullptr;          ///< outlives the backend; null: as fast as possible
  bool held_until_driven = false;  ///< commands that leave every motor off do not end the hold
};

/// Reason why wait() ended the run.
#define JOINTRIG_SIM_ENDS(X)                          \
  X(kRunning, "running")                              \
  X(kTimeOver, "time_over")  /* SimOptions::end_ns */ \
  X(kClosed, "closed")       /* close() */            \
  X(kBreakdown, "breakdown") /* Plant::breakdown() */
JOINTRIG_ENUM(SimEnd, JOINTRIG_SIM_ENDS)

class SimBackend final : public Backend {
 public:
  /// Throws ModelError (model and scene) or std::invalid_argument (board) with a sentence.
  explicit SimBackend(const RobotConfig& robot, const SimOptions& options = {});

  [[nodiscard]] const BackendDescription& description() const noexcept override {
    return description_;
  }
  void start() override;
  Tick wait() noexcept override;
  void read(RobotState& state) noexcept override;
  void write(const RobotCommand& command) noexcept override;
  /// A board that has power again is told as a driver tells it.
  std::optional<BoardNotice> next_notice() noexcept override;
  void stop() noexcept override;

  /// Ends the run at the next wait(). Any thread.
  void close() noexcept { closed_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] SimEnd end() const noexcept { return end_; }

  // The following functions are for the loop's thread, between cycles.

  /// Injects a fault into a joint's board from the next cycle on. `duration` is rounded to cycles.
  void inject(std::size_t joint, SimFault fault, double value = 0.0,
              std::optional<TimeNs> duration = std::nullopt) noexcept;

  [[nodiscard]] Plant& plant() noexcept { return plant_; }
  [[nodiscard]] const Plant& plant() const noexcept { return plant_; }
  [[nodiscard]] const SimBoard& board(std::size_t joint) const noexcept { return boards_[joint]; }
  [[nodiscard]] std::span<SimBoard> boards() noexcept { return boards_; }
  [[nodiscard]] SimSensors& sensors() noexcept { return sensors_; }
  [[nodiscard]] JointTruth truth(std::size_t joint) const noexcept { return plant_.joint(joint); }

  /// State: a copy restored into the same robot continues with the same bits.
  struct State {
    PlantState plant;
    std::vector<BoardState> boards;
    DelayLine on_the_way;
    SimSensors::State sensors;
    std::uint64_t cycle = 0;
    bool first = true;
    bool stopped = false;
    bool held = true;
  };
  [[nodiscard]] State save() const;
  void restore(const State& state);

  /// Hash of the physics' integration state (warm start included), the boards and the commands in
  /// transit.
  [[nodiscard]] std::uint64_t hash() const noexcept;

 private:
  [[nodiscard]] bool advance() noexcept;
  void sample_sensors() noexcept;

  TimeNs period_ns_;
  TimeNs end_ns_;
  Pacer* pacer_;
  bool held_until_driven_;
  Plant plant_;
  std::vector<SimBoard> boards_;
  DelayLine on_the_way_;
  SimSensors sensors_;
  std::vector<bool> was_dark_;  ///< by joint: told as back when it has power again
  JointSet elsewhere_;          ///< joints that another backend drives: led, without a board
  RobotState sensed_;           ///< buffer for the readings of the plant's sensors
  std::uint64_t cycle_ = 0;
  bool first_ = true;  ///< the next wait() begins cycle 0
  bool stopped_ = false;
  bool held_ = true;  ///< the robot is still held at the start
  std::atomic<bool> closed_{false};
  SimEnd end_ = SimEnd::kRunning;
  BackendDescription description_;
};

}  // namespace jointrig::sim
