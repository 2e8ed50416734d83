#include <fmt/core.h>
#include <google/protobuf/stubs/logging.h>
#include <grpc/support/log.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <chrono>
#include <cmath>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include "remote/address.h"
#include "remote/command_message.h"
#include "remote/cycle_message.h"
#include "remote/due_cycle.h"
#include "remote/file_calls.h"
#include "remote/lease.h"
#include "remote/outbox.h"
#include "remote/rate_limit.h"
#include "remote/reach_message.h"
#include "remote/robot.grpc.pb.h"
#include "remote/seats.h"
#include "remote/served_robot.h"
#include "remote/state_feed.h"
#include "remote/state_message.h"

namespace jointrig::remote {
namespace {

using grpc::ServerContext;
using grpc::Status;
using grpc::StatusCode;
using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using std::chrono::milliseconds;

// Choices, unless they say otherwise.
constexpr int kLargestMessage = 64 * 1024;
constexpr double kWishRate = 20000.0;  ///< signs of life, take, release [1/s]
constexpr double kWishBurst = 1000.0;
constexpr std::size_t kLongestName = 31;
constexpr milliseconds kEventRest{5};
constexpr microseconds kHubRest{500};
constexpr int kPushTries = 100;
constexpr int kIdleConnectionMs = 30'000;
constexpr int kHandshakeMs = 5'000;
constexpr int kPingMs = 10'000;
constexpr int kStreamsPerConnection = 16;
constexpr int kThreadsPerClient = 5;  ///< control, state twice, events, cycles
constexpr int kFurtherThreads = 12;
constexpr int kMostReaches = 4;  ///< asked for at once: each holds a thread
constexpr ClientId kLocal = 1;   ///< the server's own process

void write_lease(const LeaseChange& change, ClientId reader, v1::Lease& message) {
  message.set_number(change.number);
  message.set_epoch(change.epoch);
  message.set_holder(change.holder_name);
  message.set_is_yours(change.holder != 0 && change.holder == reader);
  message.set_sentence(change.sentence);
}

/// Names stand in sentences and on a terminal.
std::string plain_name(const std::string& given) {
  std::string name;
  for (const char c : given.substr(0, kLongestName)) {
    const auto byte = static_cast<unsigned char>(c);
    name += std::isalnum(byte) != 0 || c == '-' || c == '_' || c == '.' || c == '@' ? c : '_';
  }
  return name.empty() ? "client" : name;
}

/// One connected client.
struct Client {
  ClientId id = 0;
  std::string name;
  Seats::Seat seat;
  Outbox<v1::Reply> replies;
  RateLimit commands{kCommandRate, kCommandBurst};
  RateLimit wishes{kWishRate, kWishBurst};
  ServerContext* context = nullptr;
};

class Service final : public v1::Robot::Service {
 public:
  Service(const ServedRobot& robot, const ServerOptions& options)
      : robot_(robot),
        tell_(options.tell),
        token_(options.token_file.empty() ? "" : token_of_file(options.token_file)),
        files_(ServedFiles(options.files)),
        lease_(*robot.watch),
        seats_(*robot.inbox, options.clients),
        states_(*robot.snapshots, [this](const Snapshot& snapshot,
                                         v1::State& message) { build_state(snapshot, message); }),
        stop_sender_(robot.inbox->connect("stop")),
        hub_([this](const std::stop_token& stop) { run_hub(stop); }) {}

  /// Ends the streams that wait for something, and this process's lease.
  void close() {
    is_closed_.store(true, std::memory_order_release);
    release();
  }

  Status Describe(ServerContext* context, const v1::DescribeRequest* /*request*/,
                  v1::Description* reply) override {
    if (Status status = admit(*context); !status.ok()) return status;
    write_facts({*robot_.config, robot_.backend, robot_.version, robot_.notes, robot_.boards,
                 robot_.is_on_buses, robot_.is_real},
                *reply);
    describe_commands(*reply);
    return Status::OK;
  }

