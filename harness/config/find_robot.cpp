#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <system_error>

#include "control/core/nearest_word.h"
#include "control/core/text.h"
#include "harness/config/robot_file.h"
#include "harness/config/scene_path.h"

namespace jointrig::harness {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code failed;
  return fs::is_regular_file(path, failed);
}

bool is_folder(const fs::path& path) {
  std::error_code failed;
  return fs::is_directory(path, failed);
}

// Contents of a folder, by name; empty if it can't be read.
std::vector<fs::path> listing(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    paths.push_back(it->path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<fs::path> model_folders(const std::vector<fs::path>& near) {
  std::vector<fs::path> folders;
  const char* list = std::getenv("JOINTRIG_MODELS");  // NOLINT(concurrency-mt-unsafe): start-up
  std::string_view rest = list != nullptr ? list : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) folders.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  for (const fs::path& folder : folders_above(near, "models")) folders.push_back(folder);
  if (const fs::path installed = installed_folder("models"); !installed.empty()) {
    folders.push_back(installed);
  }
  return folders;
}

std::vector<fs::path> scene_folders(const std::vector<fs::path>& near) {
  std::vector<fs::path> folders = folders_above(near, "scenes");
  if (const fs::path installed = installed_folder("scenes"); !installed.empty()) {
    folders.push_back(installed);
  }
  return folders;
}

std::vector<KnownFile> as_list(const std::map<std::string, fs::path>& files) {
  std::vector<KnownFile> list;
  for (const auto& [name, file] : files) list.push_back({name, file});
  return list;
}

RobotSource from_yaml(const fs::path& path) {
  RobotSource robot;
  robot.file = load_yaml(path);
  robot_schema().check(robot.file);
  const fs::path folder = fs::absolute(path).lexically_normal().parent_path();
  const YamlNode* name = robot.file.find("name");
  robot.name = name != nullptr ? name->text() : folder.filename().string();
  const YamlNode& model = robot.file.at("model");
  robot.model_path = path_beside(model).string();
  if (!is_file(robot.model_path)) {
    throw model.error("there is no file \"" + robot.model_path + "\"");
  }
  return robot;
}

// Candidates for "did you mean", and for the list after it.
std::vector<std::string> robots_in(const std::vector<fs::path>& folders) {
  std::vector<std::string> names;
  for (const fs::path& folder : folders) {
    for (const fs::path& path : listing(folder)) {
      if (is_file(path / "robot.yaml")) names.push_back(path.filename().string());
    }
  }
  return names;
}

[[noreturn]] void refuse_name(const std::string& name, const std::vector<fs::path>& folders,
                              const SourceSpot& spot) {
  std::string sentence = "there is no robot \"" + name + "\"";
  const std::vector<std::string> names = robots_in(folders);
  const std::string nearest = did_you_mean(name, names);
  sentence += nearest;
  if (nearest.empty() && !names.empty()) {
    sentence += "; there is " + joined(names);
  }
  if (names.empty()) {
    sentence +=
        "; give the path of a robot.yaml, an MJCF or a URDF, or list folders of robots in "
        "JOINTRIG_MODELS";
  }
  throw FileError(spot, sentence);
}

std::string without_comments(std::string text) {
  for (std::size_t begin = 0; (begin = text.find("<!--", begin)) != std::string::npos;) {
    const std::size_t end = text.find("-->", begin);
    text.erase(begin, end == std::string::npos ? end : end + 3 - begin);
  }
  return text;
}

/// True if a URDF is one by its name alone: xacro has to expand it. Calls that xacro itself passes
/// on, since nothing defines them, are no reason: urdf.h takes them out.
bool has_macros(const fs::path& path) {
  std::ifstream stream(path);
  std::string text;
  for (std::string line; std::getline(stream, line);) text += line + "\n";
  text = without_comments(text);
  const auto has = [&](std::string_view word) { return text.find(word) != std::string::npos; };
  for (const char* word : {"<xacro:macro", "<xacro:include", "<xacro:property", "<xacro:arg",
                           "<xacro:if", "<xacro:unless"}) {
    if (has(word)) return true;
  }
  return has("<xacro:") && !has("<joint");
}

RobotSource find(const std::string& name, const std::vector<fs::path>& near,
                 const SourceSpot& spot) {
  std::vector<fs::path> bases = near;
  bases.emplace_back();
  const std::string extension = fs::path(name).extension().string();
  const bool is_path = extension == ".yaml" || extension == ".yml" || extension == ".xml" ||
                       extension == ".urdf" || extension == ".xacro" ||
                       name.find('/') != std::string::npos || name == "." || name == "..";
  for (const fs::path& base : bases) {
    if (!is_path) break;
    const fs::path path = (base / name).lexically_normal();
    if (is_folder(path) && is_file(path / "robot.yaml")) return from_yaml(path / "robot.yaml");
    if (!is_file(path)) continue;
    if (extension == ".xacro" || (extension == ".urdf" && has_macros(path))) {
      const std::string end = extension == ".xacro" ? ".urdf" : "_expanded.urdf";
      const std::string urdf = path.stem().stem().string() + end;
      throw FileError(spot, "\"" + name + "\" is a xacro, from which a URDF is made: xacro " +
                                path.string() + " > " + urdf +
                                ", or without ROS: pip install xacrodoc; xacrodoc " +
                                path.string() + " -o " + urdf);
    }
    if (extension == ".xml" || extension == ".urdf")
      return {path.stem().string(), path.string(), {}, {}};
    return from_yaml(path);
  }
  if (is_path) throw FileError(spot, "there is no robot.yaml, MJCF or URDF at \"" + name + "\"");
  const std::vector<fs::path> folders = model_folders(near);
  for (const fs::path& folder : folders) {
    if (is_file(folder / name / "robot.yaml")) return from_yaml(folder / name / "robot.yaml");
  }
  refuse_name(name, folders, spot);
}

}  // namespace

