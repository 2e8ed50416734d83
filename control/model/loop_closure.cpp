#include "control/model/loop_closure.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "control/model/mjcf.h"

namespace jointrig {
namespace {

constexpr double kClosed = 1e-10;  // [m]: far below any encoder
constexpr double kNear = 5e-3;     // [m]: more than a cycle's motion opens a loop
/// Added to the three equations of a loop, as a share of the largest: a planar loop doesn't
/// determine all three distances. At a dead centre T stays below some 1500.
constexpr double kSoft = 1e-7;
constexpr double kMassless = 1e-12;  // added to H, as a share of its largest: links without mass

bool moves(const mjModel& m, int joint, int body) {
  while (body > 0 && body != m.jnt_bodyid[joint]) body = m.body_parentid[body];
  return body > 0;
}

/// Joints that move one of two bodies against the other.
std::vector<int> joints_between(const mjModel& m, const std::array<int, 2>& bodies) {
  std::vector<int> joints;
  for (int j = 0; j < m.njnt; ++j) {
    if (moves(m, j, bodies[0]) != moves(m, j, bodies[1])) joints.push_back(j);
  }
  return joints;
}

/// Points of all active `<connect>`.
std::vector<PinnedPoints> pinned_points(const mjModel& m) {
  std::vector<PinnedPoints> all;
  for (int e = 0; e < m.neq; ++e) {
    if (m.eq_type[e] != mjEQ_CONNECT || !m.eq_active0[e]) continue;
    PinnedPoints pin{.equality = e};
    const std::array<int, 2> objects{m.eq_obj1id[e], m.eq_obj2id[e]};
    for (std::size_t side = 0; side < 2; ++side) {
      const bool is_site = m.eq_objtype[e] == mjOBJ_SITE;
      pin.bodies[side] = is_site ? m.site_bodyid[objects[side]] : objects[side];
      const mjtNum* point = is_site ? m.site_pos + static_cast<std::ptrdiff_t>(3 * objects[side])
                                    : m.eq_data + e * mjNEQDATA + 3 * side;
      std::copy_n(point, 3, pin.points[side].begin());
    }
    all.push_back(pin);
  }
  return all;
}

int dofs_of(const mjModel& m, int joint) { return m.jnt_type[joint] == mjJNT_BALL ? 3 : 1; }

bool has_spring(const mjModel& m, int joint) {
  const mjtNum* more = m.jnt_stiffnesspoly + static_cast<std::ptrdiff_t>(joint) * mjNPOLY;
  return m.jnt_stiffness[joint] != 0.0 ||
         std::any_of(more, more + mjNPOLY, [](double value) { return value != 0.0; });
}

Eigen::Index rank(const Eigen::MatrixXd& matrix) {
  if (matrix.cols() == 0) return 0;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(matrix.rows(), matrix.cols());
  qr.setThreshold(1e-6);
  return qr.compute(matrix).rank();
}

Eigen::Vector3d in_world(const mjData& d, int body, const std::array<double, 3>& point) noexcept {
  const auto at = static_cast<std::ptrdiff_t>(body);
  const Eigen::Map<const Eigen::Vector3d> origin(d.xpos + 3 * at);
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> rotation(d.xmat + 9 * at);
  return origin + rotation * Eigen::Vector3d(point.data());
}

void soften(Eigen::MatrixXd& compliance) noexcept {
  for (Eigen::Index row = 0; row < compliance.rows(); row += 3) {
    auto of_loop = compliance.diagonal().segment<3>(row);
    of_loop.array() += kSoft * of_loop.maxCoeff();
  }
}

}  // namespace

// Construction
// ------------------------------------------------------------------------------------

// Factors are begun with something: one that has no result yet has an indeterminate flag, which no
// move may read.
LoopClosure::Passive::Passive()
    : inertia_factor(Eigen::MatrixXd::Identity(1, 1)),
      compliance_factor(Eigen::MatrixXd::Identity(1, 1)) {}

LoopClosure::LoopClosure() = default;

LoopClosure::LoopClosure(const mjModel& whole, const std::vector<int>& joints,
                         const std::vector<Coupling>& couplings)
    : joints_(joints.size()) {
  std::vector<bool> driven(static_cast<std::size_t>(whole.njnt), false);
  for (const int joint : joints) driven[static_cast<std::size_t>(joint)] = true;
  for (const Coupling& coupling : couplings) {
    driven[static_cast<std::size_t>(coupling.follower)] = true;
  }
  take(whole, driven);
  if (pins_.empty()) return;
  gaps_.setZero(static_cast<Eigen::Index>(3 * pins_.size()));
  for (auto& jacobian : point_jacobians_) jacobian.resize(static_cast<std::size_t>(3 * whole.nv));
  motion_.resize(static_cast<std::size_t>(whole.nv));
  travel_.resize(static_cast<std::size_t>(whole.nv));
  before_.resize(static_cast<std::size_t>(whole.nq));
  target_.resize(before_.size());
  last_.assign(whole.qpos0, whole.qpos0 + whole.nq);  // there MuJoCo has the loops closed
  choose_dofs(whole);
}

/// Takes the loops that a driven joint moves, and those that share a passive joint with them.
void LoopClosure::take(const mjModel& whole, const std::vector<bool>& driven) {
  std::vector<PinnedPoints> rest = pinned_points(whole);
  const auto is_passive = [&](int joint) {
    return whole.jnt_type[joint] != mjJNT_FREE && !driven[static_cast<std::size_t>(joint)];
  };
  const auto is_taken = [&](int joint) {
    return driven[static_cast<std::size_t>(joint)] ||
           std::find(passive_.begin(), passive_.end(), joint) != passive_.end();
  };
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t i = 0; i < rest.size();) {
      const std::vector<int> between = joints_between(whole, rest[i].bodies);
      const bool is_moved = std::any_of(between.begin(), between.end(), is_taken);
      const bool has_passive = std::any_of(between.begin(), between.end(), is_passive);
      if (!is_moved || !has_passive) {
        ++i;
        continue;
      }
      for (const int joint : between) {
        if (is_passive(joint) && !is_taken(joint)) passive_.push_back(joint);
      }
      pins_.push_back(rest[i]);
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      grown = true;
    }
  }
  std::sort(passive_.begin(), passive_.end());
}

