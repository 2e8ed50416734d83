#include "control/model/collision_geometry.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "control/core/nearest_word.h"
#include "control/core/obstacle.h"
#include "control/model/enclosing_capsule.h"
#include "control/model/robot_mjcf.h"
#include "control/model/start_pose.h"

namespace jointrig {
namespace {

/// A shape with the properties of its geom that decide its collisions.
struct Candidate {
  Shape shape;
  Placed home;
  std::string name;  ///< name of its body
  int geom = 0;      ///< in the robot's model, or the scene's
  int part = 0;      ///< rigidly connected bodies: the model's weld id; 0: fixed
  bool is_scene = false;
  int contype = 0;
  int conaffinity = 0;
};

Placed place(const Shape& shape, const mjData& data) {
  using Rows3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  const Rows3 turn = Eigen::Map<const Rows3>(data.xmat + 9 * shape.body);
  const Eigen::Vector3d at = Eigen::Map<const Eigen::Vector3d>(data.xpos + 3 * shape.body);
  return {at + turn * shape.centre, turn * shape.axes};
}

/// Geoms that MJCF pairs by name (<contact><pair>): they collide whatever their masks and <exclude>
/// say.
std::set<std::pair<int, int>> paired_geoms(const mjModel& m) {
  std::set<std::pair<int, int>> pairs;
  for (int i = 0; i < m.npair; ++i) pairs.insert(std::minmax(m.pair_geom1[i], m.pair_geom2[i]));
  return pairs;
}

std::vector<Candidate> candidates(const mjModel& m, const mjData& data, bool is_scene) {
  std::set<int> paired;
  for (const auto& [a, b] : paired_geoms(m)) paired.insert({a, b});
  std::vector<Candidate> found;
  for (int geom = 0; geom < m.ngeom; ++geom) {
    const bool has_masks = m.geom_contype[geom] != 0 || m.geom_conaffinity[geom] != 0;
    if (!has_masks && paired.count(geom) == 0) continue;
    const int body = m.geom_bodyid[geom];
    Candidate one;
    one.geom = geom;
    one.part = m.body_weldid[body];
    if (is_scene && one.part != 0) continue;  // the controller doesn't know movable objects
    one.shape = shape_of(m, geom);
    one.home = place(one.shape, data);
    one.name = name_of(m, mjOBJ_BODY, body);
    one.is_scene = is_scene;
    one.contype = m.geom_contype[geom];
    one.conaffinity = m.geom_conaffinity[geom];
    if (one.part == 0) {  // fixed: given in the world's frame
      one.shape.centre = one.home.centre;
      one.shape.axes = one.home.axes;
      if (is_scene) one.shape.body = 0;
    }
    found.push_back(std::move(one));
  }
  return found;
}

/// The gripper's joints, and those that follow one or lead it by an equality.
std::set<int> joints_of(const mjModel& m, const GripperConfig& gripper, const RobotConfig& robot) {
  std::set<int> joints;
  for (const GripperJoint& joint : gripper.joints) {
    joints.insert(mj_name2id(&m, mjOBJ_JOINT, robot.joints[joint.joint].name.c_str()));
  }
  for (std::size_t before = 0; before != joints.size();) {
    before = joints.size();
    for (int e = 0; e < m.neq; ++e) {
      if (m.eq_type[e] != mjEQ_JOINT || m.eq_obj2id[e] < 0) continue;
      if (joints.count(m.eq_obj1id[e]) != 0) joints.insert(m.eq_obj2id[e]);
      if (joints.count(m.eq_obj2id[e]) != 0) joints.insert(m.eq_obj1id[e]);
    }
  }
  return joints;
}

/// Weld ids of what these joints move, and of what carries it.
std::set<int> parts_of(const mjModel& m, const std::set<int>& joints) {
  std::set<int> parts;
  for (int body = 1; body < m.nbody; ++body) {
    const int parent = m.body_parentid[body];
    const int first = m.body_jntadr[body];
    bool is_moved = false;
    for (int j = first; j < first + m.body_jntnum[body]; ++j) {
      is_moved = is_moved || joints.count(j) != 0;
    }
    if (is_moved) parts.insert(m.body_weldid[parent]);
    // Bodies come after what carries them.
    const bool is_carried = m.body_weldid[body] == body && parts.count(-m.body_weldid[parent]) != 0;
    if (is_moved || is_carried) parts.insert({body, -body});
  }
  return parts;
}

/// Properties of a model that decide which bodies may collide.
class Rules {
 public:
  Rules(const mjModel& model, const RobotConfig& robot, const std::vector<Candidate>& all)
      : m_(&model), paired_(paired_geoms(model)) {
    for (const GripperConfig& gripper : robot.grippers) {
      grippers_.push_back(parts_of(model, joints_of(model, gripper, robot)));
    }
    for (int i = 0; i < model.nexclude; ++i) {
      const int a = model.exclude_signature[i] >> 16;
      const int b = model.exclude_signature[i] & 0xFFFF;
      excluded_.insert(ordered(model.body_weldid[a], model.body_weldid[b]));
    }
    std::vector<std::string> names;
    for (int i = 1; i < model.nbody; ++i) names.push_back(name_of(model, mjOBJ_BODY, i));
    for (const Candidate& one : all) {
      if (one.is_scene) names.push_back(one.name);
    }
    for (const ExcludedBodies& pair : robot.avoidance->exclude) {
      for (const std::string& name : {pair.a, pair.b}) {
        if (std::find(names.begin(), names.end(), name) != names.end()) continue;
        throw ModelError(pair.where.text + "there is no body \"" + name + "\"" +
                         did_you_mean(name, names));
      }
      by_name_.insert(std::minmax(pair.a, pair.b));
    }
  }

