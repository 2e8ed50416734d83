#include "control/discovery/gripper_guess.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "control/discovery/name_words.h"
#include "control/discovery/survey.h"

namespace jointrig {
namespace {

constexpr std::array<std::string_view, 13> kFingerWords{
    "finger",  "thumb", "index", "ring",    "little", "pinky",  "pinkie",
    "knuckle", "jaw",   "grip",  "gripper", "claw",   "robotiq"};
constexpr std::size_t kPoints = 9;  // of w(s): a choice

using Point = std::array<double, 3>;

bool is_called_like_a_finger(const std::string& name) {
  const std::vector<std::string> words = words_of(name);
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    const std::string one = word.ends_with('s') ? word.substr(0, word.size() - 1) : word;
    return std::find(kFingerWords.begin(), kFingerWords.end(), one) != kFingerWords.end();
  });
}

bool is_behind(const mjModel& m, int body, int carrier) {
  while (body > carrier) body = m.body_parentid[body];
  return body == carrier;
}

bool moves_joints(const mjModel& m, int joint) {
  for (int other = joint + 1; other < m.njnt; ++other) {
    const int body = m.jnt_bodyid[other];
    if (body != m.jnt_bodyid[joint] && is_behind(m, body, m.jnt_bodyid[joint])) return true;
  }
  return false;
}

/// True for what drives the whole linkage of a finger.
bool is_driven_over_a_tendon(const Survey& survey, int joint) {
  const std::string name = name_of(*survey.model, mjOBJ_JOINT, joint);
  return std::any_of(survey.mjcf.led.begin(), survey.mjcf.led.end(),
                     [&](const TendonLead& led) { return led.leader == name; });
}

/// By its own name; the last joint of a chain, and one that an actuator drives over a tendon, by
/// its body's or its actuator's, too.
bool is_finger_joint(const Survey& survey, int joint) {
  const mjModel& m = *survey.model;
  if (m.jnt_type[joint] != mjJNT_HINGE && m.jnt_type[joint] != mjJNT_SLIDE) return false;
  const std::string name = name_of(m, mjOBJ_JOINT, joint);
  if (limb_of(words_of(name)) == "arm") return false;  // a wrist in a body called gripper
  if (is_called_like_a_finger(name)) return true;
  if (moves_joints(m, joint) && !is_driven_over_a_tendon(survey, joint)) return false;
  const std::vector<int>& drives = survey.drives[static_cast<std::size_t>(joint)];
  return is_called_like_a_finger(name_of(m, mjOBJ_BODY, m.jnt_bodyid[joint])) ||
         std::any_of(drives.begin(), drives.end(), [&m](int actuator) {
           return is_called_like_a_finger(name_of(m, mjOBJ_ACTUATOR, actuator));
         });
}

bool carries_others(const Survey& survey, int joint) {
  const mjModel& m = *survey.model;
  return std::any_of(survey.controlled.begin(), survey.controlled.end(), [&](int other) {
    return other != joint && !is_finger_joint(survey, other) &&
           is_behind(m, m.jnt_bodyid[other], m.jnt_bodyid[joint]);
  });
}

/// The body that carries the first finger joint on the way to this one, rigid connections included.
int palm_of(const Survey& survey, int joint) {
  const mjModel& m = *survey.model;
  const auto is_finger = [&](int b) {
    for (int j = m.body_jntadr[b]; j < m.body_jntadr[b] + m.body_jntnum[b]; ++j) {
      if (is_finger_joint(survey, j)) return true;
    }
    return false;
  };
  int palm = m.body_parentid[m.jnt_bodyid[joint]];
  for (int b = palm; b > 0; b = m.body_parentid[b]) {
    if (is_finger(b)) palm = m.body_parentid[b];
  }
  return m.body_weldid[palm];
}

/// Controlled joints that hang on a body.
struct Hanging {
  std::size_t joints = 0;
  bool branches = false;    // they are on several of its branches
  bool may_be_hand = true;  // all are near to it, and none is called like another limb's
};

Hanging hanging_on(const Survey& survey, int body) {
  const mjModel& m = *survey.model;
  Hanging all;
  int first_branch = -1;
  for (const int joint : survey.controlled) {
    const int moved = m.jnt_bodyid[joint];
    if (moved == body || !is_behind(m, moved, body)) continue;
    ++all.joints;
    const mjtNum* const at = survey.data->xanchor + 3 * joint;
    const std::string limb = limb_of(words_of(name_of(m, mjOBJ_JOINT, joint)));
    all.may_be_hand = all.may_be_hand && (limb.empty() || limb == "hand") &&
                      mju_dist3(at, survey.data->xpos + 3 * body) < kHandLength;
    int branch = moved;
    while (m.body_parentid[branch] != body) branch = m.body_parentid[branch];
    all.branches = all.branches || (first_branch >= 0 && branch != first_branch);
    first_branch = branch;
  }
  return all;
}

