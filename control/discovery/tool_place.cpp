#include "control/discovery/tool_place.h"

#include "control/model/robot_mjcf.h"

namespace jointrig {

ToolPlace place_of_tool(const RobotConfig& robot, const std::string& tool) {
  const Mjcf mjcf = robot_mjcf(robot);
  const mjModel& model = *mjcf.as_written;
  ToolPlace place;
  int body = mj_name2id(&model, mjOBJ_BODY, tool.c_str());
  if (const int site = mj_name2id(&model, mjOBJ_SITE, tool.c_str()); site >= 0) {
    body = model.site_bodyid[site];
    for (std::size_t i = 0; i < 3; ++i) {
      place.point[i] = model.site_pos[3 * static_cast<std::size_t>(site) + i];
    }
  }
  if (body < 0) throw ModelError(robot.model_path + " has no site or body \"" + tool + "\"");
  if (const char* name = mj_id2name(&model, mjOBJ_BODY, body)) place.body = name;
  return place;
}

}  // namespace jointrig