/// Springs are held if the loops close as well without them, where the model has them closed.
void LoopClosure::choose_dofs(const mjModel& whole) {
  std::vector<int> all;
  std::vector<int> springless;
  for (const int joint : passive_) {
    for (int i = 0; i < dofs_of(whole, joint); ++i) {
      all.push_back(whole.jnt_dofadr[joint] + i);
      if (!has_spring(whole, joint)) springless.push_back(all.back());
    }
  }
  const auto nv = static_cast<std::size_t>(whole.nv);
  const DataPtr data = make_data(whole, "a model with loops");
  mj_kinematics(&whole, data.get());
  mj_comPos(&whole, data.get());
  prepare(free_, all, nv);
  prepare(held_, springless, nv);
  fill_jacobian(whole, *data, free_);
  fill_jacobian(whole, *data, held_);
  const bool is_enough = rank(held_.jacobian) == rank(free_.jacobian);
  if (!is_enough) held_ = free_;
  has_springs_ = is_enough && springless.size() < all.size();
}

void LoopClosure::prepare(Passive& set, const std::vector<int>& dofs, std::size_t nv) const {
  const auto count = static_cast<Eigen::Index>(dofs.size());
  const auto joints = static_cast<Eigen::Index>(joints_);
  const auto rows = static_cast<Eigen::Index>(3 * pins_.size());
  set.dofs = dofs;
  set.row.assign(nv, -1);
  for (std::size_t i = 0; i < dofs.size(); ++i) {
    set.row[static_cast<std::size_t>(dofs[i])] = static_cast<int>(i);
  }
  set.inertia.setZero(count, count);
  set.of_joints.setZero(count, joints);
  set.jacobian.setZero(rows, count);
  set.led.setZero(rows, joints);
  set.answer.setZero(count, rows);
  set.free.setZero(count, joints);
  set.compliance.setZero(rows, rows);
  set.slopes.setZero(count, joints);
  set.rates.setZero(count, joints);
  set.step.setZero(count);
  set.inertia_factor.compute(Eigen::MatrixXd::Identity(count, count));
  set.compliance_factor.compute(Eigen::MatrixXd::Identity(rows, rows));
}

