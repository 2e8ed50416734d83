#pragma once

#include <ctime>
#include <string>

namespace jointrig::app {

/// The wall clock's time now, by a format of strftime of up to 63 characters.
inline std::string local_time(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  localtime_r(&now, &parts);
  char text[64];
  std::strftime(text, sizeof text, format, &parts);
  return text;
}

}  // namespace jointrig::app
