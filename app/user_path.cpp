#include "app/user_path.h"

#include <cstdlib>

namespace jointrig::app {
namespace {

std::filesystem::path in_variable(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr ? std::filesystem::path(value) : std::filesystem::path();
}

std::filesystem::path path_under(const char* variable, const char* in_home, std::string_view file) {
  if (const auto base = in_variable(variable); base.is_absolute()) return base / "jointrig" / file;
  if (const auto home = in_variable("HOME"); home.is_absolute()) {
    return home / in_home / "jointrig" / file;
  }
  return {};
}

}  // namespace

std::filesystem::path config_path(std::string_view file) {
  return path_under("XDG_CONFIG_HOME", ".config", file);
}

std::filesystem::path state_path(std::string_view file) {
  return path_under("XDG_STATE_HOME", ".local/state", file);
}

}  // namespace jointrig::app
