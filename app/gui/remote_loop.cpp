#include "app/gui/remote_loop.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "control/core/nearest_word.h"
#include "control/core/plan.h"

namespace jointrig::app {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLook{2};           ///< for the next state, before commands are looked at
constexpr std::size_t kCommandsALook = 8;  ///< the server takes 8 in a ms
constexpr double kPingAfter = 0.25;        ///< [s]
constexpr double kAskAgain = 1.0;          ///< for parameters [s]
constexpr double kRingSeconds = 2.0;       ///< as of a loop in this program
constexpr std::size_t kMostEvents = 4096;  ///< as an EventRing has
const std::string kUnknownSender = "another program";

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

/// As the server counts them: a state each so many cycles.
std::uint64_t cycles_of(double rate, TimeNs period_ns) {
  if (!(rate > 0.0)) return 1;
  const double cycles = 1.0 / (rate * to_seconds(period_ns));
  return static_cast<std::uint64_t>(std::max(1.0, std::round(cycles)));
}

}  // namespace

RemoteLoop::RemoteLoop(RemoteOptions options, Connect connect)
    : options_(std::move(options)),
      connect_(std::move(connect)),
      newest_(std::make_unique<Snapshot>()),
      state_(std::make_unique<Snapshot>()) {
  connection_ = this->connect(options_.client);
  facts_ = connection_->facts();
  each_ = cycles_of(options_.client.rate, facts_.config.period_ns);
  plotted_ = facts_.config;
  plotted_.period_ns *= static_cast<TimeNs>(each_);
  ring_ = std::make_unique<gui::TraceRing>(
      plotted_, static_cast<std::size_t>(kRingSeconds / to_seconds(plotted_.period_ns)) + 1);
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

RemoteLoop::~RemoteLoop() {
  thread_.request_stop();
  if (const auto last = connection()) last->end();
  thread_.join();
}

std::unique_ptr<remote::Connection> RemoteLoop::connect(
    const remote::ClientOptions& options) const {
  std::unique_ptr<remote::Connection> made = connect_(options);
  check(made->facts());
  return made;
}

std::unique_ptr<remote::Connection> RemoteLoop::connect_beside(const std::string& name,
                                                               double rate) const {
  remote::ClientOptions options = options_.client;
  options.name = name;
  options.rate = rate;
  return connect(options);
}

void RemoteLoop::check(const remote::RobotFacts& facts) const {
  const std::string& name = facts.config.name;
  if (facts.version != options_.version) {
    throw std::runtime_error(
        fmt::format("{} is served by jointrig {}, and this is {}: a panel and its server need the "
                    "same version",
                    options_.client.address, facts.version, options_.version));
  }
  if (!options_.robot.empty() && options_.robot != name) {
    const bool is_near = !nearest_word(options_.robot, std::vector<std::string>{name}).empty();
    throw std::runtime_error(fmt::format("{} serves {}, not \"{}\"{}", options_.client.address,
                                         name, options_.robot,
                                         is_near ? ": did you mean \"" + name + "\"?" : ""));
  }
}

std::shared_ptr<remote::Connection> RemoteLoop::connection() const {
  const std::lock_guard lock(mutex_);
  return connection_;
}

// The window's thread ----------------------------------------------------------------------------

gui::PanelRobot RemoteLoop::panel_robot() {
  gui::PanelRobot robot;
  robot.config = &facts_.config;
  robot.boards = &facts_.boards;
  robot.backend = facts_.backend;
  robot.real = facts_.is_real;
  robot.on_buses = facts_.is_on_buses;
  robot.is_elsewhere = true;
  return robot;
}

bool RemoteLoop::newest(Snapshot& snapshot) noexcept {
  const std::lock_guard lock(mutex_);
  if (has_newest_) snapshot = *newest_;
  return has_newest_;
}

bool RemoteLoop::next(Event& event) {
  const std::lock_guard lock(mutex_);
  if (events_.empty()) return false;
  event = events_.front().event;
  sentence_ = std::move(events_.front().sentence);
  events_.pop_front();
  return true;
}

std::optional<ParameterTable> RemoteLoop::take_parameters() {
  const std::lock_guard lock(mutex_);
  return std::exchange(parameters_, std::nullopt);
}

gui::LoopHealth RemoteLoop::health() {
  const std::lock_guard lock(mutex_);
  gui::LoopHealth health;
  health.overruns = newest_->overruns;
  health.states = states_;
  return health;
}

std::vector<std::string> RemoteLoop::take_news() {
  const std::lock_guard lock(mutex_);
  return std::exchange(news_, {});
}

/// Under the mutex.
std::string RemoteLoop::why_dead() const {
  const std::string& at = options_.client.address;
  if (link_ == Link::kLive) return {};
  if (link_ == Link::kSilent) return "no word comes from " + at + ": all values are old";
  return fmt::format(
      "the connection to {} is lost ({}): all values are old; it is tried again each second", at,
      why_lost_);
}

std::vector<remote::CommandAnswer> RemoteLoop::take_refusals_of_others() {
  const std::lock_guard lock(mutex_);
  std::vector<remote::CommandAnswer> taken(refusals_of_others_.begin(), refusals_of_others_.end());
  refusals_of_others_.clear();
  return taken;
}

void RemoteLoop::watch_posts(PostWatch watch) {
  const std::lock_guard lock(watch_mutex_);
  watch_posts_ = std::move(watch);
}

gui::ServedNow RemoteLoop::now() const {
  const std::lock_guard lock(mutex_);
  gui::ServedNow now;
  now.lost = why_dead();
  if (!connection_ || link_ == Link::kLost) return now;
  const remote::LeaseState lease = connection_->lease();
  now.is_ours = lease.is_mine && wants_lease_.load() && link_ == Link::kLive;
  // A lease that is being given back is nobody's, for whoever looks here.
  if (!lease.is_mine || now.is_ours) now.holder = lease.holder;
  return now;
}

std::string RemoteLoop::take(bool by_force) {
  const std::shared_ptr<remote::Connection> at = connection();
  {
    const std::lock_guard lock(mutex_);
    if (link_ != Link::kLive || !at) return why_dead();
  }
  wants_lease_.store(true);  // before: its thread gives back what nobody wants
  if (at->lease().is_mine) return {};
  std::string why = at->take(by_force, kLongestTake);
  if (!why.empty()) wants_lease_.store(false);
  return why;
}

// Its thread -------------------------------------------------------------------------------------

void RemoteLoop::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    if (const std::shared_ptr<remote::Connection> at = connection()) {
      follow(*at);
    } else {
      refuse_commands();
      try_again();
      std::this_thread::sleep_for(kLook);
    }
  }
}

