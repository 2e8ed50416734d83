#include "app/doctor/machine.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

namespace jointrig::app {
namespace {

/// A made-up /proc and /sys: four cores, everything as a loop would wish it.
class MachineTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ =
        std::filesystem::path(testing::TempDir()) /
        ("machine_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(root_);
    put("proc/sys/kernel/osrelease", "6.1.0-rt");
    put("proc/sys/kernel/version", "#1 SMP PREEMPT_RT Debian");
    put("proc/cmdline", "quiet nohz_full=3");
    put("proc/cpuinfo", "processor\t: 0\nmodel name\t: Fast CPU\nflags\t\t: fpu sse avx\n");
    put("proc/loadavg", "0.10 0.20 0.30 1/100 1234");
    put("proc/self/timerslack_ns", "50000");
    put("proc/sys/kernel/sched_rt_runtime_us", "950000");
    put("proc/sys/kernel/sched_rt_period_us", "1000000");
    put("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never");
    put("sys/devices/system/cpu/isolated", "3");
    put("sys/devices/system/cpu/cpu0/cpuidle/state0/name", "C1");
    put("sys/devices/system/cpu/cpu0/cpuidle/state0/latency", "2");
    put(kClock + "current_clocksource", "tsc");
    put(kClock + "available_clocksource", "tsc hpet acpi_pm");
    for (const std::string core : {"0", "1", "2", "3"}) put_governor(core, "performance");
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void put(const std::string& path, const std::string& text) {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text << '\n';
  }
  void put_governor(const std::string& core, const std::string& name) {
    put("sys/devices/system/cpu/cpu" + core + "/cpufreq/scaling_governor", name);
  }
  void remove(const std::string& path) { std::filesystem::remove_all(root_ / path); }

  [[nodiscard]] Finding finding(const std::string& topic) const {
    for (const Finding& found : examine(Machine(root_))) {
      if (found.topic == topic) return found;
    }
    ADD_FAILURE() << "nothing was said about " << topic;
    return {};
  }

  void expect(const std::string& topic, FindingKind severity, const std::string& text,
              const std::string& fix) const {
    SCOPED_TRACE(topic);
    const Finding found = finding(topic);
    EXPECT_EQ(to_string(found.severity), to_string(severity));
    EXPECT_NE(found.text.find(text), std::string::npos) << found.text;
    if (fix.empty()) {
      EXPECT_EQ(found.fix, "");
    } else {
      EXPECT_NE(found.fix.find(fix), std::string::npos) << found.fix;
    }
  }

  const std::string kClock = "sys/devices/system/clocksource/clocksource0/";
  std::filesystem::path root_;
};

TEST_F(MachineTest, FindsNothingToFixWhereAllIsWell) {
  for (const Finding& found : examine(Machine(root_))) {
    EXPECT_EQ(to_string(found.severity), "ok") << found.topic << ": " << found.text;
    EXPECT_EQ(found.fix, "") << found.topic;
  }
}

TEST_F(MachineTest, TellsKernelFlavoursApart) {
  expect("kernel", FindingKind::kOk, "6.1.0-rt, PREEMPT_RT", "");
  put("proc/sys/kernel/version", "#1 SMP PREEMPT_DYNAMIC Debian");
  expect("kernel", FindingKind::kNote, "PREEMPT_DYNAMIC, not PREEMPT_RT", "preempt=full");
  put("proc/cmdline", "quiet preempt=full");
  expect("kernel", FindingKind::kNote, "preempt=full, not PREEMPT_RT", "linux-image-rt-amd64");
  put("proc/cmdline", "quiet preempt=voluntary");
  expect("kernel", FindingKind::kNote, "preempt=voluntary", "preempt=full");
  put("proc/sys/kernel/version", "#1 SMP PREEMPT");
  expect("kernel", FindingKind::kNote, "PREEMPT, not PREEMPT_RT", "linux-image-rt-amd64");
  put("proc/sys/kernel/version", "#1 SMP");
  expect("kernel", FindingKind::kNote, "no preemption", "linux-image-rt-amd64");
  put("sys/kernel/realtime", "1");
  expect("kernel", FindingKind::kOk, "PREEMPT_RT", "");
}

TEST_F(MachineTest, WantsEveryCoreAtFullSpeed) {
  put_governor("2", "powersave");
  expect("governor", FindingKind::kFix, "performance, powersave", "frequency-set -g performance");
}

TEST_F(MachineTest, SaysSoWhereThereIsNoGovernor) {
  for (const std::string core : {"0", "1", "2", "3"}) {
    remove("sys/devices/system/cpu/cpu" + core + "/cpufreq");
  }
  expect("governor", FindingKind::kNote, "no cpufreq: the frequency is not ours", "");
  put("proc/cpuinfo", "model name\t: Some CPU\nflags\t\t: fpu hypervisor\n");
  expect("governor", FindingKind::kNote, "as usual in a virtual machine", "");
}

TEST_F(MachineTest, KnowsAVirtualMachine) {
  put("proc/cpuinfo", "model name\t: Some CPU\nflags\t\t: fpu hypervisor lahf_lm\n");
  expect("machine", FindingKind::kNote, "virtual", "a machine of its own");
}

TEST_F(MachineTest, CountsCores) {
  put("sys/devices/system/cpu/cpufreq/boost", "1");  // not a core
  EXPECT_EQ(Machine(root_).cores(), (std::vector<int>{0, 1, 2, 3}));
  expect("cores", FindingKind::kOk, "Fast CPU, 4 cores", "");
  for (const std::string core : {"1", "2", "3"}) remove("sys/devices/system/cpu/cpu" + core);
  expect("cores", FindingKind::kFix, "1 core:", "second core");
  expect("isolation", FindingKind::kOk, "cores 3", "");
}

TEST_F(MachineTest, OffersTheLastCoreForIsolation) {
  put("sys/devices/system/cpu/isolated", "");
  expect("isolation", FindingKind::kNote, "no core is kept free",
         "isolcpus=3 nohz_full=3 rcu_nocbs=3");
}

TEST_F(MachineTest, WantsAFastClock) {
  put(kClock + "current_clocksource", "hpet");
  expect("clock", FindingKind::kFix, "hpet",
         "echo tsc | sudo tee /" + kClock + "current_clocksource");
  put(kClock + "available_clocksource", "hpet acpi_pm");
  expect("clock", FindingKind::kFix, "hpet", "dmesg");
}

TEST_F(MachineTest, NamesTheDeepestIdleStateThatIsOn) {
  put("sys/devices/system/cpu/cpu0/cpuidle/state1/name", "C6");
  put("sys/devices/system/cpu/cpu0/cpuidle/state1/latency", "170");
  expect("idle states", FindingKind::kFix, "C6 takes 170 µs", "idle-set -D 20");
  put("sys/devices/system/cpu/cpu0/cpuidle/state1/disable", "1");
  expect("idle states", FindingKind::kOk, "C1 takes 2 µs", "");
}

TEST_F(MachineTest, SeesOtherSourcesOfUnrest) {
  put("proc/loadavg", "3.50 1 1 1/1 1");
  expect("load", FindingKind::kNote, "3.5 in the last minute", "top");
  put("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never");
  expect("huge pages", FindingKind::kNote, "always", "echo madvise");
  put("proc/sys/kernel/sched_rt_runtime_us", "-1");
  expect("throttling", FindingKind::kOk, "off", "");
}

TEST_F(MachineTest, GetsByWithoutAnyFile) {
  std::filesystem::remove_all(root_);
  EXPECT_EQ(examine(Machine(root_)).size(), 11U);
}

}  // namespace
}  // namespace jointrig::app
