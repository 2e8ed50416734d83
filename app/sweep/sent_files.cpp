#include "app/sweep/sent_files.h"

#include <algorithm>
#include <system_error>

#include "control/core/text.h"
#include "control/model/model_files.h"

namespace jointrig::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestPath = 1024;  // a longer text names no file: a choice

bool is_file(const fs::path& path) {
  std::error_code failed;
  return fs::is_regular_file(path, failed);
}

bool is_yaml(const fs::path& path) {
  return path.extension() == ".yaml" || path.extension() == ".yml";
}

}  // namespace

void SentFiles::add(const PreparedCase& ready, const std::vector<std::string>& settings) {
  const CaseFiles& of = ready.files;
  const std::string key = joined(
      std::vector<std::string>{of.robot_yaml, of.model, of.scene, joined(settings, "\n")}, "\n");
  const std::lock_guard lock(mutex_);
  if (!known_.insert(key).second) return;
  add_yaml(fs::absolute(ready.scenario.file).lexically_normal());
  if (!of.robot_yaml.empty()) add_robot(fs::absolute(of.robot_yaml).lexically_normal());
  for (const std::string& model : {of.model, of.scene}) {
    if (model.empty()) continue;
    for (const fs::path& file : files_of_model(model, of.packages)) files_.insert(file);
  }
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    add_named(harness::parse_yaml_argument(setting.substr(equals + 1), setting),
              fs::current_path());
  }
}

/// Its folder's folder has robots by name, and their drives.
void SentFiles::add_robot(const fs::path& robot_yaml) {
  add_yaml(robot_yaml);
  const fs::path models = robot_yaml.parent_path().parent_path();
  model_folders_.insert(models);
  std::error_code failed;
  for (fs::directory_iterator it(models / "drives", failed), end; !failed && it != end;
       it.increment(failed)) {
    if (is_file(it->path()) && is_yaml(it->path())) files_.insert(it->path());
  }
}

void SentFiles::add_yaml(const fs::path& file) {
  if (!is_file(file) || !files_.insert(file).second) return;
  try {
    add_named(harness::load_yaml(file), file.parent_path());
  } catch (const harness::FileError&) {
    // A file of another kind, such as a table: it is sent as it is.
  }
}

void SentFiles::add_named(const harness::YamlNode& node, const fs::path& folder) {
  if (node.is_string()) {
    add_file((folder / node.raw().substr(0, kLongestPath)).lexically_normal());
  } else if (node.is_sequence()) {
    for (const harness::YamlNode& item : node.items()) add_named(item, folder);
  } else if (node.is_mapping()) {
    for (const auto& entry : node.entries()) add_named(entry.value, folder);
  }
}

void SentFiles::add_file(const fs::path& file) {
  if (!is_file(file)) return;
  if (is_yaml(file)) {
    add_yaml(file);
  } else if (file.extension() == ".xml" || file.extension() == ".urdf") {
    for (const fs::path& part : files_of_model(file)) files_.insert(part);
  } else {
    files_.insert(file);
  }
}

}  // namespace jointrig::app
