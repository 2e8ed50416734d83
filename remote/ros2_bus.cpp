#include "remote/ros2_bus.h"

#include <arpa/inet.h>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastrtps/utils/IPLocator.h>
#include <fmt/core.h>
#include <ifaddrs.h>

#include <algorithm>
#include <cstring>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/log/Log.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

namespace jointrig::remote {
namespace {

namespace dds = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;

constexpr std::uint32_t kFirstPayload = 1024;  ///< room of a sample at first [bytes]; it grows
constexpr std::uint32_t kLargestMessage = 64 * 1024;  ///< of a peer [bytes]
/// Processes on this machine that are found: each listens at a port of its number.
constexpr std::uint32_t kLocalPeers = 32;
/// A killed process is forgotten after this time, which rmw_fastrtps leaves as it is, too [s].
constexpr int kParticipantSeconds = 20;
/// Between two announcements, so long does a node wait that begins later; a choice [ns].
constexpr std::uint32_t kAnnounceNs = 500'000'000;

/// A payload as it is; Fast DDS need not know what is in it.
struct Payload {
  std::span<const std::byte> out;
  std::vector<std::byte> in;
};

class PayloadType final : public dds::TopicDataType {
 public:
  explicit PayloadType(const std::string& name) {
    setName(name.c_str());
    m_typeSize = kFirstPayload;
    m_isGetKeyDefined = false;
    auto_fill_type_object(false);
    auto_fill_type_information(false);
  }
  bool serialize(void* data, rtps::SerializedPayload_t* payload) override {
    const auto& bytes = static_cast<Payload*>(data)->out;
    if (bytes.size() > payload->max_size) return false;
    std::memcpy(payload->data, bytes.data(), bytes.size());
    payload->length = static_cast<std::uint32_t>(bytes.size());
    payload->encapsulation = CDR_LE;
    return true;
  }
  bool deserialize(rtps::SerializedPayload_t* payload, void* data) override {
    if (payload->length > kLargestMessage) return false;
    const auto* first = reinterpret_cast<const std::byte*>(payload->data);
    static_cast<Payload*>(data)->in.assign(first, first + payload->length);
    return true;
  }
  std::function<std::uint32_t()> getSerializedSizeProvider(void* data) override {
    return [data] { return static_cast<std::uint32_t>(static_cast<Payload*>(data)->out.size()); };
  }
  void* createData() override { return new Payload; }
  void deleteData(void* data) override { delete static_cast<Payload*>(data); }
  bool getKey(void* /*data*/, rtps::InstanceHandle_t* /*handle*/, bool /*force*/) override {
    return false;
  }
};

/// "sensor_msgs/msg/JointState" is "sensor_msgs::msg::dds_::JointState_" on the wire.
std::string dds_name(std::string_view ros) {
  const std::size_t package = ros.find('/');
  const std::size_t name = ros.rfind('/');
  return fmt::format("{}::msg::dds_::{}_", ros.substr(0, package), ros.substr(name + 1));
}

/// Readers and writers of ROS 2 tell the hash of the type's definition in their user data.
std::vector<rtps::octet> user_data(const Ros2Type& type) {
  const std::string text = fmt::format("typehash={};", type.hash);
  return {text.begin(), text.end()};
}

class FastWriter final : public Ros2Writer {
 public:
  FastWriter(dds::Publisher& publisher, dds::Topic& topic, const Ros2Type& type, std::int32_t depth)
      : publisher_(&publisher) {
    dds::DataWriterQos qos;
    qos.reliability().kind = dds::RELIABLE_RELIABILITY_QOS;
    qos.history().kind = dds::KEEP_LAST_HISTORY_QOS;
    qos.history().depth = depth;
    qos.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    qos.user_data().setValue(user_data(type));
    writer_ = publisher.create_datawriter(&topic, qos);
    if (writer_ == nullptr) throw std::runtime_error("ros2: can't write to " + topic.get_name());
  }
  ~FastWriter() override { publisher_->delete_datawriter(writer_); }
  FastWriter(const FastWriter&) = delete;
  FastWriter& operator=(const FastWriter&) = delete;

  void write(std::span<const std::byte> cdr) override {
    Payload payload{cdr, {}};
    writer_->write(&payload);
  }
  [[nodiscard]] std::size_t readers() const override {
    dds::PublicationMatchedStatus status;
    writer_->get_publication_matched_status(status);
    return static_cast<std::size_t>(std::max(status.current_count, 0));
  }

 private:
  dds::Publisher* publisher_;
  dds::DataWriter* writer_ = nullptr;
};

class FastReader final : public Ros2Reader, private dds::DataReaderListener {
 public:
  FastReader(dds::Subscriber& subscriber, dds::Topic& topic, const Ros2Type& type,
             Ros2Delivery delivery, Take take)
      : subscriber_(&subscriber), take_(std::move(take)) {
    dds::DataReaderQos qos;
    qos.reliability().kind = delivery == Ros2Delivery::kReliable ? dds::RELIABLE_RELIABILITY_QOS
                                                                 : dds::BEST_EFFORT_RELIABILITY_QOS;
    qos.history().kind = dds::KEEP_LAST_HISTORY_QOS;
    qos.history().depth = kDepth;
    qos.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    qos.user_data().setValue(user_data(type));
    reader_ = subscriber.create_datareader(&topic, qos, this, dds::StatusMask::data_available());
    if (reader_ == nullptr) throw std::runtime_error("ros2: can't read " + topic.get_name());
  }
  ~FastReader() override {
    reader_->set_listener(nullptr);
    subscriber_->delete_datareader(reader_);
  }
  FastReader(const FastReader&) = delete;
  FastReader& operator=(const FastReader&) = delete;

