#include "sim/plant_model.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "control/core/nearest_word.h"
#include "control/model/overlap.h"
#include "control/model/robot_mjcf.h"
#include "control/model/start_pose.h"
#include "sim/pristine.h"
#include "sim/scene.h"

namespace jointrig::sim {
namespace {

constexpr const char* kMotor = "motor:";
// Choice: [m] above the world; obstacles are parked there side by side.
constexpr double kParked = 1000.0;

std::string payload_name(std::size_t number, std::string_view body) {
  return fmt::format("payload:{}:{}", number, body);
}

std::vector<std::string> names_of(const mjModel& m, mjtObj type, int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(name_of(m, type, i));
  return names;
}

std::vector<std::string> controlled(const RobotConfig& robot) {
  std::vector<std::string> names;
  for (const JointConfig& joint : robot.joints) names.push_back(joint.name);
  return names;
}

mjsJoint* find_joint(const Mjcf& mjcf, const std::string& name) {
  mjsElement* element = mjs_findElement(mjcf.spec.get(), mjOBJ_JOINT, name.c_str());
  if (element == nullptr) {
    const mjModel& m = *mjcf.as_written;
    throw ModelError(mjcf.path + ": there is no joint \"" + name + "\"" +
                     did_you_mean(name, names_of(m, mjOBJ_JOINT, m.njnt)));
  }
  mjsJoint* joint = mjs_asJoint(element);
  if (joint->type != mjJNT_HINGE && joint->type != mjJNT_SLIDE) {
    throw ModelError(mjcf.path + ": joint \"" + name +
                     "\" is neither hinge nor slide: no board can drive it");
  }
  return joint;
}

/// The board limits the motor; the MJCF's force limits of the actuator are dropped.
void give_motor(Mjcf& mjcf, const JointConfig& config) {
  mjsJoint* joint = find_joint(mjcf, config.name);
  if (config.board.armature) joint->armature = *config.board.armature;
  if (config.board.spring_stiffness > 0) joint->armature = 0;  // the motor turns behind the spring
  if (config.board.friction) joint->frictionloss = *config.board.friction;
  if (config.board.viscous) {
    std::fill(std::begin(joint->damping), std::end(joint->damping), 0.0);
    joint->damping[0] = *config.board.viscous;
  }
  joint->actfrclimited = mjLIMITED_FALSE;

  mjsActuator* motor = mjs_addActuator(mjcf.spec.get(), nullptr);
  make_pristine(*motor);
  mjs_setName(motor->element, (kMotor + config.name).c_str());
  mjs_setString(motor->target, config.name.c_str());
  motor->trntype = mjTRN_JOINT;
  motor->gear[0] = 1.0;
  motor->ctrllimited = mjLIMITED_FALSE;
  motor->forcelimited = mjLIMITED_FALSE;
  mjs_setToMotor(motor);
}

void add_obstacle(Mjcf& mjcf, const ObstacleSpec& spec, std::size_t number) {
  // mjs_setName does not report a name in use: the body then stays without a name.
  if (mjs_findBody(mjcf.spec.get(), spec.name.c_str()) != nullptr) {
    throw ModelError("an obstacle can't be called \"" + spec.name +
                     "\": there is a body of that name; name it otherwise");
  }
  mjsBody* body = mjs_addBody(mjs_findBody(mjcf.spec.get(), "world"), nullptr);
  mjs_setName(body->element, spec.name.c_str());
  body->mocap = 1;
  body->pos[0] = static_cast<double>(number) * 10.0;
  body->pos[2] = kParked;
  mjsGeom* geom = mjs_addGeom(body, nullptr);
  make_pristine(*geom);
  const auto& [x, y, z] = spec.size;
  switch (spec.shape) {
    case ObstacleShape::kBox:
      geom->type = mjGEOM_BOX;
      geom->size[0] = x / 2;
      geom->size[1] = y / 2;
      geom->size[2] = z / 2;
      break;
    case ObstacleShape::kSphere:
      geom->type = mjGEOM_SPHERE;
      geom->size[0] = x / 2;
      break;
    case ObstacleShape::kCylinder:
      geom->type = mjGEOM_CYLINDER;
      geom->size[0] = x / 2;
      geom->size[1] = y / 2;
      break;
  }
  geom->contype = geom->conaffinity = 0x7FFFFFFF;  // collides with everything that can collide
  geom->friction[0] = spec.friction;
}

mjsBody* find_body(const Mjcf& mjcf, const std::string& name, const char* what) {
  mjsBody* body = mjs_findBody(mjcf.spec.get(), name.c_str());
  if (body == nullptr) {
    const mjModel& m = *mjcf.as_written;
    throw ModelError(mjcf.path + ": there is no body \"" + name + "\" to carry a " + what +
                     did_you_mean(name, names_of(m, mjOBJ_BODY, m.nbody)));
  }
  return body;
}

PayloadSlot add_payload(Mjcf& mjcf, const std::string& on, std::size_t number) {
  mjsBody* carrier = find_body(mjcf, on, "payload");
  carrier->simple = 0;  // its inertia will differ from that of the file
  mjsBody* body = mjs_addBody(carrier, nullptr);
  mjs_setName(body->element, payload_name(number, on).c_str());
  body->explicitinertial = 1;
  body->fuse = 0;
  PayloadSlot slot;
  slot.on = on;
  return slot;
}

/// Names of the robot's bodies; a body without a name gets one, so that it can be found in the
/// world.
std::vector<std::string> robot_bodies(Mjcf& mjcf) {
  std::vector<std::string> names;
  for (mjsElement* element = mjs_firstElement(mjcf.spec.get(), mjOBJ_BODY); element != nullptr;
       element = mjs_nextElement(mjcf.spec.get(), element)) {
    std::string name = mjs_getString(mjs_getName(element));
    if (name == "world") continue;
    if (name.empty()) {
      name = fmt::format("robot:body_{}", names.size());
      mjs_setName(element, name.c_str());
    }
    names.push_back(name);
  }
  return names;
}

void scale_masses(mjModel& m, const std::vector<std::string>& bodies, double scale) {
  for (const std::string& name : bodies) {
    const int b = mj_name2id(&m, mjOBJ_BODY, name.c_str());
    m.body_mass[b] *= scale;
    for (int i = 0; i < 3; ++i) m.body_inertia[3 * b + i] *= scale;
  }
}

void scale_friction(mjModel& m, const std::vector<int>& joints, double scale) {
  for (const int j : joints) {
    const int dof = m.jnt_dofadr[j];
    m.dof_frictionloss[dof] *= scale;
    m.dof_damping[dof] *= scale;
    for (int i = 0; i < mjNPOLY; ++i) m.dof_dampingpoly[dof * mjNPOLY + i] *= scale;
  }
}

int floating_base(const mjModel& m, const std::vector<int>& joints) {
  if (joints.empty()) return -1;
  const int root = m.body_rootid[m.jnt_bodyid[joints.front()]];
  const bool floats = m.body_jntnum[root] > 0 && m.jnt_type[m.body_jntadr[root]] == mjJNT_FREE;
  return floats ? root : -1;
}

void set_timestep(mjModel& m, const RobotConfig& robot, int asked, int& substeps) {
  const double period = to_seconds(robot.period_ns);
  constexpr double kTolerance = 1e-6;
  substeps = asked > 0
                 ? asked
                 : std::max(1, static_cast<int>(std::ceil(period / m.opt.timestep - kTolerance)));
  m.opt.timestep = period / substeps;
  // A world that diverged ends the run with a reason, without a silent reset.
  m.opt.disableflags |= mjDSBL_AUTORESET;
}

void find_ids(PlantModel& plant, const RobotConfig& robot, const PlantOptions& options) {
  const mjModel& m = *plant.model;
  for (const JointConfig& joint : robot.joints) {
    plant.joints.push_back(mj_name2id(&m, mjOBJ_JOINT, joint.name.c_str()));
    plant.motors.push_back(mj_name2id(&m, mjOBJ_ACTUATOR, (kMotor + joint.name).c_str()));
  }
  for (const ObstacleSpec& obstacle : options.obstacles) {
    const int body = mj_name2id(&m, mjOBJ_BODY, obstacle.name.c_str());
    plant.obstacle_bodies.push_back(body);
    plant.obstacle_mocap.push_back(m.body_mocapid[body]);
  }
  for (std::size_t i = 0; i < plant.payloads.size(); ++i) {
    PayloadSlot& slot = plant.payloads[i];
    const std::string name = payload_name(i, slot.on);
    slot.body = mj_name2id(&m, mjOBJ_BODY, name.c_str());
  }
  plant.base_body = floating_base(m, plant.joints);
}

/// Compiles the robot by itself first: later errors then come from its surroundings.
ModelPtr compile_world(Mjcf& mjcf, const std::string& scene_path) {
  try {
    return compile(mjcf);
  } catch (const ModelError& error) {
    if (scene_path.empty()) throw;
    throw ModelError(std::string(error.what()) + "; robot and scene " + scene_path +
                     " don't fit together");
  }
}

/// The world; links of the robot that overlap at the start do not collide in it.
ModelPtr compile_without_overlaps(Mjcf& mjcf, const RobotConfig& robot) {
  ModelPtr model = compile_world(mjcf, robot.scene_path);
  if (robot.plant.keep_overlaps) return model;
  const DataPtr data = make_data(*model, mjcf.path);
  apply_start(robot, mjcf.start, *model, *data);
  mj_fwdPosition(model.get(), data.get());
  const bool any = leave_out_overlaps(mjcf, overlaps(*model, *data)) > 0;
  return any ? compile_world(mjcf, robot.scene_path) : std::move(model);
}

void add_payloads(PlantModel& plant, Mjcf& mjcf, const RobotConfig& robot,
                  const PlantOptions& options) {
  for (const PayloadConfig& config : robot.plant.payloads) {
    PayloadSlot slot = add_payload(mjcf, config.body, plant.payloads.size());
    slot.mass = config.mass;
    std::copy_n(config.centre.begin(), std::min<std::size_t>(3, config.centre.size()),
                slot.centre.begin());
    slot.inertia = config.inertia;
    plant.payloads.push_back(slot);
  }
  for (const std::string& body : options.payload_bodies) {
    plant.payloads.push_back(add_payload(mjcf, body, plant.payloads.size()));
  }
}

/// Call when the time step is known: the effect of a spring on its joint depends on it.
void add_springs(PlantModel& plant, const RobotConfig& robot) {
  const mjModel& m = *plant.model;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const JointConfig& joint = robot.joints[i];
    const BoardConfig& board = joint.board;
    if (board.spring_stiffness <= 0 || robot.elsewhere.test(i)) continue;
    const bool implicit = m.opt.integrator != mjINT_RK4 &&
                          (m.opt.disableflags & (mjDSBL_EULERDAMP | mjDSBL_DAMPER)) == 0;
    if (!implicit) {
      throw ModelError(robot.model_path + ": joint \"" + joint.name +
                       "\" has a spring (board.spring_stiffness), which needs an integrator that "
                       "takes damping implicitly: Euler with eulerdamp, implicit or implicitfast");
    }
    const SeriesSpring spring(board.armature.value_or(0.0), board.spring_stiffness,
                              board.spring_damping, m.opt.timestep,
                              {board.hysteresis, board.hysteresis_deflection});
    plant.springs.push_back({i, spring, m.dof_damping[m.jnt_dofadr[plant.joints[i]]]});
  }
}

/// For each joint the controlled joint that moves its body next; -1: none.
std::vector<int> joints_before(const PlantModel& plant) {
  const mjModel& m = *plant.model;
  std::vector<int> before(plant.joints.size(), -1);
  for (std::size_t i = 0; i < before.size(); ++i) {
    int body = m.jnt_bodyid[plant.joints[i]];
    int below = plant.joints[i];  // joints of one body are adjacent
    while (body > 0 && before[i] < 0) {
      for (std::size_t k = 0; k < before.size(); ++k) {
        const int other = plant.joints[k];
        const bool is_nearer =
            before[i] < 0 || other > plant.joints[static_cast<std::size_t>(before[i])];
        if (m.jnt_bodyid[other] == body && other < below && is_nearer) {
          before[i] = static_cast<int>(k);
        }
      }
      body = m.body_parentid[body];
      below = static_cast<int>(m.njnt);
    }
  }
  return before;
}

/// A friction that the solver lets creep by (1 - d) g / (d b) under a load of acceleration g is no
/// brake: with its default d of 0.9 an arm sinks by 1 cm/s. Here d is the highest that the solver
/// takes, and b = 1 / (the shortest time constant, two steps): 10 rad/s² creep by 2e-6 rad/s.
void stiffen_brakes(mjModel& m, const RobotConfig& robot, const std::vector<int>& joints) {
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    if (!robot.joints[i].brake.is_there()) continue;
    const int dof = m.jnt_dofadr[joints[i]];
    m.dof_solref[dof * mjNREF] = 2.0 * m.opt.timestep;
    m.dof_solimp[dof * mjNIMP] = m.dof_solimp[dof * mjNIMP + 1] = mjMAXIMP;
  }
}

