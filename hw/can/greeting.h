#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "hw/can/time.h"

namespace jointrig::can {

/// Opening words of a protocol over a connection that does not block; all before `deadline`, else
/// OpenError with `server` in its sentence.
class Greeting {
 public:
  Greeting(int fd, std::string server, TimeNs deadline)
      : fd_(fd), server_(std::move(server)), deadline_(deadline) {}

  void say(std::string_view text);
  /// Waits for exactly these bytes.
  void expect(std::string_view text);

 private:
  /// Empty: closed, or nothing until then.
  std::optional<char> next(TimeNs deadline);

  int fd_;
  std::string server_;
  TimeNs deadline_;
};

}  // namespace jointrig::can
