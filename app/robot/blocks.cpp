#include "app/robot/blocks.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "control/core/nearest_word.h"

namespace jointrig {
namespace {

using Vector = Signals::Vector;

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument(what); }

void check_size(const Block::Memory& memory, std::size_t size) {
  if (memory.size() == size) return;
  refuse(
      fmt::format("the memory of a block has {} numbers, this one takes {}", memory.size(), size));
}

}  // namespace

// Signals -----------------------------------------------------------------------------------------

const Vector& Signals::at(std::string_view name) const {
  const auto found = of_.find(name);
  if (found != of_.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [word, vector] : of_) known.push_back(word);
  refuse("no signal \"" + std::string(name) + "\"" + did_you_mean(name, known));
}

double Signals::number(std::string_view name) const {
  const Vector& vector = at(name);
  if (vector.size() == 1) return vector.front();
  refuse(fmt::format("signal \"{}\" has {} numbers, and one is wanted", name, vector.size()));
}

void Signals::merge(const Signals& other) {
  for (const auto& [name, vector] : other.of_) of_[name] = vector;
}

void Block::restore(const Memory& memory) { check_size(memory, 0); }

// Functions of their inputs -----------------------------------------------------------------------

Linear::Linear(std::vector<Term> terms, std::string output, Vector bias)
    : terms_(std::move(terms)), output_(std::move(output)), bias_(std::move(bias)) {
  if (terms_.empty() && bias_.empty()) refuse("a Linear needs a term or a bias");
  if (bias_.empty()) bias_.resize(terms_.front().rows.size());
  for (const Term& term : terms_) {
    if (term.rows.size() == bias_.size()) continue;
    refuse(fmt::format("the matrix of \"{}\" has {} rows, and \"{}\" has {}", term.input,
                       term.rows.size(), output_, bias_.size()));
  }
}

std::shared_ptr<Linear> Linear::gains(const std::vector<std::pair<std::string, double>>& of,
                                      std::string output, std::size_t size) {
  std::vector<Term> terms;
  for (const auto& [input, gain] : of) {
    Term& term = terms.emplace_back();
    term.input = input;
    term.rows.assign(size, Vector(size, 0.0));
    for (std::size_t i = 0; i < size; ++i) term.rows[i][i] = gain;
  }
  return std::make_shared<Linear>(std::move(terms), std::move(output), Vector(size, 0.0));
}

Signals Linear::advance(const Signals& in) {
  Vector out = bias_;
  for (const Term& term : terms_) {
    const Vector& x = in.at(term.input);
    for (std::size_t row = 0; row < out.size(); ++row) {
      if (term.rows[row].size() != x.size()) {
        refuse(fmt::format("signal \"{}\" has {} numbers, and its matrix {} columns", term.input,
                           x.size(), term.rows[row].size()));
      }
      for (std::size_t k = 0; k < x.size(); ++k) out[row] += term.rows[row][k] * x[k];
    }
  }
  return {{output_, std::move(out)}};
}

Signals Lambda::advance(const Signals& in) {
  std::vector<Vector> arguments;
  for (const std::string& input : inputs_) arguments.push_back(in.at(input));
  return {{output_, f_(arguments)}};
}

Signals Composition::advance(const Signals& in) {
  Vector out;
  for (const std::string& input : inputs_) {
    const Vector& part = in.at(input);
    out.insert(out.end(), part.begin(), part.end());
  }
  return {{output_, std::move(out)}};
}

// Groups ------------------------------------------------------------------------------------------

BlockGroup::BlockGroup(std::vector<BlockPtr> blocks) : blocks_(std::move(blocks)) {
  const bool lacks_one = std::any_of(blocks_.begin(), blocks_.end(),
                                     [](const BlockPtr& block) { return block == nullptr; });
  if (blocks_.empty() || lacks_one)
    refuse("a group of blocks needs at least one, and no empty one");
}

void BlockGroup::signal(std::string_view what, const Signals& in) {
  for (const BlockPtr& block : blocks_) block->signal(what, in);
}

