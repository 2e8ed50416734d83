#include "remote/connection.h"

#include <grpc/support/log.h>

#include <optional>
#include <utility>

namespace jointrig::remote {
namespace {

/// Failure of a call, as a sentence; empty: none.
template <typename Call>
std::string error_of(Call&& call) {
  try {
    call();
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

/// A plan that none becomes has an empty ticket, and the sentence as its remark.
class QuietPlanCall final : public PlanCall {
 public:
  /// @param call  null: refused at once
  QuietPlanCall(const JointSet& joints, std::unique_ptr<PlanCall> call, std::string why)
      : joints_(joints), call_(std::move(call)), why_(std::move(why)) {}

  std::optional<PlannedMotion> take() override {
    std::optional<PlannedMotion> made;
    if (call_) why_ = error_of([&] { made = call_->take(); });
    if (why_.empty() || std::exchange(is_told_, true)) return made;
    return PlannedMotion{{joints_, {}, {}}, why_};
  }

 private:
  JointSet joints_;
  std::unique_ptr<PlanCall> call_;
  std::string why_;
  bool is_told_ = false;
};

class ClientConnection final : public Connection {
 public:
  explicit ClientConnection(const ClientOptions& options) : client_(options) {}

  [[nodiscard]] const RobotFacts& facts() const override { return client_.facts(); }
  [[nodiscard]] const std::string& sender() const override { return client_.sender(); }
  [[nodiscard]] std::string lost() const override { return client_.lost(); }
  [[nodiscard]] double silent_for() const override { return client_.silent_for(); }
  void ping() override { client_.ping(); }
  void end() noexcept override { client_.end(); }
  [[nodiscard]] LeaseState lease() const override { return client_.lease(); }
  std::string take(bool by_force, std::chrono::milliseconds longest) override {
    return error_of([&] { client_.take(by_force, longest); });
  }
  void release() override {
    static_cast<void>(error_of([&] { client_.release(); }));
  }
  Posted post(const Request& request) override {
    Posted posted;
    posted.why_not = error_of([&] { posted.number = client_.post(request); });
    return posted;
  }
  std::unique_ptr<PlanCall> begin_plan(const Trajectory& trajectory) override {
    std::unique_ptr<PlanCall> call;
    std::string why = error_of([&] { call = client_.begin_plan(trajectory); });
    return std::make_unique<QuietPlanCall>(trajectory.joints, std::move(call), std::move(why));
  }
  std::optional<ParameterTable> parameters(std::chrono::milliseconds longest) override {
    std::optional<ParameterTable> table;
    static_cast<void>(error_of([&] { table = client_.parameters(longest); }));
    return table;
  }
  std::string save_parameters(bool only_compare, std::chrono::milliseconds longest,
                              SavedChanges& saved) override {
    return error_of([&] { saved = client_.save_parameters(only_compare, longest); });
  }
  std::vector<CommandAnswer> take_refusals() override {
    std::vector<CommandAnswer> refusals = client_.take_refusals();
    std::erase_if(refusals, [](const CommandAnswer& one) { return !one.event.command.empty(); });
    return refusals;
  }
  std::vector<HeardEvent> take_events() override {
    std::vector<HeardEvent> heard;
    for (EventRecord& record : client_.take_events()) {
      const std::optional<Event> event = event_of(record, facts().config);
      if (!event) continue;
      heard.push_back({*event, std::move(record.sender), std::move(record.sentence)});
    }
    return heard;
  }
  std::string follow_cycles() override {
    return error_of([&] { client_.follow_cycles(); });
  }
  bool next_cycle(std::chrono::milliseconds longest, Snapshot& snapshot,
                  std::vector<Event>& events) override {
    return client_.next_cycle(longest, snapshot, events);
  }
  [[nodiscard]] std::uint64_t cycles_missed() const override { return client_.cycles_missed(); }
  [[nodiscard]] std::uint64_t events_missed() const override { return client_.events_missed(); }
  [[nodiscard]] std::string sender_of(const Event& event) const override {
    return client_.sender_of(event);
  }
  [[nodiscard]] std::string suppressor(std::uint16_t sender) const override {
    return client_.suppressor(sender);
  }
  bool next(std::uint64_t cycle, std::chrono::milliseconds longest, Snapshot& newest) override {
    bool came = false;
    static_cast<void>(error_of([&] { came = client_.wait_for(cycle, longest); }));
    if (came) client_.newest(newest);
    return came;
  }

 private:
  Client client_;
};

}  // namespace

std::unique_ptr<Connection> make_connection(const ClientOptions& options) {
  // gRPC writes on the terminal of its own accord; what matters is in the sentences.
  gpr_set_log_function([](gpr_log_func_args*) {});
  return std::make_unique<ClientConnection>(options);
}

}  // namespace jointrig::remote