/// The answer to a command is looked for after its number is kept: one thread does both.
void RemoteLoop::follow(remote::Connection& connection) {
  send_commands(connection);
  take_state(connection);
  take_answers(connection);
  if (!judge(connection)) return;
  keep_lease(connection);
  ask_for_parameters(connection);
}

void RemoteLoop::send_commands(remote::Connection& connection) {
  const std::lock_guard watched(watch_mutex_);
  inbox_.drain(kCommandsALook, [&](const Command& command) {
    own_ = command.sender;
    const remote::Connection::Posted posted = connection.post(command.request);
    if (posted.number == 0) return refuse(command, posted.why_not);
    sent_[posted.number] = command;
    if (watch_posts_) watch_posts_(command.request, posted.number);
  });
}

void RemoteLoop::take_state(remote::Connection& connection) {
  if (!connection.next(cycle_ + 1, kLook, *state_)) return;
  cycle_ = state_->cycle;
  name_suppressors(connection);
  count_state();
  {
    const std::lock_guard lock(mutex_);
    *newest_ = *state_;
    has_newest_ = true;
  }
  state_->cycle /= each_;  // a row of plotted()
  ring_->push(*state_);
}

void RemoteLoop::count_state() {
  ++counted_;
  const double passed = seconds_since(counted_from_);
  if (passed < 1.0) return;
  const std::lock_guard lock(mutex_);
  states_ = counted_ / passed;
  counted_ = 0;
  counted_from_ = Clock::now();
}

void RemoteLoop::take_answers(remote::Connection& connection) {
  for (remote::HeardEvent& heard : connection.take_events()) {
    Event event = heard.event;
    name_sender(heard, event);
    // The panel knows its own; an answer that was under way meanwhile would undo them there.
    if (event.sender != own_ && has_set_parameters(event)) parameters_due_ = true;
    tell(event, std::move(heard.sentence));
  }
  for (const remote::CommandAnswer& answer : connection.take_refusals()) {
    const auto found = sent_.find(answer.number);
    if (found == sent_.end()) {
      keep_of_others(answer);
      continue;
    }
    refuse(found->second, answer.event.sentence);
    sent_.erase(found);
  }
}

void RemoteLoop::keep_of_others(const remote::CommandAnswer& refusal) {
  const std::lock_guard lock(mutex_);
  refusals_of_others_.push_back(refusal);
  if (refusals_of_others_.size() > kMostRefusals) refusals_of_others_.pop_front();
}

/// Numbers of senders are the server's own: the panel's take their place.
void RemoteLoop::name_suppressors(const remote::Connection& connection) {
  for (std::uint16_t& sender : state_->protection.suppressed_by) {
    if (sender == 0) continue;
    const std::string name = connection.suppressor(sender);
    // One that isn't known by name suppresses all the same.
    const std::string& shown = name.empty() ? kUnknownSender : name;
    sender = name == connection.sender() ? own_ : senders_.of(shown, inbox_);
  }
}

/// The panel knows its commands by their numbers in the inbox, and others by a number of theirs.
void RemoteLoop::name_sender(const remote::HeardEvent& heard, Event& event) {
  if (heard.sender.empty() || is_own(heard, event)) return;
  event.sender = senders_.of(heard.sender, inbox_);
}

