#include "remote/ros2_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <stdexcept>
#include <vector>

#include "control/core/nearest_word.h"

namespace jointrig::remote {
namespace {

/// The highest for which the ports of DDSI-RTPS 2.5 §9.6.1.1 stay below 65536.
constexpr std::uint32_t kLargestDomain = 232;
constexpr double kLargestRate = 10'000.0;  ///< a choice; the loop's rate bounds it, too

struct TopicKey {
  std::string_view word;
  std::string Ros2Options::*topic;
  bool takes_namespace;
};
constexpr std::array<TopicKey, 7> kTopics{{
    {"joint_states", &Ros2Options::joint_states, true},
    {"clock", &Ros2Options::clock, false},
    {"wrench", &Ros2Options::wrench, true},
    {"diagnostics", &Ros2Options::diagnostics, false},
    {"joint_commands", &Ros2Options::joint_commands, true},
    {"joint_trajectory", &Ros2Options::joint_trajectory, true},
    {"twist", &Ros2Options::twist, true},
}};

template <typename T>
T number(std::string_view word, std::string_view value, T least, T most) {
  T parsed{};
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), parsed);
  const bool is_whole = error == std::errc() && end == value.data() + value.size();
  if (is_whole && parsed >= least && parsed <= most) return parsed;
  throw std::invalid_argument(
      fmt::format("{} is \"{}\": give a number from {} to {}", word, value, least, most));
}

/// As of rcl: words of letters, digits and _ with one / before each, none beginning with a digit.
std::string topic_name(std::string_view word, std::string_view value) {
  char before = 0;
  bool is_name = value.size() > 1 && value.front() == '/' && value.back() != '/';
  for (const char c : value) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    const bool is_digit = c >= '0' && c <= '9';
    is_name = is_name && (is_letter || is_digit || c == '/') && (before != '/' || is_letter);
    before = c;
  }
  if (is_name) return std::string(value);
  throw std::invalid_argument(
      fmt::format("--ros2 {} is \"{}\": give a name of ROS, /left/joint_states say", word, value));
}

std::string ip_address(std::string_view value) {
  std::size_t parts = 0;
  for (std::string_view rest = value; !rest.empty() || parts == 0; ++parts) {
    const std::size_t dot = std::min(rest.find('.'), rest.size());
    static_cast<void>(number<int>("--ros2 unprotected", rest.substr(0, dot), 0, 255));
    rest.remove_prefix(std::min(dot + 1, rest.size()));
  }
  if (parts == 4 && value.back() != '.') return std::string(value);
  throw std::invalid_argument(fmt::format(
      "--ros2 unprotected is \"{}\": give the IPv4 address of an interface, 192.168.1.20 say",
      value));
}

[[noreturn]] void refuse_key(std::string_view word) {
  std::vector<std::string> known{"domain", "rate", "namespace", "unprotected"};
  for (const TopicKey& key : kTopics) known.emplace_back(key.word);
  throw std::invalid_argument(
      fmt::format("--ros2 knows no \"{}\"{}", word, did_you_mean(word, known)));
}

class Reading {
 public:
  void read(std::string_view pair) {
    const std::size_t equals = pair.find('=');
    const std::string_view word = pair.substr(0, equals);
    if (equals == std::string_view::npos) {
      throw std::invalid_argument(
          fmt::format("--ros2 has \"{}\": give KEY=VALUE, domain=5 say", pair));
    }
    if (!met_.insert(std::string(word)).second) {
      throw std::invalid_argument(fmt::format("--ros2 has {} twice", word));
    }
    set(word, pair.substr(equals + 1));
  }
  Ros2Options finished() {
    for (const TopicKey& key : kTopics) {
      const bool is_named = met_.count(std::string(key.word)) != 0;
      if (key.takes_namespace && !is_named) options_.*key.topic = space_ + options_.*key.topic;
    }
    return options_;
  }
  [[nodiscard]] bool has(const std::string& word) const { return met_.count(word) != 0; }
  void set_domain(std::string_view word, std::string_view value) {
    options_.domain = number<std::uint32_t>(word, value, 0, kLargestDomain);
  }

 private:
  void set(std::string_view word, std::string_view value) {
    if (word == "domain") return set_domain("--ros2 domain", value);
    if (word == "rate") {
      options_.rate = number<double>("--ros2 rate", value, 1.0, kLargestRate);
      return;
    }
    if (word == "namespace") {
      space_ = topic_name(word, value);
      return;
    }
    if (word == "unprotected") {
      options_.address = ip_address(value);
      return;
    }
    const auto* const key = std::find_if(kTopics.begin(), kTopics.end(),
                                         [&](const TopicKey& one) { return one.word == word; });
    if (key == kTopics.end()) refuse_key(word);
    options_.*key->topic = topic_name(word, value);
  }

  Ros2Options options_;
  std::string space_;
  std::set<std::string> met_;
};

}  // namespace

Ros2Options read_ros2_options(std::string_view text, std::string_view ros_domain_id) {
  Reading reading;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    reading.read(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  if (!reading.has("domain") && !ros_domain_id.empty()) {
    reading.set_domain("ROS_DOMAIN_ID", ros_domain_id);
  }
  return reading.finished();
}

std::string ros_word(const std::string& name) {
  std::string word;
  for (const char c : name) {
    const bool is_plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    word += is_plain ? c : '_';
  }
  return word.empty() || (word[0] >= '0' && word[0] <= '9') ? "_" + word : word;
}

}  // namespace jointrig::remote