Block::Memory BlockGroup::save() const {
  Memory all = own_memory();
  for (const BlockPtr& block : blocks_) {
    const Memory one = block->save();
    all.push_back(static_cast<double>(one.size()));
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

void BlockGroup::restore(const Memory& memory) {
  const std::size_t own = own_memory().size();
  std::vector<Memory> parts;
  std::size_t next = own;
  while (next < memory.size() && parts.size() < blocks_.size()) {
    const double size = memory[next++];
    const bool fits = size >= 0.0 && size <= static_cast<double>(memory.size() - next);
    if (!fits) check_size(memory, next);
    const auto first = memory.begin() + static_cast<std::ptrdiff_t>(next);
    parts.emplace_back(first, first + static_cast<std::ptrdiff_t>(size));
    next += parts.back().size();
  }
  if (parts.size() != blocks_.size() || next != memory.size()) {
    check_size(memory, own + blocks_.size());
    refuse("the memory is one of other blocks");
  }
  for (std::size_t i = 0; i < blocks_.size(); ++i) blocks_[i]->restore(parts[i]);
  restore_own({memory.begin(), memory.begin() + static_cast<std::ptrdiff_t>(own)});
}

Signals Parallel::advance(const Signals& in) {
  Signals seen = in;
  Signals all;
  for (const BlockPtr& block : blocks()) {
    const Signals out = block->advance(seen);
    seen.merge(out);
    all.merge(out);
  }
  return all;
}

void OneAtATime::begin(const Signals& in) {
  if (!has_begun_) entered_ = in.number("t");
  has_begun_ = true;
}

void OneAtATime::enter(std::size_t block, double at) noexcept {
  current_ = block;
  entered_ = at;
}

Signals OneAtATime::since_entry(const Signals& in) const {
  Signals shifted = in;
  shifted.set("t", {in.number("t") - entered_});
  return shifted;
}

Block::Memory OneAtATime::own_memory() const {
  return {static_cast<double>(current_), entered_, has_begun_ ? 1.0 : 0.0};
}

void OneAtATime::restore_own(const Memory& memory) {
  current_ = std::min(static_cast<std::size_t>(std::max(memory[0], 0.0)), blocks().size() - 1);
  entered_ = memory[1];
  has_begun_ = memory[2] != 0.0;
}

TimedSequence::TimedSequence(std::vector<BlockPtr> of, std::vector<double> durations)
    : OneAtATime(std::move(of), 0), durations_(std::move(durations)) {
  const bool fits =
      durations_.size() == blocks().size() || durations_.size() + 1 == blocks().size();
  const bool are_times = std::all_of(durations_.begin(), durations_.end(),
                                     [](double time) { return std::isfinite(time) && time > 0.0; });
  if (!fits) refuse("a timed sequence takes a duration for each block, or for each but the last");
  if (!are_times) refuse("the durations of a timed sequence are above 0 s");
}

Signals TimedSequence::advance(const Signals& in) {
  constexpr double kRounding = 1e-9;  // s: steps are summed up
  const double t = in.number("t");
  begin(in);
  while (present() + 1 < blocks().size() && t - entered() >= durations_[present()] - kRounding) {
    enter(present() + 1, entered() + durations_[present()]);
  }
  return blocks()[present()]->advance(since_entry(in));
}

StateMachine::StateMachine(std::vector<BlockPtr> states, std::size_t start)
    : OneAtATime(std::move(states), start) {
  if (start >= blocks().size()) {
    refuse(fmt::format("state {} isn't one of the {} of the machine; count from 0", start,
                       blocks().size()));
  }
}

Signals StateMachine::advance(const Signals& in) {
  begin(in);
  const std::size_t after = next(state(), since_entry(in));
  if (after >= blocks().size()) {
    refuse(fmt::format("state {} isn't one of the {} of the machine; count from 0", after,
                       blocks().size()));
  }
  if (after != state()) enter(after, in.number("t"));
  return blocks()[state()]->advance(since_entry(in));
}

TransitionStateMachine::TransitionStateMachine(std::vector<BlockPtr> states,
                                               std::vector<Transition> transitions,
                                               std::size_t start)
    : StateMachine(std::move(states), start), transitions_(std::move(transitions)) {
  for (const Transition& one : transitions_) {
    const std::size_t most = std::max(one.from, one.to);
    if (most < blocks().size()) continue;
    refuse(fmt::format("a transition names state {}, and there are {}; count from 0", most,
                       blocks().size()));
  }
}

std::size_t TransitionStateMachine::next(std::size_t state, const Signals& in) {
  for (const Transition& one : transitions_) {
    if (one.from == state && one.when(in)) return one.to;
  }
  return state;
}

// Estimation and tracking -------------------------------------------------------------------------

StateEstimator::StateEstimator(double bandwidth) : bandwidth_(bandwidth) {
  if (!(bandwidth > 0.0) || !std::isfinite(bandwidth)) {
    refuse("the bandwidth of a state estimator is above 0 Hz");
  }
}

Signals StateEstimator::advance(const Signals& in) {
  const Vector& q = in.at("q");
  const double dt = in.number("dt");
  if (q_.size() != q.size()) {
    q_ = q;
    v_.assign(q.size(), 0.0);
  }
  const double theta = std::exp(-2.0 * std::numbers::pi * bandwidth_ * dt);
  const double alpha = 1.0 - theta * theta;
  const double beta = (1.0 - theta) * (1.0 - theta);
  for (std::size_t i = 0; i < q.size(); ++i) {
    q_[i] += dt * v_[i];
    const double r = q[i] - q_[i];
    q_[i] += alpha * r;
    v_[i] += beta * r / dt;
  }
  return {{"q", q_}, {"dq", v_}};
}

Block::Memory StateEstimator::save() const {
  Memory all = q_;
  all.insert(all.end(), v_.begin(), v_.end());
  return all;
}

void StateEstimator::restore(const Memory& memory) {
  if (memory.size() % 2 != 0) check_size(memory, memory.size() - 1);
  const auto middle = memory.begin() + static_cast<std::ptrdiff_t>(memory.size() / 2);
  q_.assign(memory.begin(), middle);
  v_.assign(middle, memory.end());
}

TrajectoryTracking::TrajectoryTracking(Vector times, std::vector<Vector> milestones, double gain)
    : times_(std::move(times)), milestones_(std::move(milestones)), gain_(gain) {
  if (times_.empty() || times_.size() != milestones_.size()) {
    refuse("a trajectory needs a time for each milestone, and at least one");
  }
  for (std::size_t i = 0; i < times_.size(); ++i) {
    const bool rises = i == 0 ? times_[i] == 0.0 : times_[i] > times_[i - 1];
    if (!rises) refuse("the times of a trajectory begin with 0 and rise");
    if (milestones_[i].size() != milestones_[0].size()) {
      refuse(fmt::format("milestone {} has another size than the first", i + 1));
    }
  }
}

Signals TrajectoryTracking::advance(const Signals& in) {
  const double now = in.number("t");
  if (!has_begun_) began_ = now;
  has_begun_ = true;
  const double t = now - began_;
  const auto after = std::upper_bound(times_.begin(), times_.end(), t);
  const bool is_over = after == times_.end();
  const auto k = static_cast<std::size_t>(after - times_.begin()) - 1;
  Vector q = milestones_[k];
  Vector v(q.size(), 0.0);
  for (std::size_t i = 0; !is_over && i < q.size(); ++i) {
    v[i] = (milestones_[k + 1][i] - milestones_[k][i]) / (times_[k + 1] - times_[k]);
    q[i] += v[i] * (t - times_[k]);
  }
  if (gain_ == 0.0) return {{"qcmd", std::move(q)}, {"dqcmd", std::move(v)}};
  const Vector& sensed = in.at("q");
  if (sensed.size() != q.size()) {
    refuse(fmt::format("signal \"q\" has {} numbers, and a milestone {}", sensed.size(), q.size()));
  }
  for (std::size_t i = 0; i < q.size(); ++i) v[i] += gain_ * (q[i] - sensed[i]);
  return {{"dqcmd", std::move(v)}};
}

Block::Memory TrajectoryTracking::save() const { return {began_, has_begun_ ? 1.0 : 0.0}; }

void TrajectoryTracking::restore(const Memory& memory) {
  check_size(memory, 2);
  began_ = memory[0];
  has_begun_ = memory[1] != 0.0;
}

}  // namespace jointrig