 private:
  static constexpr std::int32_t kDepth = 10;

  void on_data_available(dds::DataReader* reader) override {
    dds::SampleInfo info;
    while (reader->take_next_sample(&payload_, &info) == ReturnCode_t::RETCODE_OK) {
      if (!info.valid_data) continue;
      Ros2Peer from;
      const rtps::GuidPrefix_t& prefix = info.sample_identity.writer_guid().guidPrefix;
      std::copy_n(prefix.value, from.size(), from.begin());
      take_(from, payload_.in);
    }
  }

  dds::Subscriber* subscriber_;
  Take take_;
  Payload payload_;
  dds::DataReader* reader_ = nullptr;
};

/// Fast DDS joins in silence where no interface is left.
bool has_interface(const std::string& address) {
  if (address.starts_with("127.")) return true;
  in_addr wanted{};
  ifaddrs* all = nullptr;
  if (inet_pton(AF_INET, address.c_str(), &wanted) != 1 || getifaddrs(&all) != 0) return false;
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(all, &freeifaddrs);
  for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET) continue;
    sockaddr_in here{};
    std::memcpy(&here, one->ifa_addr, sizeof here);
    if (here.sin_addr.s_addr == wanted.s_addr) return true;
  }
  return false;
}

dds::DomainParticipantQos participant_qos(const Ros2BusOptions& options) {
  dds::DomainParticipantQos qos;
  qos.name(options.participant);
  qos.transport().use_builtin_transports = false;  // no shared memory, no further interface
  const auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
  udp->interfaceWhiteList = {options.address};
  qos.transport().user_transports.push_back(udp);
  auto& builtin = qos.wire_protocol().builtin;
  builtin.discovery_config.leaseDuration = {kParticipantSeconds, 0};
  builtin.discovery_config.leaseDuration_announcementperiod = {0, kAnnounceNs};
  builtin.readerHistoryMemoryPolicy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  builtin.writerHistoryMemoryPolicy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  if (options.address.starts_with("127.")) {
    // Nodes that keep to this machine hear no multicast: each is asked at its port.
    rtps::Locator_t here;
    rtps::IPLocator::setIPv4(here, options.address);
    builtin.initialPeersList.push_back(here);
    udp->maxInitialPeersRange = kLocalPeers;
    builtin.metatrafficUnicastLocatorList.push_back(rtps::Locator_t());
  }
  return qos;
}

class FastBus final : public Ros2Bus {
 public:
  explicit FastBus(const Ros2BusOptions& options) {
    dds::Log::SetVerbosity(dds::Log::Error);
    auto* const factory = dds::DomainParticipantFactory::get_instance();
    if (has_interface(options.address)) {
      participant_ = factory->create_participant(options.domain, participant_qos(options), nullptr,
                                                 dds::StatusMask::none());
    }
    if (participant_ == nullptr) {
      throw std::runtime_error(
          fmt::format("--ros2: can't join domain {} at {}: is it the address of one of this "
                      "machine's interfaces, and is a port of the domain left?",
                      options.domain, options.address));
    }
    publisher_ = participant_->create_publisher(dds::PUBLISHER_QOS_DEFAULT);
    subscriber_ = participant_->create_subscriber(dds::SUBSCRIBER_QOS_DEFAULT);
  }
  ~FastBus() override {
    participant_->delete_contained_entities();
    dds::DomainParticipantFactory::get_instance()->delete_participant(participant_);
  }
  FastBus(const FastBus&) = delete;
  FastBus& operator=(const FastBus&) = delete;

  std::unique_ptr<Ros2Writer> write_to(const std::string& topic, const Ros2Type& type,
                                       std::int32_t depth) override {
    return std::make_unique<FastWriter>(*publisher_, topic_of(topic, type), type, depth);
  }
  std::unique_ptr<Ros2Reader> read_from(const std::string& topic, const Ros2Type& type,
                                        Ros2Delivery delivery, Ros2Reader::Take take) override {
    return std::make_unique<FastReader>(*subscriber_, topic_of(topic, type), type, delivery,
                                        std::move(take));
  }

 private:
  dds::Topic& topic_of(const std::string& name, const Ros2Type& type) {
    const std::string type_name = dds_name(type.name);
    dds::TypeSupport support(new PayloadType(type_name));
    support.register_type(participant_);
    dds::Topic* const topic =
        participant_->create_topic("rt" + name, type_name, dds::TOPIC_QOS_DEFAULT);
    if (topic == nullptr) throw std::runtime_error("ros2: there can be no topic " + name);
    return *topic;
  }

  dds::DomainParticipant* participant_ = nullptr;
  dds::Publisher* publisher_ = nullptr;
  dds::Subscriber* subscriber_ = nullptr;
};

}  // namespace

std::unique_ptr<Ros2Bus> join_ros2(const Ros2BusOptions& options) {
  return std::make_unique<FastBus>(options);
}

}  // namespace jointrig::remote
