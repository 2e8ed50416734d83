#pragma once
/// MJCF files as the controller's model and the simulated plant both need them: loaded with every
/// joint and actuator named, states kept by name (so that they outlive the removal of joints and
/// actuators), a floating base bolted down on request, actuators taken off.
///
/// For start-up: these functions allocate and throw. MuJoCo's own messages never reach the terminal
/// or a MUJOCO_LOG.TXT: errors become ModelError, warnings are collected.

#include <mujoco/mujoco.h>

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace jointrig {

/// A model that can't be used: one sentence, with the file and, where MuJoCo gives it, the line.
class ModelError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct MujocoDeleter {
  void operator()(mjSpec* spec) const noexcept { mj_deleteSpec(spec); }
  void operator()(mjModel* model) const noexcept { mj_deleteModel(model); }
  void operator()(mjData* data) const noexcept { mj_deleteData(data); }
};
using SpecPtr = std::unique_ptr<mjSpec, MujocoDeleter>;
using ModelPtr = std::unique_ptr<mjModel, MujocoDeleter>;
using DataPtr = std::unique_ptr<mjData, MujocoDeleter>;

/// A state of a model by name. Velocities are zero: a robot starts at rest.
struct NamedState {
  std::string keyframe;                              ///< its name; empty: the model's qpos0
  std::map<std::string, std::vector<double>> q;      ///< joint: 1, 4 or 7 numbers as in qpos
  std::map<std::string, std::vector<double>> ctrl;   ///< actuator: its controls
  std::map<std::string, std::vector<double>> act;    ///< actuator: its activations, if any
  std::map<std::string, std::vector<double>> mocap;  ///< mocap body: position, quaternion
};

/// A robot's MJCF, open for editing. Keyframes are taken out of the spec and kept here by name.
struct Mjcf {
  std::string path;  ///< as given, for messages
  SpecPtr spec;
  ModelPtr as_written;                ///< compiled before any edit
  std::vector<NamedState> keyframes;  ///< in the file's order
  NamedState start;
  std::vector<std::string> warnings;  ///< MuJoCo's, while loading and compiling
  std::vector<std::string> named;     ///< generated names: joints ("joint_3") and actuators
  std::vector<std::string> pinned;    ///< bodies that pin_base bolted down
};

/// Loads an MJCF file and chooses the start: the keyframe asked for; else the one called "home",
/// else the first, else qpos0. Throws ModelError, also for a keyframe that isn't there.
Mjcf load_mjcf(const std::string& path, std::string_view keyframe = {});

/// The same from text that includes no files; `path` is for messages.
Mjcf parse_mjcf(const std::string& xml, const std::string& path, std::string_view keyframe = {});

/// Bolts each floating base to the world where the start has it: the free joint of every body that
/// carries further joints goes, or the hinges and slides of one that floats on those; the body's
/// pose is fixed. Free objects without joints stay free. Returns the names of the bodies.
std::vector<std::string> pin_base(Mjcf& mjcf);

/// A base that floats in a plane or along a line, as walkers drawn from the side do: a body that
/// stands in the world on hinges and slides that nothing drives, a slide among them, and carries
/// further joints.
bool floats_on_slides(const mjModel& model, int body) noexcept;

/// Removes the actuators that drive one of `joints` directly, and sensors of them. What such an
/// actuator adds to its joint by itself (armature, damping) is given to the joint.
void remove_joint_actuators(Mjcf& mjcf, const std::vector<std::string>& joints);

/// Removes every actuator, likewise.
void remove_all_actuators(Mjcf& mjcf);

/// Compiles what is in the spec now. Throws ModelError.
ModelPtr compile(Mjcf& mjcf);

/// Data for a model, at its qpos0. Throws ModelError.
DataPtr make_data(const mjModel& model, const std::string& path);

/// Sets positions, controls and activations of all that `model` has by those names; the rest keeps
/// its default. Velocities, time and warm start are reset.
void apply(const NamedState& state, const mjModel& model, mjData& data);

/// "name" of a MuJoCo object, or an empty string.
std::string name_of(const mjModel& model, mjtObj type, int id);

/// While one lives, MuJoCo's warnings on this thread are added to `into` rather than dropped.
/// Warnings of a running simulation are counted in mjData::warning in any case.
class CollectWarnings {
 public:
  explicit CollectWarnings(std::vector<std::string>& into) noexcept;
  ~CollectWarnings();
  CollectWarnings(const CollectWarnings&) = delete;
  CollectWarnings& operator=(const CollectWarnings&) = delete;

 private:
  std::vector<std::string>* outer_;
};

/// Version of the MuJoCo library that is linked: "3.17.0".
const char* mujoco_version() noexcept;

}  // namespace jointrig
