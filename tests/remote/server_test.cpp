/// The server and its client, over the loopback.

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>

#include "tests/remote/served_rig.h"

namespace jointrig::remote {
namespace {

using jointrig::testing::ServedRig;
using std::chrono::milliseconds;

constexpr milliseconds kLong{5000};

JointSet all_of(const Client& client) {
  JointSet all;
  for (std::size_t i = 0; i < client.facts().config.joints.size(); ++i) all.set(i);
  return all;
}
SetMode mode_of(const Client& client, ModeRequest mode) { return {all_of(client), mode}; }

Move move_to(const Client& client, double q) {
  Move move;
  move.joints = all_of(client);
  for (std::size_t i = 0; i < client.facts().config.joints.size(); ++i) {
    move.values.push_back({q, 0.5});
  }
  return move;
}

bool wait_until(const std::function<bool()>& is_so) {
  for (int i = 0; i < 500; ++i) {
    if (is_so()) return true;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return false;
}

double q_of(const Client& client) {
  const auto snapshot = std::make_unique<Snapshot>();
  client.newest(*snapshot);
  return snapshot->joints[0].reference.q;
}

/// Takes position and waits until the motors are on.
void enter_position(Client& client) {
  ASSERT_TRUE(client.answer(client.post(mode_of(client, ModeRequest::kPosition))).accepted);
  const auto snapshot = std::make_unique<Snapshot>();
  ASSERT_TRUE(wait_until([&] {
    client.newest(*snapshot);
    return snapshot->joints[0].mode == JointMode::kPosition;
  }));
}

/// Sentences of lease events so far.
std::string lease_events(Client& client) {
  std::string all;
  for (const EventRecord& event : client.take_events()) {
    if (event.kind.starts_with("lease")) all += event.sentence + "\n";
  }
  return all;
}

TEST(Server, TheHolderMovesTheRobotAndAWatcherSeesIt) {
  ServedRig served;
  Client holder(served.options("anna"));
  Client watcher(served.options("ben", 0.0));
  EXPECT_EQ(watcher.facts().config.joints.size(), 2U);
  holder.take();
  enter_position(holder);
  EXPECT_TRUE(holder.answer(holder.post(move_to(holder, 0.2))).accepted);
  EXPECT_TRUE(wait_until([&] { return std::abs(q_of(watcher) - 0.2) < 1e-6; }));
  EXPECT_EQ(watcher.lease().holder, "anna");
}

TEST(Server, AnAnswerThatSomebodyWillAskForIsNoneOfTheRefusals) {
  ServedRig served;
  std::atomic<int> changes{0};
  ClientOptions options = served.options("anna");
  options.on_change = [&] { ++changes; };
  Client client(options);
  client.take();
  const std::uint64_t asked = client.post(move_to(client, 0.2), AnswerTo::kAsker);
  const std::uint64_t left = client.post(move_to(client, 0.2));
  static_cast<void>(client.round_trip());
  std::vector<CommandAnswer> refusals;
  EXPECT_TRUE(wait_until([&] {
    for (CommandAnswer& one : client.take_refusals()) refusals.push_back(std::move(one));
    return !refusals.empty();
  }));
  ASSERT_EQ(refusals.size(), 1U);
  EXPECT_EQ(refusals.front().number, left);
  const std::optional<CommandAnswer> answer = client.try_answer(asked);
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->event.reason, "wrong_mode");
  EXPECT_FALSE(client.try_answer(asked).has_value());
  EXPECT_GT(changes.load(), 2);
  // Nobody asks any more.
  const std::uint64_t given_up = client.post(move_to(client, 0.2), AnswerTo::kAsker);
  client.leave_answer(given_up);
  EXPECT_TRUE(wait_until([&] {
    for (CommandAnswer& one : client.take_refusals()) refusals.push_back(std::move(one));
    return refusals.size() == 2;
  }));
  EXPECT_EQ(refusals.back().number, given_up);
}

TEST(Server, ARefusalOfTheLoopComesWithItsSentenceAndReason) {
  ServedRig served;
  Client client(served.options("anna"));
  client.take();
  const CommandAnswer answer = client.answer(client.post(move_to(client, 0.2)));
  EXPECT_FALSE(answer.accepted);
  EXPECT_EQ(answer.event.reason, "wrong_mode");
  EXPECT_NE(answer.event.sentence.find("rejected move"), std::string::npos);
}

TEST(Server, WithoutTheLeaseNothingMovesAndEverybodyMayStop) {
  ServedRig served;
  Client holder(served.options("anna"));
  Client watcher(served.options("ben"));
  holder.take();
  EXPECT_THROW(watcher.post(mode_of(watcher, ModeRequest::kPosition)), NoLease);
  EXPECT_THROW(watcher.take(), NoLease);
  // A client that doesn't heed the rules: the server does.
  EXPECT_EQ(watcher.answer(watcher.post(mode_of(watcher, ModeRequest::kPosition), 0)).event.reason,
            "no_lease");
  EXPECT_EQ(watcher.answer(watcher.post(mode_of(watcher, ModeRequest::kPosition), 1)).event.reason,
            "stale_epoch");
  EXPECT_TRUE(watcher.answer(watcher.post(Stop{all_of(watcher)})).accepted);
  EXPECT_TRUE(wait_until([&] { return holder.lease().holder.empty(); }));
  EXPECT_THROW(holder.post(move_to(holder, 0.1)), NoLease) << "who was stopped takes it again";
}

TEST(Server, ATakeoverIsToldToBothAndTheFormerEpochIsRefusedByName) {
  ServedRig served;
  Client anna(served.options("anna"));
  Client ben(served.options("ben"));
  anna.take();
  const std::uint64_t epoch = anna.lease().epoch;
  ben.take(/*by_force=*/true);
  EXPECT_EQ(ben.lease().epoch, epoch + 1);
  EXPECT_TRUE(wait_until([&] { return anna.lease().holder == "ben"; }));
  EXPECT_FALSE(anna.lease().is_mine);
  const CommandAnswer answer = anna.answer(anna.post(mode_of(anna, ModeRequest::kPosition), epoch));
  EXPECT_EQ(answer.event.reason, "stale_epoch");
  EXPECT_NE(answer.event.sentence.find("ben holds it"), std::string::npos) << answer.event.sentence;
  std::this_thread::sleep_for(milliseconds(50));
  for (Client* client : {&anna, &ben}) {
    const std::string told = lease_events(*client);
    EXPECT_NE(
        told.find("robot: remote1:anna lost the lease (epoch 1): another client took it over\n"
                  "robot: remote2:ben took the lease (epoch 2)\n"),
        std::string::npos)
        << told;
  }
}

Trajectory through(std::initializer_list<double> q) {
  Trajectory trajectory;
  trajectory.joints.set(0);
  for (const double one : q) {
    Waypoint to;
    to.q = {one};
    trajectory.waypoints.push_back(to);
  }
  return trajectory;
}

TEST(Server, APlanThatTakesLongCostsItsHolderNoLeaseAndItsRemarkIsInTheRefusal) {
  Trajectory asked;
  ServedRig served({}, 2, [&](const Trajectory& trajectory, const auto& /*is_wanted*/) {
    asked = trajectory;
    std::this_thread::sleep_for(milliseconds(500));
    return PlannedMotion{{trajectory.joints, 0, 0}, "a remark"};  // a ticket of no plan
  });
  Client holder(served.options("anna"));
  Client watcher(served.options("ben"));
  holder.take();
  enter_position(holder);
  const CommandAnswer answer = holder.answer(holder.follow(through({0.1, 0.3})));
  EXPECT_EQ(answer.event.reason, "no_plan");
  EXPECT_TRUE(answer.event.sentence.ends_with(" (a remark)")) << answer.event.sentence;
  EXPECT_TRUE(holder.lease().is_mine) << "signs of life went on";
  ASSERT_EQ(asked.waypoints.size(), 2U);
  EXPECT_EQ(asked.waypoints[1].q, std::vector<double>{0.3});

  EXPECT_THROW(watcher.follow(through({0.1})), NoLease);
  EXPECT_THROW(holder.follow(Trajectory{}), std::invalid_argument);
  Trajectory lopsided = through({0.1});
  lopsided.joints.set(1);
  EXPECT_THROW(holder.follow(lopsided), std::invalid_argument);
}

TEST(Server, APlanIsGivenUpWhenItsHolderLosesTheLeaseMeanwhile) {
  std::atomic<bool> is_planning{false};
  ServedRig served({}, 2, [&](const auto& /*trajectory*/, const auto& is_wanted) -> PlannedMotion {
    is_planning = true;
    if (wait_until([&] { return !is_wanted(); })) throw PlanDropped("a sentence of the planner");
    return {};
  });
  Client holder(served.options("anna"));
  Client other(served.options("ben"));
  holder.take();
  enter_position(holder);
  std::string told;
  std::jthread asks([&] {
    try {
      holder.follow(through({0.1}));
    } catch (const PlanDropped& dropped) {
      told = dropped.what();
    }
  });
  ASSERT_TRUE(wait_until([&] { return is_planning.load(); }));
  other.take(true);
  asks.join();
  EXPECT_EQ(told, "a sentence of the planner");
}

TEST(Server, AMotionEndsWithTheConnectionOfItsHolder) {
  ServedRig served;
  Client watcher(served.options("ben", 0.0));
  {
    Client holder(served.options("anna"));
    holder.take();
    enter_position(holder);
    ASSERT_TRUE(holder.answer(holder.post(move_to(holder, 1.0))).accepted);
    ASSERT_TRUE(wait_until([&] { return q_of(watcher) > 0.1; }));
  }
  ASSERT_TRUE(wait_until([&] { return watcher.lease().holder.empty(); }));
  std::this_thread::sleep_for(milliseconds(500));  // the brake's way
  const double q = q_of(watcher);
  std::this_thread::sleep_for(milliseconds(100));
  EXPECT_NEAR(q_of(watcher), q, 1e-9);
  EXPECT_LT(q, 0.9);
}

TEST(Server, ItsOwnProcessHoldsTheLeaseAsAClientDoes) {
  ServedRig served;
  Client anna(served.options("anna"));
  EXPECT_EQ(served.server().take("panel", false, 0), "");
  EXPECT_EQ(served.server().state().clients, 1U);
  EXPECT_TRUE(served.server().state().is_local);
  EXPECT_TRUE(wait_until([&] { return anna.lease().holder == "panel"; }));
  EXPECT_THROW(anna.take(), NoLease);
  // Far beyond the longest silence: its signs of life come from the server.
  std::this_thread::sleep_for(milliseconds(600));
  EXPECT_TRUE(served.server().state().is_local);
  anna.take(/*by_force=*/true);
  EXPECT_FALSE(served.server().state().is_local);
  EXPECT_EQ(served.server().state().holder, "anna");
  EXPECT_NE(served.server().take("panel", false, 0), "");
  EXPECT_EQ(served.server().take("panel", true, 0), "");
  ASSERT_TRUE(wait_until([&] { return anna.lease().holder == "panel"; }));
  EXPECT_THROW(anna.post(mode_of(anna, ModeRequest::kPosition)), NoLease);
  served.server().release();
  EXPECT_EQ(served.server().state().holder, "");
}

TEST(Server, AStopOfItsOwnProcessEndsAnothersLeaseAndAClientsStopEndsItsOwn) {
  ServedRig served;
  Client anna(served.options("anna"));
  anna.take();
  served.server().stopped("panel");
  EXPECT_EQ(served.server().state().holder, "");
  ASSERT_EQ(served.server().take("panel", false, 0), "");
  served.server().stopped("panel");
  EXPECT_TRUE(served.server().state().is_local) << "its own stop";
  EXPECT_TRUE(anna.answer(anna.post(Stop{all_of(anna)})).accepted);
  EXPECT_TRUE(wait_until([&] { return !served.server().state().is_local; }));
}

TEST(Server, WithoutAnAddressThereIsTheLeaseAlone) {
  ServerOptions options;
  options.listen.clear();
  ServedRig served(options);
  EXPECT_EQ(served.server().port(), 0);
  EXPECT_EQ(served.server().take("panel", false, 0), "");
  EXPECT_EQ(served.server().stop("viewer"), "");
  EXPECT_EQ(served.server().state().holder, "") << "a viewer's stop ends it";
}

TEST(Server, FurtherClientsAreRefusedWithTheNumber) {
  ServerOptions options;
  options.clients = 2;
  ServedRig served(options);
  const Client one(served.options("one"));
  {
    const Client two(served.options("two"));
    try {
      const Client three(served.options("three"));
      FAIL() << "three clients at two places";
    } catch (const ConnectionLost& error) {
      EXPECT_NE(std::string(error.what()).find("2 clients are connected"), std::string::npos)
          << error.what();
    }
  }
  EXPECT_TRUE(wait_until([&] {
    try {
      const Client again(served.options("again"));
      return true;
    } catch (const ConnectionLost&) {
      return false;
    }
  })) << "a place that was left is free";
}

TEST(Server, APlaceIsUsedAgainAndItsCommandsCountOn) {
  ServerOptions options;
  options.clients = 1;
  ServedRig served(options);
  std::uint64_t last = 0;
  for (int i = 0; i < 20; ++i) {
    std::unique_ptr<Client> client;
    ASSERT_TRUE(wait_until([&] {
      try {
        client = std::make_unique<Client>(served.options("again"));
        return true;
      } catch (const ConnectionLost&) {
        return false;
      }
    }));
    client->take();
    const std::uint64_t number = client->post(mode_of(*client, ModeRequest::kPosition));
    EXPECT_TRUE(client->answer(number).accepted);
    EXPECT_GT(number, last);
    last = number;
  }
}

TEST(Server, StatesComeAtTheRateThatWasAsked) {
  ServedRig served;
  Client client(served.options("anna", 50.0));
  const auto snapshot = std::make_unique<Snapshot>();
  for (int i = 0; i < 10; ++i) {
    client.newest(*snapshot);
    ASSERT_TRUE(client.wait_for(snapshot->cycle + 1, kLong));
    client.newest(*snapshot);
    // Each 20th cycle; one that is looked at late may be a later one.
    EXPECT_LT(snapshot->cycle % 20, 10U) << snapshot->cycle;
  }
  ClientOptions wrong = served.options("anna", 5000.0);
  EXPECT_THROW(Client{wrong}, ConnectionLost);
}

TEST(Server, AClientWithoutTheTokenGetsNothing) {
  const auto path = std::filesystem::temp_directory_path() / "jointrig_server_token";
  std::ofstream(path) << "0123456789abcdef0123456789abcdef\n";
  ServerOptions options;
  options.token_file = path;
  ServedRig served(options);
  std::filesystem::remove(path);
  ClientOptions client = served.options("anna");
  EXPECT_THROW(Client{client}, ConnectionLost);
  client.token = "0123456789abcdef0123456789abcdee";
  EXPECT_THROW(Client{client}, ConnectionLost);
  client.token = "0123456789abcdef0123456789abcdef";
  EXPECT_NO_THROW(Client{client});
}

TEST(Server, OneThatIsGoneIsToldToItsClients) {
  auto served = std::make_unique<ServedRig>();
  Client client(served->options("anna"));
  served.reset();
  EXPECT_TRUE(wait_until([&] {
    try {
      client.post(Stop{all_of(client)});
      return false;
    } catch (const ConnectionLost&) {
      return true;
    }
  }));
}

}  // namespace
}  // namespace jointrig::remote
