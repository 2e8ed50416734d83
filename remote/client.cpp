#include "remote/client.h"

#include <fmt/core.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "remote/address.h"
#include "remote/call_words.h"
#include "remote/command_message.h"
#include "remote/cycle_message.h"
#include "remote/fetched_file.h"
#include "remote/pending_plan.h"
#include "remote/reach_message.h"
#include "remote/robot.grpc.pb.h"

namespace jointrig::remote {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kLongestConnect{5000};
constexpr milliseconds kLongestAnswer{5000};
constexpr std::size_t kKeptAnswers = 4096;
constexpr milliseconds kLongestPlan{60'000};
constexpr milliseconds kAskAgain{10};  ///< where others ask for so much at once
constexpr int kLargestState = 1024 * 1024;
constexpr std::size_t kLargestRequest = 64 * 1024;  ///< the server takes no more

std::shared_ptr<grpc::Channel> channel_of(const ClientOptions& options) {
  std::shared_ptr<grpc::ChannelCredentials> credentials = grpc::InsecureChannelCredentials();
  if (!options.tls_ca.empty()) {
    grpc::SslCredentialsOptions tls;
    tls.pem_root_certs = text_of_file(options.tls_ca, "TLS certificates");
    credentials = grpc::SslCredentials(tls);
  } else if (!options.token.empty() && !is_loopback(options.address)) {
    throw std::invalid_argument(
        "a token would be sent in the clear: give the server's certificate (tls_ca) as well");
  }
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kLargestState);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // a connection of its own
  return grpc::CreateCustomChannel(options.address, credentials, arguments);
}

}  // namespace

