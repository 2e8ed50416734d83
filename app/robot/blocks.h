#pragma once
/// Controllers made of blocks, as those of Klampt's System Building Blocks ("Manual-Control"): a
/// block turns named vectors into named vectors, once in each step of a Robot.
///
///     TrajectoryTracking sweep({0.0, 2.0}, {from, to}, 5.0);
///     run_block(robot, sweep, 3.0);                     // block_runner.h
///
/// A block that controls a robot takes
///
///     t, dt   time of the robot and length of a step [s]
///     q, dq   sensed positions and velocities, one per joint [rad or m, 1/s]
///     and by the name of each sensor of the robot its six numbers, linear first (robot.h)
///
/// and gives one of
///
///     qcmd               set_position            qcmd, dqcmd      set_pid
///     dqcmd [, tcmd]     set_velocity, for tcmd  torquecmd        set_torque
///     qcmd, dqcmd, torquecmd                     set_pid, with the torque fed forward
///
/// The memory of a block is saved and restored as numbers: a controller goes on from there to the
/// bit. Blocks belong to the program's thread, not to the loop: they may allocate. Errors: a signal
/// that isn't there, or has another size, is std::invalid_argument with its name.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jointrig {

/// Vectors by name.
class Signals {
 public:
  using Vector = std::vector<double>;

  Signals() = default;
  Signals(std::initializer_list<std::pair<const std::string, Vector>> of) : of_(of) {}

  /// Throws std::invalid_argument with the nearest name.
  [[nodiscard]] const Vector& at(std::string_view name) const;
  /// Number of a vector that has one alone.
  [[nodiscard]] double number(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const { return of_.find(name) != of_.end(); }
  void set(std::string_view name, Vector vector) { of_[std::string(name)] = std::move(vector); }
  /// Takes all of another one, over its own.
  void merge(const Signals& other);
  [[nodiscard]] auto begin() const { return of_.begin(); }
  [[nodiscard]] auto end() const { return of_.end(); }
  bool operator==(const Signals&) const = default;

 private:
  std::map<std::string, Vector, std::less<>> of_;
};

class Block {
 public:
  using Vector = Signals::Vector;
  /// Memory of a block.
  using Memory = std::vector<double>;

  Block() = default;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  virtual ~Block() = default;

  /// One step.
  virtual Signals advance(const Signals& in) = 0;
  /// Tells it of something that happens between steps; blocks made of others pass it on.
  virtual void signal(std::string_view /*what*/, const Signals& /*in*/) {}
  [[nodiscard]] virtual Memory save() const { return {}; }
  /// Throws std::invalid_argument: not of such a block.
  virtual void restore(const Memory& memory);
};

using BlockPtr = std::shared_ptr<Block>;

/// output = Σ Aₖ inputₖ + b
class Linear final : public Block {
 public:
  struct Term {
    std::string input;
    std::vector<Vector> rows;  ///< Aₖ, row by row
  };
  Linear(std::vector<Term> terms, std::string output, Vector bias = {});
  /// output = Σ gainₖ inputₖ, element by element.
  static std::shared_ptr<Linear> gains(const std::vector<std::pair<std::string, double>>& of,
                                       std::string output, std::size_t size);
  Signals advance(const Signals& in) override;

 private:
  std::vector<Term> terms_;
  std::string output_;
  Vector bias_;
};

/// output = f(inputs)
class Lambda final : public Block {
 public:
  using Function = std::function<Vector(const std::vector<Vector>&)>;
  Lambda(std::vector<std::string> inputs, std::string output, Function f)
      : inputs_(std::move(inputs)), output_(std::move(output)), f_(std::move(f)) {}
  Signals advance(const Signals& in) override;

 private:
  std::vector<std::string> inputs_;
  std::string output_;
  Function f_;
};

/// One vector of several, one after another: commands of parts become one of the robot.
class Composition final : public Block {
 public:
  Composition(std::vector<std::string> inputs, std::string output)
      : inputs_(std::move(inputs)), output_(std::move(output)) {}
  Signals advance(const Signals& in) override;

 private:
  std::vector<std::string> inputs_;
  std::string output_;
};

/// A block that is made of others: their memories follow one another, each after its length.
class BlockGroup : public Block {
 public:
  explicit BlockGroup(std::vector<BlockPtr> blocks);
  void signal(std::string_view what, const Signals& in) override;
  [[nodiscard]] Memory save() const override;
  void restore(const Memory& memory) override;

