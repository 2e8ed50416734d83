#pragma once
/// The world around the robot for a scenario: truth for judging, faults and disturbances to inject.
/// The simulation implements it; a backend without it runs scenarios that need no world.

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "control/core/load.h"

namespace jointrig::harness {

/// A fault of one joint's board, with a `type` of World::fault_types(), or of a sensor, with a
/// `type` of World::sensor_fault_types(): the force/torque sensor of an arm or a foot, or the
/// base's IMU.
struct FaultAction {
  std::string joint;  ///< empty: a fault of an arm's sensor
  std::string type;
  /// Its meaning depends on the type (a jump [rad], an offset [N·m], missed cycles, ...); NaN: the
  /// type's default.
  double value = std::numeric_limits<double>::quiet_NaN();
  std::string arm{};     ///< arm of the sensor; empty: of another
  std::string sensor{};  ///< "imu", or the foot of the sensor; empty: of another

  bool operator==(const FaultAction& other) const {
    const bool same_value = value == other.value || (std::isnan(value) && std::isnan(other.value));
    return joint == other.joint && arm == other.arm && sensor == other.sensor &&
           type == other.type && same_value;
  }
};

/// A wrench on a body, constant in the named frame while it lasts; or a torque (force) about
/// (along) a joint's axis, that acts on this joint alone: between its two links.
struct ForceAction {
  std::string body;                ///< empty: on a joint
  std::array<double, 3> force{};   ///< [N]
  std::array<double, 3> torque{};  ///< [N·m]
  std::array<double, 3> point{};   ///< point of the force, in the body's frame [m]
  bool in_body_frame = false;      ///< true: in the body's frame, else in the world frame
  std::string joint{};             ///< empty: on a body
  double along = 0.0;              ///< on a joint [N·m or N]

  bool operator==(const ForceAction&) const = default;
};

/// A mass fixed to a body that the controller's model does not include.
struct PayloadAction {
  std::string body;
  double mass = 0.0;               ///< [kg]
  std::array<double, 3> centre{};  ///< in the body's frame [m]
  LoadInertia inertia{};           ///< about `centre`, along the body's axes (core/load.h)

  bool operator==(const PayloadAction&) const = default;
};

/// A solid object, fixed in the world. Declared before the run, so that the plant can be compiled
/// with it; parked away from all bodies until its action begins.
struct ObstacleAction {
  std::string name;
  std::string shape;                 ///< box, sphere or cylinder
  std::array<double, 3> size{};      ///< half sizes; radius; radius and half length [m]
  std::array<double, 3> position{};  ///< centre in the world [m]
  std::array<double, 4> orientation{1, 0, 0, 0};  ///< w x y z, in the world

  bool operator==(const ObstacleAction&) const = default;
};

/// Error in an action: one sentence, and the key of the action that it concerns (`body`).
class BadAction : public std::invalid_argument {
 public:
  BadAction(std::string key, const std::string& sentence)
      : std::invalid_argument(sentence), key_(std::move(key)) {}
  [[nodiscard]] const std::string& key() const noexcept { return key_; }

 private:
  std::string key_;
};

/// The world around a robot. Names are resolved before the run; the run uses numbers. All functions
/// are for the judging thread, which headless is the loop's. In real time it isn't, and
/// app/run/relayed_world.h connects the two.
class World {
 public:
  using Handle = int;

  World() = default;
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  virtual ~World() = default;

  /// Words for FaultAction::type.
  [[nodiscard]] virtual std::vector<std::string> fault_types() const = 0;
  /// Unit of a fault type's value for a hinge joint (`rad`, `N·m`, `fraction`); "" if it takes
  /// none.
  [[nodiscard]] virtual std::string fault_unit(std::string_view type) const = 0;

  /// Words for FaultAction::type of a sensor; none of them takes a value.
  /// Empty: this world has no such sensors.
  [[nodiscard]] virtual std::vector<std::string> sensor_fault_types() const { return {}; }

  /// Signals of the truth, SI units:
  ///
  ///     body.<name>.x|y|z        origin of a body in the world        site.<name>.x|y|z  of a site
  ///     contact.<body>.force     magnitude of the vector sum of all contact forces, friction
  ///                              included, on the body alone in the last physics step [N]
  ///     truth.<joint>.q|v|tau    the plant's joint, before any encoder; tau as applied
  ///
  /// Returns all of them, to suggest the nearest known word.
  [[nodiscard]] virtual std::vector<std::string> truth_names() const = 0;
  [[nodiscard]] virtual std::optional<Handle> find_truth(std::string_view name) = 0;
  /// Begins the next cycle: truth() then gives its values. For worlds that must be polled.
  virtual void update() noexcept {}
  /// Its value in the present cycle, that of the state last read from the backend.
  [[nodiscard]] virtual double truth(Handle signal) const noexcept = 0;

  /// Checks an action and returns its number. Throws BadAction: no such joint, body or fault type
  /// (with the nearest one), an invalid value.
  virtual Handle prepare(const FaultAction& action) = 0;
  virtual Handle prepare(const ForceAction& action) = 0;
  virtual Handle prepare(const PayloadAction& action) = 0;
  virtual Handle prepare(const ObstacleAction& action) = 0;

  /// The action acts, or ends, from the next physics step on. A second begin has no effect.
  virtual void begin(Handle action) noexcept = 0;
  virtual void end(Handle action) noexcept = 0;
};

}  // namespace jointrig::harness
