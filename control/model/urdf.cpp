#include "control/model/urdf.h"

#include <fmt/core.h>
#include <tinyxml2.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <locale>
#include <set>
#include <sstream>

#include "control/core/text.h"
#include "control/model/mesh_search.h"
#include "control/model/mjcf.h"
#include "control/model/urdf_links.h"

namespace jointrig {
namespace {

using tinyxml2::XMLElement;

/// MuJoCo's reader gives visual shapes this group, and collision shapes group 0.
constexpr int kVisualGroup = 1;
constexpr int kHiddenGroup = 3;  // as in the models of MuJoCo Menagerie

template <typename Visit>
void for_children(XMLElement& parent, const char* name, Visit&& visit) {
  for (XMLElement* child = parent.FirstChildElement(name); child != nullptr;) {
    XMLElement* next = child->NextSiblingElement(name);
    visit(*child);
    child = next;
  }
}

std::string attribute(const XMLElement& element, const char* name) {
  const char* value = element.Attribute(name);
  return value != nullptr ? value : "";
}

XMLElement* mesh_of(XMLElement& shape) {
  XMLElement* geometry = shape.FirstChildElement("geometry");
  return geometry != nullptr ? geometry->FirstChildElement("mesh") : nullptr;
}

/// True if a collision shape is a mesh.
bool has_mesh(XMLElement& link) {
  bool has = false;
  for_children(link, "collision",
               [&](XMLElement& shape) { has = has || mesh_of(shape) != nullptr; });
  return has;
}

std::string lower_extension(const std::string& file) {
  std::string extension = std::filesystem::path(file).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

bool is_stl(const std::string& file) { return lower_extension(file) == ".stl"; }

bool is_readable_format(const std::string& file) {
  const std::string extension = lower_extension(file);
  return extension == ".stl" || extension == ".obj" || extension == ".msh";
}

/// True of an STL file that is a header alone, or says that it has no triangle. Exporters write one
/// for a link without a body (Kinova's Gen3: its end effector).
bool has_no_triangle(const std::string& file) {
  constexpr std::size_t kHeader = 80;
  std::array<unsigned char, kHeader + 4> begin{};
  std::ifstream in(file, std::ios::binary);
  in.read(reinterpret_cast<char*>(begin.data()), begin.size());
  const auto length = static_cast<std::size_t>(in.gcount());
  const std::string_view text(reinterpret_cast<const char*>(begin.data()), length);
  if (length < kHeader) return false;                                              // no STL
  if (length < begin.size()) return text.find("facet") == std::string_view::npos;  // of a text
  return std::all_of(begin.begin() + kHeader, begin.end(), [](auto byte) { return byte == 0; });
}

/// The first of them, and how many more there are.
std::string some_of(const std::set<std::string>& names) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> shown(
      names.begin(),
      std::next(names.begin(), static_cast<std::ptrdiff_t>(std::min(kMost, names.size()))));
  std::string text = joined(shown);
  if (names.size() > kMost) text += fmt::format(" and {} more", names.size() - kMost);
  return text;
}

/// True if a box, a sphere or a cylinder has an edge, a radius or a length of 0, or none: a place
/// that a simulator is to mark, as the contact points of NASA's Valkyrie. MuJoCo refuses it.
bool has_no_size(XMLElement& shape) {
  XMLElement* geometry = shape.FirstChildElement("geometry");
  if (geometry == nullptr) return false;
  const auto is_none = [&](const char* kind, const char* name) {
    const XMLElement* solid = geometry->FirstChildElement(kind);
    return solid != nullptr && !(solid->DoubleAttribute(name, 0.0) > 0.0);
  };
  if (is_none("sphere", "radius")) return true;
  if (is_none("cylinder", "radius") || is_none("cylinder", "length")) return true;
  const XMLElement* box = geometry->FirstChildElement("box");
  if (box == nullptr) return false;
  std::istringstream edges(attribute(*box, "size"));
  edges.imbue(std::locale::classic());
  std::array<double, 3> size{};
  for (double& edge : size) edges >> edge;
  return !std::all_of(size.begin(), size.end(), [](double edge) { return edge > 0.0; });
}

const char* plural(std::size_t count) { return count == 1 ? "" : "es"; }

/// Meshes of one kind of shape that can't be taken.
struct LeftOut {
  std::set<std::string> missing;
  std::set<std::string> unreadable;  ///< found, in a format that MuJoCo doesn't read
  std::set<std::string> empty;       ///< found, without a triangle
};

class UrdfReader {
 public:
  UrdfReader(const std::string& path, const std::vector<std::string>& packages)
      : path_(path), search_(path, packages) {}

