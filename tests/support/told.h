#pragma once

#include <exception>
#include <functional>
#include <string>

namespace jointrig::odd {

/// Sentence of what a call throws; empty: nothing.
inline std::string told(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

}  // namespace jointrig::odd