/// Joints of the hand that a palm belongs to.
std::size_t joints_of_hand(const Survey& survey, int palm) {
  std::size_t most = 0;
  for (int body = palm;; body = survey.model->body_parentid[body]) {
    const Hanging hanging = hanging_on(survey, body);
    if (!hanging.may_be_hand) return most;
    if (hanging.branches) most = hanging.joints;
    if (body == 0) return most;
  }
}

/// The fingers of one palm, to be placed.
class Fingers {
 public:
  Fingers(const Survey& survey, int palm, std::vector<int> joints)
      : survey_(&survey),
        joints_(std::move(joints)),
        palm_(palm),
        data_(mj_makeData(survey.model.get())) {
    const mjModel& m = *survey.model;
    mju_copy(data_->qpos, survey.data->qpos, m.nq);
    for (int body = palm + 1; body < m.nbody; ++body) {
      if (is_moved(body) && is_outermost(body)) bodies_.push_back(body);
    }
    place(std::vector<double>(joints_.size(), 0.5));
    for (const int body : bodies_) tips_.push_back(tip_of(body));
  }

  [[nodiscard]] std::size_t count() const noexcept { return bodies_.size(); }

  /// @param shares  of each joint's range
  void place(const std::vector<double>& shares) {
    const mjModel& m = *survey_->model;
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      const double low = m.jnt_range[2 * joints_[i]];
      const double high = m.jnt_range[2 * joints_[i] + 1];
      data_->qpos[m.jnt_qposadr[joints_[i]]] = low + shares[i] * (high - low);
    }
    place_followers(m, survey_->couplings, data_->qpos);
    mj_kinematics(&m, data_.get());
  }

  /// Between the centres of mass of the two fingers that are furthest apart [m].
  [[nodiscard]] double distance() const {
    double most = 0.0;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      for (std::size_t k = i + 1; k < bodies_.size(); ++k) {
        most =
            std::max(most, mju_dist3(data_->xipos + 3 * bodies_[i], data_->xipos + 3 * bodies_[k]));
      }
    }
    return most;
  }

  /// In the world.
  [[nodiscard]] std::vector<Point> tips() const {
    std::vector<Point> all;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      Point at{};
      mju_mulMatVec3(at.data(), data_->xmat + 9 * bodies_[i], tips_[i].data());
      mju_addTo3(at.data(), data_->xpos + 3 * bodies_[i]);
      all.push_back(at);
    }
    return all;
  }

  /// False if a loop is closed over a finger, or a joint of one is free: then the gripper's joints
  /// don't tell where it is.
  [[nodiscard]] bool are_determined() const {
    const mjModel& m = *survey_->model;
    for (int e = 0; e < m.neq; ++e) {
      if (m.eq_type[e] != mjEQ_CONNECT && m.eq_type[e] != mjEQ_WELD) continue;
      for (const int object : {m.eq_obj1id[e], m.eq_obj2id[e]}) {
        const int body = m.eq_objtype[e] == mjOBJ_SITE ? m.site_bodyid[object] : object;
        if (is_moved(body)) return false;
      }
    }
    return std::all_of(bodies_.begin(), bodies_.end(), [&](int finger) {
      for (int b = finger; b > palm_; b = m.body_parentid[b]) {
        for (int j = m.body_jntadr[b]; j < m.body_jntadr[b] + m.body_jntnum[b]; ++j) {
          if (!is_led(j)) return false;
        }
      }
      return true;
    });
  }

 private:
  /// One of the gripper's joints, or a follower of one.
  [[nodiscard]] bool is_led(int joint) const {
    const auto is_own = [this](int j) {
      return std::find(joints_.begin(), joints_.end(), j) != joints_.end();
    };
    if (is_own(joint)) return true;
    return std::any_of(survey_->couplings.begin(), survey_->couplings.end(),
                       [&](const Coupling& coupling) {
                         return coupling.follower == joint && is_own(coupling.leader);
                       });
  }
  [[nodiscard]] bool is_moved(int body) const {
    const mjModel& m = *survey_->model;
    if (!is_behind(m, body, palm_)) return false;
    for (int b = body; b > palm_; b = m.body_parentid[b]) {
      for (int j = m.body_jntadr[b]; j < m.body_jntadr[b] + m.body_jntnum[b]; ++j) {
        if (is_led(j)) return true;
      }
    }
    return false;
  }
  /// No body is behind it that a joint moves against it, and it has a shape.
  [[nodiscard]] bool is_outermost(int body) const {
    const mjModel& m = *survey_->model;
    if (m.body_jntnum[body] == 0) return false;
    for (int b = body + 1; b < m.nbody; ++b) {
      if (m.body_jntnum[b] > 0 && is_behind(m, b, body)) return false;
    }
    return true;
  }
  /// In the body's frame; geoms of bodies that are fixed to it count.
  [[nodiscard]] Point tip_of(int body) const {
    const mjModel& m = *survey_->model;
    Point best{};
    double most = -1.0;
    for (int g = 0; g < m.ngeom; ++g) {
      if (m.body_weldid[m.geom_bodyid[g]] != m.body_weldid[body]) continue;
      for (int corner = 0; corner < 8; ++corner) {
        const mjtNum* box = m.geom_aabb + 6 * g;
        Point local{};
        for (int axis = 0; axis < 3; ++axis) {
          local[static_cast<std::size_t>(axis)] =
              box[axis] + ((corner >> axis & 1) != 0 ? box[axis + 3] : -box[axis + 3]);
        }
        Point world{};
        mju_mulMatVec3(world.data(), data_->geom_xmat + 9 * g, local.data());
        mju_addTo3(world.data(), data_->geom_xpos + 3 * g);
        const double away = mju_dist3(world.data(), data_->xpos + 3 * palm_);
        if (away <= most) continue;
        most = away;
        mju_subFrom3(world.data(), data_->xpos + 3 * body);
        mju_mulMatTVec3(best.data(), data_->xmat + 9 * body, world.data());
      }
    }
    return best;
  }

  const Survey* survey_;
  std::vector<int> joints_;
  int palm_;
  DataPtr data_;
  std::vector<int> bodies_;
  std::vector<Point> tips_;  ///< in their bodies' frames
};

