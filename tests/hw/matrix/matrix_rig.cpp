#include "tests/hw/matrix/matrix_rig.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/boards/local_boards.h"
#include "app/boards/seats.h"
#include "app/rig/wiring.h"

namespace jointrig::matrix {
namespace {

/// Speed of a joint at rest whose motor went off or stops: its own friction brakes it, and encoder
/// and wire round.
constexpr double kRest = 0.02;  // [rad/s], below which a joint stands

hw::BusJoint joint_of(const RobotConfig& robot, std::size_t index, const RigOptions& options) {
  const JointConfig& joint = robot.joints[index];
  hw::BusJoint drive;
  drive.name = joint.name;
  drive.host.units = hw::DriveUnits(app::facts_of(joint.drive), joint.slide);
  drive.host.period = kPeriod * options.every;
  drive.host.loop_period = kPeriod;
  drive.host.v_max = joint.limits.v_max;
  drive.host.supported_modes = app::offered_modes(joint.board.drive_modes);
  drive.host.has_pwm = joint.board.drive_modes.has(DriveMode::kDuty);
  drive.host.needs_calibration = joint.board.needs_calibration;
  drive.host.is_virtual = true;
  drive.host.tells_following = true;
  drive.settings.node = MatrixRig::node_of(index);
  drive.settings.modes_needed = drive.host.supported_modes;
  drive.settings.period_us = static_cast<std::uint32_t>(options.every * kPeriodNs / 1000);
  if (options.drive) options.drive(drive);
  return drive;
}

}  // namespace

MatrixRig::MatrixRig(const RigOptions& options) : model_{options.weighs}, config_(model_.config()) {
  if (options.change) options.change(config_);
  app::BusPlan plan;
  plan.joints_per_bus = kElbow + 1;
  config_ = app::LocalBoards::wired(config_, plan);
  for (JointConfig& joint : config_.joints) joint.drive.zero_counts = options.zero_counts;
  for (BusConfig& bus : config_.buses) bus.cycle_ns = options.every * kPeriodNs;
  build(options);
  if (!options.start) return;
  backend_->start();
  run(5);
}

MatrixRig::~MatrixRig() = default;

void MatrixRig::build(const RigOptions& options) {
  const std::size_t count = config_.joints.size();
  robot_ = std::make_unique<app::VirtualRobot>(config_, app::seats_of(config_, 0));
  std::vector<hw::HwBus> buses(2);
  for (std::size_t bus = 0; bus < buses.size(); ++bus) {
    can::SteppedBus& line = lines_.emplace_back(can::VirtualBusConfig{});
    clocks_.emplace_back(line);
    app::attach(*robot_, bus, line);
    auto link = std::make_unique<can::SteppedTransport>(line, "host");
    links_.push_back(link.get());
    intruders_.push_back(line.bus().attach("intruder"));
    buses[bus].name = std::to_string(bus);
    buses[bus].transport = std::move(link);
    if (options.link && bus == 0)
      buses[bus].transport = options.link(std::move(buses[bus].transport));
    buses[bus].clock = &clocks_[bus];
    buses[bus].every = options.every;
  }
  std::vector<std::vector<hw::BusJoint>> drives(buses.size());
  for (std::size_t i = 0; i < count; ++i) {
    drives[bus_of(i)].push_back(joint_of(config_, i, options));
    buses[bus_of(i)].robot_index.push_back(i);
  }
  for (std::size_t bus = 0; bus < buses.size(); ++bus) {
    buses[bus].bus = std::make_unique<hw::CanopenBus>(std::move(drives[bus]));
  }
  robot_->power_on(0);
  backend_ = std::make_unique<hw::HwBackend>(kPeriodNs, std::move(buses));
  q_before_.resize(count);
  for (std::size_t i = 0; i < count; ++i) q_before_[i] = where(i);
  begin_stack();
}

void MatrixRig::begin_stack() {
  loop_.reset();
  user_.reset();
  reader_.reset();
  stack_ = std::make_unique<Stack>(config_, backend_->description().joints,
                                   std::make_unique<RobotModel>(config_));
  loop_ = std::make_unique<Loop>(*backend_, *stack_);
  user_ = std::make_unique<RobotClient>(config_, stack_->inbox(), "test");
  reader_.emplace(stack_->events());
  tau_before_.assign(config_.joints.size(), 0.0);
  fell_from_.assign(config_.joints.size(), std::nullopt);
}

// Actions
// -------------------------------------------------------------------------------------------

void MatrixRig::run(int cycles) {
  for (int i = 0; i < cycles; ++i) {
    ASSERT_TRUE(loop_->step());
    gather_events();
    check_cycle();
    if (::testing::Test::HasFatalFailure()) return;
  }
}

std::optional<int> MatrixRig::run_until(int most, const std::function<bool()>& done) {
  for (int i = 0; i <= most; ++i) {
    if (done()) return i;
    run(1);
  }
  return std::nullopt;
}

void MatrixRig::freeze_host(int cycles) {
  for (int i = 0; i < cycles; ++i) {
    for (can::SteppedBus& line : lines_) line.run_until(line.now() + kPeriodNs);
    robot_->on_period();
    check_ways();
  }
}

void MatrixRig::restart_host(bool killed, int cycles) {
  for (std::size_t bus = 0; killed && bus < lines_.size(); ++bus) cut(bus);  // it says no more
  backend_->stop();
  freeze_host(cycles);
  for (std::size_t bus = 0; killed && bus < lines_.size(); ++bus) mend(bus);
  constexpr int kTries = 30;
  bool runs = false;
  for (int i = 0; i < kTries && !runs; ++i) {
    try {
      backend_->start();
      runs = true;
    } catch (const std::runtime_error& missing) {
      ASSERT_LT(i + 1, kTries) << missing.what();
      freeze_host(50);
    }
  }
  begin_stack();
  for (std::size_t i = 0; i < q_before_.size(); ++i) q_before_[i] = where(i);
  cycles_before_ = robot_->cycles();
  run(5);
}

void MatrixRig::gather_events() {
  Event event;
  while (reader_->next(event)) events_.push_back(event);
}

void MatrixRig::set_off() {
  mode("all", ModeRequest::kPosition);
  run(30);
  for (std::size_t i = 0; i < config_.joints.size(); ++i) {
    ASSERT_EQ(mode(i), JointMode::kPosition) << config_.joints[i].name;
  }
  user_->move(user_->select("arm"), 0.6, 0.3);
  user_->move(user_->select("hand"), 0.6, 0.3);
  run_for(1.2);
  ASSERT_GT(speed(kElbow), 0.15) << "on its way";
}

void MatrixRig::mode(const std::string& joints, ModeRequest request) {
  user_->set_mode(user_->select(joints), request);
  run(1);
}

// Injected faults
// -------------------------------------------------------------------------------------------

void MatrixRig::hit(std::size_t bus, const Hit& what) {
  can::FaultRule rule;
  rule.kind = what.kind;
  rule.id = what.id;
  rule.id_mask = what.mask;
  rule.receiver = what.receiver;
  rule.sender = what.sender;
  rule.count = what.count;
  rule.delay = what.delay;
  rule.skip = what.skip;
  rule.copies = what.copies;
  rule.from = lines_[bus].now();
  if (what.for_cycles > 0) {
    rule.until = rule.from + static_cast<std::int64_t>(what.for_cycles * kPeriodNs);
  }
  ASSERT_TRUE(wire(bus).add_fault(rule));
}

void MatrixRig::hit_state(std::size_t joint, Hit what) {
  what.receiver = host_node(bus_of(joint));
  what.sender = board_node(joint);
  for (const std::uint32_t base : {0x180U, 0x280U}) {
    what.id = base + node_of(joint);
    hit(bus_of(joint), what);
  }
}

void MatrixRig::cut(std::size_t bus) {
  hit(bus, {.mask = 0, .receiver = host_node(bus)});
  for (std::size_t i = 0; i < config_.joints.size(); ++i) {
    if (bus_of(i) == bus) hit(bus, {.mask = 0, .receiver = board_node(i)});
  }
}

void MatrixRig::intrude(std::size_t bus, std::uint32_t id,
                        std::initializer_list<std::uint8_t> bytes) {
  const std::vector<std::uint8_t> copy(bytes);
  wire(bus).send(intruders_[bus], can::data_frame(id, copy), lines_[bus].now());
}

can::NodeId MatrixRig::board_node(std::size_t joint) const {
  // attach() gives the ear number 0 and the boards of the bus the next ones, in their order.
  return static_cast<can::NodeId>(node_of(joint));
}

// Observations
// -------------------------------------------------------------------------------------------

void MatrixRig::check_ways() {
  // A SYNC of a longer cycle is several periods of physics, somebody else's SYNC some too.
  const auto periods = static_cast<double>(robot_->cycles() - cycles_before_);
  cycles_before_ = robot_->cycles();
  for (std::size_t i = 0; i < config_.joints.size(); ++i) {
    const double way = std::abs(where(i) - q_before_[i]);
    q_before_[i] = where(i);
    // Frames in its drive's name may tell a false speed, within what is plausible: then it is
    // faster than v_max, but not so fast that its over-speed is a fault.
    ASSERT_LE(way, 2.0 * config_.joints[i].limits.v_max * kPeriod * periods)
        << config_.joints[i].name;
  }
}

void MatrixRig::check_cycle() {
  check_ways();
  for (std::size_t i = 0; i < config_.joints.size(); ++i) {
    SCOPED_TRACE(config_.joints[i].name);
    const JointLimits& limits = config_.joints[i].limits;
    const JointSetpoint& sent = joint(i).setpoint;
    ASSERT_LE(std::abs(sent.tau), limits.tau_max * (1 + 1e-9));
    const bool drives = sent.drive == DriveMode::kTorque;
    // A drive that stopped by itself makes its own torque: the next one goes on from that.
    if (drives && !joint(i).state.follows) tau_before_[i] = joint(i).state.tau;
    if (drives && tau_before_[i] != 0.0) {
      ASSERT_LE(std::abs(sent.tau - tau_before_[i]), limits.tau_rate_max * kPeriod * (1 + 1e-6));
    }
    tau_before_[i] = drives ? sent.tau : 0.0;
    const bool is_lost = mode(i) == JointMode::kHwFault || mode(i) == JointMode::kNotConfigured;
    if (!is_lost) {
      fell_from_[i].reset();
      continue;
    }
    if (!fell_from_[i]) fell_from_[i] = where(i);
    // Off, it is braked by its own damping: v tau, with tau = I / b at the most 1 s here.
    const double way = limits.v_max * limits.v_max / (2 * limits.a_max) + 0.35;
    ASSERT_LE(std::abs(where(i) - *fell_from_[i]), way) << "further than its stop takes";
  }
}

bool MatrixRig::is_held(std::size_t index) const {
  return jointrig::is_held(stack_->state().joints[index].activity());
}

void MatrixRig::expect_arm_held_but(const std::vector<std::size_t>& lost) {
  run_for(0.4);  // 0.3 rad/s are braked in less
  for (std::size_t i = kYaw; i <= kWrist; ++i) {
    if (std::find(lost.begin(), lost.end(), i) != lost.end()) continue;
    SCOPED_TRACE(config_.joints[i].name);
    EXPECT_EQ(mode(i), JointMode::kPosition);
    EXPECT_TRUE(is_held(i));
    EXPECT_LT(std::abs(speed(i)), kRest);
    const double before = where(i);
    user_->move(user_->select(config_.joints[i].name), before + 0.2, 0.3);
    run(50);
    EXPECT_NEAR(where(i), before, 0.01) << "a move without a mode asked for";
    const auto answer = last(EventKind::kRejected, i);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->reason, RejectReason::kPartHeld);
  }
}

