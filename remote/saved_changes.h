#pragma once

#include <string>

namespace jointrig::remote {

/// Difference of the parameters that run and robot.yaml.
struct SavedChanges {
  std::string file;        ///< on the server's machine
  std::string difference;  ///< line by line; empty: the file has what runs
};

}  // namespace jointrig::remote