/// Joints of other backends: rigid against all but their leader (led_joint.h).
void lead_joints(PlantModel& plant, const RobotConfig& robot) {
  mjModel& m = *plant.model;
  // MuJoCo takes the inertia of a lone body on slides for a constant; the armature changes it.
  if (robot.elsewhere.any()) std::fill_n(m.dof_simplenum, m.nv, 0);
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    if (!robot.elsewhere.test(i)) continue;
    const int joint = plant.joints[i];
    const int dof = m.jnt_dofadr[joint];
    LedJoint& led = plant.led.emplace_back();
    led.joint = i;
    led.inertia = LedJoint::kRigidity * m.dof_M0[dof];
    m.dof_armature[dof] = led.inertia;
    m.dof_damping[dof] = 0.0;
    std::fill_n(m.dof_dampingpoly + dof * mjNPOLY, mjNPOLY, 0.0);
    m.dof_frictionloss[dof] = 0.0;
    m.jnt_stiffness[joint] = 0.0;
    m.jnt_limited[joint] = 0;
    plant.friction[i] = 0.0;
  }
}

}  // namespace

PlantModel build_plant_model(const RobotConfig& robot, const PlantOptions& options) {
  Mjcf mjcf = robot_mjcf(robot, options.shapes);
  remove_joint_actuators(mjcf, controlled(robot));
  for (const JointConfig& joint : robot.joints) give_motor(mjcf, joint);

  const std::vector<std::string> bodies = robot_bodies(mjcf);

  PlantModel plant;
  add_payloads(plant, mjcf, robot, options);
  if (!robot.scene_path.empty()) attach_scene(mjcf, robot.scene_path);
  for (std::size_t i = 0; i < options.obstacles.size(); ++i) {
    add_obstacle(mjcf, options.obstacles[i], i);
  }

  plant.model = compile_without_overlaps(mjcf, robot);
  plant.start = mjcf.start;
  find_ids(plant, robot, options);
  mjModel& m = *plant.model;
  scale_masses(m, bodies, robot.plant.mass_scale);
  scale_friction(m, plant.joints, robot.plant.friction_scale);
  for (const int j : plant.joints) plant.friction.push_back(m.dof_frictionloss[m.jnt_dofadr[j]]);
  set_timestep(m, robot, options.substeps, plant.substeps);
  stiffen_brakes(m, robot, plant.joints);
  add_springs(plant, robot);
  lead_joints(plant, robot);
  plant.joints_before = joints_before(plant);
  plant.warnings = mjcf.warnings;
  return plant;
}

}  // namespace jointrig::sim