// Equations
// ---------------------------------------------------------------------------------------

/// Returns the largest distance.
double LoopClosure::find_gaps(const mjData& data) noexcept {
  double largest = 0.0;
  for (std::size_t k = 0; k < pins_.size(); ++k) {
    const PinnedPoints& pin = pins_[k];
    const Eigen::Vector3d gap =
        in_world(data, pin.bodies[0], pin.points[0]) - in_world(data, pin.bodies[1], pin.points[1]);
    gaps_.segment<3>(static_cast<Eigen::Index>(3 * k)) = gap;
    largest = std::max(largest, gap.norm());
  }
  return largest;
}

void LoopClosure::find_point_jacobians(const mjModel& model, const mjData& data,
                                       std::size_t pin) noexcept {
  for (std::size_t side = 0; side < 2; ++side) {
    const int body = pins_[pin].bodies[side];
    const Eigen::Vector3d point = in_world(data, body, pins_[pin].points[side]);
    mj_jac(&model, &data, point_jacobians_[side].data(), nullptr, point.data(), body);
  }
}

void LoopClosure::fill_jacobian(const mjModel& model, const mjData& data, Passive& set) noexcept {
  const auto nv = static_cast<std::size_t>(model.nv);
  for (std::size_t k = 0; k < pins_.size(); ++k) {
    find_point_jacobians(model, data, k);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (std::size_t i = 0; i < set.dofs.size(); ++i) {
        const std::size_t at = axis * nv + static_cast<std::size_t>(set.dofs[i]);
        set.jacobian(static_cast<Eigen::Index>(3 * k + axis), static_cast<Eigen::Index>(i)) =
            point_jacobians_[0][at] - point_jacobians_[1][at];
      }
    }
  }
}

/// J_u and J_v.
void LoopClosure::fill_led(const mjModel& model, const mjData& data, std::span<const Mover> movers,
                           Passive& set) noexcept {
  const auto nv = static_cast<std::size_t>(model.nv);
  set.led.setZero();
  for (std::size_t k = 0; k < pins_.size(); ++k) {
    find_point_jacobians(model, data, k);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto row = static_cast<Eigen::Index>(3 * k + axis);
      for (std::size_t dof = 0; dof < nv; ++dof) {
        const std::size_t at = axis * nv + dof;
        const double share = point_jacobians_[0][at] - point_jacobians_[1][at];
        if (set.row[dof] >= 0) set.jacobian(row, set.row[dof]) = share;
        if (movers[dof].joint >= 0) set.led(row, movers[dof].joint) += movers[dof].slope * share;
      }
    }
  }
}

/// H and H_v, of MuJoCo's M: the lower triangle, row by row, without the zeros by the tree's
/// structure.
void LoopClosure::fill_inertia(const mjModel& model, const mjData& data,
                               std::span<const Mover> movers, Passive& set) noexcept {
  set.inertia.setZero();
  set.of_joints.setZero();
  const auto put = [&](int dof, int other, double value) {
    const int row = set.row[static_cast<std::size_t>(dof)];
    if (row < 0) return;
    const int column = set.row[static_cast<std::size_t>(other)];
    if (column >= 0) set.inertia(row, column) = value;
    if (movers.empty()) return;
    const Mover& mover = movers[static_cast<std::size_t>(other)];
    if (mover.joint >= 0) set.of_joints(row, mover.joint) += mover.slope * value;
  };
  for (int row = 0; row < model.nv; ++row) {
    const int first = model.M_rowadr[row];
    for (int place = first; place < first + model.M_rownnz[row]; ++place) {
      const int column = model.M_colind[place];
      put(row, column, data.M[place]);
      if (row != column) put(column, row, data.M[place]);
    }
  }
}

/// Products without Eigen's packing, which may allocate.
void LoopClosure::factor(Passive& set) noexcept {
  set.inertia.diagonal().array() += kMassless * set.inertia.diagonal().maxCoeff();
  set.inertia_factor.compute(set.inertia);
  set.answer = set.jacobian.transpose();
  set.inertia_factor.solveInPlace(set.answer);
  set.compliance = set.jacobian.lazyProduct(set.answer);
  soften(set.compliance);
  set.compliance_factor.compute(set.compliance);
}

