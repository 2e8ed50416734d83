#pragma once

#include <array>
#include <optional>
#include <string>

#include "gui/panel/panel.h"

namespace jointrig::gui {

/// A spring from a point of a body to a point of the world, as a hand pulls at a string.
struct Push {
  int body = -1;                   ///< of the model that is drawn and simulated; -1: none
  std::array<double, 3> point{};   ///< on the body, in its frame [m]
  std::array<double, 3> target{};  ///< in the world [m]
  double stiffness = 200.0;        ///< [N/m]

  bool operator==(const Push&) const = default;
};

/// Takes pushes to a simulated world. Called by the window's thread; the program hands them to the
/// loop's, and ends one that isn't said again for a while.
class PushPort {
 public:
  PushPort() = default;
  PushPort(const PushPort&) = delete;
  PushPort& operator=(const PushPort&) = delete;
  virtual ~PushPort() = default;

  virtual void push(const Push& push) = 0;
  virtual void let_go() = 0;
};

/// A hand that pulls at the robot in the 3D view, and what keeps it from an accident: it moves
/// joints, so it pushes only while the panel is ARMED, and only what is simulated. It holds on as
/// long as the mouse button is down and the window is in front.
class PushHand {
 public:
  static constexpr double kSoftest = 20.0;  ///< [N/m]
  static constexpr double kStiffest = 2000.0;

  /// @param port  null: nothing here can be pushed
  explicit PushHand(PushPort* port) : port_(port) {}

  double stiffness = 200.0;  ///< [N/m] a choice: 20 N at 10 cm

  /// Why nothing can be pushed now; empty: it can.
  [[nodiscard]] std::string why_not(const MotorPanel& panel) const;

  /// Takes hold of a body. Nothing happens where why_not() says so.
  void grasp(const MotorPanel& panel, int body, const std::array<double, 3>& point,
             const std::array<double, 3>& at);
  /// To be called each frame while the button is down: pulls towards a point of the world. Lets go
  /// where pushing isn't allowed any more, or the window isn't in front.
  void pull(MotorPanel& panel, const std::array<double, 3>& target);
  void let_go();

  /// What is held.
  [[nodiscard]] const std::optional<Push>& held() const noexcept { return held_; }

 private:
  PushPort* port_;
  std::optional<Push> held_;
};

}  // namespace jointrig::gui
