#pragma once
/// A problem in a user's file: its place, and one sentence.

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace jointrig::harness {

/// Source text of nodes, kept for messages.
struct SourceText {
  std::string name;  ///< as the user wrote it: "robot.yaml", or "--set a.b=3"; or empty
  std::vector<std::string> lines;  ///< without line ends
  bool is_argument = false;        ///< an argument of the command line: it has no line numbers
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

/// "robot.yaml:12:5: ", "robot.yaml: " for a whole file, "--set a.b=3: " for an argument, "" for
/// one that the sentence quotes.
std::string to_string(const SourceSpot& spot);

/// The problem as users read it:
///
///     robot.yaml:12:5: unknown key "stifness" in set_mode; did you mean "stiffness"?
///         stifness: 20
///         ^
std::string to_string(const FileProblem& problem);

/// All problems of a file, the first kMostProblems of them. `what()` is the full text.
class FileError : public std::runtime_error {
 public:
  static constexpr std::size_t kMostProblems = 10;

  explicit FileError(std::vector<FileProblem> problems);
  FileError(const SourceSpot& spot, std::string sentence);

  [[nodiscard]] const std::vector<FileProblem>& problems() const noexcept { return problems_; }
  /// File of the first problem.
  [[nodiscard]] const std::string& file() const noexcept;
  [[nodiscard]] int line() const noexcept { return problems_.front().spot.line; }
  [[nodiscard]] int column() const noexcept { return problems_.front().spot.column; }
  [[nodiscard]] const std::string& sentence() const noexcept { return problems_.front().sentence; }

 private:
  std::vector<FileProblem> problems_;
};

/// Collects problems, so that a user gets all of them at once.
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
  /// Throws FileError if there are problems, in the order of the file.
  void throw_if_any() const;

 private:
  std::vector<FileProblem> list_;
};

}  // namespace jointrig::harness
