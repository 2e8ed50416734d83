#pragma once
/// The functions of an expression that remember: step, rate, peak, low, mean, at.

#include <memory>
#include <span>
#include <string_view>

#include "harness/runner/arithmetic.h"

namespace jointrig::harness {

bool is_history_function(std::string_view name) noexcept;
std::span<const std::string_view> history_functions() noexcept;

/// Compiles a call of such a function and has the table keep it up to date. Throws ExpressionError.
///
/// @return where its value stands
const double* add_history(SyntaxIndex call, CompileContext& context);

}  // namespace jointrig::harness