  Urdf read(const std::string& text, bool visuals) {
    tinyxml2::XMLDocument document;
    if (document.Parse(text.c_str(), text.size()) != tinyxml2::XML_SUCCESS) {
      throw ModelError(fmt::format("{}: not XML (line {}): a tag is not closed or not well formed",
                                   path_, document.ErrorLineNum()));
    }
    XMLElement& robot = *document.RootElement();
    settle_compiler(document, robot);
    drop_macros(robot);
    for_children(robot, "link", [&](XMLElement& link) {
      settle_inertia(link);
      drop_shapes_without_size(link);
      if (link.FirstChildElement("inertial") == nullptr && has_mesh(link)) {
        urdf_.states_masses = false;
      }
      if (link.FirstChildElement("inertial") == nullptr &&
          link.FirstChildElement("collision") != nullptr) {
        unstated_.insert(attribute(link, "name"));
      }
      settle_shape_names(link, shapes_);
      for_children(link, "visual", [&](XMLElement& shape) {
        if (!visuals || !take_mesh(shape, visual_)) link.DeleteChild(&shape);
      });
      for_children(link, "collision", [&](XMLElement& shape) {
        if (!take_mesh(shape, collision_)) link.DeleteChild(&shape);
      });
    });
    refuse_without_collision_meshes();
    const std::vector<std::string> light = give_missing_masses(robot);
    weightless_.insert(light.begin(), light.end());
    const std::set<std::string> unstated = std::move(unstated_);
    for_children(robot, "joint", [&](XMLElement& joint) {
      const XMLElement* child = joint.FirstChildElement("child");
      const std::string moved = child != nullptr ? attribute(*child, "link") : "";
      if (unstated.count(moved) != 0) unstated_.insert(moved);  // not of a base that stands
      settle_friction(joint);
      read_speed(joint);
    });
    note_what_is_left_out();
    tinyxml2::XMLPrinter printer(nullptr, /*compact=*/true);
    document.Print(&printer);
    urdf_.xml = printer.CStr();
    return std::move(urdf_);
  }

 private:
  /// Sets what the file's own <mujoco><compiler> leaves open.
  void settle_compiler(tinyxml2::XMLDocument& document, XMLElement& robot) {
    XMLElement* own = robot.FirstChildElement("mujoco");
    if (own == nullptr) {
      own = document.NewElement("mujoco");
      robot.InsertFirstChild(own);
    }
    XMLElement* compiler = own->FirstChildElement("compiler");
    if (compiler == nullptr) {
      compiler = document.NewElement("compiler");
      own->InsertFirstChild(compiler);
    }
    for (const char* name : {"fusestatic", "discardvisual"}) {
      if (compiler->Attribute(name) == nullptr) compiler->SetAttribute(name, "false");
    }
    compiler->SetAttribute("strippath", "false");
    meshdir_ = attribute(*compiler, "meshdir");
  }

  /// Takes out what xacro passed on since nothing defined it.
  void drop_macros(XMLElement& element) {
    for (XMLElement* child = element.FirstChildElement(); child != nullptr;) {
      XMLElement* next = child->NextSiblingElement();
      if (std::string_view(child->Name()).starts_with("xacro:")) {
        macros_.insert(child->Name());
        element.DeleteChild(child);
      } else {
        drop_macros(*child);
      }
      child = next;
    }
  }