  [[nodiscard]] bool may_meet(const Candidate& a, const Candidate& b) const {
    const bool of_robot = !a.is_scene && !b.is_scene;
    const bool paired = of_robot && paired_.count(ordered(a.geom, b.geom)) != 0;
    const bool masked = (a.contype & b.conaffinity) != 0 || (b.contype & a.conaffinity) != 0;
    if ((!masked && !paired) || a.part == b.part) return false;
    if (by_name_.count(std::minmax(a.name, b.name)) != 0) return false;
    const bool excluded = of_robot && excluded_.count(ordered(a.part, b.part)) != 0;
    if (excluded && !paired) return false;
    return !are_of_one_gripper(a, b) && !is_mounted_on(a, b) && !is_mounted_on(b, a);
  }

 private:
  static std::pair<int, int> ordered(int a, int b) { return std::minmax(a, b); }

  [[nodiscard]] bool are_of_one_gripper(const Candidate& a, const Candidate& b) const {
    if (a.is_scene || b.is_scene || a.part == 0 || b.part == 0) return false;
    return std::any_of(grippers_.begin(), grippers_.end(), [&](const std::set<int>& parts) {
      return parts.count(a.part) != 0 && parts.count(b.part) != 0;
    });
  }
  /// True if a joint connects them. Among fixed bodies only the robot's own base is a neighbour, no
  /// other object of the world.
  [[nodiscard]] bool is_mounted_on(const Candidate& link, const Candidate& base) const {
    if (link.part == 0) return false;
    const int mount = m_->body_parentid[link.part];
    if (m_->body_weldid[mount] != base.part) return false;
    return base.part != 0 || (!base.is_scene && mount != 0 && base.shape.body != 0);
  }

