#pragma once
/// Motions that a server plans for a client.

#include <grpcpp/grpcpp.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>

#include "remote/client.h"
#include "remote/robot.grpc.pb.h"

namespace jointrig::remote {

/// The motion that the server has planned. Throws what it has refused it with: see Client::plan().
[[nodiscard]] PlannedMotion motion_of(const v1::PlanTicket& ticket, const grpc::Status& status,
                                      const JointSet& joints, const RobotConfig& robot);

/// A request whose answer comes on a thread of gRPC's.
class PendingPlan final : public PlanCall {
 public:
  /// @param robot  outlives it
  PendingPlan(const JointSet& joints, const RobotConfig& robot, v1::Trajectory request,
              std::function<void()> on_change);
  /// Ends the call, if it is under way.
  ~PendingPlan() override;
  PendingPlan(const PendingPlan&) = delete;
  PendingPlan& operator=(const PendingPlan&) = delete;

  /// To be made ready before begin().
  [[nodiscard]] grpc::ClientContext& context() noexcept { return context_; }
  void begin(v1::Robot::Stub& stub);
  std::optional<PlannedMotion> take() override;

 private:
  JointSet joints_;
  const RobotConfig* robot_;
  v1::Trajectory request_;
  std::function<void()> on_change_;
  v1::PlanTicket ticket_;
  grpc::ClientContext context_;
  bool has_begun_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
  // Under the mutex.
  grpc::Status status_;
  bool is_over_ = false;
  bool is_taken_ = false;
};

}  // namespace jointrig::remote
