// first_holds.h: the truth about a lock whose server shows who wants it in their order: the first has it.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "model/client/lock_kind.h"

namespace lockstep::schemes {

/// For Shape::truth.
std::optional<model::Truth> first_holds(std::span<const std::optional<model::Look>> groups,
                                        const model::Setup& setup, std::uint16_t object,
                                        const std::string& lock);

}  // namespace lockstep::schemes
