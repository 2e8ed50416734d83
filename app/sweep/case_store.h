#pragma once
/// Results of cases, each in a folder named by the hash of its inputs.
///
///     <hash>/result.json                as a run writes it
///     <hash>/inputs.txt                 what the hash was made of
///     <hash>/<scenario>/effective.yaml  and the log where it was kept
///     .part-<hash>-<host>-<process>/    a case at work
///
/// A case is written beside and renamed, so that it is there whole or not at all; several processes
/// may use one store at once, and the first of two equal cases stays.

#include <filesystem>
#include <string>

namespace jointrig::app {

inline constexpr const char* kInputsFile = "inputs.txt";
inline constexpr const char* kResultFile = "result.json";

class CaseStore {
 public:
  /// Makes the folder, and removes what killed processes of this machine have left there. Throws
  /// std::runtime_error.
  explicit CaseStore(std::filesystem::path folder);

  /// True if the case is there. Throws std::runtime_error where the folder is of other inputs.
  [[nodiscard]] bool has(const std::string& hash, const std::string& inputs) const;
  [[nodiscard]] std::filesystem::path folder_of(const std::string& hash) const {
    return folder_ / hash;
  }

  /// The folder of a case at work.
  [[nodiscard]] std::filesystem::path part_of(const std::string& hash) const;

  /// An empty folder to write the case into.
  [[nodiscard]] std::filesystem::path begin(const std::string& hash) const;
  /// The case that was begun counts from now on. Throws std::runtime_error.
  void keep(const std::string& hash) const;
  /// Removes the case that was begun.
  void drop(const std::string& hash) const noexcept;

 private:
  void remove_left_parts() const;

  std::filesystem::path folder_;
  std::string owner_;  ///< host and process
};

}  // namespace jointrig::app
