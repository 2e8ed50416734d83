#pragma once

#include <cstddef>
#include <string>

namespace jointrig::gui {

/// Clients of a served robot, and the holder of its lease (docs/remote.md).
struct ServedNow {
  std::size_t clients = 0;  ///< programs; the panel isn't one of them
  std::size_t viewers = 0;
  std::string holder;  ///< empty: the lease is free
  bool is_ours = false;
  /// Why nothing can be sent to a robot elsewhere: its connection, as a sentence. Empty: it lives.
  std::string lost = {};
};

/// The server of the panel's robot, in this program or elsewhere: other programs may hold its
/// lease. The window's thread calls it.
class Served {
 public:
  Served() = default;
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;
  virtual ~Served() = default;

  /// Addresses of clients and viewers, for a person to type; empty: none of that kind are served.
  [[nodiscard]] virtual const std::string& address() const = 0;
  [[nodiscard]] virtual const std::string& viewer_address() const = 0;

  [[nodiscard]] virtual ServedNow now() const = 0;
  /// Takes the lease for the panel; waits for the loop, a cycle or two.
  /// @param by_force  from its holder, too
  /// @returns empty, or a sentence that tells why not
  virtual std::string take(bool by_force) = 0;
  virtual void release() = 0;
  /// The panel has sent STOP or OFF: the lease of anybody else ends.
  virtual void stopped() = 0;

  // A robot elsewhere (`jointrig gui --connect`): the panel is a client as others are.

  [[nodiscard]] virtual bool is_elsewhere() const { return false; }
  /// Call before the motors are switched off: elsewhere that needs the lease, which is taken from
  /// whoever holds it.
  /// @returns empty, or a sentence that tells why not
  virtual std::string take_for_off() { return {}; }
};

}  // namespace jointrig::gui