/// Shares of the ranges, 0 or 1 each, of one end.
std::vector<double> corner(std::size_t count, unsigned bits) {
  std::vector<double> shares(count);
  for (std::size_t i = 0; i < count; ++i) shares[i] = (bits >> i & 1U) != 0 ? 1.0 : 0.0;
  return shares;
}

struct Ends {
  std::vector<double> closed;
  std::vector<double> open;
};

Ends ends_of(Fingers& fingers, const mjModel& m, const std::vector<int>& joints) {
  Ends ends;
  if (fingers.count() < 2) {
    for (const int joint : joints) {
      const mjtNum* range = m.jnt_range + 2 * joint;
      const bool low_is_near = std::abs(range[0]) <= std::abs(range[1]);
      ends.closed.push_back(low_is_near ? 0.0 : 1.0);
      ends.open.push_back(low_is_near ? 1.0 : 0.0);
    }
    return ends;
  }
  double least = 0.0;
  unsigned nearest = 0;
  for (unsigned bits = 0; bits < 1U << joints.size(); ++bits) {
    fingers.place(corner(joints.size(), bits));
    const double distance = fingers.distance();
    if (bits != 0 && distance >= least) continue;
    least = distance;
    nearest = bits;
  }
  ends.closed = corner(joints.size(), nearest);
  ends.open = corner(joints.size(), ~nearest);
  return ends;
}

/// w at equal steps of the share; empty where it does not rise.
std::vector<double> widths_of(Fingers& fingers, const Ends& ends) {
  if (fingers.count() == 0 || !fingers.are_determined()) return {};
  fingers.place(ends.closed);
  const std::vector<Point> closed = fingers.tips();
  std::vector<double> widths;
  for (std::size_t k = 0; k < kPoints; ++k) {
    const double share = static_cast<double>(k) / (kPoints - 1);
    std::vector<double> at(ends.closed.size());
    for (std::size_t i = 0; i < at.size(); ++i) {
      at[i] = ends.closed[i] + share * (ends.open[i] - ends.closed[i]);
    }
    fingers.place(at);
    std::vector<double> ways;
    const std::vector<Point> tips = fingers.tips();
    for (std::size_t i = 0; i < tips.size(); ++i) {
      ways.push_back(mju_dist3(tips[i].data(), closed[i].data()));
    }
    std::sort(ways.rbegin(), ways.rend());
    widths.push_back(ways[0] + (ways.size() > 1 ? ways[1] : 0.0));
  }
  constexpr double kLeastStep = 1e-6;  // m
  for (std::size_t k = 1; k < kPoints; ++k) {
    if (widths[k] < widths[k - 1] + kLeastStep) return {};
  }
  constexpr double kStraight = 1e-6;  // m
  const double step = widths.back() / (kPoints - 1);
  for (std::size_t k = 0; k < kPoints; ++k) {
    if (std::abs(widths[k] - static_cast<double>(k) * step) > kStraight) return widths;
  }
  return {0.0, widths.back()};
}