void MatrixRig::expect_hand_free() {
  for (const std::size_t finger : {kLeft, kRight}) {
    SCOPED_TRACE(config_.joints[finger].name);
    EXPECT_EQ(mode(finger), JointMode::kPosition);
    EXPECT_FALSE(is_held(finger));
    const double goal = where(finger) > 0 ? -0.2 : 0.2;
    user_->move(user_->select(config_.joints[finger].name), goal, 0.5);
    run_for(4.0);
    EXPECT_NEAR(where(finger), goal, 0.01);
  }
}

int MatrixRig::notices(Notice kind, std::size_t joint) const {
  int count = 0;
  for (const Event& event : events_) {
    count += event.kind == EventKind::kNotice && event.joint == joint &&
             event.detail == static_cast<std::uint8_t>(kind);
  }
  return count;
}

std::optional<Event> MatrixRig::last(EventKind kind, std::size_t joint) const {
  for (auto event = events_.rbegin(); event != events_.rend(); ++event) {
    if (event->kind == kind && event->joint == joint) return *event;
  }
  return std::nullopt;
}

std::optional<Event> MatrixRig::last(Notice kind, std::size_t joint) const {
  for (auto event = events_.rbegin(); event != events_.rend(); ++event) {
    const bool is_it = event->kind == EventKind::kNotice && event->joint == joint &&
                       event->detail == static_cast<std::uint8_t>(kind);
    if (is_it) return *event;
  }
  return std::nullopt;
}

void MatrixRig::expect_force_idle_is_the_way_out(std::size_t index) {
  const std::string& name = config_.joints[index].name;
  for (const ModeRequest wish : kAllModeRequest) {
    if (wish == ModeRequest::kForceIdle) continue;
    mode(name, wish);
    ASSERT_EQ(mode(index), JointMode::kHwFault) << to_string(wish);
  }
  run(50);
  ASSERT_EQ(mode(index), JointMode::kHwFault);
  const double before = where(index);
  mode(name, ModeRequest::kForceIdle);
  EXPECT_TRUE(run_until(400, [&] { return mode(index) == JointMode::kIdle; })) << name;
  run(100);
  EXPECT_EQ(mode(index), JointMode::kIdle) << "and nothing comes back by itself";
  EXPECT_NEAR(where(index), before, 0.05);
}

}  // namespace jointrig::matrix