class Client::Impl {
 public:
  explicit Impl(const ClientOptions& options)
      : options_(options),
        channel_(channel_of(options)),
        stub_(v1::Robot::NewStub(channel_)),
        newest_(std::make_unique<Snapshot>()) {
    try {
      connect();
    } catch (...) {
      close();
      throw;
    }
  }
  ~Impl() { close(); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  [[nodiscard]] const RobotFacts& facts() const noexcept { return facts_; }
  [[nodiscard]] const std::string& sender() const noexcept { return sender_; }

  void take(bool by_force, milliseconds longest) {
    v1::Wish wish;
    wish.mutable_take()->set_by_force(by_force);
    const std::string refusal = ask_for_lease(wish, longest);
    if (!refusal.empty()) throw NoLease("take: " + refusal);
  }

  void release() {
    if (!lease().is_mine) return;
    v1::Wish wish;
    wish.mutable_release();
    static_cast<void>(ask_for_lease(wish, kLongestAnswer));
  }

  [[nodiscard]] LeaseState lease() const {
    const std::lock_guard lock(mutex_);
    return lease_;
  }

  /// @param remark  what a refusal's sentence ends with
  std::uint64_t post(const Request& request, std::optional<std::uint64_t> epoch, AnswerTo whom,
                     const std::string& remark = {}) {
    v1::Wish wish;
    v1::Command& command = *wish.mutable_command();
    write_command(request, facts_.config, command);
    const std::lock_guard write_lock(write_mutex_);  // numbers go out in their order
    {
      const std::lock_guard lock(mutex_);
      check_alive();
      if (!epoch && !lease_.is_mine && kind_of(request) != CommandKind::kStop) {
        throw NoLease(fmt::format("{}: this client doesn't hold the lease{}: take() it first",
                                  to_string(kind_of(request)), who_does()));
      }
      command.set_epoch(epoch.value_or(lease_.is_mine ? lease_.epoch : 0));
      command.set_number(++number_);
      if (!remark.empty()) remarks_[number_] = remark;
      if (whom == AnswerTo::kAsker) asked_for_.insert(number_);
    }
    write(wish);
    return command.number();
  }

  std::uint64_t post(const PlannedMotion& planned, AnswerTo whom) {
    return post(planned.command, std::nullopt, whom, planned.remark);
  }

  PlannedMotion plan(const Trajectory& trajectory) {
    const v1::Trajectory message = request_of(trajectory);
    v1::PlanTicket ticket;
    grpc::ClientContext context;
    prepare(context, kLongestPlan);
    const grpc::Status status = stub_->Plan(&context, message, &ticket);
    return motion_of(ticket, status, trajectory.joints, facts_.config);
  }

  ReachAnswer reach(const AskedReach& asked) {
    v1::ReachRequest request;
    write_reach(asked, facts_.config, request);
    const auto end = Clock::now() + kLongestAnswer;
    v1::ReachAnswer answer;
    grpc::Status status;
    do {
      grpc::ClientContext context;
      prepare(context, kLongestAnswer);
      status = stub_->Reach(&context, request, &answer);
      if (status.error_code() != grpc::StatusCode::ABORTED) break;
      std::this_thread::sleep_for(kAskAgain);
    } while (Clock::now() < end);
    if (status.error_code() == grpc::StatusCode::INVALID_ARGUMENT) {
      throw std::invalid_argument(status.error_message());
    }
    if (!status.ok()) throw ConnectionLost("reach: " + words_of(status));
    return read_reach_answer(answer, facts_.config);
  }

  std::unique_ptr<PlanCall> begin_plan(const Trajectory& trajectory) {
    auto begun = std::make_unique<PendingPlan>(trajectory.joints, facts_.config,
                                               request_of(trajectory), options_.on_change);
    prepare(begun->context(), kLongestPlan);
    begun->begin(*stub_);
    return begun;
  }

  v1::Trajectory request_of(const Trajectory& trajectory) const {
    v1::Trajectory message;
    write_trajectory(trajectory, facts_.config, message);
    const LeaseState lease = this->lease();
    if (!lease.is_mine)
      throw NoLease("trajectory: this client doesn't hold the lease: take() it first");
    if (message.joints().empty() && message.has_tool()) {
      throw std::invalid_argument(
          "trajectory: the server is of an older version and plans no path of a tool");
    }
    message.set_epoch(lease.epoch);
    if (message.ByteSizeLong() > kLargestRequest) {
      throw std::invalid_argument(
          fmt::format("trajectory: {} waypoints are {} bytes, and {} go to a server at once: give "
                      "fewer, the path between them is a spline",
                      message.waypoints_size() + message.tool().waypoints_size(),
                      message.ByteSizeLong(), kLargestRequest));
    }
    return message;
  }

  CommandAnswer answer(std::uint64_t number, milliseconds longest) {
    std::unique_lock lock(mutex_);
    const bool came = changed_.wait_for(
        lock, longest, [&] { return answers_.count(number) != 0 || !lost_.empty(); });
    if (std::optional<CommandAnswer> answer = taken(number)) return *std::move(answer);
    if (came) check_alive();
    throw ConnectionLost(fmt::format("no answer to command {} in {} ms", number, longest.count()));
  }

  std::optional<CommandAnswer> try_answer(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    std::optional<CommandAnswer> answer = taken(number);
    if (!answer) check_alive();
    return answer;
  }

  void leave_answer(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    asked_for_.erase(number);
  }

  void stop() {
    v1::StopRequest request;
    request.set_name(options_.name);
    v1::Answer answer;
    grpc::ClientContext context;
    prepare(context, kLongestAnswer);
    const grpc::Status status = stub_->Stop(&context, request, &answer);
    if (!status.ok()) throw ConnectionLost("stop: " + words_of(status));
    if (!answer.accepted()) throw ConnectionLost(answer.sentence());
  }

  double round_trip() {
    v1::Wish wish;
    const auto begin = Clock::now();
    std::uint64_t number = 0;
    {
      const std::lock_guard lock(mutex_);
      check_alive();
      number = ++alive_number_;
    }
    wish.mutable_alive()->set_number(number);
    {
      const std::lock_guard write_lock(write_mutex_);
      write(wish);
    }
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kLongestAnswer,
                      [&] { return alive_answered_ >= number || !lost_.empty(); });
    check_alive();
    if (alive_answered_ < number) throw ConnectionLost("no answer to a sign of life");
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  [[nodiscard]] std::string lost() const {
    const std::lock_guard lock(mutex_);
    return lost_;
  }

  [[nodiscard]] double silent_for() const {
    const std::lock_guard lock(mutex_);
    return std::chrono::duration<double>(Clock::now() - heard_at_).count();
  }

  void ping() {
    v1::Wish wish;
    wish.mutable_alive();
    if (!lost().empty()) return;
    const std::lock_guard write_lock(write_mutex_);
    static_cast<void>(control_->Write(wish));  // its end is told by who reads
  }

  void end() noexcept {
    control_context_.TryCancel();
    event_context_.TryCancel();
    state_context_.TryCancel();
    cycle_context_.TryCancel();
  }

  std::vector<CommandAnswer> take_refusals() {
    const std::lock_guard lock(mutex_);
    std::vector<CommandAnswer> refusals;
    for (auto one = answers_.begin(); one != answers_.end();) {
      if (asked_for_.count(one->first) != 0) {
        ++one;
        continue;
      }
      if (!one->second.accepted) refusals.push_back(std::move(one->second));
      one = answers_.erase(one);
    }
    return refusals;
  }

  std::vector<EventRecord> take_events() {
    const std::lock_guard lock(mutex_);
    std::vector<EventRecord> events(std::make_move_iterator(events_.begin()),
                                    std::make_move_iterator(events_.end()));
    events_.clear();
    return events;
  }

  [[nodiscard]] std::uint64_t events_lost() const {
    const std::lock_guard lock(mutex_);
    return events_dropped_ + events_forgotten_;
  }
  [[nodiscard]] std::string suppressor(std::uint16_t sender) const {
    const std::lock_guard lock(mutex_);
    const auto known = suppressors_.find(sender);
    return known == suppressors_.end() ? std::string() : known->second;
  }
  [[nodiscard]] std::uint64_t states_dropped() const {
    const std::lock_guard lock(mutex_);
    return states_dropped_;
  }

  void follow_cycles() {
    prepare(cycle_context_);
    v1::CycleRequest request;
    write_layout(facts_.config, request);
    cycles_ = std::make_unique<CycleReader>(facts_.config);
    cycles_stream_ = stub_->WatchCycles(&cycle_context_, request);
    threads_.emplace_back([this] { read_cycles(); });
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kLongestAnswer, [&] { return has_cycles_ || !lost_.empty(); });
    check_alive();
    if (!has_cycles_) {
      throw ConnectionLost(options_.address +
                           ": no cycle comes: the robot's loop stands still, or time is paused");
    }
  }