  Status Stop(ServerContext* context, const v1::StopRequest* request, v1::Answer* reply) override {
    if (Status status = admit(*context); !status.ok()) return status;
    std::uint64_t number = 0;
    const std::string refusal = stop_all(request->name(), number);
    reply->set_number(number);
    reply->set_accepted(refusal.empty());
    reply->set_sentence(refusal);
    return Status::OK;
  }

  /// @param number  of the command
  /// @returns empty, or a sentence that tells why not
  std::string stop_all(const std::string& name, std::uint64_t& number) {
    const std::lock_guard lock(stop_mutex_);
    jointrig::Stop all;
    for (std::size_t i = 0; i < robot_.config->joints.size(); ++i) all.joints.set(i);
    const bool sent = push({.request = all, .sender = stop_sender_, .number = stop_number_ + 1});
    if (sent) ++stop_number_;
    lease_.stopped_by(0, plain_name(name));
    number = stop_number_;
    return sent ? "" : "stop: the inbox is full, the loop takes no commands";
  }

  [[nodiscard]] ServerState state() const {
    const LeaseChange lease = lease_.now();
    const std::lock_guard lock(clients_mutex_);
    return {clients_.size(), lease.holder_name, lease.holder == kLocal};
  }
  std::string take(const std::string& name, bool by_force, std::uint16_t sender) {
    return lease_.take(kLocal, plain_name(name), by_force, sender);
  }
  void release() { static_cast<void>(lease_.release(kLocal)); }
  void stopped(const std::string& name) { lease_.stopped_by(kLocal, plain_name(name)); }
  [[nodiscard]] Lease& lease() { return lease_; }
  [[nodiscard]] ClientId new_client() { return next_client_.fetch_add(1) + 1; }

  Status Plan(ServerContext* context, const v1::Trajectory* request,
              v1::PlanTicket* reply) override {
    if (Status status = admit(*context); !status.ok()) return status;
    if (!robot_.plan) return {StatusCode::UNIMPLEMENTED, "trajectory: no plans are made here"};
    const auto holds = [&] {
      const LeaseChange lease = lease_.now();
      return lease.holder != 0 && lease.epoch == request->epoch();
    };
    if (!holds()) {
      return {StatusCode::FAILED_PRECONDITION,
              "trajectory: plans are made for who holds the lease: take it first"};
    }
    try {
      const PlannedMotion planned = robot_.plan(read_trajectory(*request, *robot_.config),
                                                [&] { return holds() && !context->IsCancelled(); });
      reply->set_slot(planned.command.slot);
      reply->set_round(planned.command.round);
      reply->set_remark(planned.remark);
      if (planned.report) write_report(*planned.report, *robot_.config, *reply->mutable_report());
    } catch (const PlanDropped& dropped) {
      return {StatusCode::ABORTED, dropped.what()};
    } catch (const std::invalid_argument& error) {
      return {StatusCode::INVALID_ARGUMENT, error.what()};
    } catch (const std::exception& error) {
      return {StatusCode::INTERNAL, error.what()};
    }
    return Status::OK;
  }

  Status Reach(ServerContext* context, const v1::ReachRequest* request,
               v1::ReachAnswer* reply) override {
    if (Status status = admit(*context); !status.ok()) return status;
    if (!robot_.reach)
      return {StatusCode::UNIMPLEMENTED, "reach: no positions are looked for here"};
    if (reaches_.fetch_add(1) >= kMostReaches) {
      reaches_.fetch_sub(1);
      return {StatusCode::ABORTED, "reach: others ask, too: ask again"};
    }
    const Status status = answer_reach(*request, *reply);
    reaches_.fetch_sub(1);
    return status;
  }

