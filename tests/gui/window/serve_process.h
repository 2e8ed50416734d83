#pragma once
/// `jointrig serve franka` in a process of its own; killed at the end.

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "tests/support/child_process.h"

namespace jointrig::testing {

class ServeProcess {
 public:
  /// Returns once it listens. The program is that of $JOINTRIG.
  explicit ServeProcess(const std::string& listen)
      : process_({std::getenv("JOINTRIG"), "serve", "franka", "--listen", listen}),
        address_(address_of(process_.line())) {}

  void send(int signal) const { process_.send(signal); }
  [[nodiscard]] const std::string& address() const { return address_; }

 private:
  /// In quotes.
  static std::string address_of(const std::string& line) {
    const std::size_t from = line.find('"');
    const std::size_t to = line.find('"', from + 1);
    if (to == std::string::npos) throw std::runtime_error("jointrig serve said: " + line);
    return line.substr(from + 1, to - from - 1);
  }

  ChildProcess process_;  ///< killed, too, where it doesn't tell an address
  std::string address_;
};

}  // namespace jointrig::testing
