#pragma once
/// A scenario on a robot that another program serves (docs/remote.md): its commands go over the
/// connection, under a lease of its own, and it judges every cycle that comes back.
///
///     server   each cycle with its events  -->  connection
///     here     connection → Runner::on_cycle → commands → connection;   cycles → log
///
/// A connection that is lost, a lease that ends and a stop by anybody end the run as a safety stop.
/// Cycles that are lost on the way leave it without verdict (Runner::note_missed). At its end the
/// lease is given back, and the robot holds.

#include "app/run/scenario_job.h"

namespace jointrig::app {

/// Never throws: an error becomes the result. `options.connect` must not be empty.
JobResult run_connected(const harness::Scenario& scenario, const JobOptions& options);

}  // namespace jointrig::app
