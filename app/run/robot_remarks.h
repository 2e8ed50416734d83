#pragma once

#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace jointrig::app {

/// Remarks on a robot, which are the same in each of its runs: the program prints them once for all
/// scenarios. Any thread.
class RobotRemarks {
 public:
  /// Returns the new remarks.
  /// @param remarks  remarks of one run, each with the name of its robot
  std::vector<std::string> news(const std::vector<std::string>& remarks) {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> all;
    for (const std::string& remark : remarks) {
      if (told_.insert(remark).second) all.push_back(remark);
    }
    return all;
  }

 private:
  std::mutex mutex_;
  std::set<std::string> told_;
};

}  // namespace jointrig::app
