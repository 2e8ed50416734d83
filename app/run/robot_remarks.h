#pragma once

#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace jointrig::app {

/// Remarks on a robot, which are the same in each of its runs: told once by the program, however
/// many scenarios there are. Any thread.
class RobotRemarks {
 public:
  /// Those that it hasn't given before.
  /// @param remarks  of one run, each naming its robot
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
