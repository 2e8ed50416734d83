#include "control/planning/path_collision.h"

#include <fmt/core.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "control/model/collision_geometry.h"
#include "control/model/obstacle_shape.h"
#include "control/model/robot_model.h"
#include "control/model/shape_reach.h"

namespace jointrig {
namespace {

/// Pairs that are further apart count as this far [m]: a choice.
constexpr double kFar = 0.3;
/// Rounding, of bodies that stay as near as they were [m].
constexpr double kNearer = 1e-6;

/// t at s: in its interval s − s_i = s'_i τ + s'' τ²/2.
double time_at(std::span<const JointPlan::Instant> timing, double s) {
  const auto after = std::find_if(timing.begin(), timing.end(),
                                  [s](const JointPlan::Instant& at) { return at.s >= s; });
  if (after == timing.begin()) return timing.front().t;
  if (after == timing.end()) return timing.back().t;
  const JointPlan::Instant& begin = *(after - 1);
  const double way = s - begin.s;
  const double root = std::sqrt(std::max(0.0, begin.speed * begin.speed + 2.0 * begin.accel * way));
  const double sum = begin.speed + root;
  return sum > 0.0 ? std::min(begin.t + 2.0 * way / sum, after->t) : after->t;
}

RobotConfig with_pairs(RobotConfig robot) {
  if (!robot.avoidance) robot.avoidance.emplace();
  return robot;
}

}  // namespace

class PathCollision::Checker {
 public:
  explicit Checker(const RobotConfig& robot);
  std::optional<Meeting> first_on(const JointPlan& plan, const RobotState& state, PlanWatch* watch);
  void know(const KnownObstacles& obstacles);
  [[nodiscard]] double clearance() const noexcept { return clearance_; }
  [[nodiscard]] std::size_t poses() const noexcept { return poses_; }

 private:
  struct Nearness {
    double room = 0.0;  ///< least distance of a pair, less what is asked of it [m]
    std::size_t pair = 0;
    double distance = 0.0;
  };

  /// Two shapes, and the geoms that they enclose where those are to be told apart.
  struct Pair {
    std::uint16_t a = 0;
    std::uint16_t b = 0;
    int geom_a = -1;
    int geom_b = -1;
  };

  std::uint16_t add(const Shape& shape, const Placed& at, const std::string& name);
  void place(const Shape& shape, int geom);
  [[nodiscard]] double distance_of(const Pair& pair, double enough);
  Nearness look(const JointPlan& plan, std::size_t piece, double s);
  Nearness measure(bool is_start);
  [[nodiscard]] double motion(const JointPlan& plan, std::size_t piece, double from,
                              double to) const;
  bool divide(const JointPlan& plan, std::size_t piece, double from, const Nearness& at_from,
              double to, const Nearness& at_to);

