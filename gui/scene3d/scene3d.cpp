#include "gui/scene3d/scene3d.h"

#include <algorithm>
#include <cmath>

namespace jointrig::gui {
namespace {

constexpr int kGeomsBeside = 2000;  // arrows, frames, MuJoCo's own decoration
constexpr double kMetresPerNewton = 0.005;
constexpr double kLongestArrow = 0.5;  // m
constexpr double kFrameAxis = 0.09;    // share of the robot's radius
constexpr float kGhostAlpha = 0.45F;
constexpr float kObstacleAlpha = 0.35F;
constexpr double kFront = 150.0;  // deg: a robot that looks along x is seen from its left front
constexpr double kDown = -12.0;   // deg
constexpr double kDegPerRad = 180.0 / mjPI;
constexpr float kNearest = 0.02F;    // clipped before and behind; shares of the robot's radius
constexpr float kFarthest = 200.0F;  // four times the farthest zoom

double fovy_of(const mjModel& model) { return model.vis.global.fovy / kDegPerRad; }

/// As the boxes of silent boards.
constexpr Rgb kUnknown{120, 120, 120};

void set_colour(mjvGeom& geom, Rgb colour, float alpha) {
  geom.rgba[0] = static_cast<float>(colour.r) / 255.0F;
  geom.rgba[1] = static_cast<float>(colour.g) / 255.0F;
  geom.rgba[2] = static_cast<float>(colour.b) / 255.0F;
  geom.rgba[3] = alpha;
}

/// Near its reference: a ghost around it would only cover it, and flicker.
bool same_place(const mjData& a, const mjData& b, int geom) {
  constexpr double kNear = 0.01;  // m, and for the elements of a rotation matrix
  for (int i = 0; i < 3; ++i) {
    if (std::abs(a.geom_xpos[3 * geom + i] - b.geom_xpos[3 * geom + i]) > kNear) return false;
  }
  for (int i = 0; i < 9; ++i) {
    if (std::abs(a.geom_xmat[9 * geom + i] - b.geom_xmat[9 * geom + i]) > kNear) return false;
  }
  return true;
}

/// Picture settings of a robot: no sky, enough lights, small shadows, depths of its own.
void prepare(mjModel& model) {
  model.vis.map.znear = kNearest;
  model.vis.map.zfar = kFarthest;
  model.vis.quality.shadowsize = 1024;
  model.vis.headlight.active = 1;
  if (model.nlight > 0) return;
  std::fill_n(model.vis.headlight.ambient, 3, 0.35F);
  std::fill_n(model.vis.headlight.diffuse, 3, 0.6F);
}

}  // namespace

Scene3d::Scene3d(DrawnModel drawn, const RobotConfig& robot, PushPort* port)
    : robot_(std::move(drawn), robot), hand_(port), scene_(new mjvScene) {
  prepare(robot_.model());
  mjv_defaultScene(scene_.get());
  mjv_makeScene(&robot_.model(), scene_.get(), 3 * robot_.model().ngeom + kGeomsBeside);
  mjv_defaultOption(&option_);
  reset_camera();
}

// The camera
// -------------------------------------------------------------------------------------------

void Scene3d::reset_camera() {
  mjv_defaultCamera(&camera_);
  camera_.type = mjCAMERA_FREE;
  camera_.azimuth = kFront;
  camera_.elevation = kDown;
  camera_is_own_ = true;
  corners_of(robot_, option_, corners_);
  show_whole_robot();
}

/// Also sets what MuJoCo clips before and behind, and the widths of arrows. They scale with the
/// model's size, which includes obstacles that wait a kilometre away.
void Scene3d::show_whole_robot() {
  mjModel& m = robot_.model();
  extent_ = radius_of(corners_);
  m.stat.extent = extent_;
  show_all(corners_, fovy_of(m), aspect(), camera_);
  ++camera_moves_;
}

/// A camera that nobody has moved goes with a robot that leaves the picture; it stands still while
/// a link is pulled.
void Scene3d::keep_in_sight() {
  if (seen_ == robot_.revision() || !camera_is_own_ || hand_.held()) return;
  seen_ = robot_.revision();
  corners_of(robot_, option_, corners_);
  if (!shows_all(corners_, fovy_of(robot_.model()), aspect(), camera_)) show_whole_robot();
}

void Scene3d::camera_moved() {
  camera_is_own_ = false;
  ++camera_moves_;
}

void Scene3d::look_from(const Scene3d& other) {
  if (other.camera_is_own_) return;
  camera_ = other.camera_;
  camera_moved();
}

void Scene3d::orbit(double right, double down) {
  mjv_moveCamera(&robot_.model(), mjMOUSE_ROTATE_V, right, down, &camera_);
  camera_moved();
}

void Scene3d::pan(double right, double down) {
  // MuJoCo's own pan scales with the size of the whole model, which may include a large floor.
  const double metres = 2.0 * camera_.distance * std::tan(0.5 * fovy_of(robot_.model()));
  const double azimuth = camera_.azimuth / kDegPerRad;
  const double elevation = camera_.elevation / kDegPerRad;
  const double to_right[3] = {std::sin(azimuth), -std::cos(azimuth), 0.0};
  const double up[3] = {-std::sin(elevation) * std::cos(azimuth),
                        -std::sin(elevation) * std::sin(azimuth), std::cos(elevation)};
  for (int i = 0; i < 3; ++i) camera_.lookat[i] += metres * (down * up[i] - right * to_right[i]);
  camera_moved();
}

void Scene3d::zoom(double in) {
  camera_.distance = std::clamp(camera_.distance * std::exp(-in), 0.05 * extent_, 50.0 * extent_);
  camera_moved();
}

void Scene3d::set_size(int width, int height) {
  width = std::max(1, width);
  height = std::max(1, height);
  if (width == width_ && height == height_) return;
  width_ = width;
  height_ = height;
  ++camera_moves_;
  if (camera_is_own_) show_whole_robot();
}

void Scene3d::see_from_here() {
  mjv_updateCamera(&robot_.model(), &robot_.data(), &camera_, scene_.get());
}

// Picking
// -----------------------------------------------------------------------------------

std::optional<ScenePick> Scene3d::pick(double right, double down) {
  build();
  mjtNum point[3]{};
  int geom = -1;
  int flex = -1;
  int skin = -1;
  const int body = mjv_select(&robot_.model(), &robot_.data(), &option_, aspect(), right,
                              1.0 - down, scene_.get(), point, &geom, &flex, &skin);
  if (body < 0) return std::nullopt;
  ScenePick found;
  found.body = body;
  found.joint = robot_.joint_of(body);
  std::copy_n(point, 3, found.world.begin());
  mjtNum from_origin[3];
  mju_sub3(from_origin, point, robot_.data().xpos + 3 * body);
  mju_mulMatTVec3(found.point.data(), robot_.data().xmat + 9 * body, from_origin);
  return found;
}

Scene3d::Sight Scene3d::sight_of(const std::array<double, 3>& world) {
  see_from_here();
  Sight sight;
  mjv_cameraInModel(sight.head, sight.forward, sight.up, scene_.get());
  mju_cross(sight.to_right, sight.forward, sight.up);
  mju_sub3(sight.way, world.data(), sight.head);
  sight.depth = mju_dot3(sight.way, sight.forward);
  return sight;
}

std::array<double, 3> Scene3d::point_at(double right, double down,
                                        const std::array<double, 3>& like) {
  const Sight sight = sight_of(like);
  const double depth = sight.depth;
  const double half = depth * std::tan(0.5 * fovy_of(robot_.model()));
  std::array<double, 3> point{};
  for (std::size_t i = 0; i < 3; ++i) {
    point[i] = sight.head[i] + depth * sight.forward[i] +
               (2.0 * right - 1.0) * half * aspect() * sight.to_right[i] +
               (1.0 - 2.0 * down) * half * sight.up[i];
  }
  return point;
}

std::optional<std::array<double, 2>> Scene3d::place_of(const std::array<double, 3>& world) {
  const Sight sight = sight_of(world);
  const double depth = sight.depth;
  if (depth <= 1e-6) return std::nullopt;
  const double half = depth * std::tan(0.5 * fovy_of(robot_.model()));
  return std::array<double, 2>{0.5 + 0.5 * mju_dot3(sight.way, sight.to_right) / (half * aspect()),
                               0.5 - 0.5 * mju_dot3(sight.way, sight.up) / half};
}

// Drawing
// --------------------------------------------------------------------------------------

mjvGeom* Scene3d::add_geom(int type, const double* size, const double* position,
                           const double* matrix, Rgb colour, float alpha) {
  if (scene_->ngeom >= scene_->maxgeom) return nullptr;
  mjvGeom* geom = scene_->geoms + scene_->ngeom++;
  constexpr float kWhite[4] = {1, 1, 1, 1};
  mjv_initGeom(geom, type, size, position, matrix, kWhite);
  set_colour(*geom, colour, alpha);
  geom->category = mjCAT_DECOR;
  return geom;
}

void Scene3d::add_arrow(const double* from, const double* to, double width, Rgb colour) {
  mjvGeom* geom = add_geom(mjGEOM_ARROW, nullptr, nullptr, nullptr, colour, 1.0F);
  if (geom == nullptr) return;
  mjv_connector(geom, mjGEOM_ARROW, width, from, to);
  geom->emission = 0.4F;
}

void Scene3d::add_ghost() {
  const int before = scene_->ngeom;
  mjv_addGeoms(&robot_.model(), &robot_.ghost(), &option_, nullptr, mjCAT_DYNAMIC, scene_.get());
  int kept = before;
  for (int i = before; i < scene_->ngeom; ++i) {
    mjvGeom geom = scene_->geoms[i];
    if (geom.objtype != mjOBJ_GEOM || same_place(robot_.data(), robot_.ghost(), geom.objid)) {
      continue;
    }
    geom.matid = -1;
    geom.objtype = mjOBJ_UNKNOWN;  // a ghost can't be picked
    set_colour(geom, colours.asked, kGhostAlpha);
    scene_->geoms[kept++] = geom;
  }
  scene_->ngeom = kept;
}

void Scene3d::add_contacts() {
  for (const ContactArrow& contact : robot_.contacts()) {
    const double newtons = mju_norm3(contact.force.data());
    if (newtons < DrawnRobot::kLeastForce) continue;
    const double length = std::min(kLongestArrow, kMetresPerNewton * newtons);
    double to[3];
    for (std::size_t i = 0; i < 3; ++i) {
      to[i] = contact.point[i] + length / newtons * contact.force[i];
    }
    add_arrow(contact.point.data(), to, 0.008 * extent_, colours.force);
  }
}

void Scene3d::add_push() {
  const std::optional<Push>& push = hand_.held();
  if (!push) return;
  const mjData& d = robot_.data();
  mjtNum from[3];
  mju_mulMatVec3(from, d.xmat + 9 * push->body, push->point.data());
  mju_addTo3(from, d.xpos + 3 * push->body);
  add_arrow(from, push->target.data(), 0.01 * extent_, colours.force);
}

void Scene3d::add_obstacles() {
  for (const KnownObstacle& one : obstacles) {
    mjtNum axes[9];
    mju_quat2Mat(axes, one.orientation.data());
    const bool is_ball = one.shape == KnownShape::kSphere;
    const int type = is_ball                             ? mjGEOM_SPHERE
                     : one.shape == KnownShape::kCapsule ? mjGEOM_CAPSULE
                                                         : mjGEOM_BOX;
    const double ball[3] = {one.size[0], one.size[0], one.size[0]};
    const double rod[3] = {one.size[0], one.size[0], one.size[1]};
    const double* size = is_ball ? ball : one.shape == KnownShape::kCapsule ? rod : one.size.data();
    add_geom(type, size, one.position.data(), axes, colours.force, kObstacleAlpha);
  }
}

void Scene3d::tint_chosen() {
  if (chosen == kNoJoint) return;
  const mjModel& m = robot_.model();
  for (int i = 0; i < scene_->ngeom; ++i) {
    mjvGeom& geom = scene_->geoms[i];
    if (geom.objtype != mjOBJ_GEOM) continue;
    if (robot_.joint_of(m.geom_bodyid[geom.objid]) != chosen) continue;
    const float alpha = geom.rgba[3];
    geom.matid = -1;
    set_colour(geom, colours.chosen, alpha);
    geom.emission = 0.35F;
  }
}

/// The pose of what a silent joint carries isn't known either.
void Scene3d::grey_unknown() {
  if (silent == JointSet{}) return;
  const mjModel& m = robot_.model();
  unknown_.assign(static_cast<std::size_t>(m.nbody), false);
  for (int body = 1; body < m.nbody; ++body) {
    const JointIndex joint = robot_.joint_of(body);
    const bool is_silent = joint != kNoJoint && silent.test(joint);
    const auto b = static_cast<std::size_t>(body);
    unknown_[b] = is_silent || unknown_[static_cast<std::size_t>(m.body_parentid[body])];
  }
  for (int i = 0; i < scene_->ngeom; ++i) {
    mjvGeom& geom = scene_->geoms[i];
    if (geom.objtype != mjOBJ_GEOM) continue;
    if (!unknown_[static_cast<std::size_t>(m.geom_bodyid[geom.objid])]) continue;
    const float alpha = geom.rgba[3];
    geom.matid = -1;
    set_colour(geom, kUnknown, alpha);
  }
}

mjvScene& Scene3d::build() {
  const std::uint64_t now = revision();
  if (built_ == now) return *scene_;
  built_ = now;
  scene_->flags[mjRND_SHADOW] = shows.shadows ? 1 : 0;
  scene_->flags[mjRND_REFLECTION] = 0;
  scene_->flags[mjRND_SKYBOX] = 0;
  scene_->flags[mjRND_HAZE] = 0;
  mjv_updateScene(&robot_.model(), &robot_.data(), &option_, nullptr, &camera_, mjCAT_ALL,
                  scene_.get());
  tint_chosen();
  grey_unknown();
  if (shows.ghost) add_ghost();
  if (shows.contacts) add_contacts();
  add_push();
  add_obstacles();
  return *scene_;
}

std::uint64_t Scene3d::revision() {
  keep_in_sight();
  const Look look{shows, colours, chosen, silent, hand_.held(), obstacles};
  if (!(look == look_)) {
    look_ = look;
    ++look_changes_;
  }
  return robot_.revision() + camera_moves_ + look_changes_;
}

Scene3d::ToolFrame Scene3d::frame_at(const double* origin, const double* axes) const {
  ToolFrame frame;
  std::copy_n(origin, 3, frame.origin.begin());
  const double length = kFrameAxis * extent_;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::size_t i = 0; i < 3; ++i) {
      frame.tips[axis][i] = frame.origin[i] + length * axes[3 * i + axis];
    }
  }
  return frame;
}

