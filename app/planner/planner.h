#pragma once
/// A thread that makes plans, one after the other, beside the loop and beside who asks.
///
///     ask        job = planner.submit(joints, make)      make reads what it was given: a snapshot
///     meanwhile  job->progress(), job->cancel()
///     take       job->take()                             once, and only while it is wanted
///
///     waiting ──> planning ──> made ──> taken
///        │           │          │
///        └───────────┴──────────┴──> cancelled | superseded          planning ──> broken
///
/// A later job for any of the same joints supersedes a job that isn't taken. A plan that was
/// cancelled or superseded can't be taken, so that none is ever followed. A plan that can't be made
/// is `made`, too: its failure() is the answer (control/planning), and the loop refuses it by that.

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "control/core/enumeration.h"
#include "control/core/types.h"
#include "control/motion/joint_plan.h"
#include "control/planning/plan_watch.h"

namespace jointrig::app {

/// broken: an exception; PlanJob::error() has its sentence
#define JOINTRIG_PLAN_JOB_STATES(X) \
  X(kWaiting, "waiting")            \
  X(kPlanning, "planning")          \
  X(kMade, "made")                  \
  X(kTaken, "taken")                \
  X(kCancelled, "cancelled")        \
  X(kSuperseded, "superseded")      \
  X(kBroken, "broken")
JOINTRIG_ENUM(PlanJobState, JOINTRIG_PLAN_JOB_STATES)

/// Makes a plan on the planner's thread. Throws what it can't make, and PlanCancelled.
using MakePlan = std::function<JointPlan(PlanWatch&)>;

/// A plan that was asked for. Any thread.
class PlanJob {
 public:
  PlanJob(const JointSet& joints, MakePlan make) : joints_(joints), make_(std::move(make)) {}

  [[nodiscard]] const JointSet& joints() const noexcept { return joints_; }
  [[nodiscard]] PlanJobState state() const;
  /// Share of the work that is done, 0 to 1.
  [[nodiscard]] double progress() const noexcept { return watch_.progress(); }
  /// Sentence of the exception that broke it.
  [[nodiscard]] std::string error() const;

  /// No effect where it has an end.
  void cancel() { end(PlanJobState::kCancelled); }
  /// Waits until it is neither waiting nor planning, at most so long.
  /// @return true if it is so
  bool wait_for(std::chrono::milliseconds longest);
  void wait();
  /// The plan, once, while its state is `made`; else nothing.
  [[nodiscard]] std::optional<JointPlan> take();

 private:
  friend class Planner;
  [[nodiscard]] bool is_done() const noexcept { return state_ > PlanJobState::kPlanning; }
  void end(PlanJobState how);
  void run();
  void conclude(PlanJobState how, std::optional<JointPlan> plan, std::string error);

  JointSet joints_;
  MakePlan make_;  ///< the planner's thread alone
  PlanWatch watch_;
  mutable std::mutex mutex_;
  std::condition_variable done_;
  // Under mutex_.
  PlanJobState state_ = PlanJobState::kWaiting;
  std::optional<JointPlan> plan_;
  std::string error_;
};

class Planner {
 public:
  using Job = std::shared_ptr<PlanJob>;

  Planner();
  /// Cancels what isn't taken.
  ~Planner();
  Planner(const Planner&) = delete;
  Planner& operator=(const Planner&) = delete;

  /// Supersedes what isn't taken of these joints. Any thread.
  Job submit(const JointSet& joints, MakePlan make);

 private:
  void run(const std::stop_token& stop);
  [[nodiscard]] Job next(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any has_work_;
  std::deque<Job> waiting_;                  ///< under mutex_
  std::deque<std::weak_ptr<PlanJob>> live_;  ///< under mutex_: may still be taken
  std::jthread thread_;                      ///< last: it uses the others
};

}  // namespace jointrig::app
