#include "app/boards/side_line_server.h"

#include <sys/socket.h>

#include <array>

#include "app/boards/side_line_messages.h"
#include "app/rig/robot_loading.h"
#include "hw/can/clock.h"

namespace jointrig::app {
namespace {

using side_line::Json;

constexpr can::TimeNs kToTakeAnAnswer = 5 * can::kSecond;

Json refusal(const std::string& sentence) { return {{"error", sentence}}; }

/// robot.yaml in a message, as the client's own configuration.
RobotConfig robot_of(const std::string& yaml) {
  harness::RobotSource source;
  source.file = harness::parse_yaml(yaml, "the run's robot");
  source.model_path = source.file.at("model").text();
  return load_robot(source).config;
}

}  // namespace

SideLineServer::SideLineServer(const can::Endpoint& address, ServedRobot robot)
    : robot_(std::move(robot)), listener_(can::listen_tcp(address)) {}

std::size_t SideLineServer::put_waits(std::span<pollfd> into) const noexcept {
  std::size_t count = 0;
  for (const can::UniqueFd* fd : {&listener_, &client_}) {
    if (*fd && count < into.size()) into[count++] = {fd->get(), POLLIN, 0};
  }
  return count;
}

void SideLineServer::serve() {
  if (client_) read();
  accept();
}

void SideLineServer::accept() {
  can::UniqueFd connection(
      ::accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!connection) return;
  // The last client may have left after the last check, and before this one came.
  if (client_) read();
  if (client_) {
    const std::string busy = refusal("the virtual boards are in use by another run").dump() + "\n";
    // Best effort: the refused client may not read it.
    static_cast<void>(::send(connection.get(), busy.data(), busy.size(), MSG_NOSIGNAL));
    return;
  }
  can::send_without_delay(connection.get());
  client_ = std::move(connection);
  received_.clear();
  truths_.clear();
}

void SideLineServer::let_go() {
  client_ = {};
  received_.clear();
}

void SideLineServer::read() {
  std::array<char, 65'536> buffer{};
  const ssize_t count = ::recv(client_.get(), buffer.data(), buffer.size(), 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) return let_go();
  received_.append(buffer.data(), static_cast<std::size_t>(count));
  for (std::size_t end; client_ && (end = received_.find('\n')) != std::string::npos;) {
    const Json request = Json::parse(received_.substr(0, end), nullptr, false);
    received_.erase(0, end + 1);
    Json reply;
    try {
      reply = answer(request);
    } catch (const harness::BadAction& error) {
      reply = {{"error", error.what()}, {"key", error.key()}};
    } catch (const Json::exception&) {
      reply = refusal("the virtual boards don't understand this request");
    } catch (const std::exception& error) {
      reply = refusal(error.what());
    }
    send(reply.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  }
  if (received_.size() > side_line::kLongestLine) let_go();
}

Json SideLineServer::answer(const Json& request) {
  const auto what = request.at("do").get<std::string>();
  if (what == "hello") return {{"token", robot_.token}, {"lockstep", robot_.lockstep}};
  if (what == "reset") {
    truths_.clear();
    robot_.reset(robot_of(request.at("robot").get<std::string>()),
                 request.at("plant").get<sim::PlantOptions>());
    return Json::object();
  }
  if (what == "hash") return {{"hash", robot_.hash()}};
  harness::World& world = *robot_.world();
  if (what == "words") {
    Json units = Json::array();
    for (const std::string& type : world.fault_types()) units.push_back(world.fault_unit(type));
    return {{"fault_types", world.fault_types()},
            {"fault_units", units},
            {"sensor_fault_types", world.sensor_fault_types()},
            {"truths", world.truth_names()}};
  }
  if (what == "find") {
    const auto found = world.find_truth(request.at("truth").get<std::string>());
    if (!found) return {{"number", Json()}};
    truths_.push_back(*found);
    return {{"number", truths_.size() - 1}};
  }
  if (what == "truths") {
    Json values = Json::array();
    for (const harness::World::Handle truth : truths_) values.push_back(world.truth(truth));
    return {{"values", values}};
  }
  if (what == "prepare") return prepare(request);
  if (what == "begin" || what == "end") {
    const auto action = request.at("action").get<harness::World::Handle>();
    what == "begin" ? world.begin(action) : world.end(action);
    return Json::object();
  }
  return refusal("the virtual boards don't know \"" + what + "\"");
}

Json SideLineServer::prepare(const Json& request) {
  harness::World& world = *robot_.world();
  const auto with = [](harness::World::Handle handle) { return Json{{"number", handle}}; };
  if (request.contains("fault")) {
    return with(world.prepare(request.at("fault").get<harness::FaultAction>()));
  }
  if (request.contains("force")) {
    return with(world.prepare(request.at("force").get<harness::ForceAction>()));
  }
  if (request.contains("payload")) {
    return with(world.prepare(request.at("payload").get<harness::PayloadAction>()));
  }
  return with(world.prepare(request.at("obstacle").get<harness::ObstacleAction>()));
}

void SideLineServer::send(const std::string& line) {
  std::string_view rest = line;
  const can::TimeNs deadline = can::monotonic_now() + kToTakeAnAnswer;
  while (!rest.empty()) {
    const ssize_t sent = ::send(client_.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent > 0) {
      rest.remove_prefix(static_cast<std::size_t>(sent));
      continue;
    }
    if (sent < 0 && errno != EAGAIN && errno != EINTR) return let_go();
    pollfd waited{client_.get(), POLLOUT, 0};
    const timespec left = can::time_left(can::monotonic_now(), deadline);
    if (ppoll(&waited, 1, &left, nullptr) == 0) return let_go();
  }
}

}  // namespace jointrig::app
