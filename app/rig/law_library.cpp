#include "app/rig/law_library.h"

#include <dlfcn.h>
#include <fmt/core.h>

#include <filesystem>
#include <stdexcept>

#include "control/core/user_law.h"
#include "control/stack/config_error.h"
#include "control/stack/law_declaration.h"

namespace jointrig::app {
namespace {

constexpr const char* kSymbol = "jointrig_user_law";

std::string last_loader_error() {
  const char* words = dlerror();
  return words == nullptr ? "no reason given" : words;
}

void check_plugin(const std::string& path, const UserLawPlugin& plugin) {
  if (plugin.version != kUserLawVersion) {
    throw std::runtime_error(
        fmt::format("library \"{}\" was built for version {} of the interface of laws, and this "
                    "program has version {}; build it again with this jointrig's headers",
                    path, plugin.version, kUserLawVersion));
  }
  if (plugin.cycle_size != sizeof(LawCycle) || plugin.make == nullptr ||
      plugin.destroy == nullptr) {
    throw std::runtime_error(fmt::format(
        "library \"{}\" lays out LawCycle in {} bytes, and this program in {}; build it "
        "for this machine, with this jointrig's headers",
        path, plugin.cycle_size, sizeof(LawCycle)));
  }
}

}  // namespace

std::shared_ptr<const UserLawMaker> open_law_library(const std::string& path) {
  const std::string whole = std::filesystem::absolute(path).lexically_normal().string();
  if (!std::filesystem::exists(whole)) {
    throw std::runtime_error("there is no library \"" + whole + "\"; build it, or mend the path");
  }
  void* opened = dlopen(whole.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) {
    throw std::runtime_error("library \"" + whole + "\" can't be loaded: " + last_loader_error());
  }
  const std::shared_ptr<void> library(opened, [](void* handle) { dlclose(handle); });
  const auto* plugin = static_cast<const UserLawPlugin*>(dlsym(opened, kSymbol));
  if (plugin == nullptr) {
    throw std::runtime_error("library \"" + whole + "\" has no symbol " + kSymbol +
                             "; export its class with JOINTRIG_USER_LAW(Class)");
  }
  check_plugin(whole, *plugin);
  return std::make_shared<const UserLawMaker>([library, plugin]() -> std::shared_ptr<UserLaw> {
    UserLaw* law = plugin->make();
    if (law == nullptr) return nullptr;
    return {law, [library, plugin](UserLaw* made) { plugin->destroy(made); }};
  });
}

void load_laws(RobotConfig& robot) {
  for (LawConfig& law : robot.laws) {
    if (law.maker != nullptr) continue;
    try {
      law.maker = open_law_library(law.library);
    } catch (const std::runtime_error& e) {
      throw ConfigError(law.place + "law \"" + law.name + "\": " + e.what());
    }
  }
  declare_laws(robot);
}

}  // namespace jointrig::app
