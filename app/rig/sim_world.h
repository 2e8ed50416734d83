#pragma once

#include <span>
#include <variant>
#include <vector>

#include "control/core/robot_config.h"
#include "harness/runner/world.h"
#include "sim/board/board.h"
#include "sim/plant.h"
#include "sim/sensors.h"

namespace jointrig::app {

/// The world of a scenario, provided by the simulation.
class SimWorld final : public harness::World {
 public:
  /// All references outlive this object.
  /// @param boards  boards of the joints, in their order
  /// @param sensors  null: the robot's sensors aren't read here
  SimWorld(const RobotConfig& robot, sim::Plant& plant, std::span<sim::SimBoard> boards,
           sim::SimSensors* sensors = nullptr);

  /// Options of the plant for these actions.
  static sim::PlantOptions plant_options(const std::vector<harness::ObstacleAction>& obstacles,
                                         const std::vector<std::string>& payload_bodies);

  [[nodiscard]] std::vector<std::string> fault_types() const override;
  [[nodiscard]] std::string fault_unit(std::string_view type) const override;
  [[nodiscard]] std::vector<std::string> sensor_fault_types() const override;
  [[nodiscard]] std::vector<std::string> truth_names() const override;
  [[nodiscard]] std::optional<Handle> find_truth(std::string_view name) override;
  [[nodiscard]] double truth(Handle signal) const noexcept override;
  Handle prepare(const harness::FaultAction& action) override;
  Handle prepare(const harness::ForceAction& action) override;
  Handle prepare(const harness::PayloadAction& action) override;
  Handle prepare(const harness::ObstacleAction& action) override;
  void begin(Handle action) noexcept override;
  void end(Handle action) noexcept override;

 private:
  enum class Quantity { kBody, kSite, kContact, kJoint };
  struct Signal {
    Quantity quantity = Quantity::kBody;
    int id = 0;
    int axis = 0;  ///< x y z, or q v tau
  };
  struct Fault {
    std::size_t joint = 0;
    sim::SimFault type = sim::SimFault::kEncoderFreeze;
    double value = 0.0;
  };
  struct SensorFault {
    std::size_t sensor = 0;
    sim::SimSensorFault type = sim::SimSensorFault::kStale;
  };
  struct Payload {
    std::string body;
    double mass = 0.0;
    sim::Vector3 centre{};
    LoadInertia inertia{};
    bool is_on = false;
  };
  struct Obstacle {
    std::size_t number = 0;
    sim::Pose pose;
  };
  using Prepared = std::variant<Fault, SensorFault, sim::Wrench, Payload, Obstacle>;

  Handle keep(Prepared action);
  Handle prepare_sensor(const harness::FaultAction& action);
  void load(const std::string& body) noexcept;

  const RobotConfig* robot_;
  sim::Plant* plant_;
  std::span<sim::SimBoard> boards_;
  sim::SimSensors* sensors_;
  std::vector<Signal> signals_;
  std::vector<Prepared> actions_;
};

}  // namespace jointrig::app
