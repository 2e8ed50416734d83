#include "app/run/connection_end.h"

#include <fmt/core.h>

namespace jointrig::app {
namespace {

constexpr double kSilentAfter = 1.0;  ///< as of a panel (app/gui/remote_loop.h) [s]

}  // namespace

std::string why_ended(const remote::Connection& connection) {
  if (const std::string lost = connection.lost(); !lost.empty()) {
    return "the connection is lost: " + lost;
  }
  if (const double silent = connection.silent_for(); silent > kSilentAfter) {
    return fmt::format("no word came from the robot for {:.1f} s", silent);
  }
  const remote::LeaseState lease = connection.lease();
  if (lease.is_mine) return {};
  return lease.holder.empty() ? "ended from outside: somebody stopped the robot, or the lease ended"
                              : "ended from outside: " + lease.holder + " took the robot over";
}

}  // namespace jointrig::app
