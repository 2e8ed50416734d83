#include "control/wholebody/core.h"

#include <algorithm>
#include <cmath>

#include "control/wholebody/columns.h"

namespace jointrig {
namespace {

constexpr double kFree = std::numeric_limits<double>::infinity();

void require(bool holds, const std::string& sentence) {
  if (!holds) throw ModelError("whole-body controller: " + sentence);
}

void check(const CoreSettings& s) {
  const auto positive = [](double value) { return std::isfinite(value) && value > 0.0; };
  const auto weight = [](double value) { return std::isfinite(value) && value >= 0.0; };
  require(positive(s.acceleration_weight),
          "acceleration_weight has to be above 0: the program has one solution only then");
  require(positive(s.force_weight),
          "force_weight has to be above 0: the program has one solution only then");
  require(weight(s.torque_weight), "torque_weight has to be 0 or above");
  require(weight(s.change_weight), "change_weight has to be 0 or above");
  require(positive(s.released_weight), "released_weight has to be above 0");
  require(positive(s.acceleration_max), "acceleration_max has to be above 0");
  require(positive(s.limit_horizon), "limit_horizon has to be above 0");
  require(s.iterations > 0, "iterations has to be above 0");
  require(s.attempts > 0, "attempts has to be above 0");
}

void check(const FloatingModel& model, const std::vector<ContactSetup>& contacts,
           const std::vector<JointBounds>& bounds) {
  const auto text = [](auto number) { return std::to_string(number); };
  require(model.joint_count() <= kMaxBodyJoints, "the robot has " + text(model.joint_count()) +
                                                     " joints, at most " + text(kMaxBodyJoints));
  require(static_cast<int>(contacts.size()) <= kMaxContacts,
          text(contacts.size()) + " contacts are given, at most " + text(kMaxContacts));
  for (const ContactSetup& contact : contacts) {
    const std::size_t points = contact.points.size();
    require(points >= 1 && points <= kMaxContactPoints,
            "contact \"" + contact.name + "\" has " + text(points) +
                " points, it has to have 1 to " + text(kMaxContactPoints));
  }
  require(static_cast<int>(bounds.size()) == model.joint_count(),
          "bounds are given for " + text(bounds.size()) + " joints, the robot has " +
              text(model.joint_count()));
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const JointBounds& at = bounds[i];
    require(at.low < at.high && at.velocity_max > 0.0 && at.torque_max > 0.0,
            "joint \"" + model.joints()[i].name +
                "\" has to have low below high, and velocity_max and torque_max above 0");
  }
}

int points_of(const std::vector<ContactSetup>& contacts) {
  int points = 0;
  for (const ContactSetup& contact : contacts) points += static_cast<int>(contact.points.size());
  return points;
}

/// Equality rows that can give way: contacts, spatial tasks, momentum.
constexpr int kYieldingRows = 6 * (kMaxContacts + kMaxSpatialTasks + 1);

/// Of a program in which nothing gives way.
int plain_variables(int joints, const std::vector<ContactSetup>& contacts) {
  return joints + std::max(kConeEdges * points_of(contacts), FloatingModel::kBase);
}

int most_variables(int joints, const std::vector<ContactSetup>& contacts) {
  return plain_variables(joints, contacts) + kYieldingRows + joints;
}

int most_rows(int joints) { return kYieldingRows + kMaxContacts + 2 * joints; }

/// Rows of the objective.
int most_squares(int joints) {
  return kYieldingRows + 2 * kMaxContacts + 6 * kMaxContacts + joints;
}

}  // namespace