  void drop_shapes_without_size(XMLElement& link) {
    for (const char* kind : {"visual", "collision"}) {
      for_children(link, kind, [&](XMLElement& shape) {
        if (!has_no_size(shape)) return;
        sizeless_.insert(attribute(link, "name"));
        link.DeleteChild(&shape);
      });
    }
  }

  /// Makes an inertia positive; MuJoCo balances one with A + B < C.
  void settle_inertia(XMLElement& link) {
    XMLElement* inertial = link.FirstChildElement("inertial");
    XMLElement* inertia = inertial != nullptr ? inertial->FirstChildElement("inertia") : nullptr;
    if (inertia == nullptr) return;
    constexpr std::array kNames{"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    std::array<double, 6> I{};
    for (std::size_t i = 0; i < I.size(); ++i) inertia->QueryDoubleAttribute(kNames[i], &I[i]);
    double mass = 0.0;
    if (const XMLElement* value = inertial->FirstChildElement("mass")) {
      value->QueryDoubleAttribute("value", &mass);
    }
    Eigen::Matrix3d tensor;
    tensor << I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5];
    if (!tensor.allFinite()) return;
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(tensor);
    Eigen::Vector3d moments = axes.eigenvalues();
    // Choices: far below what a body of such a size or mass can have, far above rounding.
    const double least = std::max({1e-3 * moments[2], 1e-6 * mass, 1e-12});
    const bool positive = moments[0] > 1e-6 * least;
    if (positive && moments[0] + moments[1] >= moments[2] * (1.0 - 1e-6)) return;
    impossible_.insert("link " + attribute(link, "name"));
    if (positive) return;
    moments = moments.cwiseMax(least);
    tensor = axes.eigenvectors() * moments.asDiagonal() * axes.eigenvectors().transpose();
    const std::array<double, 6> settled{tensor(0, 0), tensor(0, 1), tensor(0, 2),
                                        tensor(1, 1), tensor(1, 2), tensor(2, 2)};
    for (std::size_t i = 0; i < settled.size(); ++i) {
      inertia->SetAttribute(kNames[i], fmt::format("{:.17g}", settled[i]).c_str());
    }
  }

  /// Gives a shape's mesh a name of its own. False if the mesh can't be taken.
  bool take_mesh(XMLElement& shape, LeftOut& left_out) {
    XMLElement* mesh = mesh_of(shape);
    if (mesh == nullptr) return true;
    const std::string name = attribute(*mesh, "filename");
    std::optional<std::string> file = search_.find(name);
    if (!file && !meshdir_.empty()) {
      file = search_.find((std::filesystem::path(meshdir_) / name).string());
      if (!file) {
        const std::filesystem::path bare = std::filesystem::path(name).filename();
        file = search_.find((std::filesystem::path(meshdir_) / bare).string());
      }
    }
    if (!file) {
      left_out.missing.insert(name);
      return false;
    }
    if (!is_readable_format(*file)) {
      left_out.unreadable.insert(name);
      return false;
    }
    if (is_stl(*file) && has_no_triangle(*file)) {
      left_out.empty.insert(name);
      return false;
    }
    mesh->SetAttribute("filename", name_for(*file).c_str());
    return true;
  }

  std::string name_for(const std::string& file) {
    if (const auto known = names_.find(file); known != names_.end()) return known->second;
    const std::filesystem::path path(file);
    std::string stem = path.stem().string();
    const std::string extension = path.extension().string();
    while (!stems_.insert(stem).second) stem += "_";
    const std::string name = stem + extension;
    names_[file] = name;
    urdf_.files[name] = file;
    return name;
  }

  void refuse_without_collision_meshes() const {
    const std::set<std::string>& missing = collision_.missing;
    if (!missing.empty()) {
      throw ModelError(fmt::format(
          "{}: can't find the collision mesh{} {}; looked {}; name the folder that has {} with "
          "--package-path, with package_path in robot.yaml or in ROS_PACKAGE_PATH; without it, "
          "take "
          "the <collision> elements that name it out of the file: these links then touch nothing",
          path_, plural(missing.size()), some_of(missing), search_.places(),
          missing.begin()->starts_with("package://") ? "the package" : "it"));
    }
  }

