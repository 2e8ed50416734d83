#pragma once
/// What is wrong in a file that a user wrote: where it stands, and one sentence.

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace jointrig::harness {

/// The text that nodes come from, kept for messages.
struct SourceText {
  std::string name;                ///< as the user gave it: "robot.yaml", or "--set a.b=3"
  std::vector<std::string> lines;  ///< without their ends
  bool is_argument = false;        ///< an argument on the command line: has no line numbers
};

/// A place in a source. Lines and columns count from 1, columns in characters; line 0: the whole
/// file.
struct SourceSpot {
  std::shared_ptr<const SourceText> source;
  int line = 0;
  int column = 0;
};

struct FileProblem {
  SourceSpot spot;
  std::string sentence;
};

/// "robot.yaml:12:5: ", "robot.yaml: " for a whole file, "--set a.b=3: " for an argument.
std::string to_string(const SourceSpot& spot);

/// The problem as users see it:
///
///     robot.yaml:12:5: unknown key "stifness" in set_mode; did you mean "stiffness"?
///         stifness: 20
///         ^
std::string to_string(const FileProblem& problem);

/// All that is wrong with a file, the first kMostProblems of it. `what()` is the full text.
class FileError : public std::runtime_error {
 public:
  static constexpr std::size_t kMostProblems = 10;

  explicit FileError(std::vector<FileProblem> problems);
  FileError(const SourceSpot& spot, std::string sentence);

  [[nodiscard]] const std::vector<FileProblem>& problems() const noexcept { return problems_; }
  /// Of the first problem.
  [[nodiscard]] const std::string& file() const noexcept;
  [[nodiscard]] int line() const noexcept { return problems_.front().spot.line; }
  [[nodiscard]] int column() const noexcept { return problems_.front().spot.column; }
  [[nodiscard]] const std::string& sentence() const noexcept { return problems_.front().sentence; }

 private:
  std::vector<FileProblem> problems_;
};

/// Collects what is wrong, so that a user hears of all of it at once.
class Problems {
 public:
  void add(const SourceSpot& spot, std::string sentence);
  /// Runs `check` and keeps the problems of a FileError that it throws.
  template <typename Check>
  void collect(Check&& check) {
    try {
      check();
    } catch (const FileError& error) {
      list_.insert(list_.end(), error.problems().begin(), error.problems().end());
    }
  }
  [[nodiscard]] bool empty() const noexcept { return list_.empty(); }
  [[nodiscard]] const std::vector<FileProblem>& list() const noexcept { return list_; }
  /// Throws FileError if there are any, in the order of the file.
  void throw_if_any() const;

 private:
  std::vector<FileProblem> list_;
};

}  // namespace jointrig::harness
