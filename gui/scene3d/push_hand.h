#pragma once

#include <array>
#include <optional>
#include <string>

#include "gui/panel/panel.h"

namespace jointrig::gui {

/// A spring from a point of a body to a point of the world.
struct Push {
  int body = -1;                   ///< body of the drawn and simulated model; -1: none
  std::array<double, 3> point{};   ///< on the body, in its frame [m]
  std::array<double, 3> target{};  ///< in the world [m]
  double stiffness = 200.0;        ///< [N/m]

  bool operator==(const Push&) const = default;
};

/// Receives pushes for a simulated world. The window's thread calls it; the program passes them to
/// the loop's thread, and ends a push that is not repeated for a while.
class PushPort {
 public:
  PushPort() = default;
  PushPort(const PushPort&) = delete;
  PushPort& operator=(const PushPort&) = delete;
  virtual ~PushPort() = default;

  virtual void push(const Push& push) = 0;
  virtual void let_go() = 0;
};

/// Pulls at the robot in the 3D view, with its guards: a push moves joints, so it needs ARMED and a
/// simulation. It lasts while the mouse button is down and the window is in front.
class PushHand {
 public:
  static constexpr double kSoftest = 20.0;  ///< [N/m]
  static constexpr double kStiffest = 2000.0;

  /// @param port  null: no body can be pushed
  explicit PushHand(PushPort* port) : port_(port) {}

  double stiffness = 200.0;  ///< [N/m] a choice: 20 N at 10 cm

  /// Reason why nothing can be pushed now; empty: it can.
  [[nodiscard]] std::string why_not(const MotorPanel& panel) const;

  /// Takes hold of a body. No effect if why_not() gives a reason.
  void grasp(const MotorPanel& panel, int body, const std::array<double, 3>& point,
             const std::array<double, 3>& at);
  /// Pulls towards a point of the world. Call each frame while the button is down. Releases the
  /// body if pushing isn't allowed any more, or the window isn't in front.
  void pull(MotorPanel& panel, const std::array<double, 3>& target);
  void let_go();

  /// The present push.
  [[nodiscard]] const std::optional<Push>& held() const noexcept { return held_; }

 private:
  PushPort* port_;
  std::optional<Push> held_;
};

}  // namespace jointrig::gui
