#pragma once
/// MJCF and URDF files for the controller's model and the simulated plant: every joint and actuator
/// gets a name, states are stored by name (so that they remain valid when joints and actuators are
/// removed), a floating base is fixed on request, actuators are removed. An actuator over a fixed
/// tendon whose joints all follow one drives that one (tendon_lead.h).
///
/// For start-up: these functions allocate and throw. MuJoCo's own messages never reach the terminal
/// or a MUJOCO_LOG.TXT: errors become ModelError, warnings are collected.

#include <mujoco/mujoco.h>

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "control/model/tendon_lead.h"

namespace jointrig {

/// Error: a model that can't be used. One sentence, with the file and, if MuJoCo reports it, the
/// line.
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

/// A state of a model, by names. Velocities are zero: a robot starts at rest.
struct NamedState {
  std::string keyframe;                              ///< its name; empty: the model's qpos0
  std::map<std::string, std::vector<double>> q;      ///< joint: 1, 4 or 7 numbers as in qpos
  std::map<std::string, std::vector<double>> ctrl;   ///< actuator: its controls
  std::map<std::string, std::vector<double>> act;    ///< actuator: its activations, if any
  std::map<std::string, std::vector<double>> mocap;  ///< mocap body: position, quaternion
};

/// A robot's model, open for editing. Keyframes are removed from the spec and stored here by name.
struct Mjcf {
  std::string path;  ///< as given, for messages
  SpecPtr spec;
  ModelPtr as_written;                ///< compiled before any edit but that of `led`
  std::vector<NamedState> keyframes;  ///< in the file's order
  NamedState start;
  std::vector<std::string> warnings;  ///< MuJoCo's, while loading and compiling
  std::vector<std::string> named;     ///< generated names of joints ("joint_3") and actuators
  std::vector<TendonLead> led;        ///< actuators over tendons that drive a leader now
  std::vector<std::string> pinned;    ///< bodies that pin_base fixed
  bool is_urdf = false;
  std::map<std::string, double> speeds;  ///< of a URDF: joints' limits of speed [rad/s or m/s]
  std::vector<std::string> notes;        ///< of a URDF: what was left out or put right, and why
};

/// Shapes of a model that are compiled. Those that meet nothing (contype and conaffinity 0, named
/// by no pair, sensor or tendon) are only drawn: without them the dynamics are the same, except for
/// what a rangefinder sees, and detailed meshes cost neither memory nor time (an arm with 44 MB of
/// them: 1.1 GB and 1.7 s while they are compiled, 0.1 GB and 0.1 s without).
enum class Shapes : std::uint8_t { kColliding, kAll };

/// Loads an MJCF or URDF file and chooses the start: the given keyframe; else the one called
/// "home", else the first, else qpos0. Throws ModelError, also for a keyframe that does not exist.
///
/// A URDF opens without visual shapes that can't be loaded, and without meshes in formats that
/// MuJoCo doesn't read, and with inertias balanced that no body can have; notes say so.
///
/// @param packages  where the meshes of a URDF are searched first (mesh_search.h)
Mjcf load_mjcf(const std::string& path, std::string_view keyframe = {},
               const std::vector<std::string>& packages = {}, Shapes shapes = Shapes::kColliding);

/// Loads MJCF from text that includes no files; `path` is for messages.
Mjcf parse_mjcf(const std::string& xml, const std::string& path, std::string_view keyframe = {});

/// Fixes each floating base to the world in its start pose: removes the free joint of every body
/// that carries further joints, or the hinges and slides that it floats on. Free objects without
/// joints stay free. Returns the names of the bodies.
std::vector<std::string> pin_base(Mjcf& mjcf);

/// True for a base that floats in a plane or along a line, as in planar walkers: a body on the
/// world with undriven hinges and slides, at least one slide, that carries further joints.
bool floats_on_slides(const mjModel& model, int body) noexcept;

/// Removes the actuators that drive one of `joints` directly, and sensors of them. The joint takes
/// over the actuator's armature and damping.
void remove_joint_actuators(Mjcf& mjcf, const std::vector<std::string>& joints);

/// Removes every actuator in the same way.
void remove_all_actuators(Mjcf& mjcf);

/// Compiles the present spec. Throws ModelError.
ModelPtr compile(Mjcf& mjcf);

/// Makes data for a model, at its qpos0. Throws ModelError.
DataPtr make_data(const mjModel& model, const std::string& path);

/// Sets positions, controls and activations of everything in `model` that the state names; the rest
/// keeps its default. Resets velocities, time and warm start.
void apply(const NamedState& state, const mjModel& model, mjData& data);

/// Name of a MuJoCo object, or an empty string.
std::string name_of(const mjModel& model, mjtObj type, int id);

/// Collects MuJoCo's warnings on this thread in `into` during its lifetime; otherwise they are
/// dropped. mjData::warning counts the warnings of a running simulation in any case.
class CollectWarnings {
 public:
  explicit CollectWarnings(std::vector<std::string>& into) noexcept;
  ~CollectWarnings();
  CollectWarnings(const CollectWarnings&) = delete;
  CollectWarnings& operator=(const CollectWarnings&) = delete;

 private:
  std::vector<std::string>* outer_;
};

/// Version of the linked MuJoCo library: "3.17.0".
const char* mujoco_version() noexcept;

}  // namespace jointrig
