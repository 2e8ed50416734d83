#include "app/gui/plot_export.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>

#include "harness/log/mcap/cdr.h"
#include "harness/log/mcap/mcap_writer.h"

namespace jointrig::app {
namespace {

struct RemovedAtEnd {
  std::string path;
  ~RemovedAtEnd() {
    std::error_code ignored;  // it has its final name, or never began
    std::filesystem::remove(path, ignored);
  }
};

struct Topic {
  harness::ChannelId channel = 0;
  std::vector<std::size_t> signals;
};

/// By topic, each signal once.
std::vector<Topic> open_topics(const gui::History& history, const std::vector<std::size_t>& signals,
                               harness::McapWriter& log) {
  std::map<std::string, std::vector<std::size_t>> by_topic;
  for (const std::size_t signal : signals) {
    std::vector<std::size_t>& known = by_topic[history.place(signal).topic];
    if (std::find(known.begin(), known.end(), signal) == known.end()) known.push_back(signal);
  }
  std::vector<Topic> topics;
  for (const auto& [topic, of_topic] : by_topic) {
    std::vector<harness::MessageField> fields;
    for (const std::size_t signal : of_topic) {
      fields.push_back(
          {.name = history.place(signal).field, .unit = std::string(history.si_unit(signal))});
    }
    const auto schema = std::make_shared<const harness::MessageSchema>(
        fmt::format("jointrig_msgs/msg/Plotted{}", topics.size()), std::move(fields));
    topics.push_back({log.add_channel(topic, schema), of_topic});
  }
  return topics;
}

}  // namespace

std::uint64_t write_plots_mcap(const gui::History& history, const std::vector<std::size_t>& signals,
                               double from, double to, const std::string& path) {
  // Beside it first: what a full disk cuts off is no export.
  const std::string beside = path + ".new";
  const RemovedAtEnd removed{beside};
  harness::McapWriter log(beside);
  const std::vector<Topic> topics = open_topics(history, signals, log);
  std::vector<std::byte> room(harness::kCdrHeaderBytes +
                              sizeof(double) * std::max<std::size_t>(1, signals.size()));
  std::map<std::size_t, gui::SampleReader> samples;
  for (const std::size_t signal : signals) samples.try_emplace(signal, history.series(signal));
  const gui::SampleSpan span = gui::samples_between(history, from, to);
  for (std::uint64_t i = span.from; i < span.to; ++i) {
    const auto time_ns = static_cast<std::int64_t>(
        std::llround(1e9 * std::max(0.0, history.robot_time(history.time_of(i)))));
    for (const Topic& topic : topics) {
      harness::CdrWriter message(room);
      for (const std::size_t signal : topic.signals) {
        message.put(static_cast<double>(samples.at(signal).at_or_missing(i)) /
                    history.per_si(signal));
      }
      log.write(topic.channel, time_ns, message.bytes());
    }
  }
  const harness::McapStatus status = log.close();
  if (!status.ok) throw std::runtime_error("nothing exported: " + status.message);
  std::filesystem::rename(beside, path);
  return status.written;
}

}  // namespace jointrig::app