  Status ReadParameters(ServerContext* context, const v1::ParametersRequest* /*request*/,
                        v1::Parameters* reply) override {
    if (Status status = admit(*context); !status.ok()) return status;
    if (robot_.parameters == nullptr) {
      return {StatusCode::UNIMPLEMENTED, "parameters can't be read here"};
    }
    std::optional<ParameterTable> table = robot_.parameters->read();
    const auto now = std::make_unique<Snapshot>();
    if (!table || !robot_.snapshots->read(*now)) {
      return {StatusCode::UNAVAILABLE, "parameters: the robot's loop doesn't run"};
    }
    put_compliance(*now, *table);
    for (const JointParameter parameter : kAllJointParameter) {
      v1::Parameter& message = *reply->add_parameters();
      message.set_name(std::string(to_string(parameter)));
      const auto& values = (*table)[static_cast<std::size_t>(parameter)];
      message.mutable_values()->Assign(values.begin(), values.end());
    }
    return Status::OK;
  }

  /// The lease isn't kept while the file is written: what is written runs already.
  Status SaveParameters(ServerContext* context, const v1::SaveRequest* request,
                        v1::SaveAnswer* reply) override {
    if (Status status = admit(*context); !status.ok()) return status;
    if (!robot_.save_parameters) {
      return {StatusCode::UNIMPLEMENTED, "parameters: none are written here"};
    }
    const LeaseChange lease = lease_.now();
    if (!request->only_compare() && (lease.holder == 0 || lease.epoch != request->epoch())) {
      return {StatusCode::FAILED_PRECONDITION,
              "parameters: who holds the lease writes them: take it first"};
    }
    try {
      const SavedChanges saved = robot_.save_parameters(request->only_compare());
      reply->set_file(saved.file);
      reply->set_difference(saved.difference);
    } catch (const std::exception& error) {
      return {StatusCode::INVALID_ARGUMENT, fmt::format("parameters: {}", error.what())};
    }
    return Status::OK;
  }

  Status ListFiles(ServerContext* context, const v1::FilesRequest* /*request*/,
                   v1::FileList* reply) override {
    if (Status status = admit(*context); !status.ok()) return status;
    files_.list(*reply);
    return Status::OK;
  }

  Status FetchFile(ServerContext* context, const v1::FileRequest* request,
                   grpc::ServerWriter<v1::FilePart>* stream) override {
    if (Status status = admit(*context); !status.ok()) return status;
    return files_.send(request->name(), *stream, [&] { return is_over(*context); });
  }

  Status Control(ServerContext* context,
                 grpc::ServerReaderWriter<v1::Reply, v1::Wish>* stream) override {
    if (Status status = admit(*context); !status.ok()) return status;
    v1::Wish wish;
    if (!stream->Read(&wish)) return Status::OK;
    if (!wish.has_hello()) return {StatusCode::INVALID_ARGUMENT, "the first message is hello"};
    const std::string name = plain_name(wish.hello().name());
    const std::optional<Seats::Seat> seat = seats_.take(name);
    if (!seat) {
      return {StatusCode::RESOURCE_EXHAUSTED,
              fmt::format("{} clients are connected, and no more may be", seats_.size())};
    }
    Client client;
    client.id = new_client();
    client.name = name;
    client.seat = *seat;
    client.context = context;
    serve(client, *stream, wish);
    seats_.give_back(client.seat);
    return Status::OK;
  }

  Status WatchState(ServerContext* context, const v1::StateRequest* request,
                    grpc::ServerWriter<v1::State>* stream) override {
    if (Status status = admit(*context); !status.ok()) return status;
    const double period = to_seconds(robot_.config->period_ns);
    const double rate = request->rate();
    if (!(rate >= 0.0 && rate <= 1.0 / period + 0.5)) {
      return {StatusCode::INVALID_ARGUMENT,
              fmt::format("rate is {}: give 0 (each cycle) to {:.0f} states a second", rate,
                          1.0 / period)};
    }
    const auto each =
        rate > 0.0 ? static_cast<std::uint64_t>(std::llround(1.0 / (rate * period))) : 1;
    send_states(*context, *stream, std::max<std::uint64_t>(each, 1));
    return Status::OK;
  }