WholeBodyCore::WholeBodyCore(const FloatingModel& model, std::vector<ContactSetup> contacts,
                             std::vector<JointBounds> bounds, const CoreSettings& settings)
    : contacts_(std::move(contacts)),
      bounds_(std::move(bounds)),
      settings_(settings),
      joints_(model.joint_count()),
      qp_(most_variables(joints_, contacts_), most_rows(joints_), most_squares(joints_)) {
  check(settings_);
  check(model, contacts_, bounds_);
  const int nv = model.velocity_count();
  const int forces = kConeEdges * points_of(contacts_);
  const int most = most_variables(joints_, contacts_);
  const int plain = plain_variables(joints_, contacts_);
  const int objectives = most_squares(joints_);
  solution_.torque.setZero(joints_);
  solution_.acceleration.setZero(nv);
  for (SixNumbers& wrench : solution_.contact_wrench) wrench.setZero();
  for (auto& force : solution_.point_force) force.setZero();
  row_joint_.assign(static_cast<std::size_t>(joints_), 0);
  groups_.reserve(kMaxContacts + kMaxSpatialTasks + 1);
  first_force_.fill(kOff);
  first_force_before_.fill(kOff);

  jacobian_.setZero(6, nv);
  forces_to_velocities_.setZero(nv, forces);
  forces_to_points_.setZero(3, forces);
  points_.setZero(3, forces);
  wrench_force_.setZero(nv);
  wrench_momentum_.setZero();
  base_of_.setZero(6, plain);
  base_at_.setZero();
  torque_of_.setZero(plain, joints_);
  torque_at_.setZero(joints_);
  virtual_momentum_.setZero();
  factor_.setZero(nv, nv);
  pulled_.setZero(nv, 6);
  moved_.setZero(nv, 6);
  objective_.setZero(most, objectives);
  row_.setZero(most);
  before_.setZero(plain);
  diagonal_.setZero(most);
  gradient_.setZero(most);
  low_.setZero(most);
  high_.setZero(most);
  constraint_.setZero(most, most_rows(joints_));
  row_low_.setZero(most_rows(joints_));
  row_high_.setZero(most_rows(joints_));
}

WholeBodyCore::Memory WholeBodyCore::memory() const {
  const auto active = qp_.active();
  return {.active = {active.begin(), active.end()},
          .before = before_,
          .first_force_before = first_force_before_,
          .mode_before = mode_before_,
          .solution = solution_};
}

void WholeBodyCore::restore(const Memory& memory) {
  qp_.start_from(memory.active);
  before_ = memory.before;
  first_force_before_ = memory.first_force_before;
  mode_before_ = memory.mode_before;
  solution_ = memory.solution;
}

Eigen::VectorXd WholeBodyCore::variables() const { return qp_.solution(); }

const WholeBodySolution& WholeBodyCore::solve(FloatingModel& model,
                                              const WholeBodyCommand& command) noexcept {
  lay_out(model, command);
  switch (mode_) {
    case CoreMode::kInverseDynamics:
      eliminate(model);
      break;
    case CoreMode::kInverseKinematics:
      free_the_base();
      break;
    case CoreMode::kVirtualModel:
      pull(model, command);
      break;
  }
  add_objectives(model, command);
  add_constraints(model, command);

  solution_.gave_way.clear();
  solution_.iterations = 0;
  solution_.attempts = 0;
  solution_.outcome = CoreOutcome::kNoAnswer;
  if (mode_ == CoreMode::kVirtualModel && !solve_virtual()) return solution_;
  while (solution_.attempts < settings_.attempts) {
    ++solution_.attempts;
    const ActiveSetQp::Outcome outcome = qp_.solve(program(), settings_.iterations);
    solution_.iterations += qp_.iterations();
    if (outcome == ActiveSetQp::Outcome::kSolved) {
      take_solution();
      const bool whole = solution_.gave_way.empty();
      solution_.outcome = whole ? CoreOutcome::kSolved : CoreOutcome::kGaveWay;
      break;
    }
    if (outcome != ActiveSetQp::Outcome::kInfeasible || !release_one()) break;
    apply_releases();
  }
  // Places of rows and variables are others in the next cycle.
  if (solution_.outcome != CoreOutcome::kSolved) qp_.forget();
  return solution_;
}

