#include "control/model/model_files.h"

#include <tinyxml2.h>

#include <functional>
#include <string_view>
#include <system_error>

#include "control/model/mesh_search.h"

namespace jointrig {
namespace {

namespace fs = std::filesystem;
using tinyxml2::XMLElement;

using Visit = std::function<void(const XMLElement&, const tinyxml2::XMLAttribute&)>;

void for_attributes(const XMLElement& element, const Visit& visit) {
  for (const auto* at = element.FirstAttribute(); at != nullptr; at = at->Next()) {
    visit(element, *at);
  }
  for (const auto* child = element.FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement()) {
    for_attributes(*child, visit);
  }
}

/// Files that one model names, by way of all that it includes.
class Search {
 public:
  Search(const fs::path& model, const std::vector<std::string>& packages)
      : folder_(model.parent_path()), meshes_(model, packages) {}

  void read(const fs::path& file) {
    if (!found_.insert(file).second || !is_model(file)) return;
    tinyxml2::XMLDocument document;
    if (document.LoadFile(file.c_str()) != tinyxml2::XML_SUCCESS) return;
    const XMLElement* root = document.RootElement();
    if (root == nullptr) return;
    for_attributes(*root, [&](const XMLElement& element, const auto& attribute) {
      if (std::string_view(element.Name()) == "compiler") note_folder(attribute);
    });
    for_attributes(*root, [&](const XMLElement& /*element*/, const auto& attribute) {
      look_for(attribute, file.parent_path());
    });
  }

  [[nodiscard]] std::set<fs::path> take() { return std::move(found_); }

 private:
  static bool is_model(const fs::path& file) {
    return file.extension() == ".xml" || file.extension() == ".urdf";
  }

  void note_folder(const tinyxml2::XMLAttribute& attribute) {
    const std::string_view name = attribute.Name();
    if (name == "meshdir" || name == "texturedir" || name == "assetdir") {
      folders_.insert(attribute.Value());
    }
  }

  void look_for(const tinyxml2::XMLAttribute& attribute, const fs::path& beside) {
    const std::string_view name = attribute.Name();
    if (!name.starts_with("file") || *attribute.Value() == '\0') return;
    if (name == "filename") {
      if (const auto mesh = meshes_.find(attribute.Value())) take_file(*mesh);
    }
    for (const fs::path& base : {folder_, beside}) {
      for (const fs::path& folder : folders_) take_file(base / folder / attribute.Value());
    }
  }

  void take_file(const fs::path& file) {
    std::error_code failed;
    if (fs::is_regular_file(file, failed)) read(fs::absolute(file).lexically_normal());
  }

  fs::path folder_;
  MeshSearch meshes_;
  std::set<fs::path> folders_{""};
  std::set<fs::path> found_;
};

}  // namespace

std::set<fs::path> files_of_model(const fs::path& path, const std::vector<std::string>& packages) {
  const fs::path model = fs::absolute(path).lexically_normal();
  Search search(model, packages);
  search.read(model);
  return search.take();
}

}  // namespace jointrig
