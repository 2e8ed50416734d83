#pragma once

#include "app/serve/serving.h"
#include "gui/panel/served.h"

namespace jointrig::app {

/// The server of a panel's robot, for the panel.
class ServedPanel final : public gui::Served {
 public:
  static constexpr const char* kName = "panel";

  /// @param serving  started; outlives this object
  /// @param sender   of the panel's commands
  ServedPanel(Serving& serving, std::uint16_t sender) noexcept
      : serving_(&serving), sender_(sender) {}

  [[nodiscard]] const std::string& address() const override { return serving_->address(); }
  [[nodiscard]] const std::string& viewer_address() const override {
    return serving_->viewer_address();
  }
  [[nodiscard]] gui::ServedNow now() const override;
  std::string take(bool by_force) override;
  void release() override { serving_->server().release(); }
  void stopped() override { serving_->server().stopped(kName); }

 private:
  Serving* serving_;
  std::uint16_t sender_;
};

}  // namespace jointrig::app