/// The part of virtual model control's answer that no program decides. False if that is all: with a
/// number that isn't finite, or without contacts.
bool WholeBodyCore::solve_virtual() noexcept {
  const bool is_finite = torque_at_.allFinite();
  if (is_finite && variables_ > 0) return true;
  qp_.forget();
  if (!is_finite) return false;
  take_solution();
  solution_.outcome = CoreOutcome::kSolved;
  return false;
}

QuadraticProgram WholeBodyCore::program() const noexcept {
  const int n = variables_ + slacks_;
  return {diagonal_.head(n),    objective_.topLeftCorner(n, objectives_),
          gradient_.head(n),    low_.head(n),
          high_.head(n),        constraint_.topLeftCorner(n, rows_),
          row_low_.head(rows_), row_high_.head(rows_)};
}

/// Of the constraints that can't hold together, the first one in the order of Yielding gives way.
bool WholeBodyCore::release_one() noexcept {
  const auto in_conflict = [&](int first, int count) {
    const auto conflict = qp_.conflict();
    return std::any_of(conflict.begin(), conflict.end(),
                       [=](int index) { return index >= first && index < first + count; });
  };
  GaveWay chosen;
  Group* released = nullptr;
  bool found = false;
  for (const bool any : {false, true}) {  // at last, whatever may
    const auto offer = [&](GaveWay candidate, Group* group) {
      const bool earlier = !found || candidate.what < chosen.what ||
                           (candidate.what == chosen.what && candidate.index > chosen.index);
      if (!earlier) return;
      chosen = candidate;
      released = group;
      found = true;
    };
    for (Group& group : groups_) {
      const int first = variables_ + slacks_ + group.first;
      if (!group.released && (any || in_conflict(first, group.count))) offer(group.name, &group);
    }
    if (!limits_released_ && accelerations_ > 0 && (any || in_conflict(0, accelerations_))) {
      offer({Yielding::kJointLimits, 0}, nullptr);
    }
    if (found) break;
  }
  if (!found || solution_.gave_way.size() == solution_.gave_way.capacity()) return false;
  if (released != nullptr) {
    released->released = true;
  } else {
    limits_released_ = true;
  }
  solution_.gave_way.push_back(chosen);
  return true;
}

/// Rows that gave way get a slack each, which costs released_weight times its square.
void WholeBodyCore::apply_releases() noexcept {
  qp_.forget();
  const auto add_slack = [&](int row) {
    const int at = variables_ + slacks_;
    diagonal_[at] = settings_.released_weight;
    objective_.row(at).head(objectives_).setZero();
    gradient_[at] = 0.0;
    low_[at] = -kFree;
    high_[at] = kFree;
    constraint_.row(at).head(constraint_.cols()).setZero();
    constraint_(at, row) = 1.0;
    ++slacks_;
  };
  const GaveWay latest = solution_.gave_way[solution_.gave_way.size() - 1];
  if (latest.what == Yielding::kJointLimits) {
    for (int i = 0; i < accelerations_; ++i) {
      constraint_.col(rows_).setZero();
      constraint_(i, rows_) = 1.0;
      row_low_[rows_] = low_[i];
      row_high_[rows_] = high_[i];
      low_[i] = -kFree;
      high_[i] = kFree;
      add_slack(rows_++);
    }
    return;
  }
  for (const Group& group : groups_) {
    if (group.name != latest) continue;
    for (int row = group.first; row < group.first + group.count; ++row) add_slack(row);
  }
}

/// In virtual model control torques at their limits are those that were cut: they are noted
/// already.
void WholeBodyCore::count_active() noexcept {
  // Ends that are one are an equality, which may have been taken out of the program.
  for (int i = 0; i < accelerations_; ++i) {
    if (low_[i] == high_[i]) note_range(i, 1.0);
  }
  for (const ActiveSetQp::Active& one : qp_.active()) {
    if (one.is_equality) continue;
    if (one.index < accelerations_) {
      note_range(one.index, one.side);
    } else if (one.index < variables_ + slacks_) {
      note_edge(one.index - accelerations_);
    } else {
      note_row(one.index - variables_ - slacks_, one.side);
    }
  }
}