void LoopClosure::solve_slopes(const mjModel& model, const mjData& data,
                               std::span<const Mover> movers, Passive& set) noexcept {
  fill_led(model, data, movers, set);
  fill_inertia(model, data, movers, set);
  factor(set);
  set.free = set.of_joints;
  set.inertia_factor.solveInPlace(set.free);
  set.led -= set.jacobian.lazyProduct(set.free);
  set.compliance_factor.solveInPlace(set.led);
  set.slopes = -set.free;
  set.slopes -= set.answer.lazyProduct(set.led);
}

// Use
// --------------------------------------------------------------------------------------------

double LoopClosure::close(const mjModel& model, mjData& data, int steps) noexcept {
  if (pins_.empty()) return 0.0;
  if (find_gaps(data) > kNear) walk(model, data, steps);
  const double gap = settle(model, data, steps);
  std::copy_n(data.qpos, model.nq, last_.begin());
  return gap;
}

/// Leaves all but the passive joints where they are to go.
void LoopClosure::walk(const mjModel& model, mjData& data, int steps) noexcept {
  constexpr double kStride = 0.15;  // [rad or m]
  constexpr int kMostStrides = 25;
  std::copy_n(data.qpos, model.nq, target_.begin());
  mj_differentiatePos(&model, travel_.data(), 1.0, last_.data(), target_.data());
  for (const int dof : held_.dofs) travel_[static_cast<std::size_t>(dof)] = 0.0;
  double longest = 0.0;
  for (const double way : travel_) longest = std::max(longest, std::abs(way));
  const int strides = static_cast<int>(std::min<double>(kMostStrides, 1.0 + longest / kStride));
  std::copy(last_.begin(), last_.end(), data.qpos);
  for (int stride = 0; stride < strides; ++stride) {
    mj_integratePos(&model, data.qpos, travel_.data(), 1.0 / strides);
    mj_kinematics(&model, &data);
    mj_comPos(&model, &data);
    settle(model, data, steps);
  }
  for (const int dof : held_.dofs) {
    const int joint = model.dof_jntid[dof];
    const int width = model.jnt_type[joint] == mjJNT_BALL ? 4 : 1;
    std::copy_n(data.qpos + model.jnt_qposadr[joint], width,
                target_.begin() + model.jnt_qposadr[joint]);
  }
  std::copy(target_.begin(), target_.end(), data.qpos);
  mj_kinematics(&model, &data);
  mj_comPos(&model, &data);
}

double LoopClosure::settle(const mjModel& model, mjData& data, int steps) noexcept {
  constexpr double kLongest = 0.3;  // of a step [rad or m]
  constexpr int kHalvings = 4;
  const auto move = [&](double share) {
    std::copy(before_.begin(), before_.end(), data.qpos);
    mj_integratePos(&model, data.qpos, motion_.data(), share);
    mj_kinematics(&model, &data);
    mj_comPos(&model, &data);
    return find_gaps(data);
  };
  double gap = find_gaps(data);
  for (int step = 0; step < steps && gap > kClosed; ++step) {
    mj_makeM(&model, &data);
    fill_inertia(model, data, {}, held_);
    fill_jacobian(model, data, held_);
    factor(held_);
    Eigen::Map<Eigen::MatrixXd> gaps(gaps_.data(), gaps_.size(), 1);
    held_.compliance_factor.solveInPlace(gaps);
    held_.step = -held_.answer.lazyProduct(gaps_);
    const double longest = held_.step.cwiseAbs().maxCoeff();
    if (!(longest > 0.0) || !std::isfinite(longest)) break;
    for (std::size_t i = 0; i < held_.dofs.size(); ++i) {
      motion_[static_cast<std::size_t>(held_.dofs[i])] = held_.step[static_cast<Eigen::Index>(i)];
    }
    std::copy_n(data.qpos, model.nq, before_.begin());
    double share = std::min(1.0, kLongest / longest);
    double next = move(share);
    for (int halving = 0; halving < kHalvings && !(next < gap); ++halving) {
      share *= 0.5;
      next = move(share);
    }
    if (!(next < gap)) {
      move(0.0);
      break;
    }
    gap = next;
  }
  return gap;
}

