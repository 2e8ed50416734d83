#include <mujoco/mujoco.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "bench/bare_steps.h"
#include "bench/bench.h"
#include "bench/replay.h"

namespace jointrig::bench {
namespace {

using TakePtr = std::shared_ptr<const Take>;

/// A second data on the same model, as a controller would have it.
struct Own {
  explicit Own(const TakePtr& take)
      : plant(take->config), model(&plant.model()), data(make_data(*model, take->name)) {
    mj_setState(model, data.get(), take->plant_before->plant.integration.data(),
                mjSTATE_INTEGRATION);
    kinematics();
    linear.resize(3 * static_cast<std::size_t>(model->nv));
    angular.resize(linear.size());
    if (!take->config.arms.empty()) tool = take->config.arms.front().tool;
  }

  void begin_again() {}
  void kinematics() {
    mj_kinematics(model, data.get());
    mj_comPos(model, data.get());
    mj_tendon(model, data.get());
    mj_transmission(model, data.get());
  }
  void gravity() {
    mj_comVel(model, data.get());
    mj_rne(model, data.get(), 0, data->qfrc_bias);
  }
  void mass_matrix() {
    mj_crb(model, data.get());
    mj_factorM(model, data.get());
  }

  /// For the first arm's tool, as its controller needs it.
  void jacobian() {
    const int site = mj_name2id(model, mjOBJ_SITE, tool.c_str());
    const int body = mj_name2id(model, mjOBJ_BODY, tool.c_str());
    if (site >= 0) mj_jacSite(model, data.get(), linear.data(), angular.data(), site);
    if (site < 0) mj_jacBody(model, data.get(), linear.data(), angular.data(), body);
  }

  sim::Plant plant;
  const mjModel* model;
  DataPtr data;
  std::string tool;
  std::vector<double> linear;
  std::vector<double> angular;
};

}  // namespace

void register_floor(const TakePtr& take) {
  register_replay<BareSteps>(take, "mj_step",
                             [](BareSteps& bare, const TakeCycle& c) { bare.step(c); });
  register_replay<Own>(take, "kinematics", [](Own& o, const TakeCycle&) { o.kinematics(); });
  register_replay<Own>(take, "gravity", [](Own& o, const TakeCycle&) { o.gravity(); });
  register_replay<Own>(take, "mass_matrix", [](Own& o, const TakeCycle&) { o.mass_matrix(); });
  register_replay<Own>(take, "own_dynamics", [](Own& o, const TakeCycle&) {
    o.kinematics();
    o.gravity();
    o.mass_matrix();
  });
  if (take->config.arms.empty()) return;
  register_replay<Own>(take, "model_terms", [](Own& o, const TakeCycle&) {
    o.kinematics();
    o.gravity();
    o.mass_matrix();
    o.jacobian();
  });
}

}  // namespace jointrig::bench
