#pragma once
/// The functions of an expression that remember: step, rate, peak, low, mean, at.

#include <memory>
#include <span>
#include <string_view>

#include "harness/runner/arithmetic.h"

namespace jointrig {

bool is_history_function(std::string_view name) noexcept;
std::span<const std::string_view> history_functions() noexcept;

/// Compiles `name(arguments)` and has the table keep it up to date. Throws ExpressionError.
///
/// @param call  the function's token, for errors
/// @return where its value stands
const double* add_history(const Token& call, std::span<const Token> arguments,
                          CompileContext& context);

}  // namespace jointrig