  Status WatchEvents(ServerContext* context, const v1::EventRequest* /*request*/,
                     grpc::ServerWriter<v1::Report>* stream) override {
    if (Status status = admit(*context); !status.ok()) return status;
    EventRing::Reader reader(*robot_.events);
    // At once: the client knows then that it misses nothing from here on.
    stream->SendInitialMetadata();
    while (!is_over(*context)) {
      if (!send_events(*stream, reader)) break;
      std::this_thread::sleep_for(kEventRest);
    }
    return Status::OK;
  }

  Status WatchCycles(ServerContext* context, const v1::CycleRequest* request,
                     grpc::ServerWriter<v1::Cycles>* stream) override {
    if (Status status = admit(*context); !status.ok()) return status;
    if (robot_.cycles == nullptr) {
      return {StatusCode::UNIMPLEMENTED, "cycles can't be followed here"};
    }
    if (!is_our_layout(*robot_.config, *request)) {
      return {StatusCode::FAILED_PRECONDITION,
              fmt::format("whoever follows each cycle must be the same build of jointrig {} as the "
                          "server, with the same robot",
                          robot_.version)};
    }
    const auto source =
        std::make_unique<CycleSource>(*robot_.config, *robot_.events, *robot_.inbox);
    const auto last = std::make_unique<Snapshot>();
    if (!robot_.cycles->open(*last)) {
      return {StatusCode::RESOURCE_EXHAUSTED,
              "another program follows each cycle of this robot already"};
    }
    stream->SendInitialMetadata();
    send_cycles(*context, *stream, *source);
    robot_.cycles->close();
    return Status::OK;
  }

 private:
  [[nodiscard]] bool is_over(const ServerContext& context) const noexcept {
    return is_closed_.load(std::memory_order_acquire) || context.IsCancelled();
  }

  /// Checks the token.
  [[nodiscard]] Status admit(const ServerContext& context) const {
    if (token_.empty()) return Status::OK;
    const auto& metadata = context.client_metadata();
    const auto found = metadata.find("authorization");
    const std::string given =
        found == metadata.end() ? "" : std::string(found->second.data(), found->second.size());
    if (same_secret(given, "Bearer " + token_)) return Status::OK;
    return {StatusCode::UNAUTHENTICATED,
            given.empty() ? "this robot wants a token" : "this is not the robot's token"};
  }

  /// Tries again for some cycles where the inbox is full.
  bool push(const Command& command) {
    for (int i = 0; i < kPushTries; ++i) {
      if (robot_.inbox->push(command)) return true;
      std::this_thread::sleep_for(kHubRest);
    }
    return false;
  }

  Status answer_reach(const v1::ReachRequest& request, v1::ReachAnswer& reply) {
    try {
      const AskedReach asked = read_reach(request, *robot_.config);
      const std::lock_guard one_at_a_time(reach_mutex_);
      write_reach_answer(robot_.reach(asked), *robot_.config, reply);
    } catch (const std::invalid_argument& error) {
      return {StatusCode::INVALID_ARGUMENT, error.what()};
    } catch (const std::exception& error) {
      return {StatusCode::INTERNAL, error.what()};
    }
    return Status::OK;
  }

  // One client ---------------------------------------------------------------------------------

  void serve(Client& client, grpc::ServerReaderWriter<v1::Reply, v1::Wish>& stream,
             v1::Wish& wish) {
    {
      const std::lock_guard lock(clients_mutex_);
      clients_[client.id] = &client;
    }
    v1::Reply welcome;
    welcome.mutable_welcome()->set_sender(client.seat.name);
    welcome.mutable_welcome()->set_last_number(client.seat.last_number);
    write_lease(lease_.now(), client.id, *welcome.mutable_welcome()->mutable_lease());
    client.replies.put(std::move(welcome));
    std::jthread writer([&] {
      v1::Reply reply;
      while (client.replies.take(reply) && stream.Write(reply)) {
      }
    });
    while (stream.Read(&wish)) {
      if (!carry_out(client, wish)) break;
    }
    lease_.leave(client.id);
    {
      const std::lock_guard lock(clients_mutex_);
      clients_.erase(client.id);
    }
    client.context->TryCancel();  // a writer that waits for a client that doesn't read
    client.replies.close();
  }

