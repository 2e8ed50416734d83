#include "app/boards/side_line_client.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/boards/side_line_messages.h"
#include "harness/config/robot_file.h"
#include "hw/can/clock.h"
#include "hw/can/transport_address.h"

namespace jointrig::app {
namespace {

using side_line::Json;

constexpr can::TimeNs kPatience = 20 * can::kSecond;  // a large model takes seconds to compile
constexpr can::TimeNs kToConnect = can::kSecond;

}  // namespace

std::unique_ptr<SideLineClient> SideLineClient::find(const std::string& address) {
  if (address.empty()) return nullptr;
  try {
    return std::unique_ptr<SideLineClient>(new SideLineClient(address));
  } catch (const can::OpenError& error) {
    if (error.reason() == can::OpenError::Reason::kAddress) throw;
    return nullptr;  // no listener
  }
}

SideLineClient::SideLineClient(const std::string& address)
    : address_(address), socket_(can::connect_tcp(can::parse_endpoint(address), kToConnect)) {
  greet();
}

void SideLineClient::greet() {
  try {
    const Json hello = request({{"do", "hello"}});
    token_ = hello.at("token").get<std::uint32_t>();
    lockstep_ = hello.at("lockstep").get<bool>();
  } catch (const Json::exception&) {
    throw std::runtime_error("no virtual boards answer at " + address_ +
                             ": another program listens there");
  }
}

bool SideLineClient::is_broken() {
  const std::lock_guard lock(mutex_);
  if (!socket_) return true;
  // Between requests nothing comes but the end.
  pollfd waited{socket_.get(), POLLIN | POLLRDHUP, 0};
  if (::poll(&waited, 1, 0) > 0) socket_ = {};
  return !socket_;
}

bool SideLineClient::reopen() {
  try {
    can::UniqueFd next = can::connect_tcp(can::parse_endpoint(address_), kToConnect);
    const std::lock_guard lock(mutex_);
    socket_ = std::move(next);
    received_.clear();
  } catch (const can::OpenError&) {
    return false;
  }
  greet();
  return true;
}

std::string SideLineClient::exchange(const std::string& line) {
  const auto broke = [this](const char* how) {
    socket_ = {};
    return std::runtime_error("the virtual boards at " + address_ + " " + how);
  };
  if (!socket_) throw broke("are gone");
  const can::TimeNs deadline = can::monotonic_now() + kPatience;
  std::string_view rest = line;
  for (;;) {
    pollfd waited{socket_.get(), static_cast<short>(rest.empty() ? POLLIN : POLLOUT), 0};
    const timespec left = can::time_left(can::monotonic_now(), deadline);
    if (ppoll(&waited, 1, &left, nullptr) == 0) throw broke("don't answer");
    if (!rest.empty()) {
      const ssize_t sent = ::send(socket_.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
      if (sent > 0) rest.remove_prefix(static_cast<std::size_t>(sent));
      if (sent < 0 && errno != EAGAIN && errno != EINTR) throw broke("are gone");
      continue;
    }
    std::array<char, 4096> buffer{};
    // The lock is for whole requests, by threads that may wait.
    // NOLINTNEXTLINE(clang-analyzer-unix.BlockInCriticalSection)
    const ssize_t count = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) throw broke("are gone");
    if (count > 0) received_.append(buffer.data(), static_cast<std::size_t>(count));
    const std::size_t end = received_.find('\n');
    if (end != std::string::npos) {
      std::string answer = received_.substr(0, end);
      received_.erase(0, end + 1);
      return answer;
    }
    if (received_.size() > side_line::kLongestLine) throw broke("answer without an end");
  }
}

Json SideLineClient::request(const Json& message) {
  const std::string answer = [&] {
    const std::lock_guard lock(mutex_);
    return exchange(message.dump() + "\n");
  }();
  Json json = Json::parse(answer, nullptr, false);
  if (!json.is_object()) {
    throw std::runtime_error("no virtual boards answer at " + address_ +
                             ": another program listens there");
  }
  const auto error = json.find("error");
  if (error == json.end()) return json;
  const auto sentence = error->get<std::string>();
  if (const auto key = json.find("key"); key != json.end()) {
    throw harness::BadAction(key->get<std::string>(), sentence);
  }
  throw std::runtime_error(sentence);
}

void SideLineClient::reset(const RobotConfig& robot, const sim::PlantOptions& options) {
  RobotConfig placed = robot;  // that process has another working folder
  for (std::string* path : {&placed.model_path, &placed.scene_path}) {
    if (!path->empty()) *path = std::filesystem::absolute(*path).lexically_normal().string();
  }
  for (std::string& folder : placed.package_path) {
    folder = std::filesystem::absolute(folder).lexically_normal().string();
  }
  request({{"do", "reset"}, {"robot", harness::to_yaml(placed)}, {"plant", options}});
}

std::uint64_t SideLineClient::hash() noexcept {
  try {
    return request({{"do", "hash"}}).at("hash").get<std::uint64_t>();
  } catch (const std::exception&) {
    return 0;
  }
}

RemoteWorld::RemoteWorld(SideLineClient& line) : line_(&line) {
  const Json words = line.request({{"do", "words"}});
  words.at("fault_types").get_to(fault_types_);
  words.at("fault_units").get_to(fault_units_);
  words.at("sensor_fault_types").get_to(sensor_fault_types_);
  words.at("truths").get_to(truth_names_);
}

std::string RemoteWorld::fault_unit(std::string_view type) const {
  const auto found = std::find(fault_types_.begin(), fault_types_.end(), type);
  return found == fault_types_.end()
             ? ""
             : fault_units_[static_cast<std::size_t>(found - fault_types_.begin())];
}

std::optional<harness::World::Handle> RemoteWorld::find_truth(std::string_view name) {
  const Json found = line_->request({{"do", "find"}, {"truth", name}}).at("number");
  if (found.is_null()) return std::nullopt;
  const auto handle = found.get<Handle>();
  const auto needed = static_cast<std::size_t>(handle) + 1;
  if (truths_.size() < needed) truths_.resize(needed, std::numeric_limits<double>::quiet_NaN());
  return handle;
}

double RemoteWorld::truth(Handle signal) const noexcept {
  return truths_[static_cast<std::size_t>(signal)];
}

void RemoteWorld::update() noexcept {
  if (truths_.empty()) return;
  try {
    const Json values = line_->request({{"do", "truths"}}).at("values");
    for (std::size_t i = 0; i < truths_.size(); ++i) {
      truths_[i] = values.at(i).is_null() ? std::numeric_limits<double>::quiet_NaN()
                                          : values.at(i).get<double>();
    }
  } catch (const std::exception&) {
    std::fill(truths_.begin(), truths_.end(), std::numeric_limits<double>::quiet_NaN());
  }
}

harness::World::Handle RemoteWorld::prepare(const char* kind, const Json& action) {
  return line_->request({{"do", "prepare"}, {kind, action}}).at("number").get<Handle>();
}
harness::World::Handle RemoteWorld::prepare(const harness::FaultAction& action) {
  return prepare("fault", action);
}
harness::World::Handle RemoteWorld::prepare(const harness::ForceAction& action) {
  return prepare("force", action);
}
harness::World::Handle RemoteWorld::prepare(const harness::PayloadAction& action) {
  return prepare("payload", action);
}
harness::World::Handle RemoteWorld::prepare(const harness::ObstacleAction& action) {
  return prepare("obstacle", action);
}

void RemoteWorld::tell(const char* what, Handle action) noexcept {
  try {
    line_->request({{"do", what}, {"action", action}});
  } catch (const std::exception&) {
    // The line broke: the boards are gone, which the buses report as well.
  }
}

}  // namespace jointrig::app
