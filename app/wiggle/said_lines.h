#pragma once

#include <string>

namespace jointrig::app {

/// Lines that a person types, or a program pipes in, without a wait for them: a robot is held
/// meanwhile, and nothing is left behind where the question is given up.
class SaidLines {
 public:
  /// @param descriptor  an open file, read without buffers of anybody else's
  explicit SaidLines(int descriptor) : descriptor_(descriptor) {}
  /// Reads what is there. Returns true once a whole line, or the end of the input, is.
  [[nodiscard]] bool has_line();
  /// The next line without its end; empty at the end of the input.
  std::string take();

 private:
  int descriptor_;
  bool is_over_ = false;
  std::string read_;
};

}  // namespace jointrig::app