  void note_what_is_left_out() {
    if (!macros_.empty()) {
      urdf_.notes.push_back(fmt::format(
          "opened without what xacro left unexpanded, since nothing defines it: {}; make the URDF "
          "anew from its xacro if masses or shapes are missing",
          some_of(macros_)));
    }
    if (!sizeless_.empty()) {
      urdf_.notes.push_back(
          fmt::format("a shape of link{} {} has a size of 0: taken as no shape, it touches nothing",
                      sizeless_.size() == 1 ? "" : "s", some_of(sizeless_)));
    }
    if (!impossible_.empty()) {
      urdf_.notes.push_back(fmt::format(
          "no body can have the inertia of {} (it is not positive, or A + B < C): balanced",
          some_of(impossible_)));
    }
    if (!weightless_.empty()) {
      urdf_.notes.push_back(
          fmt::format("{} without mass that move: {}: 1 g each; give them an <inertial>",
                      weightless_.size() == 1 ? "a link" : "links", some_of(weightless_)));
    }
    if (!unstated_.empty()) {
      urdf_.notes.push_back(fmt::format(
          "states no mass of link{} {}: taken as the mass of {} collision shapes in "
          "water, often several times too heavy; give {} an <inertial>",
          unstated_.size() == 1 ? "" : "s", some_of(unstated_),
          unstated_.size() == 1 ? "its" : "their", unstated_.size() == 1 ? "it" : "them"));
    }
    const std::set<std::string>& untouchable = collision_.unreadable;
    if (!untouchable.empty()) {
      urdf_.notes.push_back(
          fmt::format("opened without the collision mesh{} {}, which touch nothing now: MuJoCo "
                      "reads STL, OBJ and "
                      "MSH; convert them",
                      plural(untouchable.size()), some_of(untouchable)));
    }
    std::set<std::string> empty = collision_.empty;
    empty.insert(visual_.empty.begin(), visual_.empty.end());
    if (!empty.empty()) {
      urdf_.notes.push_back(fmt::format("the mesh{} {} {} no triangle: taken as no shape",
                                        plural(empty.size()), some_of(empty),
                                        empty.size() == 1 ? "has" : "have"));
    }
    if (!stuck_.empty()) {
      urdf_.notes.push_back(fmt::format(
          "no motor could turn the joint{} {}: stated friction takes all of the "
          "stated effort, and is taken as none; set board: {{friction: ...}} if it is known",
          stuck_.size() == 1 ? "" : "s", some_of(stuck_)));
    }
    const std::set<std::string>& missing = visual_.missing;
    if (!missing.empty()) {
      urdf_.notes.push_back(fmt::format("opened without the visual mesh{} {}: looked {}",
                                        plural(missing.size()), some_of(missing),
                                        search_.places()));
    }
    const std::set<std::string>& unreadable = visual_.unreadable;
    if (!unreadable.empty()) {
      urdf_.notes.push_back(
          fmt::format("opened without the visual mesh{} {}: MuJoCo reads STL, OBJ and MSH",
                      plural(unreadable.size()), some_of(unreadable)));
    }
  }

  /// Takes out a friction that stands for nothing: simulators that ignore it hide such values.
  void settle_friction(XMLElement& joint) {
    XMLElement* dynamics = joint.FirstChildElement("dynamics");
    const XMLElement* limit = joint.FirstChildElement("limit");
    double friction = 0.0;
    double effort = 0.0;
    if (dynamics == nullptr || dynamics->QueryDoubleAttribute("friction", &friction) != 0) return;
    if (limit == nullptr || limit->QueryDoubleAttribute("effort", &effort) != 0) return;
    if (!(effort > 0.0 && friction >= effort)) return;
    dynamics->SetAttribute("friction", "0");
    stuck_.insert(fmt::format("{} ({:.3g} of {:.3g})", attribute(joint, "name"), friction, effort));
  }

  void read_speed(XMLElement& joint) {
    const XMLElement* limit = joint.FirstChildElement("limit");
    double speed = 0.0;
    if (limit == nullptr || limit->QueryDoubleAttribute("velocity", &speed) != 0) return;
    if (speed > 0.0) urdf_.speeds[attribute(joint, "name")] = speed;
  }

