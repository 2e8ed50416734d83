#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "control/exchange/command_inbox.h"

namespace jointrig::app {

/// This program's numbers of senders elsewhere, whom only their names tell apart: each is a sender
/// of the inbox of its own, connected when first heard of. One thread.
class SenderNumbers {
 public:
  /// 0: of nobody.
  [[nodiscard]] std::uint16_t of(const std::string& sender, CommandInbox& inbox) {
    if (sender.empty()) return 0;
    const auto [place, is_new] = numbers_.try_emplace(sender, std::uint16_t{0});
    if (is_new) place->second = inbox.connect(sender);
    return place->second;
  }

 private:
  std::map<std::string, std::uint16_t> numbers_;  ///< by name
};

}  // namespace jointrig::app
