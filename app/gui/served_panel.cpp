#include "app/gui/served_panel.h"

#include <utility>

namespace jointrig::app {

gui::ServedNow ServedPanel::now() const {
  remote::ServerState state = serving_->server().state();
  const std::size_t viewers =
      serving_->viewers() != nullptr ? serving_->viewers()->viewers() : std::size_t{0};
  return {state.clients, viewers, std::move(state.holder), state.is_local};
}

std::string ServedPanel::take(bool by_force) {
  return serving_->server().take(kName, by_force, sender_);
}

}  // namespace jointrig::app