  bool next_cycle(milliseconds longest, Snapshot& snapshot, std::vector<Event>& events) {
    std::unique_lock lock(mutex_);
    bool came = false;
    changed_.wait_for(lock, longest, [&] {
      came = cycles_->next(snapshot, events);
      return came || !lost_.empty();
    });
    return came;
  }

  [[nodiscard]] std::uint64_t cycles_missed() const {
    const std::lock_guard lock(mutex_);
    return cycles_->missed_cycles();
  }
  [[nodiscard]] std::uint64_t events_missed() const {
    const std::lock_guard lock(mutex_);
    return cycles_->missed_events();
  }
  [[nodiscard]] std::string sender_of(const Event& event) const {
    const std::lock_guard lock(mutex_);
    return cycles_->sender(event.sender);
  }

  ParameterTable parameters(milliseconds longest) {
    v1::Parameters message;
    grpc::ClientContext context;
    prepare(context, longest);
    const grpc::Status status = stub_->ReadParameters(&context, {}, &message);
    if (!status.ok()) throw ConnectionLost("parameters: " + words_of(status));
    ParameterTable table;
    for (std::vector<double>& row : table) row.resize(facts_.config.joints.size());
    for (const v1::Parameter& one : message.parameters()) {
      JointParameter parameter{};
      if (!parse(one.name(), parameter)) continue;  // of a newer server
      std::vector<double>& row = table[static_cast<std::size_t>(parameter)];
      std::copy_n(one.values().begin(), std::min<std::size_t>(row.size(), one.values().size()),
                  row.begin());
    }
    return table;
  }

