#include "app/doctor/doctor.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/doctor/diagnosis.h"
#include "app/doctor/report.h"

namespace jointrig::app {
namespace {

constexpr TimeNs kPeriodNs = 1'000'000;

/// 1000 wake-ups so late, and `odd` more of another lateness.
WakeUp made_up(std::int64_t late_ns, std::int64_t cycle_ns = 0, int odd = 0,
               std::int64_t odd_ns = 0) {
  WakeUp result{"made up", std::make_unique<DurationHistogram>(),
                std::make_unique<DurationHistogram>()};
  for (int i = 0; i < 1000; ++i) {
    result.late->record(late_ns);
    result.cycle->record(cycle_ns);
  }
  for (int i = 0; i < odd; ++i) result.late->record(odd_ns);
  return result;
}

std::string why_not(const WakeUp& loop) {
  const Holds result = holds(loop, kPeriodNs);
  return result.yes ? "" : result.reason;
}

TEST(Verdict, HoldsWhereWakingAndWorkingLeaveHalfOfThePeriod) {
  EXPECT_EQ(why_not(made_up(50'000, 400'000)), "");
  EXPECT_EQ(why_not(made_up(50'000, 460'000)).rfind("wake-up and cycle p99.9", 0), 0U);
}

TEST(Verdict, ForgivesOneLateWakeUpInAThousandButNotTwenty) {
  EXPECT_EQ(why_not(made_up(50'000, 0, 1, 900'000)), "");
  EXPECT_EQ(why_not(made_up(50'000, 0, 5, 900'000)).rfind("wake-up and cycle p99.9", 0), 0U);
  EXPECT_EQ(why_not(made_up(50'000, 0, 20, 150'000)).rfind("wake-up p99 1", 0), 0U);
}

TEST(Verdict, ForgivesASingleSkippedPeriod) {
  WakeUp loop = made_up(50'000);
  loop.skipped = 1;
  EXPECT_EQ(why_not(loop), "");
  loop.skipped = 2;
  EXPECT_EQ(why_not(loop), "skipped 2 of 1002 periods, more than 1 in 10000");
}

TEST(Verdict, DoesNotHoldWhereItStoodStillOrNothingWasMeasured) {
  WakeUp loop = made_up(50'000);
  loop.gaps = 1;
  EXPECT_EQ(why_not(loop), "stood still for more than a second, times: 1");
  EXPECT_EQ(why_not({"", std::make_unique<DurationHistogram>(), nullptr}), "nothing was measured");
}

TEST(Verdict, AsksTheSpinningLoopOnlyWhereTheSleepingOneFails) {
  Diagnosis diagnosis;
  diagnosis.period_ns = kPeriodNs;
  diagnosis.paced = made_up(50'000);
  diagnosis.spinning = made_up(500'000);
  decide(diagnosis);
  EXPECT_EQ(to_string(diagnosis.verdict), "yes");

  diagnosis.paced = made_up(200'000);
  diagnosis.spinning = made_up(100);
  decide(diagnosis);
  EXPECT_EQ(to_string(diagnosis.verdict), "yes, with spinning");

  diagnosis.spinning = made_up(200'000);
  decide(diagnosis);
  EXPECT_EQ(to_string(diagnosis.verdict), "no");

  diagnosis.spinning = {};
  decide(diagnosis);
  EXPECT_EQ(to_string(diagnosis.verdict), "no");
}

TEST(Report, DrawsEveryStepBetweenTheShortestAndTheLongest) {
  WakeUp measured{"loop", std::make_unique<DurationHistogram>(), nullptr};
  for (int i = 0; i < 99; ++i) measured.late->record(30'000);
  measured.late->record(300'000);
  std::ostringstream out;
  print_histogram(out, measured);
  // log1p(1) / log1p(99) of 50 columns = 7.5
  EXPECT_EQ(out.str(),
            "  loop, wake-up lateness (bars: logarithm of the count)\n"
            "   20 µs ..  50 µs |" +
                std::string(50, '#') +
                " 99\n"
                "   50 µs .. 100 µs |\n"
                "  100 µs .. 200 µs |\n"
                "  200 µs .. 500 µs |" +
                std::string(8, '#') + " 1\n");
}

TEST(Report, KeepsItsColumnsThoughMicroHasTwoBytes) {
  Diagnosis diagnosis;
  diagnosis.before = {"bare", std::make_unique<DurationHistogram>(), nullptr};
  diagnosis.before.late->record(100);
  diagnosis.after = {"bare, spins 200 µs", std::make_unique<DurationHistogram>(), nullptr};
  diagnosis.after.late->record(1'500);
  std::ostringstream out;
  print_table(out, diagnosis);
  std::istringstream lines(out.str());
  std::vector<std::ptrdiff_t> widths;
  for (std::string line; std::getline(lines, line);) {
    widths.push_back(
        std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }));
  }
  ASSERT_EQ(widths.size(), 3U);
  EXPECT_EQ(widths[0], widths[1]);
  EXPECT_EQ(widths[0], widths[2]);
}

class DoctorTest : public testing::Test {
 protected:
  DoctorTest() { options_.seconds = 0.2; }

  int run() { return run_doctor(options_, out_); }

  DoctorOptions options_;
  std::ostringstream out_;
};

TEST_F(DoctorTest, MeasuresFourTimesAndGivesAVerdict) {
  const auto begin = std::chrono::steady_clock::now();
  const int code = run();
  const auto took = std::chrono::steady_clock::now() - begin;
  const std::string text = out_.str();
  EXPECT_GE(took, std::chrono::milliseconds(790));
  EXPECT_TRUE(code == 0 || code == 1) << text;
  EXPECT_EQ(text.find("can hold 1 kHz: yes") != std::string::npos, code == 0) << text;
  EXPECT_EQ(text.find("can hold 1 kHz: no") != std::string::npos, code == 1) << text;
  for (const char* part :
       {"bare clock_nanosleep, before", "loop, empty cycle", "same, spins the last 200 µs",
        "bare clock_nanosleep, after", "real time"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
}

TEST_F(DoctorTest, CallsTheCycleGivenOnceAPeriod) {
  int calls = 0;
  options_.cycle = [&] { ++calls; };
  options_.spin_ns = 0;
  options_.json_path = testing::TempDir() + "/doctor_test_calls.json";
  run();
  EXPECT_LE(calls, 200);
  const auto loop =
      nlohmann::json::parse(std::ifstream(options_.json_path)).at("measurements").at(1);
  ASSERT_EQ(loop.at("name"), "loop, empty cycle");
  // The doctor reports the periods that a busy machine skipped, and its stops.
  if (loop.at("gaps") == 0) {
    EXPECT_GE(calls + loop.at("skipped").get<int>(), 199);
  }
}

TEST_F(DoctorTest, SaysNoToACycleLongerThanThePeriod) {
  options_.cycle = [] {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(1500);
    while (std::chrono::steady_clock::now() < end) {
    }
  };
  EXPECT_EQ(run(), 1);
  EXPECT_NE(out_.str().find("can hold 1 kHz: no"), std::string::npos);
}

TEST_F(DoctorTest, LeavesItsCallerAsItWas) {
  run();
  EXPECT_EQ(sched_getscheduler(0), SCHED_OTHER);
}

TEST_F(DoctorTest, WritesEverythingAsJson) {
  options_.json_path = testing::TempDir() + "/doctor_test.json";
  const int code = run();
  const auto json = nlohmann::json::parse(std::ifstream(options_.json_path));
  EXPECT_EQ(json.at("verdict") == "no", code == 1);
  EXPECT_EQ(json.at("measurements").size(), 4U);
  EXPECT_GE(json.at("findings").size(), 11U);
  for (const auto& measured : json.at("measurements")) {
    std::uint64_t in_steps = 0;
    for (const auto& step : measured.at("late").at("histogram")) {
      in_steps += step.at("count").get<std::uint64_t>();
    }
    EXPECT_EQ(in_steps, measured.at("late").at("count").get<std::uint64_t>());
    // A period is a wake-up, skipped, or lost in a gap; the last wake-up may skip beyond the end.
    EXPECT_GE(in_steps + measured.at("skipped").get<std::uint64_t>() +
                  measured.at("gaps").get<std::uint64_t>(),
              200U);
  }
}

TEST_F(DoctorTest, SaysSoWhereTheJsonCanNotBeWritten) {
  options_.json_path = "/no/such/folder/doctor.json";
  EXPECT_EQ(run(), 2);
  EXPECT_NE(out_.str().find("can't write /no/such/folder/doctor.json"), std::string::npos);
}

TEST_F(DoctorTest, RefusesWhatItCanNotMeasure) {
  const auto refuses = [](const DoctorOptions& options, const std::string& why) {
    std::ostringstream out;
    return run_doctor(options, out) == 2 && out.str().find(why) != std::string::npos;
  };
  EXPECT_TRUE(refuses({.seconds = 0.0}, "seconds: 0"));
  EXPECT_TRUE(refuses({.seconds = 1e9}, "seconds: 1000000000"));
  EXPECT_TRUE(refuses({.period_ns = 5}, "period: 5 ns"));
  EXPECT_TRUE(refuses({.spin_ns = 2'000'000}, "spin: 2000000 ns"));
}

}  // namespace
}  // namespace jointrig::app
