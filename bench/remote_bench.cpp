// remote_bench server ROBOT | echo PORT N | stream PORT N | load PORT CLIENTS SECONDS |
//              reconnect PORT N SECONDS | frames PORT N SECONDS
//
// The parts of bench/remote.py: a served robot with a bare echo of gRPC in the same process, and
// what is done to them from other processes. Each prints a line of JSON at its end; the server
// answers each line `reset` and `summary` on its input.
#include <arpa/inet.h>
#include <fmt/core.h>
#include <grpcpp/grpcpp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <fstream>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "app/rig/robot_loading.h"
#include "app/serve/served_loop.h"
#include "remote/client.h"
#include "remote/robot.grpc.pb.h"
#include "remote/served_robot.h"

namespace jointrig::bench {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
namespace v1 = remote::v1;

std::string loopback(const std::string& port) { return "127.0.0.1:" + port; }

std::shared_ptr<grpc::Channel> channel_to(const std::string& port) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // a connection of its own
  return grpc::CreateCustomChannel(loopback(port), grpc::InsecureChannelCredentials(), arguments);
}

double us_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

void print_quantiles(std::vector<double> us) {
  std::sort(us.begin(), us.end());
  const auto at = [&](double share) {
    return us[static_cast<std::size_t>(share * static_cast<double>(us.size() - 1))];
  };
  fmt::print("{{\"count\": {}, \"p50_us\": {:.2f}, \"p99_us\": {:.2f}}}\n", us.size(), at(0.5),
             at(0.99));
}

// The server --------------------------------------------------------------------------------------

/// gRPC without anything of ours behind it.
class Echo final : public v1::Robot::Service {
  grpc::Status Control(grpc::ServerContext* /*context*/,
                       grpc::ServerReaderWriter<v1::Reply, v1::Wish>* stream) override {
    v1::Reply reply;
    for (v1::Wish wish; stream->Read(&wish);) {
      *reply.mutable_alive() = wish.alive();
      if (!stream->Write(reply)) break;
    }
    return grpc::Status::OK;
  }
};

/// A number of this process, as /proc names it.
long of_this_process(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name + ":")) return std::stol(line.substr(name.size() + 1));
  }
  return 0;
}

/// Quantiles of a histogram from a moment on, which goes on counting all that was before.
class Since {
 public:
  explicit Since(const DurationHistogram& histogram)
      : histogram_(&histogram), before_(counts(histogram)) {}

  [[nodiscard]] double quantile_us(double share) const {
    std::vector<std::uint64_t> more = counts(*histogram_);
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < more.size(); ++i) all += (more[i] -= before_[i]);
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < more.size(); ++i) {
      below += more[i];
      if (static_cast<double>(below) >= share * static_cast<double>(all)) return 1e-3 * edge(i + 1);
    }
    return 0.0;
  }

 private:
  static constexpr std::size_t kSteps = 700;  // of 2 %, from 0.5 µs to 0.5 s
  static double edge(std::size_t i) { return 500.0 * std::pow(1.02, static_cast<double>(i)); }
  static std::vector<std::uint64_t> counts(const DurationHistogram& histogram) {
    std::vector<std::uint64_t> all;
    for (std::size_t i = 0; i < kSteps; ++i) {
      const double from = i == 0 ? 0.0 : edge(i);
      all.push_back(histogram.count_between(static_cast<std::int64_t>(from),
                                            static_cast<std::int64_t>(edge(i + 1))));
    }
    return all;
  }

  const DurationHistogram* histogram_;
  std::vector<std::uint64_t> before_;
};

void print_summary(app::ServedLoop& loop, const Since& cycle, const Since& late) {
  fmt::print(
      "{{\"cycle_p50_us\": {:.2f}, \"cycle_p99_us\": {:.2f}, \"late_p50_us\": {:.2f}, "
      "\"late_p99_us\": {:.2f}, \"cycles\": {}, \"rss_kB\": {}, \"threads\": {}}}\n",
      cycle.quantile_us(0.5), cycle.quantile_us(0.99), late.quantile_us(0.5),
      late.quantile_us(0.99), loop.rig().loop().statistics().summary().cycle.count,
      of_this_process("VmRSS"), of_this_process("Threads"));
  std::fflush(stdout);
}

