#pragma once
/// A backend with all that the program asks about it beside the port: the physics behind it, its
/// world, its clock, whether its drives are real. Each kind of backend is one class, in a file of
/// its own. A new kind is such a class, a word in JOINTRIG_BACKEND_KINDS, and a row of the table in
/// backend_kit.cpp.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/rig/rig_options.h"
#include "control/backend.h"
#include "harness/runner/world.h"
#include "sim/sim_backend.h"

namespace jointrig::app {

class BackendKit {
 public:
  /// `robot` outlives it.
  explicit BackendKit(const RobotConfig& robot) : robot_(&robot) {}
  BackendKit(const BackendKit&) = delete;
  BackendKit& operator=(const BackendKit&) = delete;
  virtual ~BackendKit() = default;

  [[nodiscard]] virtual Backend& backend() noexcept = 0;

  /// Hash of all that changes in physics and boards: equal for equal runs. 0 where no physics of
  /// ours is behind it.
  [[nodiscard]] virtual std::uint64_t hash() const noexcept { return 0; }

  // The physics, where it is in this program; else null.
  [[nodiscard]] virtual sim::SimBackend* sim() noexcept;
  [[nodiscard]] virtual sim::Plant* plant() noexcept;
  [[nodiscard]] virtual std::span<sim::SimBoard> boards() noexcept { return {}; }
  [[nodiscard]] virtual sim::SimForceSensors* force_sensors() noexcept;
  /// The world that a scenario may change; null: there is none. By itself: that of plant().
  [[nodiscard]] virtual std::unique_ptr<harness::World> make_world();
  /// Forces and torques exist, whoever works them out.
  [[nodiscard]] virtual bool has_dynamics() const noexcept { return true; }

  // The drives.
  [[nodiscard]] virtual bool is_on_buses() const noexcept { return false; }
  /// On buses, and nobody says that their boards are virtual.
  [[nodiscard]] virtual bool is_on_real_drives() const noexcept { return false; }
  /// The boards have a clock of their own, and the loop has to keep to it.
  [[nodiscard]] virtual bool keeps_the_boards_time() const noexcept { return false; }
  /// The reason to take the boards for real ones, where virtual ones could be meant; else empty.
  [[nodiscard]] virtual std::string note_on_boards() const { return {}; }

  /// The reason why the loop's step() returned false: a sentence.
  [[nodiscard]] virtual std::string why_ended() const { return "the backend ended the run"; }

 protected:
  [[nodiscard]] const RobotConfig& robot() const noexcept { return *robot_; }

 private:
  const RobotConfig* robot_;
};

/// A kind of backend, as it is known before one is made.
struct BackendType {
  BackendKind kind;
  bool keeps_a_clock;  ///< may be paced: in real time, and under the panel
  bool side_by_side;   ///< several of one robot may run at once: there is but one set of drives
  /// Throws as Rig does.
  std::unique_ptr<BackendKit> (*make)(const RobotConfig& robot, const RigOptions& options);
};

[[nodiscard]] const BackendType& type_of(BackendKind kind) noexcept;

/// The words of `--backend`; only those that keep a clock, where that is asked for.
[[nodiscard]] std::vector<std::string> backend_words(bool that_keep_a_clock = false);

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
