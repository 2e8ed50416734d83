#include "app/run/connected_commands.h"

#include <optional>
#include <utility>

namespace jointrig::app {
namespace {

class ServersPlan final : public harness::PlanElsewhere {
 public:
  ServersPlan(std::shared_ptr<remote::Connection> connection,
              std::unique_ptr<remote::PlanCall> call)
      : connection_(std::move(connection)), call_(std::move(call)) {}
  std::optional<FollowPlan> take(std::string& remark) override {
    std::optional<remote::PlannedMotion> planned = call_->take();
    if (!planned) return std::nullopt;
    remark = std::move(planned->remark);
    return planned->command;
  }

 private:
  std::shared_ptr<remote::Connection> connection_;  ///< outlives the call
  std::unique_ptr<remote::PlanCall> call_;
};

}  // namespace

void ConnectedCommands::use(std::shared_ptr<remote::Connection> connection) {
  connection_ = std::move(connection);
  sent_.clear();
}

std::unique_ptr<harness::PlanElsewhere> ConnectedCommands::begin(const AskedTrajectory& asked) {
  return std::make_unique<ServersPlan>(connection_, connection_->begin_plan(asked));
}

void ConnectedCommands::translate(std::vector<Event>& events, const remote::Connection& heard) {
  for (Event& event : events) {
    const std::string name = heard.sender_of(event);
    const bool is_here = connection_ && name == connection_->sender();
    if (!is_here || !is_own(event)) event.sender = number_of(name);
  }
}

/// The lease's events have numbers of their own.
bool ConnectedCommands::is_own(Event& event) {
  const bool answers = event.kind == EventKind::kAccepted || event.kind == EventKind::kRejected;
  const bool is_of_plan = event.kind == EventKind::kPlan || event.kind == EventKind::kPlanBroken;
  const auto own = sent_.find(event.number);
  if ((!answers && !is_of_plan) || own == sent_.end()) return false;
  event.sender = own->second.sender;
  event.number = own->second.number;
  // A plan is told of until the scenario's end.
  const bool follows = kind_of(own->second.request) == CommandKind::kFollowPlan;
  if (!follows || event.kind == EventKind::kRejected) sent_.erase(own);
  return true;
}

std::string ConnectedCommands::send(std::vector<Command>& sent) {
  std::string why_not;
  inbox_.drain(CommandInbox::kCapacity, [&](const Command& command) {
    sent.push_back(command);
    remote::Connection::Posted posted = connection_->post(command.request);
    if (posted.number != 0) {
      sent_[posted.number] = command;
    } else {
      why_not = std::move(posted.why_not);
    }
  });
  return why_not;
}

}  // namespace jointrig::app
