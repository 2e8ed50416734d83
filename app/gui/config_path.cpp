#include "app/gui/config_path.h"

#include <cstdlib>

namespace jointrig {

std::filesystem::path config_path(std::string_view file) {
  const auto in = [](const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr ? std::filesystem::path(value) : std::filesystem::path();
  };
  if (const auto config = in("XDG_CONFIG_HOME"); config.is_absolute()) {
    return config / "jointrig" / file;
  }
  if (const auto home = in("HOME"); home.is_absolute()) return home / ".config" / "jointrig" / file;
  return {};
}

}  // namespace jointrig
