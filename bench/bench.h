#pragma once
/// Families of measurements. Each registers its own under `<robot>/<what>`; bench/table.py divides
/// the times by that of `<robot>/mj_step` of the same process.

#include <string>

namespace jointrig::bench {

struct BenchRobot {
  std::string name;
  std::string model_path;  ///< MJCF
};

/// What MuJoCo itself costs: the floor under everything else.
///
///     mj_step        one step of the plant: the unit of the table
///     kinematics     on a second mjData: poses, centres of mass, tendons and gears
///     gravity        in addition: velocities, and bias forces (recursive Newton-Euler)
///     mass_matrix    in addition to kinematics: M by composite bodies, and its factorization
///     own_dynamics   all of these together, once: what a controller's own model costs
///
/// Throws std::runtime_error with MuJoCo's sentence where the model can't be loaded.
void register_floor(const BenchRobot& robot);

}  // namespace jointrig::bench
