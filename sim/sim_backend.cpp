#include "sim/sim_backend.h"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

namespace jointrig::sim {
namespace {

std::size_t checked_delay(const RobotConfig& robot) {
  constexpr int kMost = 1000;  // choice: more than a second is no delay
  if (robot.delay_cycles < 0 || robot.delay_cycles > kMost) {
    throw std::invalid_argument(fmt::format("robot {}: delay_cycles is {}, must be 0 to {}",
                                            robot.name, robot.delay_cycles, kMost));
  }
  return static_cast<std::size_t>(robot.delay_cycles);
}

JointCapabilities capabilities_of(const JointConfig& joint) {
  JointCapabilities board;
  board.joint = joint.name;
  board.drive_modes = joint.board.drive_modes;
  board.senses_velocity = true;
  board.senses_torque = true;
  board.reports_status = true;
  board.needs_calibration = joint.board.needs_calibration;
  return board;
}

}  // namespace

SimBackend::SimBackend(const RobotConfig& robot, const SimOptions& options)
    : period_ns_(robot.period_ns),
      end_ns_(options.end_ns),
      pacer_(options.pacer),
      held_until_driven_(options.held_until_driven),
      plant_(robot, options.plant),
      on_the_way_(robot.joints.size(), static_cast<int>(checked_delay(robot))),
      sensors_(robot, plant_.force_torque_sites(), plant_.imu_sites()),
      elsewhere_(robot.elsewhere),
      description_{.name = "sim",
                   .period_ns = robot.period_ns,
                   .force_torque_sites = plant_.force_torque_sites(),
                   .imu_sites = plant_.imu_sites(),
                   .gives_base = true} {
  const double period = to_seconds(period_ns_);
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    description_.joints.push_back(capabilities_of(robot.joints[i]));
    boards_.emplace_back(make_board_spec(robot.joints[i], robot.plant, period),
                         seed_of(robot.plant.seed, i));
  }
  was_dark_.assign(boards_.size(), false);
}

void SimBackend::start() {
  for (std::size_t i = 0; i < boards_.size(); ++i) boards_[i].power_on(plant_.joint(i));
  sample_sensors();
  stopped_ = false;
  if (pacer_ != nullptr) pacer_->start();
}

Tick SimBackend::wait() noexcept {
  if (end_ != SimEnd::kRunning) return kRunIsOver;
  const std::uint64_t next = first_ ? 0 : cycle_ + 1;
  if (closed_.load(std::memory_order_relaxed)) {
    end_ = SimEnd::kClosed;
  } else if (static_cast<TimeNs>(next) * period_ns_ >= end_ns_) {
    end_ = SimEnd::kTimeOver;
  } else if (!first_ && !advance()) {
    end_ = SimEnd::kBreakdown;
  }
  if (end_ != SimEnd::kRunning) return kRunIsOver;
  first_ = false;
  cycle_ = next;
  if (pacer_ == nullptr) return {};
  return {.late_ns = pacer_->wait_until(static_cast<TimeNs>(cycle_) * period_ns_)};
}

namespace {

bool drives(const std::vector<JointSetpoint>& setpoints) noexcept {
  return std::any_of(setpoints.begin(), setpoints.end(), [](const JointSetpoint& setpoint) {
    return setpoint.drive != DriveMode::kOff || setpoint.request == BoardRequest::kCalibrate;
  });
}

}  // namespace

/// Runs from t_k to t_{k+1}.
bool SimBackend::advance() noexcept {
  static constexpr JointSetpoint kOff{};
  const std::vector<JointSetpoint>* arriving = on_the_way_.arriving(cycle_);
  const bool released = arriving != nullptr && (!held_until_driven_ || drives(*arriving));
  if (released || stopped_) held_ = false;
  for (std::size_t i = 0; i < boards_.size(); ++i) {
    const JointSetpoint* setpoint = arriving != nullptr ? &(*arriving)[i] : nullptr;
    if (stopped_) setpoint = &kOff;
    if (elsewhere_.test(i)) continue;
    plant_.set_torque(i, boards_[i].act(setpoint));
    plant_.set_added_friction(i, boards_[i].added_friction());
    plant_.set_spring_share(i, boards_[i].spring_share());
  }
  if (held_) {
    plant_.stand_still();
  } else if (!plant_.step()) {
    return false;
  }
  for (std::size_t i = 0; i < boards_.size(); ++i) boards_[i].sense(plant_.joint(i));
  sample_sensors();
  return true;
}

void SimBackend::sample_sensors() noexcept {
  plant_.read_sensors(sensed_);
  sensors_.sample(sensed_.force_torque, sensed_.imus);
}

void SimBackend::read(RobotState& state) noexcept {
  state.cycle = cycle_;
  state.time_ns = static_cast<TimeNs>(cycle_) * period_ns_;
  state.joints.resize(boards_.size());
  for (std::size_t i = 0; i < boards_.size(); ++i) state.joints[i] = boards_[i].report();
  state.base = plant_.base();
  state.force_torque = sensors_.readings();
  state.imus = sensors_.imus();
}

void SimBackend::write(const RobotCommand& command) noexcept {
  on_the_way_.send(cycle_, command.joints);
}

std::optional<BoardNotice> SimBackend::next_notice() noexcept {
  for (std::size_t i = 0; i < boards_.size(); ++i) {
    if (was_dark_[i] == boards_[i].is_dark()) continue;
    was_dark_[i] = boards_[i].is_dark();
    if (was_dark_[i]) continue;
    return BoardNotice{.kind = Notice::kBoardBack, .joint = static_cast<JointIndex>(i)};
  }
  return std::nullopt;
}

void SimBackend::stop() noexcept { stopped_ = true; }

void SimBackend::inject(std::size_t joint, SimFault fault, double value,
                        std::optional<TimeNs> duration) noexcept {
  std::uint64_t cycles = InjectedFaults::kForever;
  if (duration) cycles = static_cast<std::uint64_t>((*duration + period_ns_ / 2) / period_ns_);
  boards_[joint].inject(fault, value, cycles);
}

SimBackend::State SimBackend::save() const {
  State state{plant_.save(), {}, on_the_way_, sensors_.state(), cycle_, first_, stopped_, held_};
  for (const SimBoard& board : boards_) state.boards.push_back(board.state());
  return state;
}

void SimBackend::restore(const State& state) {
  plant_.restore(state.plant);
  for (std::size_t i = 0; i < boards_.size(); ++i) {
    boards_[i].restore(state.boards[i]);
    was_dark_[i] = boards_[i].is_dark();
  }
  on_the_way_ = state.on_the_way;
  sensors_.restore(state.sensors);
  cycle_ = state.cycle;
  first_ = state.first;
  stopped_ = state.stopped;
  held_ = state.held;
  end_ = SimEnd::kRunning;
}

std::uint64_t SimBackend::hash() const noexcept {
  StateHash hash;
  plant_.add_to(hash);
  for (const SimBoard& board : boards_) board.add_to(hash);
  on_the_way_.add_to(hash);
  sensors_.add_to(hash);
  hash.add(cycle_, stopped_, held_);
  return hash.value();
}

}  // namespace jointrig::sim
