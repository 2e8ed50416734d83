/// Bytes from a port that anyone on the machine reaches cause neither a crash nor a motion.

#include <arpa/inet.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>
#include <limits>
#include <random>

#include "remote/robot.grpc.pb.h"
#include "tests/remote/served_rig.h"

namespace jointrig::remote {
namespace {

using jointrig::testing::ServedRig;
using std::chrono::milliseconds;

/// A connection to the loopback; closed at the end.
class Socket {
 public:
  explicit Socket(int port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_open_ = connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  ~Socket() { close(socket_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  [[nodiscard]] bool is_open() const { return is_open_; }
  void send_all(const std::string& bytes) const {
    static_cast<void>(send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL));
  }

 private:
  int socket_;
  bool is_open_ = false;
};

class Fuzz : public ::testing::Test {
 protected:
  /// The robot stands at its start, and takes commands of who asks rightly.
  void expect_whole() {
    Client client(served_.options("judge"));
    const auto snapshot = std::make_unique<Snapshot>();
    client.newest(*snapshot);
    for (const JointSnapshot& joint : snapshot->joints) {
      EXPECT_EQ(joint.mode, JointMode::kIdle);
      EXPECT_EQ(joint.state.q, 0.0);
    }
    client.take();
    SetMode mode;
    mode.joints.set(0);
    mode.mode = ModeRequest::kPosition;
    EXPECT_TRUE(client.answer(client.post(mode)).accepted);
  }
  std::string random_bytes(std::size_t most) {
    std::string bytes(std::uniform_int_distribution<std::size_t>(0, most)(random_), '\0');
    for (char& byte : bytes)
      byte = static_cast<char>(std::uniform_int_distribution(0, 255)(random_));
    return bytes;
  }
  template <typename Choice>
  Choice one_of(std::initializer_list<Choice> choices) {
    return choices
        .begin()[std::uniform_int_distribution<std::size_t>(0, choices.size() - 1)(random_)];
  }

  ServedRig served_;
  std::mt19937 random_{20260};
};

TEST_F(Fuzz, BytesThatAreNoHttpEndTheConnectionAlone) {
  for (int i = 0; i < 200; ++i) {
    const Socket socket(served_.port());
    ASSERT_TRUE(socket.is_open());
    socket.send_all(random_bytes(2000));
  }
  expect_whole();
}

TEST_F(Fuzz, FramesOfHttp2WithAnythingInThem) {
  for (int i = 0; i < 200; ++i) {
    const Socket socket(served_.port());
    ASSERT_TRUE(socket.is_open());
    socket.send_all("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    socket.send_all(std::string("\0\0\0\4\0\0\0\0\0", 9));  // empty settings
    for (int k = 0; k < 20; ++k) {
      const std::string body = random_bytes(60);
      std::string frame{'\0', '\0', static_cast<char>(body.size())};
      frame += static_cast<char>(std::uniform_int_distribution(0, 10)(random_));  // its type
      frame += random_bytes(1).append(1, '\0').substr(0, 1);                      // flags
      frame += std::string("\0\0\0", 3) + static_cast<char>(one_of({0, 1, 3, 5}));
      socket.send_all(frame + body);
    }
  }
  expect_whole();
}

TEST_F(Fuzz, HalfOpenConnectionsDoNotKeepOthersOut) {
  std::vector<std::unique_ptr<Socket>> silent;
  for (int i = 0; i < 200; ++i) silent.push_back(std::make_unique<Socket>(served_.port()));
  expect_whole();
}

TEST_F(Fuzz, WishesOfAnyContentMoveNothing) {
  const auto channel = grpc::CreateChannel("127.0.0.1:" + std::to_string(served_.port()),
                                           grpc::InsecureChannelCredentials());
  const auto stub = v1::Robot::NewStub(channel);
  const double wild[] = {0.0, -1.0, 1e308, std::numeric_limits<double>::quiet_NaN(),
                         std::numeric_limits<double>::infinity()};
  int answered = 0;
  for (int round = 0; round < 20; ++round) {
    grpc::ClientContext context;
    const auto stream = stub->Control(&context);
    v1::Wish wish;
    wish.mutable_hello()->set_name(
        one_of({"", "a", "\x1b[31m\n", "a name that is far too long to be shown"}));
    stream->Write(wish);
    for (int i = 0; i < 150; ++i) {
      v1::Command& command = *wish.mutable_command();
      command.Clear();
      command.set_epoch(one_of<std::uint64_t>({0, 1, 2, ~0ULL}));
      command.set_number(one_of<std::uint64_t>({0, 1, 5, ~0ULL}) + static_cast<std::uint64_t>(i));
      command.set_kind(one_of({"move", "set_mode", "torque", "stop it", "", "follow_plan"}));
      for (int k = one_of({0, 1, 5, 300}); k > 0; --k) {
        command.add_joints(one_of({"all", "j0", "j1", "nobody", ""}));
      }
      for (int k = one_of({0, 1, 2, 4}); k > 0; --k) {
        v1::Field& field = *command.add_fields();
        field.set_name(one_of({"goal", "speed", "mode", "torque", "slot", ""}));
        for (int n = one_of({0, 1, 2, 500}); n > 0; --n) {
          field.add_numbers(wild[std::uniform_int_distribution(0, 4)(random_)]);
        }
        if (one_of({0, 1}) == 1) field.add_words(one_of({"position", "torque", "x", ""}));
      }
      if (!stream->Write(wish)) break;
    }
    stream->WritesDone();
    v1::Reply reply;
    while (stream->Read(&reply)) answered += reply.has_answer() ? 1 : 0;
    stream->Finish();
  }
  // Not all: where the server ends a stream, answers to wishes that were under way are lost.
  EXPECT_GT(answered, 100);
  expect_whole();
}

TEST(Plans, AreMadeUnderTheEpochOfTheLeaseAlone) {
  int planned = 0;
  ServedRig served({}, 2, [&](const auto& /*trajectory*/, const auto& /*is_wanted*/) {
    ++planned;
    return PlannedMotion{};
  });
  const auto channel = grpc::CreateChannel("127.0.0.1:" + std::to_string(served.port()),
                                           grpc::InsecureChannelCredentials());
  const auto stub = v1::Robot::NewStub(channel);
  const auto code_under = [&](std::uint64_t epoch) {
    v1::Trajectory trajectory;
    trajectory.set_epoch(epoch);
    trajectory.add_joints("all");
    trajectory.add_waypoints()->mutable_q()->Resize(2, 0.1);
    grpc::ClientContext context;
    v1::PlanTicket ticket;
    return stub->Plan(&context, trajectory, &ticket).error_code();
  };
  EXPECT_EQ(code_under(0), grpc::StatusCode::FAILED_PRECONDITION) << "nobody holds it";
  Client holder(served.options("anna"));
  holder.take();
  EXPECT_EQ(code_under(holder.lease().epoch + 1), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(planned, 0);
  EXPECT_EQ(code_under(holder.lease().epoch), grpc::StatusCode::OK);
  EXPECT_EQ(planned, 1);
}

long status_of_process(const std::string& what) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(what)) return std::stol(line.substr(what.size()));
  }
  return 0;
}
/// Memory of this process [kB].
long resident_kB() { return status_of_process("VmRSS:"); }

/// bench/remote.py does it ten thousand times.
TEST(Reconnect, ClientsThatComeAndGoLeaveNoMemoryAndNoThreadsBehind) {
  ServedRig served;
  const auto come_and_go = [&](int times) {
    for (int i = 0; i < times; ++i) {
      Client client(served.options("again"));
      if (i % 2 == 0) client.take(/*by_force=*/true);
    }
  };
  come_and_go(40);  // what is allocated once
  const long before = resident_kB();
  come_and_go(80);
  EXPECT_LT(resident_kB() - before, 3000);
  EXPECT_LT(status_of_process("Threads:"), 60);
  Client client(served.options("last"));
  client.take(/*by_force=*/true);
  EXPECT_TRUE(client.answer(client.post(SetSpeedOverride{0.5})).accepted);
}

TEST(SlowReader, OneThatNeverReadsCostsNoMemoryAndIsToldWhatItMissed) {
  constexpr std::size_t kJoints = 60;  // some 11 kB a state, 11 MB a second
  ServedRig served({}, kJoints);
  const auto channel = grpc::CreateChannel("127.0.0.1:" + std::to_string(served.port()),
                                           grpc::InsecureChannelCredentials());
  const auto stub = v1::Robot::NewStub(channel);
  grpc::ClientContext context;
  const auto states = stub->WatchState(&context, v1::StateRequest{});  // each cycle
  v1::State state;
  ASSERT_TRUE(states->Read(&state));
  EXPECT_GT(state.ByteSizeLong(), 8000U);
  const std::uint64_t first = state.cycle() - state.dropped();
  std::this_thread::sleep_for(milliseconds(700));  // until its window and the buffers are full
  const long before = resident_kB();
  std::this_thread::sleep_for(milliseconds(1000));
  EXPECT_LT(resident_kB() - before, 3000) << "it would be 11,000 kB if states were kept for it";
  std::uint64_t read = 0;
  std::size_t waiting_bytes = 0;  // sent before the first one was dropped
  while (state.cycle() < first + 1900 && states->Read(&state)) {
    ++read;
    if (state.dropped() < 100) waiting_bytes += state.ByteSizeLong();
  }
  EXPECT_LT(waiting_bytes, 6'000'000U);
  EXPECT_GT(state.dropped(), 100U);
  EXPECT_EQ(state.cycle() - first, read + state.dropped()) << "each is read or told as dropped";
  context.TryCancel();
}

}  // namespace
}  // namespace jointrig::remote