  SavedChanges save_parameters(bool only_compare, milliseconds longest) {
    v1::SaveRequest request;
    v1::SaveAnswer answer;
    const LeaseState lease = this->lease();
    request.set_epoch(lease.is_mine ? lease.epoch : 0);
    request.set_only_compare(only_compare);
    grpc::ClientContext context;
    prepare(context, longest);
    const grpc::Status status = stub_->SaveParameters(&context, request, &answer);
    if (status.error_code() == grpc::StatusCode::FAILED_PRECONDITION) {
      throw NoLease(status.error_message());
    }
    if (status.error_code() == grpc::StatusCode::INVALID_ARGUMENT ||
        status.error_code() == grpc::StatusCode::UNIMPLEMENTED) {
      throw std::invalid_argument(status.error_message());
    }
    if (!status.ok()) throw ConnectionLost("parameters: " + words_of(status));
    return {answer.file(), answer.difference()};
  }

  std::vector<ServedFile> files() {
    v1::FileList message;
    grpc::ClientContext context;
    prepare(context, kLongestAnswer);
    const grpc::Status status = stub_->ListFiles(&context, {}, &message);
    if (!status.ok()) throw ConnectionLost("files: " + words_of(status));
    std::vector<ServedFile> files;
    for (const v1::File& file : message.files()) {
      files.push_back({file.name(), file.size(), file.time_ns()});
    }
    return files;
  }

  std::unique_ptr<FileStream> fetch(const std::string& name) {
    auto context = std::make_unique<grpc::ClientContext>();
    prepare(*context);
    return std::make_unique<FetchedFile>(std::move(context), *stub_, name);
  }

  void newest(Snapshot& snapshot) const {
    const std::lock_guard lock(mutex_);
    snapshot = *newest_;
  }