int serve(const std::string& robot) {
  const RobotConfig config = app::load_robot(harness::find_robot(robot)).config;
  app::ServedLoop loop(config, BackendKind::kSim, std::nullopt);
  remote::ServerOptions options;
  options.listen = "127.0.0.1:0";
  const auto server = remote::make_server(loop.serving().served(), options);
  Echo echo;
  int echo_port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &echo_port);
  builder.RegisterService(&echo);
  const std::unique_ptr<grpc::Server> echo_server = builder.BuildAndStart();
  app::RealtimeOptions realtime;
  realtime.lock_untouched = false;
  const app::RealtimeSetup setup = loop.start(realtime);
  fmt::print("{{\"port\": {}, \"echo_port\": {}, \"priority\": {}}}\n", server->port(), echo_port,
             setup.priority);
  std::fflush(stdout);
  const LoopStatistics& statistics = loop.rig().loop().statistics();
  Since cycle(statistics.cycle());
  Since late(statistics.late());
  for (std::string line; std::getline(std::cin, line);) {
    if (line == "reset") {
      cycle = Since(statistics.cycle());
      late = Since(statistics.late());
    }
    if (line == "summary") print_summary(loop, cycle, late);
  }
  echo_server->Shutdown();
  return 0;
}

// Round trips -------------------------------------------------------------------------------------

int measure_echo(const std::string& port, int count) {
  const auto stub = v1::Robot::NewStub(channel_to(port));
  grpc::ClientContext context;
  const auto stream = stub->Control(&context);
  v1::Wish wish;
  v1::Reply reply;
  std::vector<double> us;
  for (int i = 0; i < count + count / 10; ++i) {
    wish.mutable_alive()->set_number(static_cast<std::uint64_t>(i));
    const auto begin = Clock::now();
    if (!stream->Write(wish) || !stream->Read(&reply)) throw std::runtime_error("no echo");
    if (i >= count / 10) us.push_back(us_since(begin));
  }
  stream->WritesDone();
  stream->Finish();
  print_quantiles(std::move(us));
  return 0;
}

remote::ClientOptions client_of(const std::string& port, const std::string& name, double rate) {
  remote::ClientOptions options;
  options.address = loopback(port);
  options.name = name;
  options.rate = rate;
  return options;
}

int measure_stream(const std::string& port, int count) {
  remote::Client client(client_of(port, "bench", 10.0));
  std::vector<double> us;
  for (int i = 0; i < count + count / 10; ++i) {
    const auto begin = Clock::now();
    static_cast<void>(client.round_trip());
    if (i >= count / 10) us.push_back(us_since(begin));
  }
  print_quantiles(std::move(us));
  return 0;
}

// Load --------------------------------------------------------------------------------------------

/// Clients that get each cycle's state; the first holds the lease and streams a position to all
/// joints with each.
int load(const std::string& port, int clients, double seconds) {
  std::vector<std::unique_ptr<remote::Client>> all;
  for (int i = 0; i < clients; ++i) {
    all.push_back(std::make_unique<remote::Client>(client_of(port, fmt::format("load{}", i), 0.0)));
  }
  remote::Client& holder = *all.front();
  holder.take();
  SetMode mode;
  StreamPosition stream;
  const auto snapshot = std::make_unique<Snapshot>();
  holder.newest(*snapshot);
  for (std::size_t i = 0; i < snapshot->joints.size(); ++i) {
    mode.joints.set(i);
    stream.joints.set(i);
    stream.values.push_back({snapshot->joints[i].reference.q});
  }
  mode.mode = ModeRequest::kPositionDirect;
  if (!holder.answer(holder.post(mode)).accepted) throw std::runtime_error("mode refused");
  std::this_thread::sleep_for(milliseconds(100));
  const auto begin = Clock::now();
  auto due = begin;
  std::uint64_t sent = 0;
  while (us_since(begin) < seconds * 1e6) {
    holder.post(stream);
    ++sent;
    due += milliseconds(1);
    std::this_thread::sleep_until(due);
  }
  std::uint64_t dropped = 0;
  for (const auto& client : all) dropped += client->states_dropped();
  fmt::print("{{\"clients\": {}, \"commands\": {}, \"refused\": {}, \"states_dropped\": {}}}\n",
             clients, sent, holder.take_refusals().size(), dropped);
  return 0;
}

// Abuse -------------------------------------------------------------------------------------------

int reconnect(const std::string& port, int count, double seconds) {
  const auto begin = Clock::now();
  int done = 0;
  int leases = 0;
  for (; done < count && us_since(begin) < seconds * 1e6; ++done) {
    remote::Client client(client_of(port, "again", 10.0));
    if (done % 2 != 0) continue;  // the others leave without a lease
    client.take(/*by_force=*/true);
    ++leases;
  }
  fmt::print("{{\"reconnects\": {}, \"leases\": {}, \"seconds\": {:.1f}}}\n", done, leases,
             us_since(begin) * 1e-6);
  return 0;
}

class Random {
 public:
  std::size_t below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(engine_);
  }
  std::string bytes(std::size_t most) {
    std::string bytes(below(most + 1), '\0');
    for (char& byte : bytes) byte = static_cast<char>(below(256));
    return bytes;
  }

 private:
  std::mt19937 engine_{20260};
};

