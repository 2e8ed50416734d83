#include "app/gui/written_scenario.h"

#include <fmt/core.h>

#include <stdexcept>

#include "gui/panel/quantity.h"
#include "gui/panel/sequence.h"
#include "harness/config/yaml_document.h"

namespace jointrig::app {

std::string joints_text(const std::vector<std::optional<double>>& q, const RobotConfig& config) {
  std::string text;
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (!q[i]) continue;
    const JointConfig& joint = config.joints[i];
    const double shown = *q[i] * gui::shown_unit(gui::JointQuantity::kPosition, joint.slide).per_si;
    const std::string value = gui::tidy(*q[i], joint) == *q[i]
                                  ? fmt::format("{:.2f} {}", shown, joint.slide ? "mm" : "deg")
                                  : harness::yaml_number(*q[i]);
    text += (text.empty() ? "" : ", ") + harness::yaml_string(joint.name) + ": " + value;
  }
  return "{" + text + "}";
}

void check_may_write(const std::string& file, const std::string& own) {
  const std::filesystem::path path = file;
  if (path.extension() != ".yaml") {
    throw std::runtime_error("\"" + file + "\": a scenario's name ends in .yaml");
  }
  if (std::filesystem::exists(path) && file != own) {
    throw std::runtime_error(file + " is there already: open it, or choose another name");
  }
}

}  // namespace jointrig::app