  bool wait_for(std::uint64_t cycle, milliseconds longest) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, longest, [&] { return newest_->cycle >= cycle || !lost_.empty(); });
    if (newest_->cycle >= cycle) return true;
    check_alive();
    return false;
  }

 private:
  // Connecting and closing ---------------------------------------------------------------------

  void prepare(grpc::ClientContext& context, std::optional<milliseconds> longest = {}) const {
    if (!options_.token.empty()) context.AddMetadata("authorization", "Bearer " + options_.token);
    if (longest) context.set_deadline(std::chrono::system_clock::now() + *longest);
  }

  /// Returns false as soon as all of the host's addresses were tried in vain, not only after the
  /// longest time.
  bool reach() {
    const auto end = std::chrono::system_clock::now() + kLongestConnect;
    grpc_connectivity_state state = channel_->GetState(/*try_to_connect=*/true);
    while (state != GRPC_CHANNEL_READY) {
      if (state == GRPC_CHANNEL_TRANSIENT_FAILURE) return false;
      if (!channel_->WaitForStateChange(state, end)) return false;
      state = channel_->GetState(true);
    }
    return true;
  }

  void connect() {
    if (!reach()) {
      throw ConnectionLost(
          fmt::format("no robot answers at {}: start one with `jointrig serve ROBOT --listen {}`{}",
                      options_.address, options_.address,
                      options_.tls_ca.empty() ? "" : ", with a certificate for this name"));
    }
    v1::Description description;
    grpc::ClientContext context;
    prepare(context, kLongestConnect);
    const grpc::Status status = stub_->Describe(&context, {}, &description);
    if (!status.ok()) {
      throw ConnectionLost(fmt::format("{}: {}", options_.address, words_of(status)));
    }
    facts_ = read_facts(description);
    begin_control();
    begin_events();
    begin_states();
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kLongestConnect, [&] { return has_state_ || !lost_.empty(); });
    check_alive();
    if (!has_state_) throw ConnectionLost(options_.address + ": the robot's loop doesn't run");
  }

  void begin_control() {
    prepare(control_context_);
    control_ = stub_->Control(&control_context_);
    v1::Wish hello;
    hello.mutable_hello()->set_name(options_.name);
    v1::Reply reply;
    if (!control_->Write(hello) || !control_->Read(&reply) || !reply.has_welcome()) {
      if (reply.what_case() != v1::Reply::WHAT_NOT_SET) control_context_.TryCancel();
      throw ConnectionLost(fmt::format("{}: {}", options_.address, words_of(control_->Finish())));
    }
    sender_ = reply.welcome().sender();
    number_ = reply.welcome().last_number();
    note_lease(reply.welcome().lease());
    threads_.emplace_back([this] { read_replies(); });
    threads_.emplace_back([this](const std::stop_token& stop) { give_signs(stop); });
  }

  void begin_events() {
    prepare(event_context_);
    events_stream_ = stub_->WatchEvents(&event_context_, {});
    events_stream_->WaitForInitialMetadata();
    threads_.emplace_back([this] { read_reports(); });
  }

  void begin_states() {
    prepare(state_context_);
    v1::StateRequest request;
    request.set_rate(options_.rate);
    states_stream_ = stub_->WatchState(&state_context_, request);
    threads_.emplace_back([this] { read_states(); });
  }

  void close() noexcept {
    for (std::jthread& thread : threads_) thread.request_stop();
    changed_.notify_all();
    end();
    threads_.clear();
  }

  // Under the mutex.

  void check_alive() const {
    if (!lost_.empty()) throw ConnectionLost(lost_);
  }
  [[nodiscard]] std::string who_does() const {
    return lease_.holder.empty() ? "" : ", " + lease_.holder + " does";
  }
  std::optional<CommandAnswer> taken(std::uint64_t number) {
    const auto found = answers_.find(number);
    if (found == answers_.end()) return std::nullopt;
    CommandAnswer answer = std::move(found->second);
    answers_.erase(found);
    asked_for_.erase(number);
    return answer;
  }
  /// Each change is told by the server's hub, and the answer to a take or release comes from
  /// another thread: news that it has overtaken are old.
  void note_lease(const v1::Lease& lease) {
    if (lease.number() < lease_change_) return;
    lease_change_ = lease.number();
    lease_ = {lease.epoch(), lease.holder(), lease.is_yours()};
  }
  void keep_event(EventRecord event) {
    events_.push_back(std::move(event));
    if (events_.size() <= kKeptEvents) return;
    events_.pop_front();
    ++events_forgotten_;
  }

  void tell() {
    changed_.notify_all();
    if (options_.on_change) options_.on_change();
  }

  // Writing ------------------------------------------------------------------------------------

  /// Under the write mutex.
  void write(const v1::Wish& wish) {
    if (!control_->Write(wish)) {
      const std::lock_guard lock(mutex_);
      check_alive();
      throw ConnectionLost("the connection ended");
    }
  }

  std::string ask_for_lease(const v1::Wish& wish, milliseconds longest) {
    const std::lock_guard one_at_a_time(ask_mutex_);
    std::uint64_t before = 0;
    {
      const std::lock_guard lock(mutex_);
      check_alive();
      before = lease_answers_;
    }
    {
      const std::lock_guard write_lock(write_mutex_);
      write(wish);
    }
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, longest, [&] { return lease_answers_ > before || !lost_.empty(); });
    check_alive();
    if (lease_answers_ == before) throw ConnectionLost("no answer about the lease");
    return lease_refusal_;
  }

  /// While this client holds the lease; the others are not asked for any.
  void give_signs(const std::stop_token& stop) {
    v1::Wish sign;
    sign.mutable_alive();
    while (!stop.stop_requested()) {
      {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, kSignOfLife, [&] { return stop.stop_requested(); });
        if (!lost_.empty()) return;
        if (!lease_.is_mine || stop.stop_requested()) continue;
      }
      const std::lock_guard write_lock(write_mutex_);
      if (!control_->Write(sign)) return;
    }
  }

  // Reading: a thread for each stream ----------------------------------------------------------

  void read_replies() {
    v1::Reply reply;
    while (control_->Read(&reply)) {
      const std::lock_guard lock(mutex_);
      heard_at_ = Clock::now();
      if (reply.has_answer()) {
        keep_answer(reply.answer());
      } else if (reply.has_lease()) {
        note_lease(reply.lease());
        if (reply.lease().is_answer()) {
          lease_refusal_ = reply.lease().refusal();
          ++lease_answers_;
        }
      } else if (reply.has_alive()) {
        alive_answered_ = std::max(alive_answered_, reply.alive().number());
      }
      tell();
    }
    note_loss(control_->Finish());
  }

  void keep_answer(const v1::Answer& message) {
    CommandAnswer answer{message.number(), message.accepted(), {}};
    if (message.has_event()) answer.event = read_event(message.event());
    answer.event.reason = message.reason();
    answer.event.sentence = message.sentence();
    answer.event.number = message.number();
    if (!answer.accepted) answer.event.kind = "rejected";
    if (const auto remark = remarks_.find(answer.number); remark != remarks_.end()) {
      if (!answer.accepted) answer.event.sentence += " (" + remark->second + ")";
      remarks_.erase(remark);
    }
    answers_[answer.number] = std::move(answer);
    if (answers_.size() > kKeptAnswers) answers_.erase(answers_.begin());
  }

  void read_reports() {
    v1::Report report;
    while (events_stream_->Read(&report)) {
      const std::lock_guard lock(mutex_);
      heard_at_ = Clock::now();
      if (report.has_event()) {
        keep_event(read_event(report.event()));
        events_dropped_ = report.dropped();
      }
      tell();
    }
    note_loss(events_stream_->Finish());
  }

  void read_states() {
    v1::State state;
    while (states_stream_->Read(&state)) {
      const std::lock_guard lock(mutex_);
      heard_at_ = Clock::now();
      read_state(state, facts_.config, *newest_);
      states_dropped_ = state.dropped();
      suppressors_.clear();
      for (const v1::Sender& one : state.suppressors()) suppressors_[one.id()] = one.name();
      has_state_ = true;
      tell();
    }
    note_loss(states_stream_->Finish());
  }

  void read_cycles() {
    v1::Cycles message;
    while (cycles_stream_->Read(&message)) {
      const std::lock_guard lock(mutex_);
      heard_at_ = Clock::now();
      if (!cycles_->take(message)) cycle_context_.TryCancel();
      has_cycles_ = true;
      tell();
    }
    note_loss(cycles_stream_->Finish());
  }

  void note_loss(const grpc::Status& status) {
    const std::lock_guard lock(mutex_);
    if (lost_.empty()) lost_ = fmt::format("{}: {}", options_.address, words_of(status));
    lease_.is_mine = false;
    tell();
  }

  ClientOptions options_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::Robot::Stub> stub_;
  RobotFacts facts_;
  std::string sender_;
  grpc::ClientContext control_context_;
  grpc::ClientContext event_context_;
  grpc::ClientContext state_context_;
  grpc::ClientContext cycle_context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::Wish, v1::Reply>> control_;
  std::unique_ptr<grpc::ClientReader<v1::Report>> events_stream_;
  std::unique_ptr<grpc::ClientReader<v1::State>> states_stream_;
  std::unique_ptr<grpc::ClientReader<v1::Cycles>> cycles_stream_;

  std::mutex ask_mutex_;
  std::mutex write_mutex_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  LeaseState lease_;
  std::uint64_t lease_change_ = 0;  ///< number of what it tells
  std::string lease_refusal_;
  std::uint64_t lease_answers_ = 0;
  std::uint64_t number_ = 0;
  std::uint64_t alive_number_ = 0;
  std::uint64_t alive_answered_ = 0;
  std::map<std::uint64_t, CommandAnswer> answers_;
  std::set<std::uint64_t> asked_for_;             ///< commands whose answer() is still to be called
  std::map<std::uint64_t, std::string> remarks_;  ///< by command, until it is answered
  std::deque<EventRecord> events_;
  std::uint64_t events_dropped_ = 0;
  std::uint64_t events_forgotten_ = 0;
  std::uint64_t states_dropped_ = 0;
  std::map<std::uint32_t, std::string> suppressors_;  ///< of the newest state, by number
  std::unique_ptr<CycleReader> cycles_;               ///< null: not followed
  bool has_cycles_ = false;
  std::unique_ptr<Snapshot> newest_;
  bool has_state_ = false;
  Clock::time_point heard_at_ = Clock::now();
  std::string lost_;  ///< why; empty while it lives
  std::vector<std::jthread> threads_;
};

