/// Reads the includes of the tree and holds them to the arrows of docs/architecture.md.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// Folder → folders it may include from, besides itself. The longest matching folder counts.
const std::map<std::string, std::set<std::string>> kArrows{
    {"control", {"control/core"}},  // the port: control/backend.h
    {"control/core", {}},
    {"control/exchange", {"control/core"}},
    {"control/motion", {"control/core"}},
    {"control/laws", {"control/core"}},
    {"control/safety", {"control/core", "control/motion"}},
    {"control/model", {"control/core"}},
    {"control/discovery", {"control/core", "control/model"}},
    // Outside the loop, but for inverse kinematics.
    {"control/planning", {"control/core", "control/laws", "control/model", "control/motion"}},
    {"control/joint", {"control/core", "control/motion", "control/laws", "control/safety"}},
    {"control/arm",
     {"control/core", "control/joint", "control/motion", "control/laws", "control/safety",
      "control/model"}},
    {"control/wholebody", {"control/core", "control/model"}},
    {"control/stack",
     {"control", "control/core", "control/exchange", "control/joint", "control/arm",
      "control/motion", "control/laws", "control/safety", "control/model", "control/wholebody",
      // Inverse kinematics, which allocates nothing: the drive of a tool.
      "control/planning"}},
    {"sim", {"control", "control/core", "control/model", "sim/board"}},
    {"sim/board", {"control/core"}},
    {"hw/can", {}},
    {"hw/canopen", {"hw/can"}},
    {"hw/cia402", {}},
    {"hw/moteus", {"hw/can"}},
    {"hw/dynamixel", {"hw/can"}},
    {"hw/driver",
     {"control", "control/core", "hw/can", "hw/canopen", "hw/cia402", "hw/dynamixel", "hw/moteus"}},
    {"harness/config", {"control/core"}},
    {"harness/log/mcap", {"control/core"}},
    // Events in words: what a limit was, which stage overran.
    {"harness/log",
     {"control/core", "control/exchange", "control/motion", "control/safety", "control/stack",
      "harness/log/mcap"}},
    // Inverse kinematics and plans, which are outside the loop.
    {"harness/runner",
     {"control/core", "control/exchange", "control/laws", "control/motion", "control/planning",
      "harness/config", "harness/log"}},
    {"harness/report", {"control/core", "harness/runner", "harness/config"}},
    // Clients elsewhere: inbox, snapshots, events; these in words.
    {"remote", {"control/core", "control/exchange", "harness/log", "harness/log/mcap"}},
    // A client: the inbox, snapshots, events. Soft limits and the first gate, to say beforehand
    // what the loop would refuse.
    {"gui/panel",
     {"control", "control/core", "control/exchange", "control/motion", "control/safety"}},
    {"gui/plot", {"control/core"}},
    // MJCF by name and followers of joints: a model of its own to draw.
    {"gui/scene3d", {"control/core", "control/model", "gui/panel"}},
    {"gui/view", {"control/core", "gui/panel", "gui/plot", "gui/scene3d"}},
    {"gui/window", {"control/core", "gui/view"}},
};
// These may include anything: the composition root, the module that wires a robot for Python, the
// tests and the benchmarks.
const std::set<std::string> kRoots{"app", "python", "tests", "bench"};

