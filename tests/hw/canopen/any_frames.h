#pragma once
/// Frames as a hostile, a careless and a good master would send them, from a seed.

#include <random>
#include <vector>

#include "hw/can/frame.h"
#include "hw/canopen/object_dictionary.h"

namespace jointrig::canopen {

/// Makes frames for one node. Most are nearly valid: a frame that is dropped at once tests nothing.
class AnyFrames {
 public:
  AnyFrames(std::uint32_t seed, const ObjectDictionary& objects)
      : random_(seed), node_(objects.node()) {
    for (const Entry& entry : objects.entries()) {
      addresses_.push_back({entry.index, entry.sub, static_cast<unsigned>(8 * entry.size)});
    }
  }

  /// @param statusword  of the node: the good master among them goes by it
  can::Frame next(std::uint16_t statusword) {
    switch (below(16)) {
      case 0:
        return nmt();
      case 1:
      case 2:
        return data(0x080, {});
      case 3:
        return data(0x77F, {static_cast<std::uint8_t>(below(2) == 0 ? 5 : below(256))});
      case 4:
      case 5:
      case 6:
      case 7:
        return sdo();
      case 8:
        return garbage();
      case 9:
      case 10:
        return remapping();
      default:
        return rpdo(statusword);
    }
  }

  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }

 private:
  struct Address {
    std::uint16_t index;
    std::uint8_t sub;
    unsigned bits;
  };

  static can::Frame data(std::uint32_t id, const std::vector<std::uint8_t>& bytes) {
    return can::data_frame(id, bytes);
  }
  std::uint8_t byte() { return static_cast<std::uint8_t>(random_()); }

  can::Frame nmt() {
    constexpr std::uint8_t kCommands[] = {0x01, 0x01, 0x01, 0x02, 0x80, 0x81, 0x82, 0x33};
    const std::uint8_t command = kCommands[below(8)];
    // Back to work soon, or nothing but the silence of a stopped node would be tested.
    const bool disturbs = command != 0x01 && below(4) != 0;
    return data(0x000,
                {disturbs ? std::uint8_t{0x01} : command,
                 below(3) == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(node_ + below(2))});
  }

  std::uint16_t controlword(std::uint16_t statusword) {
    if (below(4) == 0) return static_cast<std::uint16_t>(random_());
    switch (statusword & 0x6F) {
      case 0x21:
        return 0x07;
      case 0x23:
      case 0x27:
        return below(8) == 0 ? 0x02 : 0x0F;
      case 0x07:
        return 0x0F;
      default:
        return (statusword & 0x08) != 0 ? static_cast<std::uint16_t>(below(2) * 0x80) : 0x06;
    }
  }

  can::Frame rpdo(std::uint16_t statusword) {
    std::vector<std::uint8_t> bytes(below(10) == 0 ? below(9) : 8);
    for (std::uint8_t& each : bytes) each = byte();
    if (bytes.size() >= 3) {
      const std::uint16_t word = controlword(statusword);
      bytes[0] = static_cast<std::uint8_t>(word);
      bytes[1] = static_cast<std::uint8_t>(word >> 8);
      constexpr std::uint8_t kModes[] = {0, 1, 3, 4, 6, 8, 9, 10, 0xFF, 2};
      bytes[2] = kModes[below(10)];
    }
    return data(0x200 + 0x100 * below(4) + node_, bytes);
  }

  can::Frame sdo() {
    constexpr std::uint8_t kCommands[] = {0x40, 0x23, 0x27, 0x2B, 0x2F, 0x22, 0x21, 0x20, 0x00,
                                          0x01, 0x10, 0x11, 0x60, 0x70, 0x80, 0xA0, 0xC0};
    const Address address = addresses_[below(static_cast<unsigned>(addresses_.size()))];
    std::vector<std::uint8_t> bytes{below(8) == 0 ? byte() : kCommands[below(sizeof kCommands)],
                                    static_cast<std::uint8_t>(address.index),
                                    static_cast<std::uint8_t>(address.index >> 8),
                                    below(16) == 0 ? byte() : address.sub};
    // Small numbers get past more checks than large ones.
    for (int i = 0; i < 4; ++i) {
      bytes.push_back(below(3) == 0 ? byte() : static_cast<std::uint8_t>(i == 0 ? below(9) : 0));
    }
    if (below(50) == 0) bytes.resize(below(8));
    return data(0x600U + node_, bytes);
  }

  /// One step of changing a PDO: off, no entries, an entry, a count, on.
  can::Frame remapping() {
    const unsigned number = below(4);
    const bool sent = below(2) == 0;
    const unsigned communication = (sent ? 0x1800U : 0x1400U) + number;
    const unsigned id = (sent ? 0x180U : 0x200U) + 0x100 * number + node_;
    const Address any = addresses_[below(static_cast<unsigned>(addresses_.size()))];
    const unsigned word = unsigned{any.index} << 16 | unsigned{any.sub} << 8 | any.bits;
    switch (below(8)) {
      case 0:
      case 1:
        return write(communication, 1, 0x80000000U | id, 4);
      case 2:
        return write(communication + 0x200, 0, 0, 1);
      case 3:
        return write(communication + 0x200, 0, below(10), 1);
      case 4:
        return write(communication, 1, below(4) == 0 ? below(0x800) : id, 4);
      default:
        return write(communication + 0x200, 1 + below(4), word, 4);
    }
  }

  can::Frame write(unsigned index, unsigned sub, unsigned value, unsigned size) {
    std::vector<std::uint8_t> bytes{static_cast<std::uint8_t>(size == 4 ? 0x23 : 0x2F),
                                    static_cast<std::uint8_t>(index),
                                    static_cast<std::uint8_t>(index >> 8),
                                    static_cast<std::uint8_t>(sub),
                                    0,
                                    0,
                                    0,
                                    0};
    store_little_endian(std::span(bytes).subspan(4), value, size);
    return data(0x600U + node_, bytes);
  }

  can::Frame garbage() {
    can::Frame frame;
    frame.id = random_() & (below(2) == 0 ? can::kMaxStandardId : 0xFFFF'FFFFU);
    frame.extended = below(4) == 0;
    frame.remote = below(4) == 0;
    frame.fd = below(8) == 0;
    frame.size = static_cast<std::uint8_t>(below(4) == 0 ? random_() : below(9));
    for (std::uint8_t& each : frame.data) each = byte();
    return frame;
  }

  std::mt19937 random_;
  std::uint8_t node_;
  std::vector<Address> addresses_;
};

}  // namespace jointrig::canopen
