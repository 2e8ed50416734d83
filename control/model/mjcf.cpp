#include "control/model/mjcf.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

#include "control/core/nearest_word.h"
#include "control/model/mjcf_messages.h"
#include "control/model/urdf.h"

namespace jointrig {
namespace {

std::string word(const mjString* text) { return mjs_getString(text); }

/// Calls `visit` for each element of a type in file order; it may delete its element.
template <typename Visit>
void for_each(mjSpec* spec, mjtObj type, Visit&& visit) {
  mjsElement* element = mjs_firstElement(spec, type);
  while (element != nullptr) {
    mjsElement* next = mjs_nextElement(spec, element);
    visit(element);
    element = next;
  }
}

void remove_element(Mjcf& mjcf, mjsElement* element) {
  if (mjs_delete(mjcf.spec.get(), element) != 0) {
    throw ModelError(sentence_of(mjs_getError(mjcf.spec.get()), mjcf.path));
  }
}

/// Gives names "joint_0", "joint_1"... in file order to elements without one, so that each can be
/// addressed.
void name_the_nameless(Mjcf& mjcf, mjtObj type, const std::string& stem) {
  int count = 0;
  for_each(mjcf.spec.get(), type, [&](mjsElement* element) {
    const int number = count++;
    if (!word(mjs_getName(element)).empty()) return;
    std::string name = fmt::format("{}_{}", stem, number);
    while (mjs_findElement(mjcf.spec.get(), type, name.c_str()) != nullptr) name += "_";
    mjs_setName(element, name.c_str());
    mjcf.named.push_back(name);
  });
}

std::vector<double> slice(const mjtNum* values, int address, int count) {
  return {values + address, values + address + count};
}

int width_of(int joint_type) {
  if (joint_type == mjJNT_FREE) return 7;
  return joint_type == mjJNT_BALL ? 4 : 1;
}

constexpr int kMessageSize = 2048;

struct RawState {
  std::string name;
  const mjtNum* qpos;
  const mjtNum* ctrl;
  const mjtNum* act;
  const mjtNum* mpos;
  const mjtNum* mquat;
};

NamedState by_name(const mjModel& m, const RawState& raw) {
  NamedState state;
  state.keyframe = raw.name;
  for (int j = 0; j < m.njnt; ++j) {
    state.q[name_of(m, mjOBJ_JOINT, j)] =
        slice(raw.qpos, m.jnt_qposadr[j], width_of(m.jnt_type[j]));
  }
  for (int a = 0; a < m.nactuator; ++a) {
    const std::string name = name_of(m, mjOBJ_ACTUATOR, a);
    state.ctrl[name] = slice(raw.ctrl, m.actuator_ctrladr[a], m.actuator_ctrlnum[a]);
    if (m.actuator_actnum[a] > 0) {
      state.act[name] = slice(raw.act, m.actuator_actadr[a], m.actuator_actnum[a]);
    }
  }
  for (int b = 0; b < m.nbody; ++b) {
    const int id = m.body_mocapid[b];
    if (id < 0) continue;
    std::vector<double>& pose = state.mocap[name_of(m, mjOBJ_BODY, b)];
    pose = slice(raw.mpos, 3 * id, 3);
    pose.insert(pose.end(), raw.mquat + 4 * id, raw.mquat + 4 * id + 4);
  }
  return state;
}

NamedState keyframe_of(const mjModel& m, int key) {
  return by_name(m, {name_of(m, mjOBJ_KEY, key), m.key_qpos + key * m.nq, m.key_ctrl + key * m.nu,
                     m.key_act + key * m.na, m.key_mpos + key * 3 * m.nmocap,
                     m.key_mquat + key * 4 * m.nmocap});
}

NamedState state_without_keyframe(const mjModel& m, const std::string& path) {
  const DataPtr data = make_data(m, path);
  return by_name(m, {"", data->qpos, data->ctrl, data->act, data->mocap_pos, data->mocap_quat});
}

NamedState choose_start(const Mjcf& mjcf, std::string_view wanted) {
  const auto find = [&](std::string_view name) {
    return std::find_if(mjcf.keyframes.begin(), mjcf.keyframes.end(),
                        [&](const NamedState& key) { return key.keyframe == name; });
  };
  const auto asked = find(wanted.empty() ? "home" : wanted);
  if (asked != mjcf.keyframes.end()) return *asked;
  if (!wanted.empty()) {
    std::vector<std::string> names;
    for (const NamedState& key : mjcf.keyframes) names.push_back(key.keyframe);
    throw ModelError(mjcf.path + ": there is no keyframe \"" + std::string(wanted) + "\"" +
                     did_you_mean(wanted, names));
  }
  if (!mjcf.keyframes.empty()) return mjcf.keyframes.front();
  return state_without_keyframe(*mjcf.as_written, mjcf.path);
}

/// Common part of both ways of loading: names, removal of keyframes, choice of the start.
Mjcf opened(mjSpec* parsed, const std::string& error, const std::string& path,
            std::string_view keyframe, std::vector<std::string> warnings, Shapes shapes) {
  Mjcf mjcf;
  mjcf.path = path;
  mjcf.warnings = std::move(warnings);
  mjcf.spec.reset(parsed);
  if (!mjcf.spec) throw ModelError(sentence_of(error, path));
  if (shapes == Shapes::kColliding) mjcf.spec->compiler.discardvisual = 1;
  name_the_nameless(mjcf, mjOBJ_JOINT, "joint");
  name_the_nameless(mjcf, mjOBJ_ACTUATOR, "actuator");
  mjcf.as_written = compile(mjcf);
  for (int key = 0; key < mjcf.as_written->nkey; ++key) {
    mjcf.keyframes.push_back(keyframe_of(*mjcf.as_written, key));
  }
  // Their sizes are those of the model as written: they would not compile after an edit.
  for_each(mjcf.spec.get(), mjOBJ_KEY, [&](mjsElement* key) { remove_element(mjcf, key); });
  mjcf.led = lead_tendons(*mjcf.spec, *mjcf.as_written);
  if (!mjcf.led.empty()) mjcf.as_written = compile(mjcf);
  mjcf.start = choose_start(mjcf, keyframe);
  return mjcf;
}

/// Sensors of an element and tuples that name it would not compile without it.
void remove_with_references(Mjcf& mjcf, mjsElement* element, mjtObj type) {
  const std::string name = word(mjs_getName(element));
  for_each(mjcf.spec.get(), mjOBJ_SENSOR, [&](mjsElement* candidate) {
    const mjsSensor* sensor = mjs_asSensor(candidate);
    if (sensor->objtype == type && word(sensor->objname) == name) remove_element(mjcf, candidate);
  });
  for_each(mjcf.spec.get(), mjOBJ_TUPLE, [&](mjsElement* candidate) {
    const mjsTuple* tuple = mjs_asTuple(candidate);
    for (std::size_t i = 0; i < tuple->objname->size(); ++i) {
      if ((*tuple->objtype)[i] == type && (*tuple->objname)[i] == name) {
        remove_element(mjcf, candidate);
        return;
      }
    }
  });
  remove_element(mjcf, element);
}

bool drives_a_joint(const mjsActuator& actuator) {
  return actuator.trntype == mjTRN_JOINT || actuator.trntype == mjTRN_JOINTINPARENT;
}

/// An actuator's own armature and damping act on its joint, whatever its control is: behind the
/// gear G both grow by G² (MuJoCo 3.17: so do all terms of a damping polynomial).
void hand_over_to_joint(Mjcf& mjcf, const mjsActuator& actuator) {
  mjsElement* target = mjs_findElement(mjcf.spec.get(), mjOBJ_JOINT, word(actuator.target).c_str());
  if (target == nullptr) return;
  mjsJoint* joint = mjs_asJoint(target);
  const double scale = actuator.gear[0] * actuator.gear[0];
  joint->armature += actuator.armature * scale;
  for (int i = 0; i <= mjNPOLY; ++i) joint->damping[i] += actuator.damping[i] * scale;
}

template <typename Condition>
void remove_actuators_if(Mjcf& mjcf, Condition&& condition) {
  for_each(mjcf.spec.get(), mjOBJ_ACTUATOR, [&](mjsElement* element) {
    const mjsActuator* actuator = mjs_asActuator(element);
    if (!condition(*actuator)) return;
    if (drives_a_joint(*actuator)) hand_over_to_joint(mjcf, *actuator);
    remove_with_references(mjcf, element, mjOBJ_ACTUATOR);
  });
}

std::string text_of_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

/// Without the lines of errors, which are not those of the file.
std::string without_lines(std::string text) {
  constexpr std::string_view kLine = ", line ";
  for (std::size_t at = text.find(kLine); at != std::string::npos; at = text.find(kLine, at)) {
    text.erase(at, text.find_first_not_of("0123456789", at + kLine.size()) - at);
  }
  return text;
}

/// How the shapes of a URDF are taken.
struct UrdfShapes {
  bool visuals = true;
  bool shells = false;  ///< meshes need no volume
};

Mjcf open_urdf(const std::string& text, const std::string& path, std::string_view keyframe,
               const std::vector<std::string>& packages, const UrdfShapes& taken, Shapes shapes) {
  std::vector<std::string> warnings;
  const CollectWarnings collect(warnings);
  const Urdf urdf = read_urdf(text, path, packages, taken.visuals);
  std::array<char, kMessageSize> error{};
  mjSpec* spec = mj_parseXMLString(urdf.xml.c_str(), nullptr, error.data(), kMessageSize);
  if (spec != nullptr) {
    place_meshes(urdf, *spec);
    stiffen_mimics(*spec);
    if (taken.shells && urdf.states_masses) take_meshes_for_shells(*spec);
    spec->compiler.balanceinertia = 1;
  }
  Mjcf mjcf = opened(spec, without_lines(error.data()), path, keyframe, warnings, shapes);
  mjcf.is_urdf = true;
  mjcf.speeds = urdf.speeds;
  mjcf.notes = urdf.notes;
  return mjcf;
}

/// Opens as much of a URDF as can be opened. Throws what the whole file threw.
Mjcf load_urdf(const std::string& text, const std::string& path, std::string_view keyframe,
               const std::vector<std::string>& packages, Shapes shapes) {
  std::optional<ModelError> whole;
  for (const UrdfShapes taken :
       {UrdfShapes{}, UrdfShapes{true, true}, UrdfShapes{false, false}, UrdfShapes{false, true}}) {
    try {
      Mjcf mjcf = open_urdf(text, path, keyframe, packages, taken, shapes);
      if (!taken.visuals) {
        const std::string_view why = whole->what();
        const std::size_t begin = why.starts_with(path + ": ") ? path.size() + 2 : 0;
        mjcf.notes.push_back("opened without any visual shape: " + std::string(why.substr(begin)));
      }
      return mjcf;
    } catch (const ModelError& error) {
      if (!whole) whole = error;
    }
  }
  throw ModelError(*whole);
}

}  // namespace

Mjcf load_mjcf(const std::string& path, std::string_view keyframe,
               const std::vector<std::string>& packages, Shapes shapes) {
  take_mujoco_log();
  if (!std::filesystem::exists(path)) throw ModelError(path + ": no such file");
  if (std::filesystem::is_directory(path))
    throw ModelError(path + ": a folder, not an MJCF or URDF file");
  if (const std::string text = text_of_file(path); is_urdf(text)) {
    return load_urdf(text, path, keyframe, packages, shapes);
  }
  std::vector<std::string> warnings;
  const CollectWarnings collect(warnings);
  std::array<char, kMessageSize> error{};
  mjSpec* spec = mj_parseXML(path.c_str(), nullptr, error.data(), kMessageSize);
  return opened(spec, error.data(), path, keyframe, warnings, shapes);
}

Mjcf parse_mjcf(const std::string& xml, const std::string& path, std::string_view keyframe) {
  take_mujoco_log();
  std::vector<std::string> warnings;
  const CollectWarnings collect(warnings);
  std::array<char, kMessageSize> error{};
  mjSpec* spec = mj_parseXMLString(xml.c_str(), nullptr, error.data(), kMessageSize);
  return opened(spec, error.data(), path, keyframe, warnings, Shapes::kAll);
}

void remove_joint_actuators(Mjcf& mjcf, const std::vector<std::string>& joints) {
  const std::set<std::string> wanted(joints.begin(), joints.end());
  remove_actuators_if(mjcf, [&](const mjsActuator& actuator) {
    return drives_a_joint(actuator) && wanted.contains(word(actuator.target));
  });
}

void remove_all_actuators(Mjcf& mjcf) {
  remove_actuators_if(mjcf, [](const mjsActuator&) { return true; });
}

ModelPtr compile(Mjcf& mjcf) {
  take_mujoco_log();
  std::vector<std::string> logged;
  const CollectWarnings collect(logged);
  ModelPtr model(mj_compile(mjcf.spec.get(), nullptr));
  if (!model) throw ModelError(sentence_of(mjs_getError(mjcf.spec.get()), mjcf.path));
  for (int i = 0; i < mjs_numWarnings(mjcf.spec.get()); ++i) {
    logged.push_back(sentence_of(mjs_getWarning(mjcf.spec.get(), i), {}));
  }
  for (const std::string& warning : logged) {
    if (std::find(mjcf.warnings.begin(), mjcf.warnings.end(), warning) == mjcf.warnings.end()) {
      mjcf.warnings.push_back(warning);
    }
  }
  return model;
}

DataPtr make_data(const mjModel& model, const std::string& path) {
  DataPtr data(mj_makeData(&model));
  if (!data) throw ModelError(path + ": not enough memory for the model's data");
  return data;
}

void apply(const NamedState& state, const mjModel& model, mjData& data) {
  mj_resetData(&model, &data);
  const auto put = [](const std::vector<double>& from, mjtNum* to, int address, int count) {
    if (static_cast<int>(from.size()) == count) std::copy(from.begin(), from.end(), to + address);
  };
  for (int j = 0; j < model.njnt; ++j) {
    const auto found = state.q.find(name_of(model, mjOBJ_JOINT, j));
    if (found == state.q.end()) continue;
    put(found->second, data.qpos, model.jnt_qposadr[j], width_of(model.jnt_type[j]));
  }
  for (int a = 0; a < model.nactuator; ++a) {
    const std::string name = name_of(model, mjOBJ_ACTUATOR, a);
    const auto ctrl = state.ctrl.find(name);
    if (ctrl != state.ctrl.end()) {
      put(ctrl->second, data.ctrl, model.actuator_ctrladr[a], model.actuator_ctrlnum[a]);
    }
    const auto act = state.act.find(name);
    if (act != state.act.end()) {
      put(act->second, data.act, model.actuator_actadr[a], model.actuator_actnum[a]);
    }
  }
  for (int b = 0; b < model.nbody; ++b) {
    const int id = model.body_mocapid[b];
    const auto pose = state.mocap.find(name_of(model, mjOBJ_BODY, b));
    if (id < 0 || pose == state.mocap.end()) continue;
    std::copy_n(pose->second.begin(), 3, data.mocap_pos + 3 * id);
    std::copy_n(pose->second.begin() + 3, 4, data.mocap_quat + 4 * id);
  }
}

std::string name_of(const mjModel& model, mjtObj type, int id) {
  const char* name = mj_id2name(&model, type, id);
  return name == nullptr ? std::string() : std::string(name);
}

const char* mujoco_version() noexcept { return mj_versionString(); }

}  // namespace jointrig