/// Libraries that are met in few places only.
const std::map<std::string, std::set<std::string>> kOnlyIn{
    {"mujoco/",
     {"control/model", "control/discovery", "sim", "gui/scene3d", "app/doctor", "bench", "tests"}},
    {"yaml-cpp/", {"harness/config"}},
    {"lz4", {"harness/log/mcap"}},
    {"zstd", {"harness/log/mcap"}},
    {"CLI/", {"app"}},
    // No cycle formats: files of control and sim may that speak of models, check at the start, post
    // for a client, or sum up a loop that has ended.
    {"fmt/",
     {"harness",
      "hw",
      "app",
      "gui",
      "python",
      "remote",
      "control/discovery",
      "control/model",
      "control/planning",
      "control/core/load_flaw.cpp",
      "control/exchange/robot_client.cpp",
      "control/stack/law_declaration.cpp",
      "control/stack/loop_margin.cpp",
      "control/stack/loop_statistics.cpp",
      "control/stack/stack_checks.cpp",
      "control/stack/tool_margin.cpp",
      "control/stack/whole_body_law.cpp",
      "sim/plant_model.cpp",
      "sim/sim_backend.cpp",
      "bench",
      "tests"}},
    {"imgui", {"gui/view", "gui/window", "app/gui", "tests/gui"}},
    {"GLFW/", {"gui/window"}},
    {"GL/", {"gui/window", "gui/scene3d"}},
    {"png.h", {"gui/window"}},
    {"nanobind/", {"python"}},
    {"boost/", {"remote"}},
    {"grpcpp/", {"bench", "remote", "tests/remote"}},
    {"fastdds/", {"remote/ros2_bus.cpp"}},
    {"fastrtps/", {"remote/ros2_bus.cpp"}},
    {"mutex",
     {"harness", "app", "python", "remote", "tests", "sim"}},  // none in control, none in gui
};

bool is_below(const std::string& path, const std::string& folder) {
  return path == folder || path.rfind(folder + "/", 0) == 0;
}

std::string folder_with_arrows(std::string folder) {
  while (!folder.empty()) {
    if (kArrows.count(folder) != 0) return folder;
    folder = fs::path(folder).parent_path().string();
  }
  return {};
}

struct Include {
  std::string file;
  int line = 0;
  std::string what;
  bool quoted = false;
};

std::vector<Include> includes_of_the_tree() {
  std::vector<Include> all;
  const std::regex pattern(R"(^\s*#\s*include\s*(["<])([^">]+)[">])");
  for (const char* top :
       {"control", "sim", "harness", "app", "tests", "bench", "hw", "gui", "python", "remote"}) {
    if (!fs::exists(top)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(top)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cpp") continue;
      std::ifstream in(entry.path());
      std::string text;
      for (int line = 1; std::getline(in, text); ++line) {
        std::smatch match;
        if (!std::regex_search(text, match, pattern)) continue;
        all.push_back({entry.path().generic_string(), line, match[2], match[1] == "\""});
      }
    }
  }
  return all;
}

TEST(Layers, EveryIncludeFollowsAnArrow) {
  const std::vector<Include> all = includes_of_the_tree();
  ASSERT_GT(all.size(), 300U) << "tests run from the top of the source tree";
  for (const Include& include : all) {
    if (!include.quoted || include.what.find('/') == std::string::npos) continue;
    SCOPED_TRACE(include.file + ":" + std::to_string(include.line) + " includes " + include.what);
    const std::string from = fs::path(include.file).parent_path().generic_string();
    const std::string to = fs::path(include.what).parent_path().generic_string();
    bool from_root = false;
    for (const std::string& root : kRoots) from_root = from_root || is_below(from, root);
    if (from_root) continue;
    const std::string rule = folder_with_arrows(from);
    ASSERT_FALSE(rule.empty()) << "give this folder its arrows, here and in docs/architecture.md";
    const std::string target = folder_with_arrows(to);
    EXPECT_TRUE(target == rule || kArrows.at(rule).count(target) != 0)
        << rule << " may not include from " << to;
  }
}

TEST(Layers, LibrariesAreMetOnlyWhereTheyBelong) {
  for (const Include& include : includes_of_the_tree()) {
    if (include.quoted) continue;
    for (const auto& [library, folders] : kOnlyIn) {
      const bool is_it = library.back() == '/' || library.find('.') != std::string::npos ||
                                 library == "lz4" || library == "zstd" || library == "imgui"
                             ? include.what.rfind(library, 0) == 0
                             : include.what == library;
      if (!is_it) continue;
      bool allowed = false;
      for (const std::string& folder : folders) {
        allowed = allowed || is_below(include.file, folder);
      }
      EXPECT_TRUE(allowed) << include.file << ":" << include.line << " includes <" << include.what
                           << ">";
    }
  }
}

TEST(Layers, NoFolderIsLeftOutOfThePicture) {
  for (const auto& [folder, targets] : kArrows) {
    for (const std::string& target : targets) {
      EXPECT_TRUE(kArrows.count(target) != 0) << folder << " points to " << target;
    }
  }
}

}  // namespace