/// An answer to a command of the panel, or the end of a plan that one follows.
bool RemoteLoop::is_own(const remote::HeardEvent& heard, Event& event) {
  const bool is_answer = event.kind == EventKind::kAccepted || event.kind == EventKind::kRejected;
  const bool is_of_plan = event.kind == EventKind::kPlan || event.kind == EventKind::kPlanBroken;
  std::map<std::uint64_t, Command>& known = is_of_plan ? followed_ : sent_;
  const auto own = known.find(event.number);
  if ((!is_answer && !is_of_plan) || own == known.end()) return false;
  if (heard.sender != connection()->sender()) return false;
  const Command command = own->second;
  const auto change = static_cast<PlanChange>(event.detail);
  const bool goes_on = change == PlanChange::kStarted || change == PlanChange::kWaypoint;
  if (is_answer || !goes_on) known.erase(own);
  const bool begins =
      event.kind == EventKind::kAccepted && kind_of(command.request) == CommandKind::kFollowPlan;
  if (begins) followed_[event.number] = command;
  event.sender = command.sender;
  event.number = command.number;
  return true;
}

/// Gives back a lease that the panel doesn't want: one that came too late, or of a silent link.
void RemoteLoop::keep_lease(remote::Connection& connection) {
  if (!wants_lease_.load() && connection.lease().is_mine) connection.release();
}

/// Where no answer comes, again in a second: a silent link is judged meanwhile.
void RemoteLoop::ask_for_parameters(remote::Connection& connection) {
  if (!parameters_due_ || seconds_since(asked_at_) < kAskAgain) return;
  asked_at_ = Clock::now();
  const std::optional<ParameterTable> table = connection.parameters(kLongestTake);
  if (!table) return;
  parameters_due_ = false;
  const std::lock_guard lock(mutex_);
  parameters_ = table;
}

bool RemoteLoop::judge(remote::Connection& connection) {
  const double silent = connection.silent_for();
  const std::string lost = connection.lost();
  if (!lost.empty() || silent > kGoneAfter) {
    lose(lost.empty() ? "nothing came any more" : lost);
    return false;
  }
  if (silent > kPingAfter && seconds_since(pinged_at_) > kPingAfter) {
    pinged_at_ = Clock::now();
    connection.ping();
  }
  const bool is_silent = silent > kSilentAfter;
  if (is_silent) wants_lease_.store(false);
  std::string news;
  {
    const std::lock_guard lock(mutex_);
    const bool was_silent = link_ == Link::kSilent;
    link_ = is_silent ? Link::kSilent : Link::kLive;
    if (is_silent != was_silent) {
      news = is_silent ? why_dead() + ", and the panel observes"
                       : options_.client.address + " is heard again";
    }
  }
  if (!news.empty()) tell_person(std::move(news));
  return true;
}

void RemoteLoop::lose(const std::string& why) {
  std::shared_ptr<remote::Connection> last;
  std::string news;
  {
    const std::lock_guard lock(mutex_);
    last = std::exchange(connection_, nullptr);
    link_ = Link::kLost;
    const std::string place = options_.client.address + ": ";
    why_lost_ = why.starts_with(place) ? why.substr(place.size()) : why;
    news = why_dead();
  }
  wants_lease_.store(false);
  last->end();
  tried_at_ = Clock::now();
  followed_.clear();
  for (const auto& [number, command] : std::exchange(sent_, {})) {
    refuse(command, "the connection was lost before the robot's loop had answered");
  }
  tell_person(std::move(news));
}

void RemoteLoop::try_again() {
  if (seconds_since(tried_at_) < kTryEach) return;
  std::shared_ptr<remote::Connection> made;
  std::string why;
  try {
    made = connect(options_.client);
    if (made->facts().config != facts_.config) {
      why =
          "another robot, or this one with other settings, is served there now: close the panel "
          "and connect anew";
    }
  } catch (const std::exception& error) {
    why = error.what();
  }
  tried_at_ = Clock::now();
  {
    const std::lock_guard lock(mutex_);
    why_lost_ = why;
    if (!why.empty()) return;
    connection_ = std::move(made);
    link_ = Link::kLive;
  }
  cycle_ = 0;
  parameters_due_ = true;
  tell_person("connected to " + options_.client.address +
              " again: the panel observes, and the robot may be somewhere else by now");
}

void RemoteLoop::refuse_commands() {
  inbox_.drain(kCommandsALook, [&](const Command& command) {
    own_ = command.sender;
    refuse(command, "there is no connection to " + options_.client.address);
  });
}

void RemoteLoop::refuse(const Command& command, const std::string& why) {
  Event event;
  event.kind = EventKind::kRejected;
  event.command = kind_of(command);
  event.sender = command.sender;
  event.number = command.number;
  event.cycle = cycle_;
  {
    const std::lock_guard lock(mutex_);
    event.time_ns = newest_->time_ns;
  }
  const std::string word(to_string(event.command));
  tell(event, why.starts_with(word) ? why : word + " was not carried out: " + why);
}

void RemoteLoop::tell(const Event& event, std::string sentence) {
  const std::lock_guard lock(mutex_);
  events_.push_back({event, std::move(sentence)});
  if (events_.size() > kMostEvents) events_.pop_front();
}

void RemoteLoop::tell_person(std::string sentence) {
  const std::lock_guard lock(mutex_);
  news_.push_back(std::move(sentence));
}

}  // namespace jointrig::app
