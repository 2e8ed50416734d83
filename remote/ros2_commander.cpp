#include "remote/ros2_commander.h"

#include <fmt/core.h>

#include <chrono>
#include <stdexcept>
#include <utility>

#include "remote/ros2_commands.h"

namespace jointrig::remote {
namespace {

constexpr std::size_t kLargestStream = 16 * 1024;  ///< of a message that may wait [bytes]
constexpr std::size_t kKeptClients = 64;
constexpr int kPushTries = 100;
constexpr std::chrono::microseconds kPushRest{500};

/// By the part of its GUID that tells processes of a machine apart.
std::string name_of(const Ros2Peer& peer) {
  return fmt::format("ros2:{:02x}{:02x}{:02x}{:02x}", peer[4], peer[5], peer[6], peer[7]);
}

/// Joints whose mode the command depends on: those of its arm, where it is for one.
JointSet joints_meant(const Request& request, const RobotConfig& robot) {
  const ArmIndex arm = arm_of(request);
  return arm < robot.arms.size() ? joints_of(robot.arms[arm]) : joints_of(request);
}

}  // namespace

Ros2Commander::Ros2Commander(const ServedRobot& robot, Server& server, Ros2Bus& bus,
                             const Ros2Options& options, Ros2Refusals& refusals)
    : robot_(&robot),
      server_(&server),
      lease_(&server.lease()),
      refusals_(&refusals),
      sender_(robot.inbox->connect("ros2")),
      commands_(kCommandRate, kCommandBurst),
      twists_(*robot.config),
      now_(std::make_unique<Snapshot>()) {
  stream_thread_ = std::thread([this] { run_streams(); });
  plan_thread_ = std::thread([this] { run_plans(); });
  readers_.push_back(
      bus.read_from(options.joint_commands, kJointStateType, Ros2Delivery::kBestEffort,
                    [this](const auto& from, const auto& cdr) { take(from, cdr, kNoArm); }));
  for (std::size_t i = 0; i < robot.config->arms.size(); ++i) {
    const auto arm = static_cast<ArmIndex>(i);
    readers_.push_back(
        bus.read_from(options.twist + "/" + ros_word(robot.config->arms[i].name), kTwistType,
                      Ros2Delivery::kBestEffort,
                      [this, arm](const auto& from, const auto& cdr) { take(from, cdr, arm); }));
  }
  readers_.push_back(
      bus.read_from(options.joint_trajectory, kTrajectoryType, Ros2Delivery::kReliable,
                    [this](const auto& from, const auto& cdr) { take_trajectory(from, cdr); }));
}

Ros2Commander::~Ros2Commander() {
  readers_.clear();
  streams_.close();
  {
    const std::lock_guard lock(plan_mutex_);
    is_over_ = true;
  }
  plan_changed_.notify_all();
  stream_thread_.join();
  plan_thread_.join();
  for (const auto& [peer, client] : clients_) lease_->leave(client);
}

// Fast DDS's thread ------------------------------------------------------------------------------

void Ros2Commander::take(const Ros2Peer& from, std::span<const std::byte> cdr, ArmIndex arm) {
  if (cdr.size() > kLargestStream) {
    return refusals_->add(fmt::format("{}: {} bytes, and {} may come at once",
                                      arm == kNoArm ? "joint_commands" : "twist", cdr.size(),
                                      kLargestStream));
  }
  // Full: a stream is late already, and its next samples tell more.
  static_cast<void>(streams_.put({from, {cdr.begin(), cdr.end()}, arm}));
}

void Ros2Commander::take_trajectory(const Ros2Peer& from, std::span<const std::byte> cdr) {
  {
    const std::lock_guard lock(plan_mutex_);
    next_plan_ = Received{from, {cdr.begin(), cdr.end()}, kNoArm};
  }
  plan_changed_.notify_all();
}

// Streams ----------------------------------------------------------------------------------------

void Ros2Commander::run_streams() {
  for (Received received; streams_.take(received);) {
    try {
      received.arm == kNoArm ? stream(received) : step(received);
    } catch (const std::exception& error) {
      refusals_->add(fmt::format("{} [{}]", error.what(), name_of(received.from)));
    }
  }
}

void Ros2Commander::stream(const Received& received) {
  const std::optional<Request> request =
      command_of(decode_joint_state(received.cdr), *robot_->config);
  if (!request) {
    const std::lock_guard lock(give_mutex_);
    return lease_->heard(client_of(received.from));
  }
  const std::string refusal = give(received.from, *request);
  if (!refusal.empty()) throw std::invalid_argument(refusal);
}

void Ros2Commander::step(const Received& received) {
  const TwistMessage message = decode_twist(received.cdr);
  if (!robot_->snapshots->read(*now_)) throw std::invalid_argument("the loop doesn't run");
  const StreamToolTarget sample = twists_.next(received.arm, message, *now_);
  const std::string refusal = give(received.from, sample);
  if (refusal.empty()) return;
  twists_.forget(received.arm);
  throw std::invalid_argument(refusal);
}

// Plans ------------------------------------------------------------------------------------------

void Ros2Commander::run_plans() {
  for (;;) {
    Received received;
    {
      std::unique_lock lock(plan_mutex_);
      plan_changed_.wait(lock, [this] { return is_over_ || next_plan_.has_value(); });
      if (is_over_) return;
      received = *std::exchange(next_plan_, std::nullopt);
    }
    try {
      plan(received);
    } catch (const std::exception& error) {
      refusals_->add(fmt::format("{} [{}]", error.what(), name_of(received.from)));
    }
  }
}

void Ros2Commander::plan(const Received& received) {
  const Trajectory trajectory =
      trajectory_of(decode_joint_trajectory(received.cdr), *robot_->config);
  FollowPlan follow;
  follow.joints = trajectory.joints;
  ClientId client = 0;
  {
    const std::lock_guard lock(give_mutex_);
    client = client_of(received.from);
  }
  // Before the work, and again after it.
  const std::string refusal = why_not(client, follow);
  if (!refusal.empty()) throw std::invalid_argument(refusal);
  if (!robot_->plan) throw std::invalid_argument("joint_trajectory: no plans are made here");
  const PlannedMotion planned = robot_->plan(trajectory, [&] {
    const std::lock_guard lock(plan_mutex_);
    return !is_over_ && !next_plan_;
  });
  const std::string too_late = give(received.from, planned.command);
  if (!too_late.empty()) throw std::invalid_argument(too_late);
}

// The lease --------------------------------------------------------------------------------------

/// Under give_mutex_. Processes that are long gone are forgotten.
ClientId Ros2Commander::client_of(const Ros2Peer& peer) {
  const auto known = clients_.find(peer);
  if (known != clients_.end()) return known->second;
  const ClientId holder = lease_->now().holder;
  if (clients_.size() >= kKeptClients) {
    std::erase_if(clients_, [&](const auto& one) { return one.second != holder; });
  }
  return clients_[peer] = server_->new_client();
}

/// A command in a wrong mode takes no lease: whoever changes the mode needs it first.
std::string Ros2Commander::why_not(ClientId client, const Request& request) const {
  const LeaseChange lease = lease_->now();
  if (lease.holder == client) return {};
  if (lease.holder != 0) {
    return fmt::format("{}: {} holds the lease: wait until it is free", to_string(kind_of(request)),
                       lease.holder_name);
  }
  const auto now = std::make_unique<Snapshot>();
  if (!robot_->snapshots->read(*now)) return "the loop doesn't run: nobody can hold this robot";
  return wrong_mode(kind_of(request), joints_meant(request, *robot_->config), *robot_->config,
                    *now);
}

std::string Ros2Commander::give(const Ros2Peer& from, const Request& request) {
  const std::lock_guard lock(give_mutex_);
  if (!commands_.take(RateLimit::Time::clock::now())) {
    return fmt::format("{}: more than {:.0f} commands a second, or {:.0f} at once",
                       to_string(kind_of(request)), kCommandRate, kCommandBurst);
  }
  const ClientId client = client_of(from);
  if (std::string refusal = why_not(client, request); !refusal.empty()) return refusal;
  if (lease_->now().holder != client) {
    robot_->inbox->rename(sender_, name_of(from));
    std::string refusal = lease_->take(client, name_of(from), /*by_force=*/false, sender_);
    if (!refusal.empty()) return refusal;
  }
  bool is_full = false;
  const LeaseRefusal refusal = lease_->pass(
      client, lease_->now().epoch, [&] { is_full = !push(request); }, [&] { hold(); });
  if (!refusal.reason.empty()) {
    return fmt::format("{}: {}", to_string(kind_of(request)), refusal.sentence);
  }
  return is_full ? fmt::format("{}: the inbox is full, the loop takes no commands",
                               to_string(kind_of(request)))
                 : "";
}

/// Tries again for some cycles where the inbox is full.
bool Ros2Commander::push(const Request& request) {
  const Command command{.request = request, .sender = sender_, .number = ++number_};
  for (int i = 0; i < kPushTries; ++i) {
    if (robot_->inbox->push(command)) return true;
    std::this_thread::sleep_for(kPushRest);
  }
  return false;
}

/// A command went in while the loop ended the lease: a stop goes after it.
void Ros2Commander::hold() {
  Stop all;
  for (std::size_t i = 0; i < robot_->config->joints.size(); ++i) all.joints.set(i);
  push(all);
}

}  // namespace jointrig::remote
