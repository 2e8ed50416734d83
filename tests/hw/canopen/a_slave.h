#pragma once
/// A joint board without a drive behind it, spoken to in candump's words.

#include "hw/canopen/joint_board_objects.h"
#include "hw/canopen/slave_node.h"
#include "tests/hw/canopen/frame_text.h"

namespace jointrig::canopen {

/// Records the node's calls.
struct RecordingApplication : SlaveApplication {
  int acts = 0;
  int syncs = 0;
  std::vector<std::string> states;
  std::vector<bool> resets;
  std::vector<std::uint16_t> lost;

  void act(std::int64_t /*now*/) noexcept override { ++acts; }
  void on_sync(std::int64_t /*now*/) noexcept override { ++syncs; }
  void on_reset(bool whole_device) noexcept override { resets.push_back(whole_device); }
  void on_state(NmtState /*from*/, NmtState to) noexcept override {
    states.emplace_back(to_string(to));
  }
  void on_connection_lost(std::uint16_t code) noexcept override { lost.push_back(code); }
};

struct Slave {
  RecordingApplication application;
  SlaveNode node{joint_board(), 5, application};
  std::int64_t now = 0;

  /// Powered on, its boot-up message taken, EMCYs without inhibit time.
  Slave() {
    node.power_on(now);
    node.objects().object<std::uint16_t>(0x1015).set(0);
    (void)taken_from(node.out());
  }

  Texts hear(const std::string& text) {
    node.receive(from_text(text), now);
    node.poll(now);
    return taken_from(node.out());
  }
  Texts hear_all(const Texts& texts) {
    Texts answers;
    for (const std::string& text : texts) {
      for (const std::string& answer : hear(text)) answers.push_back(answer);
    }
    return answers;
  }
  /// Lets time pass in steps of 1 ms.
  Texts wait_ms(int ms) {
    for (int i = 0; i < ms; ++i) {
      now += kMillisecond;
      node.poll(now);
    }
    return taken_from(node.out());
  }
  /// Without the frames that this calls forth.
  void quietly(const Texts& texts) { (void)hear_all(texts); }

  template <class T>
  Object<T> object(std::uint16_t index, std::uint8_t sub = 0) {
    return node.objects().object<T>(index, sub);
  }
  /// Through the dictionary's checks, as an SDO would.
  AbortCode write(std::uint16_t index, std::uint8_t sub, std::uint64_t value) {
    Entry* const entry = node.objects().find(index, sub);
    std::array<std::uint8_t, 8> bytes{};
    store_little_endian(bytes, value, 8);
    return node.objects().write(*entry, std::span(bytes).first(entry->storage.size()));
  }
};

inline constexpr char kStartAll[] = "000#0100";

}  // namespace jointrig::canopen
