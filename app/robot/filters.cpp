#include "app/robot/filters.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

namespace jointrig {
namespace {

constexpr double kArrived = 1e-9;  // a choice: far below what an encoder tells

void check_count(const char* filter, std::size_t has, std::size_t joints) {
  if (has == joints) return;
  throw std::invalid_argument(
      fmt::format("{} is for {} joints, and its part has {}", filter, has, joints));
}

}  // namespace

void Filter::restore(const Memory& memory) {
  if (memory.empty()) return;
  throw std::invalid_argument(
      fmt::format("a memory of {} numbers, and this filter has none", memory.size()));
}

// Low-pass ----------------------------------------------------------------------------------------

LowPass::LowPass(double cutoff, int order) : cutoff_(cutoff), order_(order) {
  if (!(cutoff > 0.0) || !std::isfinite(cutoff)) {
    throw std::invalid_argument(
        fmt::format("a low-pass at {} Hz: give a frequency above 0", cutoff));
  }
  if (order != 1 && order != 2) {
    throw std::invalid_argument(fmt::format("a low-pass of order {}: give 1 or 2", order));
  }
}

void LowPass::start(const Vector& present) {
  past_.clear();
  for (const double x : present) past_.push_back({x, x, x, x});
}

LowPass::Vector LowPass::next(const Vector& in, double dt) {
  check_count("a low-pass", past_.size(), in.size());
  if (!(cutoff_ * dt < 0.5)) {
    throw std::invalid_argument(fmt::format(
        "a low-pass at {} Hz, and a step of {} s: give less than half of the steps' rate", cutoff_,
        dt));
  }
  const double k = std::tan(std::numbers::pi * cutoff_ * dt);
  const double of_first = order_ == 1 ? 1.0 : std::numbers::sqrt2;
  Vector out;
  for (std::size_t i = 0; i < in.size(); ++i) {
    Past& p = past_[i];
    const double kk = k * k;
    double y = order_ == 1 ? (k * (in[i] + p.in1) + (1.0 - k) * p.out1) / (1.0 + k)
                           : (kk * (in[i] + 2.0 * p.in1 + p.in2) - 2.0 * (kk - 1.0) * p.out1 -
                              (1.0 - of_first * k + kk) * p.out2) /
                                 (1.0 + of_first * k + kk);
    const auto is_near = [&](double x) { return std::abs(x - in[i]) < kArrived; };
    if (is_near(y) && is_near(p.out1) && is_near(p.in1) && is_near(p.in2)) y = in[i];
    p = {in[i], p.in1, y, p.out1};
    out.push_back(y);
  }
  return out;
}

LowPass::Memory LowPass::save() const {
  Memory memory;
  for (const Past& p : past_) memory.insert(memory.end(), {p.in1, p.in2, p.out1, p.out2});
  return memory;
}

void LowPass::restore(const Memory& memory) {
  if (memory.size() % 4 != 0) {
    throw std::invalid_argument(fmt::format(
        "a memory of {} numbers, and a low-pass has four for each joint", memory.size()));
  }
  past_.clear();
  for (std::size_t i = 0; i < memory.size(); i += 4) {
    past_.push_back({memory[i], memory[i + 1], memory[i + 2], memory[i + 3]});
  }
}

// Range and rate ----------------------------------------------------------------------------------

RangeLimit::RangeLimit(Vector low, Vector high) : low_(std::move(low)), high_(std::move(high)) {
  bool fits = low_.size() == high_.size();
  for (std::size_t i = 0; fits && i < low_.size(); ++i) fits = low_[i] <= high_[i];
  if (fits) return;
  throw std::invalid_argument("a range limit takes as many low ends as high ones, none above");
}

void RangeLimit::start(const Vector& present) {
  check_count("a range limit", low_.size(), present.size());
}

RangeLimit::Vector RangeLimit::next(const Vector& in, double /*dt*/) {
  check_count("a range limit", low_.size(), in.size());
  Vector out;
  for (std::size_t i = 0; i < in.size(); ++i) out.push_back(std::clamp(in[i], low_[i], high_[i]));
  return out;
}

RateLimit::RateLimit(double rate) : rate_(rate) {
  if (rate > 0.0 && std::isfinite(rate)) return;
  throw std::invalid_argument(
      fmt::format("a rate limit of {} a second: give a rate above 0", rate));
}

RateLimit::Vector RateLimit::next(const Vector& in, double dt) {
  check_count("a rate limit", last_.size(), in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    last_[i] += std::clamp(in[i] - last_[i], -rate_ * dt, rate_ * dt);
  }
  return last_;
}

void RateLimit::restore(const Memory& memory) { last_ = memory; }

}  // namespace jointrig
