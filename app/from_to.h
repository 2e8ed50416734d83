#pragma once

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <sstream>
#include <string>

namespace jointrig::app {

/// Takes a number from `low` to `high`. CLI::Range takes nan, too, which is beyond neither bound.
inline CLI::Validator from_to(double low, double high) {
  std::ostringstream known_as;
  known_as << "FLOAT in [" << low << " - " << high << "]";
  const auto fault = [low, high](const std::string& text) -> std::string {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    const bool is_number = !text.empty() && *end == '\0';
    if (is_number && value >= low && value <= high) return {};
    std::ostringstream sentence;
    sentence << "Value " << text << " not in range " << low << " to " << high;
    return sentence.str();
  };
  return {fault, known_as.str()};
}

}  // namespace jointrig::app