  CloseGeoms close_;
  CollisionGeometry geometry_;
  std::vector<ObstaclePartner> partners_;
  std::vector<std::uint16_t> capsules_;  ///< by partner: its shape against a box
  std::size_t own_shapes_ = 0;           ///< obstacles' shapes come behind them
  std::size_t own_pairs_ = 0;
  DataPtr data_;  ///< of close_.model: poses of its geoms
  std::vector<Pair> pairs_;
  RobotModel model_;
  std::vector<double> reach_;
  std::vector<double> bounds_;
  std::vector<Placed> placed_;
  std::vector<double> asked_;  ///< by pair [m]
  double clearance_ = 0.0;
  RobotState state_;
  double found_at_ = 0.0;  ///< s
  Nearness found_;
  std::size_t poses_ = 0;
  PlanWatch* watch_ = nullptr;  ///< of the present call
};

PathCollision::Checker::Checker(const RobotConfig& robot)
    : geometry_(read_collision_geometry(with_pairs(robot), &close_)),
      partners_(obstacle_partners(geometry_)),
      model_(robot),
      reach_(shape_reaches(geometry_, robot, model_)),
      clearance_(robot.avoidance && robot.avoidance->on ? robot.avoidance->margin : 0.0) {
  for (const Shape& shape : geometry_.shapes) {
    bounds_.push_back(shape.bound());
    placed_.push_back({shape.centre, shape.axes});  // fixed shapes stay
  }
  for (const CollisionGeometry::Pair& pair : geometry_.pairs) pairs_.push_back({pair.a, pair.b});
  for (const CloseGeoms::Pair& pair : close_.pairs) {
    pairs_.push_back({pair.a, pair.b, pair.geom_a, pair.geom_b});
  }
  if (close_.model) {
    data_ = make_data(*close_.model, robot.model_path);
    mj_kinematics(close_.model.get(), data_.get());  // geoms that are fixed stay there
  }
  for (const ObstaclePartner& partner : partners_) {
    capsules_.push_back(
        add(partner.beside_box, placed_[partner.shape], geometry_.names[partner.shape]));
  }
  own_shapes_ = geometry_.shapes.size();
  own_pairs_ = pairs_.size();
  asked_.resize(pairs_.size());
}

std::uint16_t PathCollision::Checker::add(const Shape& shape, const Placed& at,
                                          const std::string& name) {
  geometry_.shapes.push_back(shape);
  geometry_.names.push_back(name);
  bounds_.push_back(shape.bound());
  placed_.push_back(at);
  return static_cast<std::uint16_t>(geometry_.shapes.size() - 1);
}

/// Obstacles become fixed shapes behind the others.
void PathCollision::Checker::know(const KnownObstacles& obstacles) {
  geometry_.shapes.resize(own_shapes_);
  geometry_.names.resize(own_shapes_);
  bounds_.resize(own_shapes_);
  placed_.resize(own_shapes_);
  pairs_.resize(own_pairs_);
  for (const KnownObstacle& obstacle : obstacles) {
    const Shape shape = shape_of(obstacle);
    const std::uint16_t there =
        add(shape, jointrig::placed(obstacle), std::string(text_of(obstacle.name)));
    const bool is_box = shape.kind == Shape::Kind::kBox;
    for (std::size_t i = 0; i < partners_.size(); ++i) {
      pairs_.push_back({is_box ? capsules_[i] : partners_[i].shape, there});
    }
  }
  asked_.resize(pairs_.size());
}

/// Pose of a geom in the world, from that of its body.
void PathCollision::Checker::place(const Shape& shape, int geom) {
  if (shape.body == 0) return;
  const mjModel& m = *close_.model;
  const int body = m.geom_bodyid[geom];
  const FramePose at = model_.pose({mjOBJ_BODY, body});
  Eigen::Map<Eigen::Vector3d>(data_->geom_xpos + 3 * geom) =
      at.position + at.rotation * Eigen::Map<const Eigen::Vector3d>(m.geom_pos + 3 * geom);
  const double* const q = m.geom_quat + 4 * geom;
  Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(data_->geom_xmat + 9 * geom) =
      at.rotation * Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
}

/// Distance of a pair. Shapes enclose their geoms: where they are already `enough` apart, theirs.
double PathCollision::Checker::distance_of(const Pair& pair, double enough) {
  const Shape& a = geometry_.shapes[pair.a];
  const Shape& b = geometry_.shapes[pair.b];
  const double of_shapes = nearest(a, placed_[pair.a], b, placed_[pair.b]).distance;
  if (pair.geom_a < 0 || of_shapes >= enough) return of_shapes;
  place(a, pair.geom_a);
  place(b, pair.geom_b);
  return mj_geomDistance(close_.model.get(), data_.get(), pair.geom_a, pair.geom_b, kFar, nullptr);
}

// At the joints' positions of state_. At the start pairs that are near get less to keep.
PathCollision::Checker::Nearness PathCollision::Checker::measure(bool is_start) {
  ++poses_;
  model_.update(state_);
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    const Shape& shape = geometry_.shapes[i];
    if (shape.body == 0) continue;
    const FramePose body = model_.pose({mjOBJ_BODY, shape.body});
    placed_[i].follow(shape, body.position, body.rotation);
  }
  Nearness least{kFar, 0, kFar};
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const Pair& pair = pairs_[p];
    // Collision avoidance keeps no margin between geoms that are close at home.
    const double clearance = pair.geom_a < 0 ? clearance_ : 0.0;
    if (is_start) asked_[p] = clearance;
    const Placed& a = placed_[pair.a];
    const Placed& b = placed_[pair.b];
    const double apart = least.room + asked_[p] + bounds_[pair.a] + bounds_[pair.b];
    if (!is_start && (a.centre - b.centre).squaredNorm() > apart * apart) continue;
    const double distance = distance_of(pair, is_start ? kFar : least.room + asked_[p]);
    if (is_start) asked_[p] = std::min(clearance, distance - kNearer);
    const double room = distance - asked_[p];
    if (room < least.room) least = {room, p, distance};
  }
  return least;
}

PathCollision::Checker::Nearness PathCollision::Checker::look(const JointPlan& plan,
                                                              std::size_t piece, double s) {
  if (watch_ != nullptr) {
    const double begin = plan.knots().front();
    watch_->reach((s - begin) / (plan.knots().back() - begin));
  }
  for (std::size_t j = 0; j < plan.joints().size(); ++j) {
    state_.joints[plan.joints()[j]].q = plan.path(piece, j, s).q;
  }
  return measure(false);
}

