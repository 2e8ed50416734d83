#pragma once
/// Common base of the steps that send commands.

#include <array>
#include <cstdint>
#include <string>

#include "harness/runner/step_run.h"

namespace jointrig::harness {

/// Makes a command that carries the time of the cycle.
inline Command make_command(const Request& request, TimeNs now) noexcept {
  return {.request = request, .time_ns = now};
}

template <typename Function>
void for_each_joint(const JointSet& joints, Function&& function) {
  for (std::size_t i = 0; i < kMaxJoints; ++i) {
    if (joints.test(i)) function(static_cast<JointIndex>(i));
  }
}

/// Sends some commands in one cycle, waits for their answers, then for the effect.
class CommandRun : public StepRun {
 public:
  CommandRun(bool wait, double timeout) : wait_(wait), timeout_(to_ns(timeout)) {}

  void begin(StepScene& scene) override;
  StepProgress poll(StepScene& scene) override;

 protected:
  static constexpr std::size_t kMostCommands = kMaxLawParameters + 1;

  /// Makes what the commands are made from, before the first is sent.
  /// @returns false: not yet; it is called again in the next cycle
  virtual bool prepare(const StepScene& /*scene*/) { return true; }
  /// It wasn't prepared in time.
  virtual StepProgress fail_unprepared() { return StepProgress::kFailed; }
  /// The i-th command, with its present values.
  virtual Command command(std::size_t i, const StepScene& scene) const = 0;
  virtual bool arrived(const StepScene& scene) = 0;
  virtual StepProgress fail_late(const StepScene& scene) = 0;

  /// Number of the i-th command, once it is sent.
  [[nodiscard]] std::uint64_t number_of(std::size_t i) const noexcept { return numbers_[i]; }
  void set_count(std::size_t commands) { wanted_ = commands; }
  [[nodiscard]] std::string in_timeout() const;

 private:
  bool send_all(StepScene& scene);
  [[nodiscard]] bool in_time(const StepScene& scene) const;
  StepProgress fail_rejected(const StepScene& scene, std::uint64_t number);

  bool wait_;
  TimeNs timeout_;
  TimeNs began_ = 0;
  std::size_t wanted_ = 1;
  std::size_t sent_ = 0;
  std::array<std::uint64_t, kMostCommands> numbers_{};
};

/// Sends some commands and is done once all are accepted.
class AcceptedRun : public CommandRun {
 public:
  AcceptedRun() : CommandRun(false, 1.0) {}

 private:
  bool arrived(const StepScene& /*scene*/) final { return true; }
  StepProgress fail_late(const StepScene& /*scene*/) final { return StepProgress::kFailed; }
};

}  // namespace jointrig::harness
