#include "control/model/mesh_search.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <system_error>

namespace jointrig {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 3;  // choice: a workspace's src, a repository, a package in it

bool is_mesh_file(const fs::path& path) {
  std::error_code failed;
  return fs::is_regular_file(path, failed);
}

std::vector<fs::path> folders_in_variable(const char* name, bool& is_set) {
  const char* list = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): start-up
  std::string_view rest = list != nullptr ? list : "";
  is_set = !rest.empty();
  std::vector<fs::path> folders;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) folders.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return folders;
}

/// The file in a package that is `folder` or lies directly in it.
std::optional<fs::path> in_or_under(const fs::path& folder, const std::string& package,
                                    const fs::path& rest) {
  if (folder.filename() == package && is_mesh_file(folder / rest)) return folder / rest;
  if (is_mesh_file(folder / package / rest)) return folder / package / rest;
  return std::nullopt;
}

/// The same some folders further down, nearer ones first.
std::optional<fs::path> further_down(const fs::path& folder, const std::string& package,
                                     const fs::path& rest, int deepest) {
  if (const auto found = in_or_under(folder, package, rest)) return found;
  if (deepest == 0) return std::nullopt;
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    std::error_code unreadable;
    if (!it->is_directory(unreadable) || it->path().filename().string().starts_with('.')) continue;
    if (const auto found = further_down(it->path(), package, rest, deepest - 1)) return found;
  }
  return std::nullopt;
}

std::string listed(const std::vector<std::string>& places) {
  std::string text;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const bool last = i + 1 == places.size();
    text += (i == 0 ? "" : last ? " and " : ", ") + places[i];
  }
  return text;
}

}  // namespace

MeshSearch::MeshSearch(const fs::path& model, const std::vector<std::string>& packages) {
  for (fs::path at = fs::absolute(model).lexically_normal().parent_path(); !at.empty();
       at = at.parent_path()) {
    above_.push_back(at);
    if (at == at.parent_path()) break;
  }
  for (const std::string& folder : packages) {
    fs::path path = fs::absolute(folder).lexically_normal();
    packages_.push_back(path.has_filename() ? path : path.parent_path());
  }
  ros_ = folders_in_variable("ROS_PACKAGE_PATH", ros_set_);
  for (const fs::path& prefix : folders_in_variable("AMENT_PREFIX_PATH", ament_set_)) {
    ament_.push_back(prefix / "share");
  }
}

std::optional<std::string> MeshSearch::find(const std::string& name) const {
  for (const std::string_view scheme : {"package://", "model://"}) {
    if (!name.starts_with(scheme)) continue;
    std::string_view path = std::string_view(name).substr(scheme.size());
    path.remove_prefix(std::min(path.find_first_not_of('/'), path.size()));  // package:///PKG
    const std::size_t slash = path.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    const std::string package(path.substr(0, slash));
    const fs::path rest(path.substr(slash + 1));
    for (const fs::path& folder : packages_) {
      if (const auto found = further_down(folder, package, rest, kDeepest)) return found->string();
    }
    for (const fs::path& folder : above_) {
      if (const auto found = in_or_under(folder, package, rest)) return found->string();
    }
    for (const fs::path& folder : ros_) {
      if (const auto found = further_down(folder, package, rest, kDeepest)) return found->string();
    }
    for (const fs::path& folder : ament_) {
      if (const auto found = in_or_under(folder, package, rest)) return found->string();
    }
    for (const fs::path& folder : above_) {
      if (is_mesh_file(folder / rest)) return (folder / rest).string();
    }
    return std::nullopt;
  }
  constexpr std::string_view kFile = "file://";
  const fs::path path = name.starts_with(kFile) ? name.substr(kFile.size()) : name;
  if (path.is_absolute()) return is_mesh_file(path) ? std::optional(path.string()) : std::nullopt;
  for (const auto* folders : {&above_, &packages_}) {
    for (const fs::path& folder : *folders) {
      if (is_mesh_file(folder / path)) return (folder / path).lexically_normal().string();
    }
  }
  return std::nullopt;
}

std::string MeshSearch::places() const {
  std::vector<std::string> places{"beside the file and in the folders above it"};
  for (const fs::path& folder : packages_) places.push_back("in " + folder.string());
  places.push_back(ros_set_ ? "in ROS_PACKAGE_PATH" : "in ROS_PACKAGE_PATH (not set)");
  places.push_back(ament_set_ ? "in AMENT_PREFIX_PATH" : "in AMENT_PREFIX_PATH (not set)");
  return listed(places);
}

}  // namespace jointrig
