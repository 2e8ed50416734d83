#include "gui/scene3d/balance.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

namespace jointrig::gui {
namespace {

constexpr double kLeastHeight = 0.01;  ///< of the centre of mass [m], as the controller's

/// A site or body.
struct Frame {
  int body = -1;
  Point3 position{};
  std::array<double, 9> axes{1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< of its columns x y z in the world
};

std::optional<Frame> frame_named(const DrawnRobot& robot, const std::string& name) {
  const mjModel& m = robot.model();
  const mjData& d = robot.data();
  const int site = mj_name2id(&m, mjOBJ_SITE, name.c_str());
  const int body = site >= 0 ? m.site_bodyid[site] : mj_name2id(&m, mjOBJ_BODY, name.c_str());
  if (body < 0) return std::nullopt;
  Frame frame{body};
  std::copy_n(site >= 0 ? d.site_xpos + 3 * site : d.xpos + 3 * body, 3, frame.position.begin());
  std::copy_n(site >= 0 ? d.site_xmat + 9 * site : d.xmat + 9 * body, 9, frame.axes.begin());
  return frame;
}

/// All soles as they are now.
struct Soles {
  std::vector<Point2> corners;  ///< in the world, from above [m]
  StanceFrame stance;           ///< mean of the corners, and the way that they look
  int body = -1;                ///< of a foot
};

void add_sole(const FootConfig& foot, const Frame& frame, std::size_t feet, Soles& soles) {
  for (const auto& [right, ahead] : {Point2{-1, -1}, Point2{1, -1}, Point2{1, 1}, Point2{-1, 1}}) {
    const Point3 in_frame{foot.centre[0] + 0.5 * right * foot.size[0],
                          foot.centre[1] + 0.5 * ahead * foot.size[1], foot.centre[2]};
    Point3 at;
    mju_mulMatVec3(at.data(), frame.axes.data(), in_frame.data());
    mju_addTo3(at.data(), frame.position.data());
    soles.corners.push_back({at[0], at[1]});
    mju_addToScl3(soles.stance.origin.data(), at.data(), 0.25 / static_cast<double>(feet));
  }
}

std::optional<Soles> soles_of(const DrawnRobot& robot, const WholeBodyConfig& body) {
  Soles soles;
  Point2 ahead{};
  for (const FootConfig& foot : body.feet) {
    const auto frame = frame_named(robot, foot.frame);
    if (!frame) return std::nullopt;
    add_sole(foot, *frame, body.feet.size(), soles);
    ahead[0] += frame->axes[0];
    ahead[1] += frame->axes[3];
    soles.body = frame->body;
  }
  if (body.feet.empty()) return std::nullopt;
  soles.stance.yaw = std::atan2(ahead[1], ahead[0]);
  return soles;
}

Point3 com_velocity(DrawnRobot& robot, const RobotConfig& config, const Snapshot& now, int root) {
  const mjModel& m = robot.model();
  std::vector<mjtNum> v(static_cast<std::size_t>(m.nv), 0.0);
  const int first = m.body_jntadr[root];
  if (first >= 0 && m.jnt_type[first] == mjJNT_FREE) {
    mjtNum* base = v.data() + m.jnt_dofadr[first];
    std::copy(now.base.linear_velocity.begin(), now.base.linear_velocity.end(), base);
    std::copy(now.base.angular_velocity.begin(), now.base.angular_velocity.end(), base + 3);
  }
  for (std::size_t i = 0; i < std::min(config.joints.size(), now.joints.size()); ++i) {
    const int joint = mj_name2id(&m, mjOBJ_JOINT, config.joints[i].name.c_str());
    const double speed = now.joints[i].state.v;
    if (std::isfinite(speed)) v[static_cast<std::size_t>(m.jnt_dofadr[joint])] = speed;
  }
  std::vector<mjtNum> jacobian(3 * v.size());
  mj_jacSubtreeCom(&m, &robot.data(), jacobian.data(), root);
  Point3 velocity{};
  mju_mulMatVec(velocity.data(), jacobian.data(), v.data(), 3, m.nv);
  return velocity;
}

/// Positive: c is to the left of the way from a to b.
double left_of(const Point2& a, const Point2& b, const Point2& c) noexcept {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// MuJoCo's joints between the world and a frame.
std::set<int> chain_to(const DrawnRobot& robot, const std::string& frame_name) {
  std::set<int> chain;
  const mjModel& m = robot.model();
  const auto frame = frame_named(robot, frame_name);
  for (int body = frame ? frame->body : 0; body > 0; body = m.body_parentid[body]) {
    for (int k = 0; k < m.body_jntnum[body]; ++k) chain.insert(m.body_jntadr[body] + k);
  }
  return chain;
}

/// Joints of a hand's arm or of the neck, as the controller finds them: those that move it, and
/// neither the chest nor a foot nor another hand.
/// @param limb  frame of the hand, or of the head, which has a neck
std::vector<int> limb_of(const DrawnRobot& robot, const WholeBodyConfig& body,
                         const std::string& limb) {
  std::set<int> arm = chain_to(robot, limb);
  const auto leave_out = [&](const std::string& frame) {
    for (const int joint : chain_to(robot, frame)) arm.erase(joint);
  };
  leave_out(body.chest);
  for (const FootConfig& foot : body.feet) leave_out(foot.frame);
  for (const HandConfig& other : body.hands) {
    if (other.frame != limb) leave_out(other.frame);
  }
  return {arm.begin(), arm.end()};
}

Point3 in_stance(const StanceFrame& stance, const Point3& at) {
  const double c = std::cos(stance.yaw);
  const double s = std::sin(stance.yaw);
  const double x = at[0] - stance.origin[0];
  const double y = at[1] - stance.origin[1];
  return {c * x + s * y, c * y - s * x, at[2] - stance.origin[2]};
}

std::array<double, 4> in_stance(const StanceFrame& stance, const std::array<double, 9>& axes) {
  const std::array<double, 4> back{std::cos(0.5 * stance.yaw), 0.0, 0.0,
                                   -std::sin(0.5 * stance.yaw)};
  mjtNum turn[4];
  std::array<double, 4> relative{};
  mju_mat2Quat(turn, axes.data());
  mju_mulQuat(relative.data(), back.data(), turn);
  return relative;
}

void add_joints(const DrawnRobot& robot, const std::vector<int>& joints, BodyPlaces::Hand& hand) {
  const mjModel& m = robot.model();
  for (const int joint : joints) {
    const bool slides = m.jnt_type[joint] == mjJNT_SLIDE;
    hand.arm.push_back({name_of(m, mjOBJ_JOINT, joint),
                        slides ? BodyColumn::Kind::kLength : BodyColumn::Kind::kAngle});
    hand.q.push_back(robot.data().qpos[m.jnt_qposadr[joint]]);
  }
}

BodyPlaces::Hand place_of_hand(const DrawnRobot& robot, const WholeBodyConfig& body,
                               std::size_t number, const StanceFrame& stance) {
  BodyPlaces::Hand hand;
  if (const auto frame = frame_named(robot, body.hands[number].frame)) {
    hand.pose = {in_stance(stance, frame->position), in_stance(stance, frame->axes)};
  }
  add_joints(robot, limb_of(robot, body, body.hands[number].frame), hand);
  return hand;
}

}  // namespace

Point2 capture_point(const Point3& com, const Point3& velocity, double ground, double gravity) {
  if (gravity <= 0.0) return {com[0], com[1]};
  const double omega = std::sqrt(gravity / std::max(com[2] - ground, kLeastHeight));
  return {com[0] + velocity[0] / omega, com[1] + velocity[1] / omega};
}

/// Andrew's monotone chain: the lower edge from left to right, then the upper one back.
std::vector<Point2> convex_hull(std::vector<Point2> points) {
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) return points;
  std::vector<Point2> hull;
  const auto extend = [&hull](const Point2& point, std::size_t least) {
    while (hull.size() > least && left_of(hull[hull.size() - 2], hull.back(), point) <= 0.0) {
      hull.pop_back();
    }
    hull.push_back(point);
  };
  for (const Point2& point : points) extend(point, 1);
  const std::size_t lower = hull.size();
  for (auto point = points.rbegin() + 1; point != points.rend(); ++point) extend(*point, lower);
  hull.pop_back();  // the first one again
  return hull;
}

bool is_inside(const std::vector<Point2>& hull, const Point2& at) {
  if (hull.size() < 3) return false;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    if (left_of(hull[i], hull[(i + 1) % hull.size()], at) < 0.0) return false;
  }
  return true;
}

std::optional<Balance> balance_of(DrawnRobot& robot, const RobotConfig& config,
                                  const Snapshot& snapshot) {
  if (!config.whole_body) return std::nullopt;
  const std::optional<Soles> soles = soles_of(robot, *config.whole_body);
  if (!soles) return std::nullopt;
  const mjModel& m = robot.model();
  const int root = m.body_rootid[soles->body];
  Balance balance;
  std::copy_n(robot.data().subtree_com + 3 * root, 3, balance.com.begin());
  const double ground = soles->stance.origin[2];
  const std::vector<Point2> hull = convex_hull(soles->corners);
  for (const Point2& corner : hull) balance.support.push_back({corner[0], corner[1], ground});
  balance.below = {balance.com[0], balance.com[1], ground};
  const Point2 capture = capture_point(balance.com, com_velocity(robot, config, snapshot, root),
                                       ground, mju_norm3(m.opt.gravity));
  balance.capture = {capture[0], capture[1], ground};
  balance.inside = is_inside(hull, capture);
  return balance;
}

std::optional<StanceFrame> stance_of(const DrawnRobot& robot, const RobotConfig& config) {
  if (!config.whole_body) return std::nullopt;
  const std::optional<Soles> soles = soles_of(robot, *config.whole_body);
  return soles ? std::optional(soles->stance) : std::nullopt;
}

BodyPlaces body_places(const DrawnRobot& robot, const RobotConfig& config,
                       const StanceFrame& stance) {
  BodyPlaces places;
  if (!config.whole_body) return places;
  const WholeBodyConfig& body = *config.whole_body;
  for (std::size_t i = 0; i < body.hands.size(); ++i) {
    places.hands.push_back(place_of_hand(robot, body, i, stance));
  }
  for (const FootConfig& foot : body.feet) {
    const auto frame = frame_named(robot, foot.frame);
    places.feet.push_back(
        frame ? ToolPose{in_stance(stance, frame->position), in_stance(stance, frame->axes)}
              : ToolPose{});
  }
  if (!body.head.empty()) add_joints(robot, limb_of(robot, body, body.head), places.neck);
  if (const auto pelvis = frame_named(robot, body.pelvis)) {
    const auto place = in_stance(stance, pelvis->position);
    places.pelvis_height = place[2];
    places.pelvis_place = {place[0], place[1]};
  }
  return places;
}

}  // namespace jointrig::gui