  /// Returns false if the client has to go.
  bool carry_out(Client& client, const v1::Wish& wish) {
    if (wish.has_command()) return take_command(client, wish.command());
    if (!client.wishes.take(Clock::now())) return false;  // no client of ours floods it
    switch (wish.what_case()) {
      case v1::Wish::kAlive: {
        lease_.heard(client.id);
        v1::Reply reply;
        *reply.mutable_alive() = wish.alive();
        return reply_to(client, std::move(reply));
      }
      case v1::Wish::kTake:
        return tell_lease(client, lease_.take(client.id, client.name, wish.take().by_force(),
                                              client.seat.sender));
      case v1::Wish::kRelease:
        return tell_lease(client, lease_.release(client.id));
      default:
        return false;  // a second hello, or of a version that isn't ours
    }
  }

  bool tell_lease(Client& client, const std::string& refusal) {
    v1::Reply reply;
    write_lease(lease_.now(), client.id, *reply.mutable_lease());
    reply.mutable_lease()->set_is_answer(true);
    reply.mutable_lease()->set_refusal(refusal);
    return reply_to(client, std::move(reply));
  }

  bool reply_to(Client& client, v1::Reply reply) {
    if (client.replies.put(std::move(reply))) return true;
    client.context->TryCancel();  // it reads none of its answers
    return false;
  }

  bool refuse(Client& client, std::uint64_t number, const std::string& reason,
              const std::string& sentence) {
    v1::Reply reply;
    v1::Answer& answer = *reply.mutable_answer();
    answer.set_number(number);
    answer.set_reason(reason);
    answer.set_sentence(sentence);
    return reply_to(client, std::move(reply));
  }

  bool take_command(Client& client, const v1::Command& message) {
    if (!client.commands.take(Clock::now())) {
      return refuse(client, message.number(), "too_many",
                    fmt::format("{}: more than {:.0f} commands a second, or {:.0f} at once",
                                message.kind(), kCommandRate, kCommandBurst));
    }
    Command command;
    try {
      command.request = read_command(message, *robot_.config);
    } catch (const std::invalid_argument& error) {
      return refuse(client, message.number(), "bad_field", error.what());
    }
    if (message.number() <= client.seat.last_number) {
      return refuse(client, message.number(), "stale",
                    fmt::format("{}: its number is {}, and that of the command before was {}: "
                                "count up",
                                message.kind(), message.number(), client.seat.last_number));
    }
    command.sender = client.seat.sender;
    command.number = message.number();
    command.time_ns = message.state_time_ns();
    return pass_on(client, message.epoch(), command);
  }

  bool pass_on(Client& client, std::uint64_t epoch, const Command& command) {
    bool is_full = false;
    const auto send = [&] {
      client.seat.last_number = command.number;
      is_full = !push(command);
    };
    LeaseRefusal refusal;
    if (kind_of(command) == CommandKind::kStop) {
      send();
      lease_.stopped_by(client.id, client.name);
    } else {
      refusal = lease_.pass(client.id, epoch, send, [&] { hold_after(client); });
    }
    if (!refusal.reason.empty()) {
      return refuse(client, command.number, refusal.reason,
                    fmt::format("{}: {}", to_string(kind_of(command)), refusal.sentence));
    }
    if (!is_full) return true;
    return refuse(client, command.number, "inbox_full",
                  fmt::format("{}: the inbox is full, the loop takes no commands",
                              to_string(kind_of(command))));
  }

  /// A command went in while the loop ended the lease: a stop goes after it.
  void hold_after(Client& client) {
    jointrig::Stop all;
    for (std::size_t i = 0; i < robot_.config->joints.size(); ++i) all.joints.set(i);
    push({.request = all, .sender = client.seat.sender, .number = ++client.seat.last_number});
  }

