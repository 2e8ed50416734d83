#pragma once
/// Reads and writes objects of one node, one after the other, and waits for each.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hw/can/transport.h"
#include "hw/canopen/eds_reader.h"
#include "hw/canopen/sdo_client.h"

namespace jointrig::app {

class SdoTalk {
 public:
  /// @param link  outlives this object
  SdoTalk(can::Transport& link, std::uint8_t node, canopen::SdoClientOptions options = {});

  /// Returns nothing if the node refused or was silent: failure() gives the reason. Throws if the
  /// link breaks.
  [[nodiscard]] std::optional<std::vector<std::uint8_t>> read(canopen::EntryAddress object);
  [[nodiscard]] bool write(canopen::EntryAddress object, std::span<const std::uint8_t> value);

  [[nodiscard]] std::string failure() const { return sdo_.failure_text(); }
  /// True if the node refused, as opposed to silence.
  [[nodiscard]] bool was_refused() const noexcept { return sdo_.refused_by_node(); }

 private:
  bool finish();

  can::Transport& link_;
  canopen::SdoClient sdo_;
  canopen::FrameQueue out_;
};

}  // namespace jointrig::app