  std::string path_;
  MeshSearch search_;
  std::string meshdir_;
  LeftOut visual_;
  LeftOut collision_;
  std::map<std::string, std::string> names_;  ///< file: name
  std::set<std::string> stems_;
  std::set<std::string> shapes_;      ///< names of shapes so far
  std::set<std::string> impossible_;  ///< links
  std::set<std::string> weightless_;  ///< links
  std::set<std::string> unstated_;    ///< links whose mass is their shapes'
  std::set<std::string> stuck_;       ///< joints
  std::set<std::string> sizeless_;    ///< links with a shape that has no size
  std::set<std::string> macros_;      ///< elements that xacro left
  Urdf urdf_;
};

}  // namespace

bool is_urdf(std::string_view text) noexcept {
  while (true) {
    const std::size_t open = text.find('<');
    if (open == std::string_view::npos) return false;
    text.remove_prefix(open);
    constexpr std::string_view kRobot = "<robot";
    if (text.starts_with(kRobot)) {
      const char next = text.size() > kRobot.size() ? text[kRobot.size()] : ' ';
      return next == '>' || std::isspace(static_cast<unsigned char>(next)) != 0;
    }
    const std::string_view end = text.starts_with("<!--") ? "-->" : ">";
    const bool before_the_first = text.starts_with("<?") || text.starts_with("<!");
    const std::size_t close = text.find(end);
    if (!before_the_first || close == std::string_view::npos) return false;
    text.remove_prefix(close + end.size());
  }
}

Urdf read_urdf(const std::string& text, const std::string& path,
               const std::vector<std::string>& packages, bool visuals) {
  return UrdfReader(path, packages).read(text, visuals);
}

void place_meshes(const Urdf& urdf, mjSpec& spec) {
  for (mjsElement* element = mjs_firstElement(&spec, mjOBJ_MESH); element != nullptr;
       element = mjs_nextElement(&spec, element)) {
    mjsMesh* mesh = mjs_asMesh(element);
    const auto file =
        urdf.files.find(std::filesystem::path(mjs_getString(mesh->file)).filename().string());
    if (file != urdf.files.end()) mjs_setString(mesh->file, file->second.c_str());
  }
  std::set<const mjsBody*> drawn;
  const auto each_geom = [&](const auto& visit) {
    for (mjsElement* element = mjs_firstElement(&spec, mjOBJ_GEOM); element != nullptr;
         element = mjs_nextElement(&spec, element)) {
      mjsGeom* geom = mjs_asGeom(element);
      visit(*geom, mjs_getParent(element));
    }
  };
  const auto is_visual = [](const mjsGeom& geom) {
    return geom.group == kVisualGroup && geom.contype == 0 && geom.conaffinity == 0;
  };
  each_geom([&](mjsGeom& geom, const mjsBody* body) {
    if (!is_visual(geom)) return;
    geom.mass = 0.0;
    drawn.insert(body);
  });
  each_geom([&](mjsGeom& geom, const mjsBody* body) {
    if (!is_visual(geom) && drawn.contains(body)) geom.group = kHiddenGroup;
  });
}

void stiffen_mimics(mjSpec& spec) {
  for (mjsElement* element = mjs_firstElement(&spec, mjOBJ_EQUALITY); element != nullptr;
       element = mjs_nextElement(&spec, element)) {
    mjsEquality* gear = mjs_asEquality(element);
    if (gear->type != mjEQ_JOINT) continue;
    gear->solref[0] = 2.0 * spec.option.timestep;  // the shortest that the solver takes
    gear->solimp[0] = gear->solimp[1] = mjMAXIMP;
  }
}

void take_meshes_for_shells(mjSpec& spec) {
  for (mjsElement* element = mjs_firstElement(&spec, mjOBJ_MESH); element != nullptr;
       element = mjs_nextElement(&spec, element)) {
    mjs_asMesh(element)->inertia = mjMESH_INERTIA_SHELL;
  }
}

}  // namespace jointrig