void LoopClosure::find_slopes(const mjModel& model, mjData& data,
                              std::span<const Mover> movers) noexcept {
  mj_makeM(&model, &data);
  solve_slopes(model, data, movers, held_);
}

/// J_u dT/dt = -(dJ_v/dt + dJ_u/dt T).
void LoopClosure::find_slope_rates(const mjModel& model, const mjData& data,
                                   std::span<const Mover> movers) noexcept {
  const auto nv = static_cast<std::size_t>(model.nv);
  held_.led.setZero();
  for (std::size_t k = 0; k < pins_.size(); ++k) {
    for (std::size_t side = 0; side < 2; ++side) {
      const int body = pins_[k].bodies[side];
      const Eigen::Vector3d point = in_world(data, body, pins_[k].points[side]);
      mj_jacDot(&model, &data, point_jacobians_[side].data(), nullptr, point.data(), body);
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      auto row = held_.led.row(static_cast<Eigen::Index>(3 * k + axis));
      for (std::size_t dof = 0; dof < nv; ++dof) {
        const std::size_t at = axis * nv + dof;
        const double rate = point_jacobians_[0][at] - point_jacobians_[1][at];
        if (held_.row[dof] >= 0) row += rate * held_.slopes.row(held_.row[dof]);
        if (movers[dof].joint >= 0) row[movers[dof].joint] += movers[dof].slope * rate;
      }
    }
  }
  held_.compliance_factor.solveInPlace(held_.led);
  held_.rates = -held_.answer.lazyProduct(held_.led);
}

void LoopClosure::add_inertia(const mjModel& model, const mjData& data,
                              std::span<const Mover> movers,
                              // NOLINTNEXTLINE(performance-unnecessary-value-param): written to
                              Eigen::Ref<Eigen::MatrixXd> inertia) noexcept {
  Passive& set = has_springs_ ? free_ : held_;
  solve_slopes(model, data, movers, set);
  add_inertia_of(set, inertia);
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): written to
void LoopClosure::add_slow_inertia(Eigen::Ref<Eigen::MatrixXd> inertia) noexcept {
  add_inertia_of(held_, inertia);
}

void LoopClosure::add_inertia_of(Passive& set, Eigen::Ref<Eigen::MatrixXd> inertia) noexcept {
  set.free = set.inertia.lazyProduct(set.slopes);
  set.free += set.of_joints;
  inertia += set.slopes.transpose().lazyProduct(set.free);
  inertia += set.of_joints.transpose().lazyProduct(set.slopes);
}

double LoopClosure::slowest_spring(const mjModel& model, const mjData& data) {
  double slowest = std::numeric_limits<double>::infinity();
  if (!has_springs_) return slowest;
  std::vector<Eigen::Index> rows;
  std::vector<double> roots;  // of K
  for (const int dof : free_.dofs) {
    const double stiffness = model.jnt_stiffness[model.dof_jntid[dof]];
    if (held_.row[static_cast<std::size_t>(dof)] >= 0 || !(stiffness > 0.0)) continue;
    rows.push_back(free_.row[static_cast<std::size_t>(dof)]);
    roots.push_back(std::sqrt(stiffness));
  }
  if (rows.empty()) return slowest;
  fill_inertia(model, data, {}, free_);
  fill_jacobian(model, data, free_);
  factor(free_);
  const auto count = free_.inertia.rows();
  const Eigen::MatrixXd mobility =
      free_.inertia_factor.solve(Eigen::MatrixXd::Identity(count, count)) -
      free_.answer * free_.compliance_factor.solve(free_.answer.transpose());
  const Eigen::Map<const Eigen::VectorXd> root(roots.data(),
                                               static_cast<Eigen::Index>(roots.size()));
  const Eigen::MatrixXd squares = root.asDiagonal() * mobility(rows, rows) * root.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(squares, Eigen::EigenvaluesOnly);
  return std::sqrt(std::max(modes.eigenvalues().minCoeff(), 0.0));
}

}  // namespace jointrig
