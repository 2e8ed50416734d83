#pragma once
/// What a scenario may ask of the world around the robot: truth to judge by, faults and
/// disturbances to inject. The simulation implements it; a backend without it runs the scenarios
/// that need none.

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace jointrig::harness {

/// A fault of one joint's board, `type` a word of World::fault_types(); or of an arm's force/torque
/// sensor, `type` a word of World::sensor_fault_types().
struct FaultAction {
  std::string joint;  ///< empty: of an arm's sensor
  std::string type;
  /// What it means depends on the type (a jump [rad], an offset [N·m], cycles missed, ...); NaN:
  /// the type's own default.
  double value = std::numeric_limits<double>::quiet_NaN();
  std::string arm{};  ///< whose sensor; empty: of a joint's board

  bool operator==(const FaultAction& other) const {
    const bool same_value = value == other.value || (std::isnan(value) && std::isnan(other.value));
    return joint == other.joint && arm == other.arm && type == other.type && same_value;
  }
};

/// A wrench on a body, constant in the named frame for as long as it lasts.
struct ForceAction {
  std::string body;
  std::array<double, 3> force{};   ///< [N]
  std::array<double, 3> torque{};  ///< [N·m]
  std::array<double, 3> point{};   ///< where the force acts, in the body's frame [m]
  bool in_body_frame = false;      ///< else force and torque are given in the world frame

  bool operator==(const ForceAction&) const = default;
};

/// A mass fixed to a body that the controller's model doesn't know of.
struct PayloadAction {
  std::string body;
  double mass = 0.0;               ///< [kg]
  std::array<double, 3> centre{};  ///< in the body's frame [m]

  bool operator==(const PayloadAction&) const = default;
};

/// Something solid, fixed in the world. Declared before the run, so that the plant can be compiled
/// with it; out of everybody's way until its action begins.
struct ObstacleAction {
  std::string name;
  std::string shape;                 ///< box, sphere or cylinder
  std::array<double, 3> size{};      ///< half sizes; radius; radius and half length [m]
  std::array<double, 3> position{};  ///< of its centre in the world [m]
  std::array<double, 4> orientation{1, 0, 0, 0};  ///< w x y z, in the world

  bool operator==(const ObstacleAction&) const = default;
};

/// What is wrong with an action: one sentence, and which key of the action it is about (`body`).
class BadAction : public std::invalid_argument {
 public:
  BadAction(std::string key, const std::string& sentence)
      : std::invalid_argument(sentence), key_(std::move(key)) {}
  [[nodiscard]] const std::string& key() const noexcept { return key_; }

 private:
  std::string key_;
};

/// Everything is named before the run and called by number while it runs. All functions are for the
/// thread that judges; headless that is the loop's. In real time it isn't, and
/// app/run/relayed_world.h stands between the two.
class World {
 public:
  using Handle = int;

  World() = default;
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  virtual ~World() = default;

  /// Words that FaultAction::type takes.
  [[nodiscard]] virtual std::vector<std::string> fault_types() const = 0;
  /// Unit of the value that a type of fault takes, of a hinge joint (`rad`, `N·m`, `fraction`); ""
  /// where it takes none.
  [[nodiscard]] virtual std::string fault_unit(std::string_view type) const = 0;

  /// Words that FaultAction::type takes of an arm's force/torque sensor; none of them takes a
  /// value. Empty: this world has no such sensors.
  [[nodiscard]] virtual std::vector<std::string> sensor_fault_types() const { return {}; }

  /// Signals of the truth, SI units:
  ///
  ///     body.<name>.x|y|z        origin of a body in the world        site.<name>.x|y|z  of a site
  ///     contact.<body>.force     magnitude of the vector sum of all contact forces, friction
  ///                              included, on the body alone in the last physics step [N]
  ///     truth.<joint>.q|v|tau    the plant's joint, before any encoder; tau as applied
  ///
  /// All of them, to suggest the nearest right word.
  [[nodiscard]] virtual std::vector<std::string> truth_names() const = 0;
  [[nodiscard]] virtual std::optional<Handle> find_truth(std::string_view name) = 0;
  /// A cycle is over: what truth() gives from now on is of it. For worlds that have to be asked.
  virtual void update() noexcept {}
  /// Its value in the cycle being judged, that of the state last read from the backend.
  [[nodiscard]] virtual double truth(Handle signal) const noexcept = 0;

  /// Checks an action and gives its number. Throws BadAction: no such joint, body or fault type
  /// (with the nearest that there is), a value that can't be.
  virtual Handle prepare(const FaultAction& action) = 0;
  virtual Handle prepare(const ForceAction& action) = 0;
  virtual Handle prepare(const PayloadAction& action) = 0;
  virtual Handle prepare(const ObstacleAction& action) = 0;

  /// From the next physics step on it acts, or acts no more. Beginning twice is beginning once.
  virtual void begin(Handle action) noexcept = 0;
  virtual void end(Handle action) noexcept = 0;
};

}  // namespace jointrig::harness
