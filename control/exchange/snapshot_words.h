#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "control/core/snapshot.h"

namespace jointrig {

/// A snapshot as 64-bit words, for exchange between threads; only the joints, arms, laws and
/// signals in use are copied.
class SnapshotWords {
 public:
  SnapshotWords(std::size_t joint_count, std::size_t arm_count, std::size_t law_count,
                std::size_t signal_count) noexcept
      : front_((kJoints + sizeof(std::size_t) + joint_count * sizeof(JointSnapshot)) / kWord),
        back_((kArms - kBase + sizeof(std::size_t) + arm_count * sizeof(ArmSnapshot)) / kWord),
        laws_(law_count == 0 ? 0 : (sizeof(std::size_t) + law_count * sizeof(LawSnapshot)) / kWord),
        signals_(signal_count == 0 ? 0 : 1 + signal_count) {
    assert(joint_count <= kMaxJoints && arm_count <= kMaxArms && law_count <= kMaxLaws &&
           signal_count <= kMaxSignals);
  }

  /// Number of words of a snapshot.
  [[nodiscard]] std::size_t size() const noexcept { return front_ + back_ + laws_ + signals_; }

  /// Writes: calls `store(i, word)` for each word.
  template <typename Store>
  void pack(const Snapshot& snapshot, Store&& store) const noexcept {
    const auto* bytes = reinterpret_cast<const std::byte*>(&snapshot);
    const auto word_at = [bytes](std::size_t offset) {
      std::uint64_t word;
      std::memcpy(&word, bytes + offset, kWord);
      return word;
    };
    // Copies: the compiler must take it that `store` changes the members.
    const std::size_t front = front_;
    const std::size_t back = back_;
    const std::size_t laws = laws_;
    const std::size_t signals = signals_;
    // By eights: word by word, each costs a jump, and its place in memory decides on the speed.
#pragma GCC unroll 8
    for (std::size_t i = 0; i < front; ++i) store(i, word_at(i * kWord));
#pragma GCC unroll 8
    for (std::size_t i = 0; i < back; ++i) store(front + i, word_at(kBase + i * kWord));
    for (std::size_t i = 0; i < laws; ++i) store(front + back + i, word_at(kLaws + i * kWord));
#pragma GCC unroll 8
    for (std::size_t i = 0; i < signals; ++i) {
      store(front + back + laws + i, word_at(kSignals + i * kWord));
    }
  }

  /// Reads: calls `load(i)` for each word.
  template <typename Load>
  void unpack(Snapshot& snapshot, Load&& load) const noexcept {
    auto* bytes = reinterpret_cast<std::byte*>(&snapshot);
    const auto put = [bytes](std::size_t offset, std::uint64_t word) {
      std::memcpy(bytes + offset, &word, kWord);
    };
    for (std::size_t i = 0; i < front_; ++i) put(i * kWord, load(i));
    for (std::size_t i = 0; i < back_; ++i) put(kBase + i * kWord, load(front_ + i));
    for (std::size_t i = 0; i < laws_; ++i) put(kLaws + i * kWord, load(front_ + back_ + i));
    for (std::size_t i = 0; i < signals_; ++i) {
      put(kSignals + i * kWord, load(front_ + back_ + laws_ + i));
    }
  }

 private:
  static constexpr std::size_t kWord = sizeof(std::uint64_t);
  static constexpr std::size_t kBase = offsetof(Snapshot, base);
  static constexpr std::size_t kJoints = offsetof(Snapshot, joints);
  static constexpr std::size_t kArms = offsetof(Snapshot, arms);
  static constexpr std::size_t kLaws = offsetof(Snapshot, laws);
  static constexpr std::size_t kSignals = offsetof(Snapshot, law_signals);

  // The words rely on this layout: the vector's size stands before its elements.
  static_assert(std::is_standard_layout_v<Snapshot>);
  static_assert(sizeof(PerJoint<JointSnapshot>) ==
                sizeof(std::size_t) + kMaxJoints * sizeof(JointSnapshot));
  static_assert(sizeof(PerArm<ArmSnapshot>) ==
                sizeof(std::size_t) + kMaxArms * sizeof(ArmSnapshot));
  static_assert(sizeof(PerLaw<LawSnapshot>) ==
                sizeof(std::size_t) + kMaxLaws * sizeof(LawSnapshot));
  static_assert(kLaws == kArms + sizeof(PerArm<ArmSnapshot>), "the laws follow the arms");
  static_assert(sizeof(FixedVector<double, kMaxSignals>) == (1 + kMaxSignals) * kWord);
  static_assert(kSignals == kLaws + sizeof(PerLaw<LawSnapshot>), "the signals follow the laws");
  static_assert(sizeof(Snapshot) == kSignals + (1 + kMaxSignals) * kWord, "the signals come last");
  static_assert(kArms % kWord == 0 && sizeof(ArmSnapshot) % kWord == 0 && kBase % kWord == 0 &&
                kJoints % kWord == 0 && sizeof(JointSnapshot) % kWord == 0 && kLaws % kWord == 0 &&
                sizeof(LawSnapshot) % kWord == 0);

  std::size_t front_;    ///< words up to the last joint in use
  std::size_t back_;     ///< words from `base` up to the last arm in use
  std::size_t laws_;     ///< words of the laws; 0 without any
  std::size_t signals_;  ///< words of their signals; 0 without any
};

}  // namespace jointrig
