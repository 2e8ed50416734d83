#pragma once

#include <memory>

#include "python/bindings.h"
#include "python/session.h"

namespace jointrig::python {

/// The robot that Python holds. Views of its snapshot outlive close(): they own the session, too.
class Robot {
 public:
  /// Throws as Session.
  explicit Robot(const SessionOptions& options);

  /// Raises Closed.
  [[nodiscard]] Session& open() const;
  [[nodiscard]] const RobotConfig& config() const { return open().config(); }
  [[nodiscard]] std::shared_ptr<Session> shared() const;
  [[nodiscard]] bool is_closed() const noexcept { return session_ == nullptr; }
  void close();

 private:
  std::shared_ptr<Session> session_;
};

/// Defines the methods of the class that plan: _follow(), _plan(), _reach() and so on.
void bind_trajectories(nb::class_<Robot>& robot);

}  // namespace jointrig::python
