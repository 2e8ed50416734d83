#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "control/core/command.h"
#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "control/exchange/parameter_exchange.h"
#include "remote/viewer_protocol.h"

namespace jointrig::remote {

/// Parameters of the robot as a viewer sees and sets them: speed_override, and of each joint
/// NAME/mode, NAME/interaction, and NAME/PARAMETER for each that set_parameter sets, in its units.
/// One thread.
class ViewerParameters {
 public:
  /// The configuration outlives the parameters, and tells what is in force until look().
  explicit ViewerParameters(const RobotConfig& config);

  /// Takes what is in force now.
  /// @param table  none: as it was
  void look(const Snapshot& now, const std::optional<ParameterTable>& table);

  /// Always at the same places.
  [[nodiscard]] const std::vector<ViewerParameter>& all() const { return all_; }
  /// Places of these names; those of all for no names. Names that there are not are left out.
  [[nodiscard]] std::vector<std::size_t> places_of(const std::vector<std::string>& names) const;
  /// Likewise the parameters themselves.
  [[nodiscard]] std::vector<ViewerParameter> named(const std::vector<std::string>& names) const;

  /// Command that sets one. Throws std::invalid_argument: no such parameter, a value of another
  /// type, no such word. Ranges are the loop's to judge.
  [[nodiscard]] Request command_for(const ParameterSetting& setting) const;

 private:
  const RobotConfig* config_;
  ParameterTable table_;
  std::vector<ViewerParameter> all_;
  std::map<std::string, std::size_t> places_;
};

}  // namespace jointrig::remote