/// A connection of HTTP/2 and as many frames of any type and content as it takes.
int raw_frames(const std::string& port, Random& random, int most) {
  const int handle = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(port)));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int sent = 0;
  if (connect(handle, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    std::string bytes = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + std::string("\0\0\0\4\0\0\0\0\0", 9);
    for (; sent < most; ++sent) {
      const std::string body = random.bytes(60);
      bytes += std::string{'\0', '\0', static_cast<char>(body.size())};
      bytes += static_cast<char>(random.below(11));   // its type
      bytes += static_cast<char>(random.below(256));  // flags
      bytes += std::string{'\0', '\0', '\0', static_cast<char>(random.below(6))} + body;
    }
    static_cast<void>(send(handle, bytes.data(), bytes.size(), MSG_NOSIGNAL));
  }
  close(handle);
  return sent;
}

std::string odd_command(Random& random, std::uint64_t number) {
  static const char* const kKinds[] = {"move", "set_mode", "torque", "follow_plan", "x", ""};
  static const char* const kFields[] = {"goal", "speed", "mode", "torque", "slot", ""};
  v1::Wish wish;
  v1::Command& command = *wish.mutable_command();
  command.set_kind(kKinds[random.below(6)]);
  command.set_epoch(random.below(3));
  command.set_number(number);
  for (std::size_t i = random.below(4); i > 0; --i)
    command.add_joints(random.below(2) ? "all" : "?");
  for (std::size_t i = random.below(4); i > 0; --i) {
    v1::Field& field = *command.add_fields();
    field.set_name(kFields[random.below(6)]);
    field.add_numbers(random.below(2) ? 1e308 : -1.0);
    if (random.below(3) == 0) field.add_words("position");
  }
  std::string bytes = wish.SerializeAsString();
  if (random.below(20) == 0 && !bytes.empty()) bytes[random.below(bytes.size())] ^= 0x55;
  return bytes;
}

grpc::ByteBuffer buffer_of(const std::string& bytes) {
  const grpc::Slice slice(bytes);
  return {&slice, 1};
}

/// A stream of Control with commands of any content, until the server ends it.
int odd_messages(const std::shared_ptr<grpc::Channel>& channel, Random& random, int most) {
  grpc::ClientContext context;
  const grpc::internal::RpcMethod method("/jointrig.remote.v1.Robot/Control",
                                         grpc::internal::RpcMethod::BIDI_STREAMING, channel);
  using Factory = grpc::internal::ClientReaderWriterFactory<grpc::ByteBuffer, grpc::ByteBuffer>;
  const std::unique_ptr<grpc::ClientReaderWriter<grpc::ByteBuffer, grpc::ByteBuffer>> stream(
      Factory::Create(channel.get(), method, &context));
  v1::Wish hello;
  hello.mutable_hello()->set_name("odd");
  stream->Write(buffer_of(hello.SerializeAsString()));
  std::jthread reader([&] {
    for (grpc::ByteBuffer reply; stream->Read(&reply);) reply.Clear();
  });
  int sent = 0;
  while (sent < most &&
         stream->Write(buffer_of(odd_command(random, static_cast<std::uint64_t>(sent) + 1)))) {
    ++sent;
  }
  stream->WritesDone();
  reader.join();
  stream->Finish();
  return sent;
}

int frames(const std::string& port, int count, double seconds) {
  const auto begin = Clock::now();
  const auto channel = channel_to(port);
  Random random;
  int raw = 0;
  int messages = 0;
  int streams = 0;
  while (raw + messages < count && us_since(begin) < seconds * 1e6) {
    raw += raw_frames(port, random, 100);
    messages += odd_messages(channel, random, 1000);
    ++streams;
  }
  fmt::print("{{\"raw_frames\": {}, \"messages\": {}, \"streams\": {}, \"seconds\": {:.1f}}}\n",
             raw, messages, streams, us_since(begin) * 1e-6);
  return 0;
}

int run(const std::vector<std::string>& words) {
  const auto number = [&](std::size_t i) { return std::stod(words.at(i)); };
  const auto count = [&](std::size_t i) { return std::stoi(words.at(i)); };
  const std::string verb = words.empty() ? "" : words[0];
  if (verb == "server") return serve(words.at(1));
  if (verb == "echo") return measure_echo(words.at(1), count(2));
  if (verb == "stream") return measure_stream(words.at(1), count(2));
  if (verb == "load") return load(words.at(1), count(2), number(3));
  if (verb == "reconnect") return reconnect(words.at(1), count(2), number(3));
  if (verb == "frames") return frames(words.at(1), count(2), number(3));
  throw std::invalid_argument("no part \"" + verb +
                              "\": the head of bench/remote_bench.cpp has them");
}

}  // namespace
}  // namespace jointrig::bench

int main(int count, char** arguments) {
  try {
    return jointrig::bench::run({arguments + 1, arguments + count});
  } catch (const std::exception& problem) {
    std::cerr << "remote_bench: " << problem.what() << '\n';
    return 2;
  }
}
