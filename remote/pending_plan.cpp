#include "remote/pending_plan.h"

#include <utility>

#include "remote/call_words.h"

namespace jointrig::remote {

PlannedMotion motion_of(const v1::PlanTicket& ticket, const grpc::Status& status,
                        const JointSet& joints, const RobotConfig& robot) {
  if (status.error_code() == grpc::StatusCode::INVALID_ARGUMENT) {
    throw std::invalid_argument(status.error_message());
  }
  if (status.error_code() == grpc::StatusCode::FAILED_PRECONDITION) {
    throw NoLease(status.error_message());
  }
  if (status.error_code() == grpc::StatusCode::ABORTED) {
    throw PlanDropped(status.error_message());
  }
  if (!status.ok()) throw ConnectionLost("trajectory: " + words_of(status));
  PlannedMotion motion{{joints, ticket.slot(), ticket.round()}, ticket.remark()};
  if (ticket.has_report()) motion.report = read_report(ticket.report(), robot);
  return motion;
}

PendingPlan::PendingPlan(const JointSet& joints, const RobotConfig& robot, v1::Trajectory request,
                         std::function<void()> on_change)
    : joints_(joints),
      robot_(&robot),
      request_(std::move(request)),
      on_change_(std::move(on_change)) {}

PendingPlan::~PendingPlan() {
  if (!has_begun_) return;
  context_.TryCancel();
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [&] { return is_over_; });  // at once: it is this side that ends it
}

void PendingPlan::begin(v1::Robot::Stub& stub) {
  has_begun_ = true;
  stub.async()->Plan(&context_, &request_, &ticket_, [this](const grpc::Status& status) {
    const std::lock_guard lock(mutex_);
    status_ = status;
    is_over_ = true;
    ended_.notify_all();
    if (on_change_) on_change_();
  });
}

std::optional<PlannedMotion> PendingPlan::take() {
  const std::lock_guard lock(mutex_);
  if (!is_over_ || std::exchange(is_taken_, true)) return std::nullopt;
  return motion_of(ticket_, status_, joints_, *robot_);
}

}  // namespace jointrig::remote
