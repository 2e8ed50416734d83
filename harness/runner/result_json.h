#pragma once

#include <span>
#include <string>

#include "harness/runner/result.h"

namespace jointrig::harness {

/// The results of a run as JSON: everything in Result but the traces. Numbers that JSON can't write
/// (no time, an infinite margin) are null.
std::string to_json(std::span<const Result> results);

}  // namespace jointrig::harness
