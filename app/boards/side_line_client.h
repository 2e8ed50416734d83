#pragma once
/// The run's end of the side line to virtual boards in another program (side_line_messages.h).
/// Requests may come from several threads; each waits for the one before.

#include <cstdint>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "control/core/robot_config.h"
#include "harness/runner/world.h"
#include "hw/can/unique_fd.h"
#include "sim/plant_model.h"

namespace jointrig::app {

class SideLineClient {
 public:
  /// Returns nothing without a listener: the boards are real, or absent. Throws std::runtime_error
  /// if the listener speaks another protocol.
  [[nodiscard]] static std::unique_ptr<SideLineClient> find(const std::string& address);

  [[nodiscard]] std::uint32_t token() const noexcept { return token_; }
  [[nodiscard]] bool lockstep() const noexcept { return lockstep_; }

  /// Sets this robot on the boards, in its start pose. Throws std::runtime_error with the sentence
  /// of the other end.
  void reset(const RobotConfig& robot, const sim::PlantOptions& options);

  /// Hash of physics and boards; 0 after the line broke.
  [[nodiscard]] std::uint64_t hash() noexcept;

  /// Throws std::runtime_error: the line broke, or a refusal (BadAction if it names a key).
  nlohmann::json request(const nlohmann::json& message);

  /// True after the line broke: the process of the boards has ended.
  [[nodiscard]] bool is_broken();

  /// After the line broke: connects to the boards that listen there now, whose token is another.
  /// False while nobody does. Throws std::runtime_error if it is another program.
  bool reopen();

 private:
  void greet();
  explicit SideLineClient(const std::string& address);
  [[nodiscard]] std::string exchange(const std::string& line);

  std::string address_;
  std::mutex mutex_;  ///< held while a request is answered
  can::UniqueFd socket_;
  std::string received_;
  std::uint32_t token_ = 0;
  bool lockstep_ = false;
};

/// The world around virtual boards in another program.
class RemoteWorld final : public harness::World {
 public:
  /// `line` outlives this world, and was reset.
  explicit RemoteWorld(SideLineClient& line);

  [[nodiscard]] std::vector<std::string> fault_types() const override { return fault_types_; }
  [[nodiscard]] std::vector<std::string> sensor_fault_types() const override {
    return sensor_fault_types_;
  }
  [[nodiscard]] std::string fault_unit(std::string_view type) const override;
  [[nodiscard]] std::vector<std::string> truth_names() const override { return truth_names_; }
  [[nodiscard]] std::optional<Handle> find_truth(std::string_view name) override;
  /// Value of the last update().
  [[nodiscard]] double truth(Handle signal) const noexcept override;
  Handle prepare(const harness::FaultAction& action) override;
  Handle prepare(const harness::ForceAction& action) override;
  Handle prepare(const harness::PayloadAction& action) override;
  Handle prepare(const harness::ObstacleAction& action) override;
  void begin(Handle action) noexcept override { tell("begin", action); }
  void end(Handle action) noexcept override { tell("end", action); }

  /// Requests the truths of this cycle, if any were found. After the line broke they are NaN.
  void update() noexcept override;

 private:
  Handle prepare(const char* kind, const nlohmann::json& action);
  void tell(const char* what, Handle action) noexcept;

  SideLineClient* line_;
  std::vector<std::string> fault_types_;
  std::vector<std::string> sensor_fault_types_;
  std::vector<std::string> fault_units_;
  std::vector<std::string> truth_names_;
  std::vector<double> truths_;
};

}  // namespace jointrig::app