Client::Client(const ClientOptions& options) : impl_(std::make_unique<Impl>(options)) {}
Client::~Client() = default;
const RobotFacts& Client::facts() const noexcept { return impl_->facts(); }
const std::string& Client::sender() const noexcept { return impl_->sender(); }
void Client::take(bool by_force, milliseconds longest) { impl_->take(by_force, longest); }
void Client::release() { impl_->release(); }
LeaseState Client::lease() const { return impl_->lease(); }
std::uint64_t Client::post(const Request& request, AnswerTo whom) {
  return impl_->post(request, std::nullopt, whom);
}
std::uint64_t Client::post(const Request& request, std::uint64_t epoch, AnswerTo whom) {
  return impl_->post(request, epoch, whom);
}
std::uint64_t Client::post(const PlannedMotion& planned, AnswerTo whom) {
  return impl_->post(planned, whom);
}
std::uint64_t Client::follow(const Trajectory& trajectory, AnswerTo whom) {
  return impl_->post(impl_->plan(trajectory), whom);
}
PlannedMotion Client::plan(const Trajectory& trajectory) { return impl_->plan(trajectory); }
std::unique_ptr<PlanCall> Client::begin_plan(const Trajectory& trajectory) {
  return impl_->begin_plan(trajectory);
}
ReachAnswer Client::reach(const AskedReach& asked) { return impl_->reach(asked); }
CommandAnswer Client::answer(std::uint64_t number, std::chrono::milliseconds longest) {
  return impl_->answer(number, longest);
}
std::optional<CommandAnswer> Client::try_answer(std::uint64_t number) {
  return impl_->try_answer(number);
}
void Client::leave_answer(std::uint64_t number) { impl_->leave_answer(number); }
void Client::stop() { impl_->stop(); }
double Client::round_trip() { return impl_->round_trip(); }
std::string Client::lost() const { return impl_->lost(); }
double Client::silent_for() const { return impl_->silent_for(); }
void Client::ping() { impl_->ping(); }
void Client::end() noexcept { impl_->end(); }
std::vector<CommandAnswer> Client::take_refusals() { return impl_->take_refusals(); }
std::vector<EventRecord> Client::take_events() { return impl_->take_events(); }
std::uint64_t Client::events_lost() const { return impl_->events_lost(); }
std::string Client::suppressor(std::uint16_t sender) const { return impl_->suppressor(sender); }
std::uint64_t Client::states_dropped() const { return impl_->states_dropped(); }
void Client::follow_cycles() { impl_->follow_cycles(); }
bool Client::next_cycle(std::chrono::milliseconds longest, Snapshot& snapshot,
                        std::vector<Event>& events) {
  return impl_->next_cycle(longest, snapshot, events);
}
std::uint64_t Client::cycles_missed() const { return impl_->cycles_missed(); }
std::uint64_t Client::events_missed() const { return impl_->events_missed(); }
std::string Client::sender_of(const Event& event) const { return impl_->sender_of(event); }
ParameterTable Client::parameters(milliseconds longest) { return impl_->parameters(longest); }
SavedChanges Client::save_parameters(bool only_compare, milliseconds longest) {
  return impl_->save_parameters(only_compare, longest);
}
std::vector<ServedFile> Client::files() { return impl_->files(); }
std::unique_ptr<FileStream> Client::fetch(const std::string& name) { return impl_->fetch(name); }
void Client::newest(Snapshot& snapshot) const { impl_->newest(snapshot); }
bool Client::wait_for(std::uint64_t cycle, std::chrono::milliseconds longest) {
  return impl_->wait_for(cycle, longest);
}

}  // namespace jointrig::remote
