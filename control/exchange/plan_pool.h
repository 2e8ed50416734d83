#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace jointrig {

/// Identifies a plan on its way into the loop: plain data that a command carries in the plan's
/// place.
struct PlanTicket {
  std::uint32_t slot = 0;
  std::uint32_t round = 0;  ///< count of the slot's uses; 0: no plan

  explicit operator bool() const noexcept { return round != 0; }
  bool operator==(const PlanTicket&) const = default;
};

/// Hands over data that is longer than a command (a trajectory, a list of footsteps). A thread
/// outside the loop fills a plan, which may allocate; the loop reads it without a time limit;
/// memory is freed outside. Neither side ever waits for the other, and the pool holds a fixed
/// number of plans.
///
///     outside   Draft draft = pool.claim();  fill *draft;  ticket = pool.hand_over(draft)
///               the ticket goes into the loop with a command
///     loop      const Plan* plan = pool.take(ticket);  ...;  pool.give_back(ticket)
///     outside   the next claim() or collect() frees it
///
/// A plan belongs to one side at a time. Its slot stores the owner and the count of uses in one
/// atomic word, so that a ticket that is old, withdrawn or taken twice finds nothing.
template <typename Plan>
class PlanPool {
 public:
  /// A plan that is being filled. If it is dropped before it is handed over, it returns to the
  /// pool.
  class Draft {
   public:
    Draft(Draft&& other) noexcept
        : pool_(std::exchange(other.pool_, nullptr)), ticket_(other.ticket_) {}
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;
    Draft& operator=(Draft&&) = delete;
    ~Draft() {
      if (pool_ != nullptr) pool_->free(ticket_);
    }
    Plan& operator*() const noexcept { return pool_->slots_[ticket_.slot].plan; }
    Plan* operator->() const noexcept { return &**this; }

   private:
    friend class PlanPool;
    Draft(PlanPool& pool, PlanTicket ticket) noexcept : pool_(&pool), ticket_(ticket) {}

    PlanPool* pool_;
    PlanTicket ticket_;
  };

  explicit PlanPool(std::size_t slots) : slots_(slots) {}
  PlanPool(const PlanPool&) = delete;
  PlanPool& operator=(const PlanPool&) = delete;
  ~PlanPool() = default;

  [[nodiscard]] std::size_t size() const noexcept { return slots_.size(); }

  // For any thread but the loop's.

  /// Returns an empty plan to fill, or nothing if all are in use: try again later.
  [[nodiscard]] std::optional<Draft> claim() {
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      std::uint64_t word = slots_[i].word.load(std::memory_order_relaxed);
      const Owner owner = owner_of(word);
      if (owner != Owner::kNobody && owner != Owner::kReturned) continue;
      const std::uint32_t round = next_round(word);
      if (!change(slots_[i], word, round, Owner::kDraft)) continue;  // another thread was faster
      if (owner == Owner::kReturned) slots_[i].plan = Plan{};
      return Draft(*this, {static_cast<std::uint32_t>(i), round});
    }
    return std::nullopt;
  }

  /// Hands the plan over: from now on the loop may take it.
  [[nodiscard]] PlanTicket hand_over(Draft draft) noexcept {
    draft.pool_ = nullptr;
    const PlanTicket ticket = draft.ticket_;
    slots_[ticket.slot].word.store(word_of(ticket.round, Owner::kWaiting),
                                   std::memory_order_release);
    return ticket;
  }

  /// Takes a plan back whose command didn't reach the loop (a full inbox). Returns false if the
  /// loop has or had it.
  bool withdraw(PlanTicket ticket) {
    if (!is_mine(ticket)) return false;
    Slot& slot = slots_[ticket.slot];
    std::uint64_t word = word_of(ticket.round, Owner::kWaiting);
    if (!change(slot, word, ticket.round, Owner::kDraft)) return false;
    free(ticket);
    return true;
  }

  /// Frees the memory of all plans that the loop has given back.
  void collect() {
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      std::uint64_t word = slots_[i].word.load(std::memory_order_relaxed);
      if (owner_of(word) != Owner::kReturned) continue;
      const std::uint32_t round = round_of(word);
      if (change(slots_[i], word, round, Owner::kDraft)) {
        free({static_cast<std::uint32_t>(i), round});
      }
    }
  }

  // For the loop's thread alone.

  /// Returns the plan, valid until give_back(); null if no such plan waits.
  [[nodiscard]] const Plan* take(PlanTicket ticket) noexcept {
    if (!is_mine(ticket)) return nullptr;
    Slot& slot = slots_[ticket.slot];
    std::uint64_t word = word_of(ticket.round, Owner::kWaiting);
    return change(slot, word, ticket.round, Owner::kLoop) ? &slot.plan : nullptr;
  }

  /// Returns a plan of take() to the pool. No effect where it was returned before.
  void give_back(PlanTicket ticket) noexcept {
    if (!is_mine(ticket)) return;
    std::uint64_t word = word_of(ticket.round, Owner::kLoop);
    change(slots_[ticket.slot], word, ticket.round, Owner::kReturned);
  }

 private:
  enum class Owner : std::uint8_t { kNobody, kDraft, kWaiting, kLoop, kReturned };
  struct Slot {
    std::atomic<std::uint64_t> word{0};
    Plan plan;
  };

  static constexpr std::uint64_t word_of(std::uint32_t round, Owner owner) noexcept {
    return std::uint64_t{round} << 8U | static_cast<std::uint64_t>(owner);
  }
  static constexpr Owner owner_of(std::uint64_t word) noexcept {
    return static_cast<Owner>(word & 0xFFU);
  }
  static constexpr std::uint32_t round_of(std::uint64_t word) noexcept {
    return static_cast<std::uint32_t>(word >> 8U);
  }
  /// 0 is never used for a plan.
  static constexpr std::uint32_t next_round(std::uint64_t word) noexcept {
    const std::uint32_t next = round_of(word) + 1;
    return next != 0 ? next : 1;
  }
  static bool change(Slot& slot, std::uint64_t& from, std::uint32_t round, Owner to) noexcept {
    return slot.word.compare_exchange_strong(from, word_of(round, to), std::memory_order_acq_rel,
                                             std::memory_order_relaxed);
  }
  [[nodiscard]] bool is_mine(PlanTicket ticket) const noexcept {
    return ticket && ticket.slot < slots_.size();
  }
  /// Frees a plan that is a draft.
  void free(PlanTicket ticket) {
    Slot& slot = slots_[ticket.slot];
    slot.plan = Plan{};
    slot.word.store(word_of(ticket.round, Owner::kNobody), std::memory_order_release);
  }

  std::vector<Slot> slots_;
};

class JointPlan;
/// Plans of joints' motion (control/motion/joint_plan.h) on their way into the loop. The loop reads
/// them; a saved state of the loop shares them.
using JointPlanPool = PlanPool<std::shared_ptr<const JointPlan>>;

}  // namespace jointrig
