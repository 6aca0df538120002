// changed_scheme.h: a scenario in which a scheme has another script.
#pragma once

#include <memory>
#include <vector>

#include "model/schemes/kind.h"
#include "model/setup/setup.h"

namespace lockstep::tools {

/// The setup points to these.
using OwnKinds = std::vector<std::unique_ptr<const schemes::OwnKind>>;
/// Where a scheme has this script in its role, its kind is one with the other script.
void put_into_schemes(model::Setup& setup, const lua::Script& from, const lua::Script& to, OwnKinds& kinds);

}  // namespace lockstep::tools
