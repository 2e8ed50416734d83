#include "app/boards/board_host.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "app/boards/boards_on_bus.h"
#include "app/boards/seats.h"
#include "app/rig/wiring.h"
#include "control/core/backend_parts.h"
#include "control/core/sensor_nodes.h"
#include "hw/can/clock.h"
#include "hw/can/transport_address.h"
#include "hw/dynamixel/serial_port.h"

namespace jointrig::app {
namespace {

constexpr can::TimeNs kLongestWait = 20 * can::kMillisecond;  // interval of checks for the end
constexpr int kMostPeriodsAtOnce = 100;                       // further periods are skipped

/// Not 0, and not the token of the previous process.
std::uint32_t new_token() {
  const auto now = static_cast<std::uint64_t>(can::monotonic_now());
  const auto mixed = static_cast<std::uint32_t>(now ^ now >> 32U) * 2'654'435'761U ^
                     static_cast<std::uint32_t>(::getpid());
  return mixed == 0 ? 1 : mixed;
}

/// The other end of a host's bus address.
struct OtherEnd {
  can::BusHubConfig* config;

  void operator()(const can::SlcanOptions& slcan) const {
    config->adapters = 1;
    config->adapter_links = {slcan.device};
  }
  void operator()(const can::CannelloniUdpAddress& udp) const {
    config->cannelloni_udp = {{{udp.peer.host, udp.local_port}, udp.peer.port}};
  }
  void operator()(const can::CannelloniTcpAddress& tcp) const {
    config->cannelloni_tcp = tcp.server;
  }
  void operator()(const can::SocketcandAddress& socketcand) const {
    config->socketcand = socketcand.server;
    config->socketcand_bus = socketcand.bus;
  }
  void operator()(const can::SerialOptions& serial) const {
    config->bus.rates.nominal = serial.baud;  // its link is a client of another kind
  }
  void operator()(const can::SocketCanOptions& socketcan) const {
    throw std::invalid_argument("virtual boards have no place on the network interface " +
                                socketcan.interface +
                                ": give the bus an address of slcan, cannelloni or socketcand");
  }
};

can::BusHubConfig hub_config(const BusConfig& bus) {
  can::BusHubConfig config;
  config.bus.rates = {.nominal = bus.bit_rate, .data = bus.data_bit_rate};
  std::visit(OtherEnd{&config}, can::parse_transport_address(bus.address));
  return config;
}

/// A serial line has a device of its own in place of an adapter.
void add_serial_port(const BusConfig& bus, can::BusHub& hub) {
  const can::TransportAddress address = can::parse_transport_address(bus.address);
  if (const auto* serial = std::get_if<can::SerialOptions>(&address)) {
    hub.add_link("line", std::make_unique<dynamixel::SerialPort>(serial->device));
  }
}

bool same_wiring(const RobotConfig& a, const RobotConfig& b) {
  const auto same = [](const JointConfig& x, const JointConfig& y) {
    return x.name == y.name && x.drive.bus == y.drive.bus && x.drive.node == y.drive.node;
  };
  const auto same_sensor = [](const NamedSensor& x, const NamedSensor& y) {
    return x.site == y.site && x.device == y.device;
  };
  const std::vector<NamedSensor> of_a = sensors_of(a);
  const std::vector<NamedSensor> of_b = sensors_of(b);
  return std::equal(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), same_sensor) &&
         a.buses == b.buses && a.period_ns == b.period_ns && a.elsewhere == b.elsewhere &&
         std::equal(a.joints.begin(), a.joints.end(), b.joints.begin(), b.joints.end(), same);
}

}  // namespace

BoardHost::BoardHost(const RobotConfig& robot, const BoardHostOptions& options)
    : config_(part_on(robot, BackendKind::kHw)), options_(options), token_(new_token()) {
  if (const auto problems = wiring_problems(config_); !problems.empty()) {
    throw std::invalid_argument("robot " + robot.name + ": " + problems.front());
  }
  place(config_, {});
  for (std::size_t i = 0; i < config_.buses.size(); ++i) {
    can::BusHub& hub = hubs_.emplace_back(hub_config(config_.buses[i]));
    add_serial_port(config_.buses[i], hub);
    attach(*robot_, i, hub);
  }
  if (config_.virtual_boards.empty()) return;
  ServedRobot served;
  served.token = token_;
  served.lockstep = !options_.free_running;
  served.reset = [this](const RobotConfig& next, const sim::PlantOptions& plant) {
    RobotConfig built = part_on(next, BackendKind::kHw);
    if (!same_wiring(built, config_)) {
      throw std::runtime_error(
          "the run's robot has other buses or drives than the virtual boards, "
          "which are those of " +
          config_.name + ": start `jointrig board` with the same robot");
    }
    for (std::size_t i = 0; options_.own_drives && i < built.joints.size(); ++i) {
      built.joints[i].drive = config_.joints[i].drive;
    }
    replace(built, plant);
  };
  served.world = [this] { return &*world_; };
  served.hash = [this] { return robot_->hash(); };
  server_.emplace(can::parse_endpoint(config_.virtual_boards), std::move(served));
}

/// The nodes on the buses stay: they look up their boards in robot_. If the next robot can't be
/// built, the previous one returns in its start pose.
void BoardHost::replace(const RobotConfig& robot, const sim::PlantOptions& options) {
  const RobotConfig before = config_;
  try {
    place(robot, options);
  } catch (...) {
    place(before, {});
    throw;
  }
}

void BoardHost::place(const RobotConfig& robot, const sim::PlantOptions& options) {
  const VirtualRobotOptions pace{.free_running = options_.free_running,
                                 .drift_ppm = options_.free_running ? options_.drift_ppm : 0.0};
  config_ = robot;
  world_.reset();
  robot_.emplace(config_, seats_of(config_, token_), options, pace,
                 sensor_seats_of(config_, token_));
  world_.emplace(config_, robot_->plant(), robot_->boards(), &robot_->sensors());
  robot_->power_on(can::monotonic_now());
  next_period_ = can::monotonic_now();
}

void BoardHost::run(const std::atomic<bool>& stop) {
  prctl(PR_SET_TIMERSLACK, 1);  // frames end to the microsecond, not to the fiftieth
  while (!stop.load(std::memory_order_relaxed)) step();
}

void BoardHost::step() {
  std::array<pollfd, 256> waited{};
  const std::span<pollfd> all(waited);
  std::size_t count = server_ ? server_->put_waits(all) : 0;
  can::TimeNs wake = can::monotonic_now() + kLongestWait;
  if (options_.free_running) wake = std::min(wake, next_period_);
  for (const can::BusHub& hub : hubs_) {
    count += hub.put_waits(all.subspan(count));
    wake = std::min(wake, hub.next_wake());
  }
  const timespec left = can::time_left(can::monotonic_now(), wake);
  ppoll(waited.data(), count, &left, nullptr);
  if (options_.free_running) run_physics();
  for (can::BusHub& hub : hubs_) hub.serve();
  if (server_) server_->serve();
}

void BoardHost::run_physics() {
  const double period = static_cast<double>(config_.period_ns) / (1.0 + 1e-6 * options_.drift_ppm);
  const can::TimeNs now = can::monotonic_now();
  for (int i = 0; i < kMostPeriodsAtOnce && next_period_ <= now; ++i) {
    robot_->on_period();
    next_period_ += static_cast<can::TimeNs>(period);
  }
  next_period_ = std::max(next_period_, now - kMostPeriodsAtOnce * config_.period_ns);
}

}  // namespace jointrig::app