// Σ reach |Δq| on a part of a piece: |q_s| is at most that at the nearer end and half the length
// times the largest |q_ss|. That is of the third degree: it lies between its Bézier points, which
// its values at four places give. A straight way at rest in both ends has q_ss = 0 there, and in
// its middle.
double PathCollision::Checker::motion(const JointPlan& plan, std::size_t piece, double from,
                                      double to) const {
  const double length = to - from;
  double sum = 0.0;
  for (std::size_t j = 0; j < plan.joints().size(); ++j) {
    const MotionState begin = plan.path(piece, j, from);
    const MotionState end = plan.path(piece, j, to);
    const double a1 = plan.path(piece, j, from + length / 3.0).a;
    const double a2 = plan.path(piece, j, from + 2.0 * length / 3.0).a;
    const double b1 = (-5.0 * begin.a + 18.0 * a1 - 9.0 * a2 + 2.0 * end.a) / 6.0;
    const double b2 = (2.0 * begin.a - 9.0 * a1 + 18.0 * a2 - 5.0 * end.a) / 6.0;
    const double bend = std::max({std::abs(begin.a), std::abs(b1), std::abs(b2), std::abs(end.a)});
    const double slope = std::max(std::abs(begin.v), std::abs(end.v)) + 0.5 * length * bend;
    sum += reach_[plan.joints()[j]] * slope * length;
  }
  return sum;
}

// Returns true with the first place that is too near.
bool PathCollision::Checker::divide(const JointPlan& plan, std::size_t piece, double from,
                                    const Nearness& at_from, double to, const Nearness& at_to) {
  const double most = motion(plan, piece, from, to);
  const bool is_clear = at_to.room >= 0.0 && at_from.room + at_to.room > most;
  if (is_clear) return false;
  if (most <= kThickness) {
    if (at_to.room >= 0.0) return false;
    found_ = at_to;
    found_at_ = to;
    return true;
  }
  const double middle = 0.5 * (from + to);
  const Nearness there = look(plan, piece, middle);
  return divide(plan, piece, from, at_from, middle, there) ||
         (there.room >= 0.0 && divide(plan, piece, middle, there, to, at_to));
}

std::optional<PathCollision::Meeting> PathCollision::Checker::first_on(const JointPlan& plan,
                                                                       const RobotState& state,
                                                                       PlanWatch* watch) {
  watch_ = watch;
  state_ = state;
  poses_ = 0;
  const std::span<const double> knots = plan.knots();
  for (std::size_t j = 0; j < plan.joints().size(); ++j) {
    state_.joints[plan.joints()[j]].q = plan.path(0, j, knots[0]).q;
  }
  Nearness here = measure(true);
  for (std::size_t piece = 0; piece + 1 < knots.size(); ++piece) {
    const Nearness next = look(plan, piece, knots[piece + 1]);
    if (!divide(plan, piece, knots[piece], here, knots[piece + 1], next)) {
      here = next;
      continue;
    }
    const Pair& pair = pairs_[found_.pair];
    const auto timing = plan.timing();
    const auto instant = std::find_if(timing.begin(), timing.end() - 1,
                                      [&](const auto& at) { return at.s >= found_at_; });
    const auto waypoints = plan.waypoints();
    const auto waypoint =
        std::lower_bound(waypoints.begin(), waypoints.end() - 1, instant->t) - waypoints.begin();
    Meeting meeting{geometry_.names[pair.a],
                    geometry_.names[pair.b],
                    (found_at_ - knots.front()) / (knots.back() - knots.front()),
                    found_.distance,
                    asked_[found_.pair],
                    static_cast<std::uint16_t>(waypoint + 1),
                    time_at(timing, found_at_),
                    {}};
    for (std::size_t j = 0; j < plan.joints().size(); ++j) {
      meeting.q.push_back(plan.path(piece, j, found_at_).q);
    }
    return meeting;
  }
  return std::nullopt;
}

PathCollision::PathCollision(const RobotConfig& robot)
    : checker_(std::make_unique<Checker>(robot)) {}

PathCollision::~PathCollision() = default;

std::optional<PathCollision::Meeting> PathCollision::first_on(const JointPlan& plan,
                                                              const RobotState& state,
                                                              PlanWatch* watch) {
  return checker_->first_on(plan, state, watch);
}

void PathCollision::know(const KnownObstacles& obstacles) { checker_->know(obstacles); }

double PathCollision::clearance() const noexcept { return checker_->clearance(); }

std::size_t PathCollision::poses() const noexcept { return checker_->poses(); }

JointPlan PathCollision::refusal_of(const Meeting& meeting) {
  JointPlan refused({RejectReason::kPlanCollision, kNoJoint, meeting.waypoint, meeting.distance,
                     meeting.clearance});
  refused.remark = fmt::format("{} and {}, at {:.1f} % of the path, {:.3f} s from its start",
                               meeting.a, meeting.b, 100.0 * meeting.share, meeting.time);
  return refused;
}

JointPlan PathCollision::checked(JointPlan plan, const RobotState& state, PlanWatch* watch) {
  if (plan.failure()) return plan;
  const std::optional<Meeting> meeting = first_on(plan, state, watch);
  return meeting ? refusal_of(*meeting) : std::move(plan);
}

}  // namespace jointrig