  // State and events ---------------------------------------------------------------------------

  void name_suppressors(const Snapshot& snapshot, v1::State& message) const {
    for (const std::uint16_t sender : snapshot.protection.suppressed_by) {
      if (sender == 0) continue;
      v1::Sender& one = *message.add_suppressors();
      one.set_id(sender);
      one.set_name(std::string(std::string_view(robot_.inbox->sender_name(sender))));
    }
  }

  void send_states(const ServerContext& context, grpc::ServerWriter<v1::State>& stream,
                   std::uint64_t each) {
    DueCycle due(robot_.config->period_ns, each);
    while (!is_over(context)) {
      const std::shared_ptr<const StateFeed::State> state = states_.newest();
      if (!state || !due.take(state->cycle)) {
        due.sleep();
      } else if (!write(stream, state->message, due.missed())) {
        return;
      }
    }
  }

  /// The message is everybody's, but for what this reader has missed.
  static bool write(grpc::ServerWriter<v1::State>& stream, const v1::State& message,
                    std::uint64_t dropped) {
    if (dropped == 0) return stream.Write(message);
    v1::State own = message;
    own.set_dropped(dropped);
    return stream.Write(own);
  }

  void build_state(const Snapshot& snapshot, v1::State& message) const {
    write_state(snapshot, *robot_.config, message);
    name_suppressors(snapshot, message);
    const LeaseChange lease = lease_.now();
    message.set_lease_epoch(lease.epoch);
    message.set_lease_holder(lease.holder_name);
  }

  void send_cycles(const ServerContext& context, grpc::ServerWriter<v1::Cycles>& stream,
                   CycleSource& source) {
    v1::Cycles message;
    while (!is_over(context)) {
      if (!source.fill(*robot_.cycles, message)) {
        std::this_thread::sleep_for(kHubRest);
      } else if (!stream.Write(message)) {
        return;
      }
    }
  }

  bool send_events(grpc::ServerWriter<v1::Report>& stream, EventRing::Reader& reader) {
    v1::Report report;
    for (Event event; reader.next(event);) {
      report.Clear();
      write_event(record(event), *report.mutable_event());
      report.set_dropped(reader.lost());
      if (!stream.Write(report)) return false;
    }
    return true;
  }

  [[nodiscard]] EventRecord record(const Event& event) const {
    return record_of(event, *robot_.config, robot_.inbox->sender_name(event.sender));
  }

  // The hub: answers of the loop, and changes of the lease, to the clients ---------------------

  void run_hub(const std::stop_token& stop) {
    EventRing::Reader reader(*robot_.events);
    std::uint64_t change = 0;
    while (!stop.stop_requested()) {
      for (Event event; reader.next(event);) {
        if (event.kind == EventKind::kAccepted || event.kind == EventKind::kRejected) {
          pass_answer(event);
        }
      }
      lease_.heard(kLocal);
      lease_.look();
      for (const LeaseChange& one : lease_.changes_after(change)) {
        change = one.number;
        pass_change(one);
      }
      std::this_thread::sleep_for(kHubRest);
    }
  }

  void pass_answer(const Event& event) {
    const std::lock_guard lock(clients_mutex_);
    for (const auto& [id, client] : clients_) {
      if (client->seat.sender != event.sender) continue;
      v1::Reply reply;
      v1::Answer& answer = *reply.mutable_answer();
      answer.set_number(event.number);
      answer.set_accepted(event.kind == EventKind::kAccepted);
      if (!answer.accepted()) {
        const EventRecord words = record(event);
        answer.set_reason(words.reason);
        answer.set_sentence(words.sentence);
        write_event(words, *answer.mutable_event());
      }
      reply_to(*client, std::move(reply));
    }
  }

  void pass_change(const LeaseChange& change) {
    if (tell_) tell_(fmt::format("lease {}: {}", change.epoch, change.sentence));
    const std::lock_guard lock(clients_mutex_);
    for (const auto& [id, client] : clients_) {
      v1::Reply reply;
      write_lease(change, id, *reply.mutable_lease());
      reply_to(*client, std::move(reply));
    }
  }

