#pragma once
/// A sweep as its file or the command line has it, and the cases that come of it.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/sweep/sweep_axis.h"
#include "control/core/enumeration.h"
#include "harness/config/schema.h"

namespace jointrig::app {

#define JOINTRIG_SWEEP_METHODS(X)       \
  X(kGrid, "grid")                      \
  X(kRandom, "random")                  \
  X(kLatinHypercube, "latin_hypercube") \
  X(kOptimise, "optimise")
JOINTRIG_ENUM(SweepMethod, JOINTRIG_SWEEP_METHODS)

#define JOINTRIG_SWEEP_DIRECTIONS(X) \
  X(kMinimise, "minimise")           \
  X(kMaximise, "maximise")
JOINTRIG_ENUM(SweepDirection, JOINTRIG_SWEEP_DIRECTIONS)

struct SweepPlan {
  std::string name;
  std::string about;
  std::string scenario;  ///< a file, or a name as `jointrig run` takes it
  harness::SourceSpot scenario_spot;
  std::vector<std::string> settings;  ///< path=value, of every case
  std::vector<SweepAxis> axes;
  SweepMethod method = SweepMethod::kGrid;
  std::size_t samples = 0;
  std::string objective;  ///< of method optimise: a metric, or a condition's margin
  SweepDirection direction = SweepDirection::kMinimise;
  std::size_t batch = 1;  ///< samples that are chosen at once
  std::uint64_t seed = 1;
  std::optional<std::size_t> seeds;   ///< none: the scenario's own seed alone
  std::vector<std::string> measures;  ///< empty: every metric
};

/// One run of a sweep.
struct SweepCase {
  std::vector<std::string> values;    ///< of each axis
  std::vector<std::size_t> at;        ///< of a grid: which value of each axis; else empty
  std::optional<std::uint64_t> seed;  ///< of the noise
};

/// sweep.schema.json.
const harness::Schema& sweep_schema();

/// True if the file has a key `sweep:` at its top.
bool is_sweep_file(const std::filesystem::path& file);

/// Throws FileError.
SweepPlan read_sweep(const std::filesystem::path& file);

/// Refuses what contradicts itself, such as a range without a count in a grid. Throws FileError or
/// std::invalid_argument.
void check_plan(const SweepPlan& plan);

/// The cases of a plan that check_plan() accepts, the seeds of one after the other. A grid runs
/// through its last axis fastest. In a Latin hypercube of n samples each of the n equal shares of
/// each range has one sample (McKay, Beckman, Conover 1979). More samples by `random` begin with
/// the same ones. None for method optimise: its samples depend on results (optimiser.h).
std::vector<SweepCase> cases_of(const SweepPlan& plan);

/// Each case with each of the plan's seeds.
std::vector<SweepCase> with_seeds(const SweepPlan& plan, std::vector<SweepCase> cases);

}  // namespace jointrig::app