/// A torque limit that holds the joint as well outranks its range.
void WholeBodyCore::note_range(int joint, double side) noexcept {
  ActiveConstraints& active = solution_.active;
  ++active.ranges;
  JointHold& held = active.joint[static_cast<std::size_t>(joint)];
  if (held == JointHold::kNone) held = side > 0.0 ? JointHold::kLowest : JointHold::kHighest;
}

void WholeBodyCore::note_edge(int force) noexcept {
  ActiveConstraints& active = solution_.active;
  ++active.edges;
  std::size_t its = 0;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    if (first_force_[c] >= 0 && first_force_[c] <= force) its = c;
  }
  ++active.edges_of[its];
}

void WholeBodyCore::note_row(int row, double side) noexcept {
  ActiveConstraints& active = solution_.active;
  const int torque = row - first_torque_row_;
  const int load = torque - torque_rows_;
  const int range = load - load_rows_;
  if (range >= 0) {  // a range that gave way: its rows are those of the joints in their order
    note_range(range, side);
  } else if (load >= 0) {
    ++active.loads;
    active.is_loaded[row_contact_[static_cast<std::size_t>(load)]] = true;
  } else if (torque >= 0) {
    ++active.torques;
    const int joint = row_joint_[static_cast<std::size_t>(torque)];
    active.joint[static_cast<std::size_t>(joint)] =
        side > 0.0 ? JointHold::kTorqueLow : JointHold::kTorqueHigh;
  }
}

void WholeBodyCore::take_solution() noexcept {
  const auto z = qp_.solution().head(variables_);
  before_.head(variables_) = z;
  first_force_before_ = first_force_;
  mode_before_ = mode_;

  solution_.acceleration.setZero();
  solution_.torque.setZero();
  if (mode_ != CoreMode::kVirtualModel) {
    solution_.acceleration.head<6>() = base_at_;
    add_product(base_of_.leftCols(variables_), z, solution_.acceleration.head<6>());
    solution_.acceleration.tail(joints_) = z.head(joints_);
  }
  if (mode_ != CoreMode::kInverseKinematics) {
    set_transposed_product(torque_of_.topRows(variables_), z, solution_.torque);
    solution_.torque += torque_at_;
  }
  solution_.active = {};
  if (mode_ == CoreMode::kVirtualModel) {
    for (int i = 0; i < joints_; ++i) {
      const double most = bounds_[static_cast<std::size_t>(i)].torque_max;
      const double wanted = solution_.torque[i];
      solution_.torque[i] = std::clamp(wanted, -most, most);
      if (solution_.torque[i] == wanted) continue;
      ++solution_.active.torques;
      solution_.active.joint[static_cast<std::size_t>(i)] =
          wanted < 0.0 ? JointHold::kTorqueLow : JointHold::kTorqueHigh;
    }
  }
  count_active();

  for (std::size_t c = 0; c < kMaxContacts; ++c) {
    SixNumbers& wrench = solution_.contact_wrench[c];
    wrench.setZero();
    solution_.point_force[c].setZero();
    if (first_force_[c] < 0) continue;
    const Eigen::Vector3d origin = origin_[c];
    for (int p = 0; p < static_cast<int>(contacts_[c].points.size()); ++p) {
      const int first = first_force_[c] + kConeEdges * p;
      const Eigen::Vector3d force = forces_to_points_.middleCols<kConeEdges>(first).lazyProduct(
          z.segment<kConeEdges>(accelerations_ + first));
      const Eigen::Vector3d arm = points_.col(first) - origin;
      solution_.point_force[c].col(p) = force;
      wrench.head<3>() += force;
      wrench.tail<3>() += arm.cross(force);
    }
  }
}

}  // namespace jointrig
