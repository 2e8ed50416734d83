#include "app/gui/followed_stage.h"

#include <exception>
#include <string>

#include "app/run/rig_setup.h"

namespace jointrig::app {

namespace {

/// A plan takes up to a second; the scenario is judged meanwhile.
harness::RunSetup with_plans_beside(harness::RunSetup setup, ScenarioPlans& plans) {
  setup.plans_beside = &plans;
  return setup;
}

}  // namespace

FollowedStage::FollowedStage(const harness::Scenario& scenario, Rig& rig,
                             const std::atomic<bool>& ended)
    : rig_(&rig),
      ended_(&ended),
      world_(rig.make_world()),
      follower_(rig.stack()),
      stage_(scenario, with_plans_beside(setup_on(rig, world_.get()), plans_)) {}

FollowedStage::~FollowedStage() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

void FollowedStage::start() {
  thread_ = std::jthread([this](const std::stop_token& stop) { follow(stop); });
}

void FollowedStage::follow(const std::stop_token& stop) {
  try {
    while (!stage_.finished()) {
      const bool was_last = ended_->load(std::memory_order_acquire);
      const auto look = [this] {
        if (world_) world_->update();
        stage_.heed();
      };
      follower_.look_and_follow(look, [this] {
        if (stage_.finished()) return false;
        stage_.note_missed(follower_.cycles_missed(), follower_.events_missed());
        stage_.on_cycle(follower_.snapshot(), follower_.events());
        return !stage_.finished();
      });
      if (was_last) stage_.close(rig_->why_ended());
      if (stop.stop_requested()) stage_.close("the panel was closed");
      std::this_thread::sleep_for(CycleFollower::kRest);
    }
  } catch (const std::exception& error) {
    stage_.close(std::string("could not judge: ") + error.what());
  }
}

}  // namespace jointrig::app
