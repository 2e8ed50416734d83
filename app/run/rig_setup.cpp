#include "app/run/rig_setup.h"

namespace jointrig::app {

harness::RunSetup setup_on(Rig& rig, harness::World* world) {
  harness::RunSetup setup;
  setup.config = &rig.stack().config();
  setup.boards = &rig.backend().description().joints;
  setup.inbox = &rig.stack().inbox();
  setup.plans = &rig.stack().plans();
  setup.world = world;
  setup.backend = rig.backend().description().name;
  setup.force_torque_sensors = rig.backend().description().force_torque_sites.size();
  return setup;
}

}  // namespace jointrig::app
