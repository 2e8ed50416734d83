#pragma once
/// Generalised forces of the iCub's plant, by MuJoCo, for tests of whole-body control.

#include "tests/control/wholebody/icub_on_soles.h"

namespace jointrig::soles {

/// MuJoCo's inverse dynamics of the plant, contacts of its own off: the generalised forces that the
/// accelerations take.
inline Eigen::VectorXd forces_that_take(Icub& icub, const Eigen::VectorXd& acceleration) {
  mjModel* plant = icub.mjcf.as_written.get();
  plant->opt.disableflags |= mjDSBL_CONSTRAINT;
  std::copy_n(acceleration.data(), acceleration.size(), icub.data->qacc);
  mj_inverse(plant, icub.data.get());
  return Eigen::Map<const Eigen::VectorXd>(icub.data->qfrc_inverse, plant->nv);
}

/// Generalised forces of the contacts' points, by MuJoCo's own mapping of forces at points.
inline Eigen::VectorXd forces_of_points(Icub& icub, const WholeBodyCore& core) {
  const mjModel& plant = icub.plant;
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(plant.nv);
  for (std::size_t c = 0; c < core.contacts().size(); ++c) {
    const ContactSetup& contact = core.contacts()[c];
    const int site = mj_name2id(&plant, mjOBJ_SITE, contact.name.c_str());
    const Eigen::Map<const Eigen::Vector3d> origin(icub.data->site_xpos + 3 * site);
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> axes(icub.data->site_xmat +
                                                                              9 * site);
    for (std::size_t p = 0; p < contact.points.size(); ++p) {
      const Eigen::Vector3d point = origin + axes * contact.points[p];
      const Eigen::Vector3d force =
          core.solution().point_force[c].col(static_cast<Eigen::Index>(p));
      const Eigen::Vector3d none = Eigen::Vector3d::Zero();
      mj_applyFT(&plant, icub.data.get(), force.data(), none.data(), point.data(),
                 plant.site_bodyid[site], sum.data());
    }
  }
  return sum;
}

}  // namespace jointrig::soles