std::vector<fs::path> folders_above(const std::vector<fs::path>& near, const std::string& name) {
  std::vector<fs::path> bases = near;
  bases.emplace_back(".");
  std::vector<fs::path> found;
  std::vector<fs::path> met;
  for (const fs::path& base : bases) {
    // Upwards as written, so that messages show relative paths; then by "..".
    fs::path at = base.empty() ? fs::path(".") : base;
    for (int up = 0; up < 20; ++up, at /= "..") {
      const fs::path folder = (at / name).lexically_normal();
      std::error_code failed;
      const fs::path place = fs::weakly_canonical(folder, failed);
      if (!is_folder(folder) || std::find(met.begin(), met.end(), place) != met.end()) continue;
      met.push_back(place);
      found.push_back(folder);
    }
  }
  return found;
}

namespace {

/// The file with this code: the program, or a library that another program has loaded, as Python
/// loads its module. Empty if it can't be told.
fs::path own_file() {
  std::error_code failed;
  static const char marker = 0;
  Dl_info here{};
  if (dladdr(&marker, &here) != 0 && here.dli_fname != nullptr) {
    const fs::path loaded = here.dli_fname;
    if (loaded.filename().string().find(".so") != std::string::npos) {
      return fs::canonical(loaded, failed);
    }
  }
  return fs::read_symlink("/proc/self/exe", failed);
}

}  // namespace

fs::path installed_folder(const std::string& name) {
  const fs::path own = own_file();
  if (own.empty()) return {};
  const fs::path beside = own.parent_path();
  // bin/jointrig; a module of Python beside share/; lib/jointrig/libjointrig_panel.so
  for (const fs::path& prefix :
       {beside.parent_path(), beside, beside.parent_path().parent_path()}) {
    const fs::path folder = prefix / "share/jointrig" / name;
    if (is_folder(folder)) return folder;
  }
  for (fs::path at = own.parent_path(); at != at.parent_path(); at = at.parent_path()) {
    const bool is_clone = is_file(at / "CMakeLists.txt") && is_folder(at / "scenarios") &&
                          is_folder(at / "models") && is_folder(at / "scenes");
    if (is_clone && is_folder(at / name)) return at / name;
  }
  return {};
}

fs::path folder_of(const YamlNode& node) {
  const SourceText* source = node.spot().source.get();
  if (source == nullptr || source->is_argument) return ".";
  const fs::path folder = fs::path(source->name).parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

std::string scene_path(const YamlNode& scene) {
  const std::string& name = scene.text();
  if (name.empty()) return "";
  const fs::path path = path_beside(scene);
  if (is_file(path)) return path.string();
  std::vector<std::string> names;
  for (const fs::path& folder : scene_folders({folder_of(scene)})) {
    if (is_file(folder / (name + ".xml"))) return (folder / (name + ".xml")).string();
    for (const fs::path& file : listing(folder)) {
      if (file.extension() == ".xml") names.push_back(file.stem().string());
    }
  }
  throw scene.error("there is no scene \"" + name + "\"" + did_you_mean(name, names));
}

fs::path drive_profile_path(const YamlNode& profile) {
  const std::string& name = profile.text();
  fs::path path = path_beside(profile);
  if (is_file(path)) return path;
  std::vector<std::string> names;
  for (const fs::path& folder : model_folders({folder_of(profile)})) {
    const fs::path drives = folder / "drives";
    if (is_file(drives / (name + ".yaml"))) return drives / (name + ".yaml");
    for (const fs::path& file : listing(drives)) {
      if (file.extension() == ".yaml") names.push_back(file.stem().string());
    }
  }
  const std::string meant = did_you_mean(name, names);
  throw profile.error("there is no drive profile \"" + name + "\"" +
                      (meant.empty() && !names.empty() ? "; there is " + joined(names) : meant));
}

std::vector<KnownFile> known_robots() {
  std::map<std::string, fs::path> met;
  for (const fs::path& folder : model_folders({})) {
    for (const fs::path& path : listing(folder)) {
      if (is_file(path / "robot.yaml")) met.emplace(path.filename().string(), path / "robot.yaml");
    }
  }
  return as_list(met);
}

std::vector<KnownFile> known_scenes() {
  std::map<std::string, fs::path> met;
  for (const fs::path& folder : scene_folders({})) {
    for (const fs::path& file : listing(folder)) {
      if (file.extension() == ".xml") met.emplace(file.stem().string(), file);
    }
  }
  return as_list(met);
}

RobotSource find_robot(const std::string& name_or_path, const std::vector<fs::path>& near) {
  const auto argument = std::make_shared<const SourceText>(SourceText{"", {}, true});
  return find(name_or_path, near, {argument, 0, 0});
}

RobotSource find_robot(const YamlNode& name_or_path) {
  return find(name_or_path.text(), {folder_of(name_or_path)}, name_or_path.spot());
}

}  // namespace jointrig::harness
