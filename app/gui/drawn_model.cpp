#include "app/gui/drawn_model.h"

#include "control/model/start_pose.h"
#include "sim/plant_model.h"

namespace jointrig::app {
namespace {

gui::DrawnModel at(ModelPtr model, const mjData& data) {
  std::vector<double> qpos(data.qpos, data.qpos + model->nq);
  return {std::move(model), std::move(qpos)};
}

}  // namespace

gui::DrawnModel drawn_model(Rig& rig, const RobotConfig& config) {
  if (rig.sim() != nullptr) {
    const sim::Plant& plant = rig.sim()->plant();
    return at(ModelPtr(mj_copyModel(nullptr, &plant.model())), plant.data());
  }
  sim::PlantModel built = sim::build_plant_model(config, {});
  const DataPtr data = make_data(*built.model, config.model_path);
  apply_start(config, built.start, *built.model, *data);
  return at(std::move(built.model), *data);
}

}  // namespace jointrig::app
