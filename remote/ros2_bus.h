#pragma once
/// A DDS domain as ROS 2 uses it, for payloads that are CDR already. Fast DDS is met in
/// ros2_bus.cpp alone: its headers cost seconds in each file that includes them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "remote/ros2_messages.h"

namespace jointrig::remote {

struct Ros2BusOptions {
  std::uint32_t domain = 0;
  /// IPv4 address of the interface to use. Any other than 127.x.y.z is unprotected: whoever reaches
  /// it reads and commands.
  std::string address = "127.0.0.1";
  std::string participant = "jointrig";
};

/// The process that a message comes from: the prefix of its GUID.
using Ros2Peer = std::array<std::uint8_t, 12>;

/// Messages that have to arrive.
enum class Ros2Delivery : std::uint8_t {
  kReliable,    ///< lost ones are sent again; between reliable ends alone
  kBestEffort,  ///< the newest counts; as a reader it hears reliable writers, too
};

class Ros2Writer {
 public:
  Ros2Writer() = default;
  Ros2Writer(const Ros2Writer&) = delete;
  Ros2Writer& operator=(const Ros2Writer&) = delete;
  virtual ~Ros2Writer() = default;
  /// One thread at a time. Waits for no reader.
  virtual void write(std::span<const std::byte> cdr) = 0;
  /// Readers that hear it; any thread.
  [[nodiscard]] virtual std::size_t readers() const = 0;
};

/// Ends with its bus, or before.
class Ros2Reader {
 public:
  /// Called by a thread of Fast DDS: return at once.
  using Take = std::function<void(const Ros2Peer& from, std::span<const std::byte> cdr)>;

  Ros2Reader() = default;
  Ros2Reader(const Ros2Reader&) = delete;
  Ros2Reader& operator=(const Ros2Reader&) = delete;
  virtual ~Ros2Reader() = default;
};

/// One participant of a domain. Writers and readers end before it.
class Ros2Bus {
 public:
  Ros2Bus() = default;
  Ros2Bus(const Ros2Bus&) = delete;
  Ros2Bus& operator=(const Ros2Bus&) = delete;
  virtual ~Ros2Bus() = default;

  /// @param topic  as ROS writes it: "/joint_states"
  /// @param depth  messages that are kept for readers that are slower
  /// Throws std::runtime_error.
  [[nodiscard]] virtual std::unique_ptr<Ros2Writer> write_to(const std::string& topic,
                                                             const Ros2Type& type,
                                                             std::int32_t depth) = 0;
  [[nodiscard]] virtual std::unique_ptr<Ros2Reader> read_from(const std::string& topic,
                                                              const Ros2Type& type,
                                                              Ros2Delivery delivery,
                                                              Ros2Reader::Take take) = 0;
};

/// Joins the domain. Throws std::runtime_error with a sentence.
[[nodiscard]] std::unique_ptr<Ros2Bus> join_ros2(const Ros2BusOptions& options);

}  // namespace jointrig::remote
