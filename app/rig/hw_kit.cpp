#include <optional>

#include "app/boards/boards_return.h"
#include "app/boards/side_line_client.h"
#include "app/rig/backend_kit.h"
#include "app/rig/links.h"

namespace jointrig::app {
namespace {

/// The robot's own buses, with real boards on them or those of `jointrig board`.
class HwKit final : public BackendKit {
 public:
  HwKit(const RobotConfig& robot, const RigOptions& options)
      : BackendKit(robot), line_(SideLineClient::find(robot.virtual_boards)) {
    keeps_time_ = options.pacer != nullptr || !line_ || !line_->lockstep();
    LinkOptions links;
    if (line_) {
      line_->reset(robot, options.plant);
      links.boards_token = line_->token();
    }
    links.give_up = options.give_up;
    links.timing = keeps_time_ ? hw::Timing::kPaced : hw::Timing::kLockstep;
    driver_ = open_hw_backend(robot, links);
    if (line_ && keeps_time_) return_.emplace(*line_, *driver_, robot, options.plant);
  }

  [[nodiscard]] Backend& backend() noexcept override { return *driver_; }
  [[nodiscard]] std::uint64_t hash() const noexcept override { return line_ ? line_->hash() : 0; }
  [[nodiscard]] std::unique_ptr<harness::World> make_world() override {
    return line_ ? std::make_unique<RemoteWorld>(*line_) : nullptr;
  }
  [[nodiscard]] bool is_on_buses() const noexcept override { return true; }
  [[nodiscard]] bool is_on_real_drives() const noexcept override { return !line_; }
  [[nodiscard]] bool keeps_the_boards_time() const noexcept override { return keeps_time_; }
  [[nodiscard]] std::string note_on_boards() const override {
    if (line_ || robot().virtual_boards.empty()) return {};
    return "the boards count as real ones: no program listens at " + robot().virtual_boards +
           "; `jointrig board " + robot().name + "` runs virtual ones";
  }

 private:
  std::unique_ptr<SideLineClient> line_;  ///< none: no listener with virtual boards
  bool keeps_time_ = true;
  std::unique_ptr<hw::HwBackend> driver_;
  std::optional<BoardsReturn> return_;  ///< of virtual boards in real time
};

}  // namespace

std::unique_ptr<BackendKit> make_hw_kit(const RobotConfig& robot, const RigOptions& options) {
  return std::make_unique<HwKit>(robot, options);
}

}  // namespace jointrig::app
