#pragma once
/// Families of measurements. Each registers its own under `<robot>/<what>`; bench/table.py divides
/// the times by that of `<robot>/mj_step` of the same process. All of them replay the same cycles
/// (take.h), so that what is compared works on the same model in the same states.

#include <memory>
#include <string>

#include "bench/take.h"

namespace jointrig::bench {

/// The cost of MuJoCo itself: the floor under everything else.
///
///     mj_step        one period of the plant, by the torques of the take: the unit of the table
///     kinematics     on a second mjData: poses, centres of mass, tendons and gears
///     gravity        in addition: velocities, and bias forces (recursive Newton-Euler)
///     mass_matrix    in addition to kinematics: M by composite bodies, and its factorization
///     own_dynamics   all of these together, once: what a controller's own model may cost
///     model_terms    the same and the Jacobian of the first arm's tool
void register_floor(const std::shared_ptr<const Take>& take);

/// The cycle without the physics, whole and stage by stage.
///
///     cycle_recorded      all that follows: the cycle as it runs in real time, read by a panel and
///                         logged, its commands too
///     recorded_per_step   by turns, take by take: all cycles of it, and all its mj_steps.
///     Quartiles of
///                         the ratios are counters p25, p50, p75
///     cycle               Stack::cycle, a streamed command with it
///     cycle_uncommanded   the same without commands; the difference is a command's cost
///     cycle_spread        cycle by cycle with a clock around each: p50_ns and p99_ns
///     inbox               a command pushed and drained, looked at by nobody
///     follow              all joints: the board's faults, calibration, motor on and off
///     model               gravity at the sensed positions
///     advance             all joints: references, laws, limits
///     snapshot            all joints: into the snapshot
///     event               one published, and read
///     statistics          the clock looked at four times, and the histograms
///     exchange            the snapshot published to other threads
///     recorder            RobotLog::push: what the log costs the loop
void register_cycle(const std::shared_ptr<const Take>& take);

/// The simulated robot on the other side of the port.
///
///     boards      all boards: their firmware's control and sensing
///     read        reports and sensors into the state
///     write       setpoints on their way
///     loop_step   Loop::step: physics, boards and cycle, without the log
void register_simulation(const std::shared_ptr<const Take>& take);

}  // namespace jointrig::bench