const std::vector<Scene3d::ToolFrame>& Scene3d::tool_frames() {
  frames_.clear();
  if (!shows.frames) return frames_;
  const mjData& d = robot_.data();
  for (const int site : robot_.frames()) {
    frames_.push_back(frame_at(d.site_xpos + 3 * site, d.site_xmat + 9 * site));
    frames_.back().name = name_of(robot_.model(), mjOBJ_SITE, site);
  }
  return frames_;
}

/// X_WG = X_WT X_BT⁻¹ X_BG: this needs no base, and the goal stands right beside the drawn tool.
const std::vector<Scene3d::ToolFrame>& Scene3d::goal_frames() {
  goal_frames_.clear();
  if (!shows.ghost) return goal_frames_;
  const mjData& d = robot_.data();
  for (const AskedTool& asked : asked_tools) {
    const int site = mj_name2id(&robot_.model(), mjOBJ_SITE, asked.tool.c_str());
    const int body = mj_name2id(&robot_.model(), mjOBJ_BODY, asked.tool.c_str());
    if (site < 0 && body < 0) continue;
    const double* tool_position = site >= 0 ? d.site_xpos + 3 * site : d.xpos + 3 * body;
    const double* tool_axes = site >= 0 ? d.site_xmat + 9 * site : d.xmat + 9 * body;
    mjtNum to_tool[4];
    mjtNum from_base[3];
    mjtNum in_tool[3];
    mju_negQuat(to_tool, asked.measured.orientation.data());
    mju_sub3(from_base, asked.goal.position.data(), asked.measured.position.data());
    mju_rotVecQuat(in_tool, from_base, to_tool);
    mjtNum origin[3];
    mju_mulMatVec3(origin, tool_axes, in_tool);
    mju_addTo3(origin, tool_position);
    mjtNum turn[4];
    mjtNum in_tool_axes[9];
    mjtNum axes[9];
    mju_mulQuat(turn, to_tool, asked.goal.orientation.data());
    mju_quat2Mat(in_tool_axes, turn);
    mju_mulMatMat(axes, tool_axes, in_tool_axes, 3, 3, 3);
    goal_frames_.push_back(frame_at(origin, axes));
    goal_frames_.back().name = asked.arm;
  }
  return goal_frames_;
}

}  // namespace jointrig::gui
