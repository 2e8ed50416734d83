#pragma once
/// Functions of an expression that need past values: step, rate, peak, low, mean, at.

#include <memory>
#include <span>
#include <string_view>

#include "harness/runner/arithmetic.h"

namespace jointrig::harness {

bool is_history_function(std::string_view name) noexcept;
std::span<const std::string_view> history_functions() noexcept;

/// Compiles a call of such a function and has the table keep it up to date. Throws ExpressionError.
///
/// @return place of its value
const double* add_history(SyntaxIndex call, CompileContext& context);

}  // namespace jointrig::harness
