#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "harness/log/record_ring.h"
#include "harness/runner/world.h"

namespace jointrig::app {

/// The world of a scenario that is judged outside the loop's thread. Actions go to the loop's
/// thread as requests, which it carries out between two cycles; the truth comes back with each
/// cycle.
///
///     follower   begin, end  --request ring-->  carry_out   loop
///                truth       <--TelemetryRing--  sample
///
/// Before the run one thread calls the world directly.
class RelayedWorld final : public harness::World {
 public:
  /// `world` outlives this object.
  explicit RelayedWorld(harness::World& world);

  [[nodiscard]] std::vector<std::string> fault_types() const override {
    return world_->fault_types();
  }
  [[nodiscard]] std::string fault_unit(std::string_view type) const override {
    return world_->fault_unit(type);
  }
  [[nodiscard]] std::vector<std::string> sensor_fault_types() const override {
    return world_->sensor_fault_types();
  }
  [[nodiscard]] std::vector<std::string> truth_names() const override {
    return world_->truth_names();
  }
  [[nodiscard]] std::optional<Handle> find_truth(std::string_view name) override;
  Handle prepare(const harness::FaultAction& action) override {
    return keep(world_->prepare(action));
  }
  Handle prepare(const harness::ForceAction& action) override {
    return keep(world_->prepare(action));
  }
  Handle prepare(const harness::PayloadAction& action) override {
    return keep(world_->prepare(action));
  }
  Handle prepare(const harness::ObstacleAction& action) override {
    return keep(world_->prepare(action));
  }

  // The follower's thread, while it runs.

  /// Sets the cycle to judge, with its values of sample().
  void show(std::uint64_t cycle, std::span<const double> truth) noexcept;
  [[nodiscard]] double truth(Handle signal) const noexcept override;
  /// Waits if thousands of requests are pending, until the loop has taken some, or until close().
  void begin(Handle action) noexcept override { ask(action, true); }
  void end(Handle action) noexcept override { ask(action, false); }

  // For the loop's thread, between cycles: allocates nothing, never waits.

  /// Number of values of sample().
  [[nodiscard]] std::size_t truth_count() const noexcept { return truths_.size(); }
  void sample(std::span<double> truth) const noexcept;

  /// Begins and ends the requested actions, in order. An action acts for at least as many cycles as
  /// lie between its two requests, even if a late follower sends both at once; later requests wait
  /// for that end.
  /// @param cycle  the last cycle run
  void carry_out(std::uint64_t cycle) noexcept;

  /// Call after the loop's end: later requests have no effect. Any thread.
  void close() noexcept { closed_.store(true, std::memory_order_relaxed); }

 private:
  struct Request {
    std::uint64_t cycle = 0;  ///< cycle of the decision
    std::size_t action = 0;
    bool begins = false;
  };
  struct Action {
    Handle handle = 0;  ///< handle in the world
    std::uint64_t asked = 0;
    std::uint64_t began = 0;
  };
  Handle keep(Handle handle);
  void ask(Handle action, bool begins) noexcept;

  harness::World* world_;
  std::vector<Handle> truths_;   ///< handles in the world
  std::vector<Action> actions_;  ///< while it runs, for the loop's thread
  std::uint64_t cycle_ = 0;
  std::vector<double> seen_;
  harness::RecordRing requests_;
  std::atomic<bool> closed_{false};
};

}  // namespace jointrig::app