/// By the joints' side, else by the palm's and those of the bodies before it.
std::string side_of_gripper(const mjModel& m, int palm, const std::vector<int>& joints) {
  std::string side;
  for (const int joint : joints) {
    const std::string one = side_of(words_of(name_of(m, mjOBJ_JOINT, joint)));
    if (joint == joints.front()) side = one;
    if (one != side) side.clear();
  }
  if (joints.size() > 1 && !side.empty()) return side;
  for (int body = palm; body > 0; body = m.body_parentid[body]) {
    const std::string one = side_of(words_of(name_of(m, mjOBJ_BODY, body)));
    if (!one.empty()) return one;
  }
  return side;
}

std::string name_for(const std::string& side, const std::vector<GripperConfig>& known) {
  const std::string stem = side.empty() ? "gripper" : side + "_gripper";
  std::string name = stem;
  const auto is_taken = [&](const std::string& wanted) {
    return std::any_of(known.begin(), known.end(),
                       [&](const GripperConfig& one) { return one.name == wanted; });
  };
  for (int number = 2; is_taken(name); ++number) name = fmt::format("{}_{}", stem, number);
  return name;
}

GripperConfig gripper_on(const Survey& survey, const RobotConfig& robot, int palm,
                         const std::vector<JointIndex>& joints) {
  const mjModel& m = *survey.model;
  std::vector<int> ids;
  for (const JointIndex joint : joints) ids.push_back(survey.controlled[joint]);
  Fingers fingers(survey, palm, ids);
  const Ends ends = ends_of(fingers, m, ids);
  GripperConfig gripper;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const JointLimits& limits = robot.joints[joints[i]].limits;
    const auto at = [&](double share) {
      return limits.q_min + share * (limits.q_max - limits.q_min);
    };
    gripper.joints.push_back(
        {.joint = joints[i], .open = at(ends.open[i]), .closed = at(ends.closed[i])});
  }
  gripper.widths = widths_of(fingers, ends);
  return gripper;
}

}  // namespace

std::vector<GripperConfig> guess_grippers(const Survey& survey, const RobotConfig& robot) {
  const mjModel& m = *survey.model;
  std::vector<std::pair<int, std::vector<JointIndex>>> palms;
  for (std::size_t i = 0; i < survey.controlled.size(); ++i) {
    const int joint = survey.controlled[i];
    if (!is_finger_joint(survey, joint) || carries_others(survey, joint)) continue;
    const int palm = palm_of(survey, joint);
    auto at = std::find_if(palms.begin(), palms.end(),
                           [palm](const auto& one) { return one.first == palm; });
    if (at == palms.end()) at = palms.insert(at, {palm, {}});
    at->second.push_back(static_cast<JointIndex>(i));
  }
  std::vector<GripperConfig> grippers;
  for (const auto& [palm, joints] : palms) {
    if (std::max(joints.size(), joints_of_hand(survey, palm)) > kMostFingers) continue;
    if (grippers.size() == kMaxGrippers) continue;
    const bool has_ranges = std::all_of(joints.begin(), joints.end(), [&](JointIndex joint) {
      const JointLimits& limits = robot.joints[joint].limits;
      return std::isfinite(limits.q_min) && std::isfinite(limits.q_max);
    });
    if (!has_ranges) continue;
    GripperConfig gripper = gripper_on(survey, robot, palm, joints);
    std::vector<int> ids;
    for (const JointIndex joint : joints) ids.push_back(survey.controlled[joint]);
    const std::string side = palms.size() > 1 ? side_of_gripper(m, palm, ids) : std::string();
    gripper.name = name_for(side, grippers);
    grippers.push_back(std::move(gripper));
  }
  return grippers;
}

}  // namespace jointrig
