#include "app/boards/local_boards.h"
#include "app/rig/backend_kit.h"

namespace jointrig::app {
namespace {

/// Virtual boards on modelled buses, in this program.
class BoardsKit final : public BackendKit {
 public:
  BoardsKit(const RobotConfig& robot, const RigOptions& options)
      : BackendKit(robot),
        boards_(robot, options.plant, options.bus_plan),
        driver_(boards_.make_backend()) {}

  [[nodiscard]] Backend& backend() noexcept override { return *driver_; }
  [[nodiscard]] std::uint64_t hash() const noexcept override { return boards_.robot().hash(); }
  [[nodiscard]] sim::Plant* plant() noexcept override { return &boards_.robot().plant(); }
  [[nodiscard]] std::span<sim::SimBoard> boards() noexcept override {
    return boards_.robot().boards();
  }
  [[nodiscard]] sim::SimSensors* sensors() noexcept override { return &boards_.robot().sensors(); }

 private:
  LocalBoards boards_;
  std::unique_ptr<hw::HwBackend> driver_;
};

}  // namespace

std::unique_ptr<BackendKit> make_boards_kit(const RobotConfig& robot, const RigOptions& options) {
  return std::make_unique<BoardsKit>(robot, options);
}

}  // namespace jointrig::app
