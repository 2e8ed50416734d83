#include "control/model/holding_controls.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace jointrig {
namespace {

struct Line {
  int actuator = 0;
  double gain = 0.0;
  double bias = 0.0;  ///< force at control 0
};

bool acts_on_a_joint(const mjModel& m, int a) {
  return m.actuator_trntype[a] == mjTRN_JOINT || m.actuator_trntype[a] == mjTRN_JOINTINPARENT;
}

/// Force = gain u + bias at rest, if it is linear.
bool line_of(const mjModel& m, const mjData& d, int a, Line& line) {
  const int dynamics = m.actuator_dyntype[a];
  const int gain = m.actuator_gaintype[a];
  const int bias = m.actuator_biastype[a];
  const bool follows =
      dynamics == mjDYN_NONE || dynamics == mjDYN_FILTER || dynamics == mjDYN_FILTEREXACT;
  const bool is_straight = (gain == mjGAIN_FIXED || gain == mjGAIN_AFFINE) &&
                           (bias == mjBIAS_NONE || bias == mjBIAS_AFFINE);
  if (!follows || !is_straight || m.actuator_plugin[a] >= 0 || m.actuator_ctrlnum[a] != 1 ||
      m.actuator_outnum[a] != 1) {
    return false;
  }
  const double length = d.actuator_length[m.actuator_outadr[a]];
  const mjtNum* g = m.actuator_gainprm + a * mjNGAIN;
  const mjtNum* b = m.actuator_biasprm + a * mjNBIAS;
  line.actuator = a;
  line.gain = gain == mjGAIN_AFFINE ? g[0] + g[1] * length : g[0];
  line.bias = bias == mjBIAS_AFFINE ? b[0] + b[1] * length : 0.0;
  return std::abs(line.gain) > mjMINVAL;
}

void put_control(const mjModel& m, mjData& d, const Line& line, double force) {
  const int a = line.actuator;
  if (m.actuator_forcelimited[a]) {
    force = std::clamp(force, m.actuator_forcerange[2 * a], m.actuator_forcerange[2 * a + 1]);
  }
  const int address = m.actuator_ctrladr[a];
  double u = (force - line.bias) / line.gain;
  if (m.actuator_ctrllimited[address]) {
    u = std::clamp(u, m.actuator_ctrlrange[2 * address], m.actuator_ctrlrange[2 * address + 1]);
  }
  d.ctrl[address] = u;
  if (m.actuator_actnum[a] > 0) d.act[m.actuator_actadr[a] + m.actuator_actnum[a] - 1] = u;
}

}  // namespace

void hold_by_controls(const mjModel& m, mjData& d, const std::vector<bool>& held) {
  if (std::all_of(m.actuator_trntype, m.actuator_trntype + m.nactuator, [&](const int& type) {
        return acts_on_a_joint(m, static_cast<int>(&type - m.actuator_trntype));
      })) {
    return;
  }
  mj_forward(&m, &d);
  std::vector<Line> lines;
  for (int a = 0; a < m.nactuator; ++a) {
    Line line;
    if (!acts_on_a_joint(m, a) && line_of(m, d, a, line)) lines.push_back(line);
  }
  std::vector<int> row(static_cast<std::size_t>(m.nv), -1);
  int rows = 0;
  for (int i = 0; i < m.nv; ++i) {
    const bool free = m.jnt_type[m.dof_jntid[i]] == mjJNT_FREE;
    if (!free && !held[static_cast<std::size_t>(i)]) row[static_cast<std::size_t>(i)] = rows++;
  }
  if (lines.empty() || rows == 0) return;
  Eigen::MatrixXd arms = Eigen::MatrixXd::Zero(rows, static_cast<Eigen::Index>(lines.size()));
  Eigen::VectorXd load(rows);
  for (int i = 0; i < m.nv; ++i) {
    const int r = row[static_cast<std::size_t>(i)];
    if (r >= 0) load[r] = d.qfrc_bias[i] - d.qfrc_spring[i] - d.qfrc_gravcomp[i];
  }
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const int out = m.actuator_outadr[lines[k].actuator];
    for (int j = 0; j < d.moment_rownnz[out]; ++j) {
      const int address = d.moment_rowadr[out] + j;
      const int r = row[static_cast<std::size_t>(d.moment_colind[address])];
      if (r >= 0) arms(r, static_cast<Eigen::Index>(k)) = d.actuator_moment[address];
    }
  }
  const Eigen::VectorXd force = arms.completeOrthogonalDecomposition().solve(load);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const auto column = static_cast<Eigen::Index>(k);
    const bool reaches = arms.col(column).cwiseAbs().maxCoeff() > 0.0;
    if (reaches) put_control(m, d, lines[k], force[column]);
  }
}

}  // namespace jointrig
