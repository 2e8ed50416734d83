#include "app/gui/drawn_model.h"

#include <cstdio>

#include "control/model/start_pose.h"
#include "sim/plant_model.h"

namespace jointrig::app {
namespace {

sim::PlantModel with_all_shapes(const RobotConfig& config, sim::PlantOptions plant) {
  plant.shapes = Shapes::kAll;
  try {
    return sim::build_plant_model(config, plant);
  } catch (const ModelError& error) {
    std::fprintf(stderr, "jointrig gui: only shapes that collide are drawn: %s\n", error.what());
  }
  plant.shapes = Shapes::kColliding;
  return sim::build_plant_model(config, plant);
}

gui::DrawnModel at_start(const RobotConfig& config, sim::PlantModel built) {
  const DataPtr data = make_data(*built.model, config.model_path);
  apply_start(config, built.start, *built.model, *data);
  std::vector<double> qpos(data->qpos, data->qpos + built.model->nq);
  return {std::move(built.model), std::move(qpos)};
}

}  // namespace

gui::DrawnModel drawn_model(Rig& rig, const RobotConfig& config, const sim::PlantOptions& plant) {
  sim::PlantModel built = with_all_shapes(config, plant);
  if (rig.sim() != nullptr) {
    const mjData& now = rig.sim()->plant().data();
    return {std::move(built.model), {now.qpos, now.qpos + rig.sim()->plant().model().nq}};
  }
  return at_start(config, std::move(built));
}

gui::DrawnModel drawn_model(const RobotConfig& config) {
  return at_start(config, with_all_shapes(config, {}));
}

}  // namespace jointrig::app
