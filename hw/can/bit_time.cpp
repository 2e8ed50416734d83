#include "hw/can/bit_time.h"

namespace jointrig::can {
namespace {

constexpr int kTailBits = 13;             // CRC delimiter to intermission: never stuffed
constexpr std::uint32_t kCrc15 = 0x4599;  // x^15 + x^14 + x^10 + x^8 + x^7 + x^4 + x^3 + 1
constexpr int kRunLimit = 5;              // after five equal bits comes one of the other kind
constexpr int kSerialBits = 10;           // of a byte: start, eight of data, stop

/// Sends bit after bit as a controller does: counts them with the stuff bits that they need, and
/// computes the CRC of a classic frame, which leaves stuff bits out.
class BitCounter {
 public:
  void put(std::uint32_t value, int bits) noexcept {
    for (int i = bits - 1; i >= 0; --i) put_bit((value >> i & 1U) != 0);
  }

  void put_bytes(std::span<const std::uint8_t> bytes) noexcept {
    for (const std::uint8_t byte : bytes) put(byte, 8);
  }

  /// A run of five that ends here still gets its stuff bit; an FD frame's last one does not.
  [[nodiscard]] int count() const noexcept { return bits_ + (stuff_due_ ? 1 : 0); }
  [[nodiscard]] int count_before_fixed_stuff_bit() const noexcept { return bits_; }
  [[nodiscard]] std::uint32_t crc15() const noexcept { return crc_; }

 private:
  void put_bit(bool bit) noexcept {
    if (stuff_due_) insert_stuff_bit();
    const bool feedback = bit != ((crc_ >> 14 & 1U) != 0);
    crc_ = (crc_ << 1 & 0x7FFFU) ^ (feedback ? kCrc15 : 0U);
    extend_run(bit);
  }

  void insert_stuff_bit() noexcept { extend_run(!last_); }

  void extend_run(bool bit) noexcept {
    run_ = bits_ > 0 && bit == last_ ? run_ + 1 : 1;
    last_ = bit;
    ++bits_;
    stuff_due_ = run_ == kRunLimit;
  }

  int bits_ = 0;
  int run_ = 0;
  bool last_ = false;
  bool stuff_due_ = false;
  std::uint32_t crc_ = 0;
};

/// Start of frame up to the bit before FDF (FD) or r0 (classic): both formats have these.
void put_identifier(const Frame& frame, BitCounter& wire) noexcept {
  const std::uint32_t remote = frame.remote ? 1 : 0;
  wire.put(0, 1);
  if (!frame.extended) {
    wire.put(frame.id, 11);
    wire.put(remote, 1);
    wire.put(0, 1);  // IDE
    return;
  }
  wire.put(frame.id >> 18, 11);
  wire.put(0b11, 2);  // SRR, IDE
  wire.put(frame.id & 0x3'FFFF, 18);
  wire.put(remote, 1);
}

int exact_classic_bits(const Frame& frame) noexcept {
  BitCounter wire;
  put_identifier(frame, wire);
  wire.put(0, frame.extended ? 2 : 1);  // reserved
  wire.put(frame.size, 4);
  wire.put_bytes(frame.bytes());
  wire.put(wire.crc15(), 15);
  return wire.count() + kTailBits;
}

int classic_bits(const Frame& frame, Stuffing stuffing) noexcept {
  if (stuffing == Stuffing::kExact) return exact_classic_bits(frame);
  const int stuffed = (frame.extended ? 54 : 34) + 8 * static_cast<int>(frame.bytes().size());
  return stuffed + kTailBits + (stuffing == Stuffing::kWorst ? (stuffed - 1) / 4 : 0);
}

/// Stuff count, CRC and their fixed stuff bits.
int fd_check_bits(std::size_t size) noexcept {
  const int bits = 4 + (size <= 16 ? 17 : 21);
  return bits + (bits + 3) / 4;
}

/// Before the fixed stuff bits: arbitration phase, then data phase.
FrameBits fd_stuffed_bits(const Frame& frame, Stuffing stuffing) noexcept {
  const int arbitration = frame.extended ? 36 : 17;
  const int data = 5 + 8 * static_cast<int>(frame.size);
  if (stuffing == Stuffing::kNone) return {arbitration, data};
  if (stuffing == Stuffing::kWorst) {
    const int early = (arbitration - 1) / 4;
    const int all = (arbitration + data - 2) / 4;
    return {arbitration + early, data + all - early};
  }
  BitCounter wire;
  put_identifier(frame, wire);
  wire.put(0b10, 2);  // FDF, res
  wire.put(frame.bit_rate_switch ? 1 : 0, 1);
  const int arbitration_phase = wire.count();  // FDF and res differ: no run of five ends with BRS
  wire.put(frame.error_state ? 1 : 0, 1);
  wire.put(dlc_of(frame.size), 4);
  wire.put_bytes(frame.bytes());
  return {arbitration_phase, wire.count_before_fixed_stuff_bit() - arbitration_phase};
}

}  // namespace

FrameBits frame_bits(const Frame& frame, Stuffing stuffing) noexcept {
  if (frame.serial) return {kSerialBits * static_cast<int>(frame.size), 0};
  if (!frame.fd) return {classic_bits(frame, stuffing), 0};
  FrameBits bits = fd_stuffed_bits(frame, stuffing);
  bits.data += fd_check_bits(frame.size);
  bits.nominal += kTailBits;
  return frame.bit_rate_switch ? bits : FrameBits{bits.total(), 0};
}

TimeNs duration(const FrameBits& bits, const BitRates& rates) noexcept {
  const auto rounded_up = [](std::int64_t count, std::int64_t rate) {
    return (count * kSecond + rate - 1) / rate;
  };
  return rounded_up(bits.nominal, rates.nominal) + rounded_up(bits.data, rates.data);
}

TimeNs duration(const Frame& frame, const BitRates& rates, Stuffing stuffing) noexcept {
  return duration(frame_bits(frame, stuffing), rates);
}

double cyclic_load(std::span<const CyclicFrame> frames, const BitRates& rates,
                   Stuffing stuffing) noexcept {
  double load = 0;
  for (const CyclicFrame& cyclic : frames) {
    const auto busy = static_cast<double>(duration(cyclic.frame, rates, stuffing));
    load += cyclic.count * busy / static_cast<double>(cyclic.period);
  }
  return load;
}

}  // namespace jointrig::can