  const mjModel* m_;
  std::set<std::pair<int, int>> paired_;  ///< geoms
  std::set<std::pair<int, int>> excluded_;
  std::vector<std::set<int>> grippers_;  ///< weld ids by gripper; negative ones are moved
  std::set<std::pair<std::string, std::string>> by_name_;
};

struct Meeting {
  std::size_t a;
  std::size_t b;
};

/// In a pair of boxes one becomes a capsule.
void make_measurable(std::vector<Candidate>& all, std::vector<Meeting>& meetings) {
  std::vector<std::size_t> capsule_of(all.size(), 0);
  for (Meeting& meeting : meetings) {
    if (can_measure(all[meeting.a].shape, all[meeting.b].shape)) continue;
    std::size_t& box =
        all[meeting.a].shape.bound() <= all[meeting.b].shape.bound() ? meeting.a : meeting.b;
    if (capsule_of[box] == 0) {
      capsule_of[box] = all.size();
      Candidate capsule = all[box];
      capsule.shape = enclosing_capsule(all[box].shape);
      const Placed& home = all[box].home;
      capsule.home.axes = home.axes * (all[box].shape.axes.transpose() * capsule.shape.axes);
      all.push_back(std::move(capsule));
    }
    box = capsule_of[box];
  }
}

/// Links by rigid connection, fixed shapes each by itself.
using Parts = std::pair<int, int>;

Parts rigid_parts(const Meeting& meeting, const std::vector<Candidate>& all) {
  const int a = all[meeting.a].part;
  const int b = all[meeting.b].part != 0 ? all[meeting.b].part : -1 - static_cast<int>(meeting.b);
  return std::minmax(a, b);
}

/// Of the meetings between parts that are near at home, those that their geoms tell apart. Links
/// that touch there by any two of their geoms don't push apart in a simulation either.
CloseGeoms close_geoms(const std::vector<Meeting>& meetings, const std::vector<Candidate>& all,
                       const std::set<Parts>& near_at_home, const mjModel& m, mjData& data) {
  constexpr double kApart = 1e-4;  // [m]: as model/overlap.cpp counts a touch
  constexpr auto kLeastShape = static_cast<int>(mjGEOM_SPHERE);  // no plane, no height field
  CloseGeoms close;
  std::vector<Parts> parts;
  std::set<Parts> touching;
  for (const Meeting& meeting : meetings) {
    const Candidate& a = all[meeting.a];
    const Candidate& b = all[meeting.b];
    const Parts key = rigid_parts(meeting, all);
    if (a.is_scene || b.is_scene || near_at_home.count(key) == 0) continue;
    if (m.geom_type[a.geom] < kLeastShape || m.geom_type[b.geom] < kLeastShape) continue;
    if (mj_geomDistance(&m, &data, a.geom, b.geom, 2.0 * kApart, nullptr) <= kApart) {
      touching.insert(key);
    }
    parts.push_back(key);
    close.pairs.push_back({static_cast<std::uint16_t>(meeting.a),
                           static_cast<std::uint16_t>(meeting.b), a.geom, b.geom});
  }
  std::size_t next = 0;
  std::erase_if(close.pairs,
                [&](const CloseGeoms::Pair&) { return touching.count(parts[next++]) != 0; });
  return close;
}

}  // namespace

CollisionGeometry read_collision_geometry(const RobotConfig& robot, CloseGeoms* close) {
  const CollisionAvoidanceConfig& config = *robot.avoidance;
  Mjcf mjcf = robot_mjcf(robot);
  ModelPtr model = compile(mjcf);
  const DataPtr data = make_data(*model, robot.model_path);
  apply_start(robot, mjcf.start, *model, *data);
  mj_kinematics(model.get(), data.get());
  std::vector<Candidate> all = candidates(*model, *data, false);
  if (!robot.scene_path.empty()) {
    const Mjcf scene = load_mjcf(robot.scene_path);
    const DataPtr there = make_data(*scene.as_written, robot.scene_path);
    mj_kinematics(scene.as_written.get(), there.get());
    for (Candidate& one : candidates(*scene.as_written, *there, true)) all.push_back(one);
  }

  const Rules rules(*model, robot, all);
  std::vector<Meeting> meetings;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      if (!rules.may_meet(all[i], all[j])) continue;
      const bool is_turned = all[i].part == 0;  // the moving one comes first
      meetings.push_back(is_turned ? Meeting{j, i} : Meeting{i, j});
    }
  }
  CollisionGeometry geometry;
  geometry.geom_count = all.size();
  make_measurable(all, meetings);

  std::set<Parts> near_at_home;
  std::map<std::pair<std::string, std::string>, double> depths;
  for (const Meeting& meeting : meetings) {
    const Candidate& a = all[meeting.a];
    const Candidate& b = all[meeting.b];
    const double distance = nearest(a.shape, a.home, b.shape, b.home).distance;
    if (distance < config.margin) near_at_home.insert(rigid_parts(meeting, all));
    if (distance >= 0.0) continue;
    double& depth = depths[std::minmax(a.name, b.name)];
    depth = std::max(depth, -distance);
  }

  for (const auto& [names, depth] : depths) {
    geometry.overlapping.push_back({names.first, names.second, depth});
  }
  std::stable_sort(geometry.overlapping.begin(), geometry.overlapping.end(),
                   [](const auto& a, const auto& b) { return a.depth > b.depth; });
  constexpr std::size_t kMostShapes = std::numeric_limits<std::uint16_t>::max() - kMaxObstacles;
  if (all.size() > kMostShapes) {
    throw ModelError(fmt::format(
        "{} has {} collision shapes, more than the {} that collision_avoidance looks at; use fewer",
        robot.model_path, all.size(), kMostShapes));
  }
  for (const Candidate& one : all) {
    geometry.shapes.push_back(one.shape);
    if (one.part == 0) geometry.shapes.back().body = 0;
    geometry.names.push_back(one.name);
  }
  for (const Meeting& meeting : meetings) {
    if (near_at_home.count(rigid_parts(meeting, all)) != 0) continue;
    geometry.pairs.push_back(
        {static_cast<std::uint16_t>(meeting.a), static_cast<std::uint16_t>(meeting.b)});
  }
  if (close != nullptr) {
    *close = close_geoms(meetings, all, near_at_home, *model, *data);
    if (!close->pairs.empty()) close->model = std::move(model);
  }
  return geometry;
}

}  // namespace jointrig
