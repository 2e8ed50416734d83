#pragma once
/// A backend with the program's further questions beside the port: its physics, its world, its
/// clock, whether its drives are real. Each kind of backend is one class, in a file of its own. A
/// new kind is such a class, a word in JOINTRIG_BACKEND_KINDS, and a row of the table in
/// backend_kit.cpp.

#include <any>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/rig/rig_options.h"
#include "control/backend.h"
#include "control/core/backend_parts.h"
#include "harness/runner/world.h"
#include "sim/sim_backend.h"

namespace jointrig::app {

class BackendKit {
 public:
  /// `robot` outlives this object.
  explicit BackendKit(const RobotConfig& robot) : robot_(&robot) {}
  BackendKit(const BackendKit&) = delete;
  BackendKit& operator=(const BackendKit&) = delete;
  virtual ~BackendKit() = default;

  [[nodiscard]] virtual Backend& backend() noexcept = 0;

  /// Hash of the state of physics and boards: equal for equal runs. 0 without physics in this
  /// project.
  [[nodiscard]] virtual std::uint64_t hash() const noexcept { return 0; }

  /// State between two cycles, to go on from; without a value where this kind has none to give.
  /// A copy restored into a kit of the same robot continues with the same bits.
  [[nodiscard]] virtual std::any save() const { return {}; }
  virtual void restore(const std::any& /*state*/) {}

  // The physics, if it is in this program; else null.
  [[nodiscard]] virtual sim::SimBackend* sim() noexcept;
  [[nodiscard]] virtual sim::Plant* plant() noexcept;
  [[nodiscard]] virtual std::span<sim::SimBoard> boards() noexcept { return {}; }
  [[nodiscard]] virtual sim::SimSensors* sensors() noexcept;
  /// The robot as that physics has it: joints without a board in it are `elsewhere`.
  [[nodiscard]] virtual const RobotConfig& simulated_robot() const noexcept { return *robot_; }
  /// The world that a scenario may change; null: none. Default: the world of plant().
  [[nodiscard]] virtual std::unique_ptr<harness::World> make_world();
  /// True if forces and torques exist.
  [[nodiscard]] virtual bool has_dynamics() const noexcept { return true; }

  // The drives.
  [[nodiscard]] virtual bool is_on_buses() const noexcept { return false; }
  /// True on buses whose boards are not known to be virtual.
  [[nodiscard]] virtual bool is_on_real_drives() const noexcept { return false; }
  /// True if the boards have a clock of their own, which the loop must follow.
  [[nodiscard]] virtual bool keeps_the_boards_time() const noexcept { return false; }
  /// Reason to treat the boards as real, where virtual ones could be meant; else empty.
  [[nodiscard]] virtual std::string note_on_boards() const { return {}; }

  /// The reason why the loop's step() returned false: a sentence.
  [[nodiscard]] virtual std::string why_ended() const { return "the backend ended the run"; }

 protected:
  [[nodiscard]] const RobotConfig& robot() const noexcept { return *robot_; }

 private:
  const RobotConfig* robot_;
};

/// A kind of backend, described before one is made.
struct BackendType {
  BackendKind kind;
  bool keeps_a_clock;  ///< can be paced: in real time, and in the panel
  bool side_by_side;   ///< several of one robot may run at once; false for real drives
  /// Throws as Rig.
  std::unique_ptr<BackendKit> (*make)(const RobotConfig& robot, const RigOptions& options);
};

[[nodiscard]] const BackendType& type_of(BackendKind kind) noexcept;

/// The words of `--backend`; optionally only those that keep a clock.
[[nodiscard]] std::vector<std::string> backend_words(bool that_keep_a_clock = false);

/// The backend of a robot: one kind, or those of its parts joined (joined_backend.h). `robot`
/// outlives it. Throws as Rig.
[[nodiscard]] std::unique_ptr<BackendKit> make_kit(const RobotConfig& robot,
                                                   const RigOptions& options);
/// Kit of a backend that the program brings along.
[[nodiscard]] std::unique_ptr<BackendKit> make_driver_kit(const RobotConfig& robot,
                                                          std::unique_ptr<Backend> driver);

/// The kinds, each defined in its own file.
[[nodiscard]] std::unique_ptr<BackendKit> make_sim_kit(const RobotConfig& robot,
                                                       const RigOptions& options);
[[nodiscard]] std::unique_ptr<BackendKit> make_kinematic_kit(const RobotConfig& robot,
                                                             const RigOptions& options);
[[nodiscard]] std::unique_ptr<BackendKit> make_boards_kit(const RobotConfig& robot,
                                                          const RigOptions& options);
[[nodiscard]] std::unique_ptr<BackendKit> make_hw_kit(const RobotConfig& robot,
                                                      const RigOptions& options);

}  // namespace jointrig::app
