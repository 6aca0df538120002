// judgement.h: what was found of a history, for people and for programs.
#pragma once

#include <string>

#include "properties/histories/linearizable.h"

namespace lockstep::tools {

struct Judgement {
  std::string file, spec;
  const histories::History& history;
  const std::vector<histories::LockVerdict>& verdicts;
};

/// A line for each lock; of what is not explained the longest prefix, in an order that explains it, and what
/// could have been answered instead.
std::string judgement_text(const Judgement& judgement);
std::string judgement_json(const Judgement& judgement);

}  // namespace lockstep::tools