 protected:
  [[nodiscard]] const std::vector<BlockPtr>& blocks() const noexcept { return blocks_; }
  /// Numbers of its own, before those of the blocks; restore() gets as many.
  [[nodiscard]] virtual Memory own_memory() const { return {}; }
  virtual void restore_own(const Memory& /*memory*/) {}

 private:
  std::vector<BlockPtr> blocks_;
};

/// Several in one step: each gets the inputs and what those before it gave. Gives what all gave,
/// the later over the earlier.
class Parallel final : public BlockGroup {
 public:
  using BlockGroup::BlockGroup;
  Signals advance(const Signals& in) override;
};

/// One block of several acts at a time, and sees `t` from its entry on.
class OneAtATime : public BlockGroup {
 protected:
  OneAtATime(std::vector<BlockPtr> blocks, std::size_t start)
      : BlockGroup(std::move(blocks)), current_(start) {}
  [[nodiscard]] std::size_t present() const noexcept { return current_; }
  /// The first block was entered with the first step.
  void begin(const Signals& in);
  [[nodiscard]] double entered() const noexcept { return entered_; }
  void enter(std::size_t block, double at) noexcept;
  /// The inputs with `t` from the entry on.
  [[nodiscard]] Signals since_entry(const Signals& in) const;

 private:
  [[nodiscard]] Memory own_memory() const override;
  void restore_own(const Memory& memory) override;

  std::size_t current_;
  double entered_ = 0.0;
  bool has_begun_ = false;
};

/// Runs blocks one after another, each for its time; the last goes on. Each sees `t` from its own
/// start on.
class TimedSequence final : public OneAtATime {
 public:
  /// @param durations  [s], above 0; one less than blocks, or as many
  TimedSequence(std::vector<BlockPtr> blocks, std::vector<double> durations);
  Signals advance(const Signals& in) override;
  [[nodiscard]] std::size_t current() const noexcept { return present(); }

 private:
  std::vector<double> durations_;
};

/// One block at a time, by rules of one's own. A transition acts in the step that decides it. Each
/// block sees `t` from its entry on.
class StateMachine : public OneAtATime {
 public:
  StateMachine(std::vector<BlockPtr> states, std::size_t start);
  Signals advance(const Signals& in) final;
  [[nodiscard]] std::size_t state() const noexcept { return present(); }

 protected:
  /// @param in  with `t` since the entry
  /// @return  the state of this step: the present one, or another
  [[nodiscard]] virtual std::size_t next(std::size_t state, const Signals& in) = 0;
};

/// By conditions: the first that is true of those that leave the present state.
class TransitionStateMachine final : public StateMachine {
 public:
  struct Transition {
    std::size_t from = 0;
    std::size_t to = 0;
    std::function<bool(const Signals&)> when;
  };
  TransitionStateMachine(std::vector<BlockPtr> states, std::vector<Transition> transitions,
                         std::size_t start = 0);

 private:
  [[nodiscard]] std::size_t next(std::size_t state, const Signals& in) override;

  std::vector<Transition> transitions_;
};

/// Estimates position and velocity by positions alone, of sensors that are noisy or give none:
///
///     r = q − (q̂ + dt v̂)     q̂ ← q̂ + dt v̂ + α r     v̂ ← v̂ + β r/dt
///     α = 1 − θ²,  β = (1 − θ)²,  θ = exp(−2 π f dt)
///
/// the α-β filter with both poles at θ (Benedict, Bordner 1962; critically damped). Takes q and dt,
/// gives q and dq.
class StateEstimator final : public Block {
 public:
  /// @param bandwidth  f [Hz], above 0
  explicit StateEstimator(double bandwidth);
  Signals advance(const Signals& in) override;
  [[nodiscard]] Memory save() const override;
  void restore(const Memory& memory) override;

 private:
  double bandwidth_;
  Vector q_, v_;
};

/// Follows a path that is straight between milestones at given times, from `t` at its first step
/// on, and stays at its end:
///
///     dqcmd = q̇_d + k (q_d − q)     or     qcmd = q_d, dqcmd = q̇_d     with k = 0
class TrajectoryTracking final : public Block {
 public:
  /// @param times  [s], rising, the first 0
  /// @param gain   k [1/s]
  TrajectoryTracking(Vector times, std::vector<Vector> milestones, double gain = 0.0);
  Signals advance(const Signals& in) override;
  [[nodiscard]] Memory save() const override;
  void restore(const Memory& memory) override;

 private:
  Vector times_;
  std::vector<Vector> milestones_;
  double gain_;
  double began_ = 0.0;
  bool has_begun_ = false;
};

}  // namespace jointrig
