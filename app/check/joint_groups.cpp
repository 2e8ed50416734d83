#include "app/check/joint_groups.h"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "app/check/straight_way.h"
#include "control/core/robot_io.h"
#include "control/model/robot_model.h"
#include "control/model/start_pose.h"

namespace jointrig::app {
namespace {

constexpr double kNothing = 1e-9;  // of √(M_ii M_jj): rounding
constexpr double kLittle = 0.1;    // of √(A_ii A_jj): a choice
constexpr std::size_t kMost = 16;  // half of what the plant takes: a push begins where another ends

/// Away from the start, so that axes that happen to be at right angles there no longer are [rad, m]
constexpr std::array<double, 3> kAside{0.0, 0.3, -0.2};

/// Pairs of joints that feel each other.
class Couplings {
 public:
  explicit Couplings(const Discovery& found) {
    const RobotConfig& robot = found.config;
    const auto count = static_cast<Eigen::Index>(robot.joints.size());
    RobotModel model(robot);
    Eigen::MatrixXd inertia(count, count);
    carries_ = Eigen::MatrixXd::Zero(count, count);
    for (const double aside : kAside) {
      RobotState state = state_at_start(robot);
      for (std::size_t i = 0; i < robot.joints.size(); ++i) {
        state.joints[i].q += aside / (1.0 + static_cast<double>(i % 3));
      }
      model.update(state);
      model.mass_matrix(inertia);
      carries_ = carries_.cwiseMax(shares_of(inertia));
      if (aside == 0.0) disturbs_ = shares_of(inertia.inverse());
    }
    for (Eigen::Index i = 0; i < count; ++i) {
      const FrameId mount = model.mount_of(static_cast<JointIndex>(i));
      for (Eigen::Index k = 0; k < count; ++k) {
        if (!model.is_behind(mount, static_cast<JointIndex>(k))) continue;
        couple(static_cast<std::size_t>(i), static_cast<std::size_t>(k));
      }
    }
    for (const auto& [a, b] : model.tied_joints()) couple(a, b);
    for (const Remark& finding : found.findings) couple_tied(robot, finding);
  }

  [[nodiscard]] bool are_apart(std::size_t a, std::size_t b) const {
    const auto row = static_cast<Eigen::Index>(a);
    const auto column = static_cast<Eigen::Index>(b);
    return carries_(row, column) < kNothing && disturbs_(row, column) < kLittle;
  }

 private:
  void couple(std::size_t a, std::size_t b) {
    const auto row = static_cast<Eigen::Index>(a);
    const auto column = static_cast<Eigen::Index>(b);
    carries_(row, column) = carries_(column, row) = 1.0;
  }

  /// Joints that the limits of a tendon tie, of which only the findings know.
  void couple_tied(const RobotConfig& robot, const Remark& finding) {
    if (finding.subject != Subject::kJoint || !finding.text.starts_with(kTiedByTendon)) return;
    std::vector<std::size_t> tied;
    for (std::size_t i = 0; i < robot.joints.size(); ++i) {
      const auto& names = finding.names;
      if (std::find(names.begin(), names.end(), robot.joints[i].name) != names.end()) {
        tied.push_back(i);
      }
    }
    for (const std::size_t a : tied) {
      for (const std::size_t b : tied) couple(a, b);
    }
  }

  static Eigen::MatrixXd shares_of(const Eigen::MatrixXd& matrix) {
    const Eigen::VectorXd scale = matrix.diagonal().cwiseSqrt().cwiseInverse();
    return (scale.asDiagonal() * matrix * scale.asDiagonal()).cwiseAbs();
  }

  Eigen::MatrixXd carries_;
  Eigen::MatrixXd disturbs_;
};

/// True if joints meet nothing that they don't meet alone, whichever of them is ahead.
class Ways {
 public:
  Ways(const RobotConfig& robot, const std::vector<CheckedJoint>& joints, PathCollision& collision)
      : joints_(&joints), collision_(&collision), start_(state_at_start(robot)) {}

  [[nodiscard]] bool stay_free(const std::vector<std::size_t>& group, std::size_t one) {
    if ((*joints_)[one].way == 0.0) return true;
    std::vector<std::size_t> all = group;
    all.push_back(one);
    return is_free({one}, at_the_end_of(group)) && is_free(group, at_the_end_of({one})) &&
           is_free(all, start_);
  }

 private:
  [[nodiscard]] RobotState at_the_end_of(const std::vector<std::size_t>& group) const {
    RobotState there = start_;
    for (const std::size_t i : group) there.joints[i].q += kBeyond * (*joints_)[i].way;
    return there;
  }

  [[nodiscard]] bool is_free(const std::vector<std::size_t>& group, const RobotState& from) {
    std::vector<JointIndex> moving;
    std::vector<double> begin;
    std::vector<double> way;
    for (const std::size_t i : group) {
      moving.push_back(static_cast<JointIndex>(i));
      begin.push_back(from.joints[i].q);
      way.push_back(kBeyond * (*joints_)[i].way);
    }
    return !collision_->first_on(straight_way(moving, begin, way), from);
  }

  const std::vector<CheckedJoint>* joints_;
  PathCollision* collision_;
  RobotState start_;
};

}  // namespace

void form_groups(const Discovery& found, PathCollision& collision,
                 std::vector<CheckedJoint>& joints) {
  const Couplings couplings(found);
  Ways ways(found.config, joints, collision);
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const auto fits = [&](const std::vector<std::size_t>& group) {
      return group.size() < kMost &&
             std::all_of(group.begin(), group.end(),
                         [&](std::size_t k) { return couplings.are_apart(i, k); }) &&
             ways.stay_free(group, i);
    };
    auto group = std::find_if(groups.begin(), groups.end(), fits);
    if (group == groups.end()) group = groups.insert(groups.end(), std::vector<std::size_t>{});
    group->push_back(i);
    joints[i].group = static_cast<int>(group - groups.begin());
  }
}

}  // namespace jointrig::app