  ServedRobot robot_;
  std::function<void(const std::string&)> tell_;
  std::string token_;
  FileCalls files_;
  Lease lease_;
  Seats seats_;
  StateFeed states_;
  std::mutex reach_mutex_;
  std::atomic<int> reaches_{0};
  std::mutex stop_mutex_;
  std::uint16_t stop_sender_;
  std::uint64_t stop_number_ = 0;
  std::atomic<ClientId> next_client_{kLocal};
  mutable std::mutex clients_mutex_;
  std::map<ClientId, Client*> clients_;
  std::atomic<bool> is_closed_{false};
  std::jthread hub_;
};

std::shared_ptr<grpc::ServerCredentials> credentials_of(const ServerOptions& options) {
  if (options.tls_cert.empty()) return grpc::InsecureServerCredentials();
  grpc::SslServerCredentialsOptions tls;
  tls.pem_key_cert_pairs.push_back({text_of_file(options.tls_key, "TLS key"),
                                    text_of_file(options.tls_cert, "TLS certificate")});
  return grpc::SslServerCredentials(tls);
}

class GrpcServer final : public Server {
 public:
  GrpcServer(const ServedRobot& robot, const ServerOptions& options) : service_(robot, options) {
    if (!options.listen.empty()) listen(options);
  }
  ~GrpcServer() override {
    service_.close();
    if (server_ == nullptr) return;
    server_->Shutdown(std::chrono::system_clock::now());
    server_->Wait();
  }
  GrpcServer(const GrpcServer&) = delete;
  GrpcServer& operator=(const GrpcServer&) = delete;

  [[nodiscard]] int port() const override { return port_; }
  std::string stop(const std::string& name) override {
    std::uint64_t number = 0;
    return service_.stop_all(name, number);
  }
  [[nodiscard]] ServerState state() const override { return service_.state(); }
  std::string take(const std::string& name, bool by_force, std::uint16_t sender) override {
    return service_.take(name, by_force, sender);
  }
  void release() override { service_.release(); }
  void stopped(const std::string& name) override { service_.stopped(name); }
  [[nodiscard]] Lease& lease() override { return service_.lease(); }
  [[nodiscard]] std::uint64_t new_client() override { return service_.new_client(); }

 private:
  void listen(const ServerOptions& options) {
    grpc::ServerBuilder builder;
    builder.AddListeningPort(options.listen, credentials_of(options), &port_);
    builder.RegisterService(&service_);
    builder.SetMaxReceiveMessageSize(kLargestMessage);
    builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
    builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS, kIdleConnectionMs);
    builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, kHandshakeMs);
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kPingMs);
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kHandshakeMs);
    builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kStreamsPerConnection);
    builder.SetSyncServerOption(grpc::ServerBuilder::SyncServerOption::NUM_CQS, 1);
    grpc::ResourceQuota quota("jointrig");
    quota.SetMaxThreads(kThreadsPerClient * static_cast<int>(options.clients) + kFurtherThreads);
    builder.SetResourceQuota(quota);
    server_ = builder.BuildAndStart();
    if (server_ == nullptr || port_ == 0) {
      throw std::runtime_error(fmt::format(
          "can't listen on {}: another program does, or the address is none of this machine; with "
          "TLS, its files may be no key and certificate that belong together",
          options.listen));
    }
  }

  Service service_;
  std::unique_ptr<grpc::Server> server_;
  int port_ = 0;
};

}  // namespace

std::unique_ptr<Server> make_server(const ServedRobot& robot, const ServerOptions& options) {
  if (!options.listen.empty()) check_listen(options);
  // Requests of strangers are no news, and would let them write on this terminal.
  gpr_set_log_function([](gpr_log_func_args*) {});
  google::protobuf::SetLogHandler(nullptr);
  return std::make_unique<GrpcServer>(robot, options);
}

}  // namespace jointrig::remote
