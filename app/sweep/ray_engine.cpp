#include "app/sweep/ray_engine.h"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace jointrig::app {

// ray_engine.py, embedded by cmake/JointrigEmbed.cmake
extern const std::string_view kRayScript;

namespace {

namespace fs = std::filesystem;

constexpr auto kPatience = std::chrono::milliseconds(200);  // an interrupt is seen after it

std::string_view word_of_logs(KeptLogs logs) {
  return logs == KeptLogs::kAll ? "all" : logs == KeptLogs::kNone ? "none" : "failed";
}

std::vector<std::string> texts_of(const std::set<fs::path>& paths) {
  return {paths.begin(), paths.end()};
}

std::string to_line(const RayHeader& header) {
  const std::string backend =
      header.robot.backend ? std::string(to_string(*header.robot.backend)) : "";
  const nlohmann::json json{{"address", header.options.address},
                            {"jobs", header.options.jobs},
                            {"program", fs::canonical("/proc/self/exe").string()},
                            {"version", header.version},
                            {"mujoco", header.mujoco},
                            {"scenario", header.scenario.string()},
                            {"robot", header.robot.robot},
                            {"backend", backend},
                            {"logs", word_of_logs(header.logs)},
                            {"verbose", header.verbose},
                            {"cwd", fs::current_path().string()},
                            {"files", texts_of(header.files)},
                            {"models", texts_of(header.model_folders)}};
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

RayEngine::RayEngine(const RayHeader& header) : process_(kRayScript, header.options.words) {
  process_.send(to_line(header));
}

void RayEngine::order(const CaseOrder& order) { process_.send(app::to_line(order)); }

std::optional<EngineWord> RayEngine::next() {
  if (const std::optional<std::string> line = process_.next(kPatience)) return word_of(*line);
  if (process_.has_ended()) {
    throw std::runtime_error("the engine ray has ended early" + process_.last_words());
  }
  return std::nullopt;
}

}  // namespace jointrig::app
