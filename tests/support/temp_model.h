#pragma once
/// A model written to a file of its own for the time of a test.

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace jointrig::odd {

class TempModel {
 public:
  explicit TempModel(const std::string& xml, const std::string& name = "robot.xml") {
    static int count = 0;
    folder_ = std::filesystem::temp_directory_path() /
              ("jointrig_" + std::to_string(::getpid()) + "_" + std::to_string(count++));
    std::filesystem::create_directory(folder_);
    add(name, xml);
    path_ = (folder_ / name).string();
  }
  ~TempModel() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  TempModel(const TempModel&) = delete;
  TempModel& operator=(const TempModel&) = delete;

  /// Puts another file beside it, to be included.
  void add(const std::string& name, const std::string& xml) {
    std::ofstream(folder_ / name) << xml;
  }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::filesystem::path folder_;
  std::string path_;
};

}  // namespace jointrig::odd
