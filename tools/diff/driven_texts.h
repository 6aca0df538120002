// driven_texts.h: how a comparison of scripts tells what a server did and stores (driven_pair.h).
#pragma once

#include <string>
#include <vector>

#include "model/redis/node.h"

namespace lockstep::tools {

/// "channel: message".
std::string text_of_message(const model::Reply& message);
/// For comparing them in any order.
std::vector<std::string> sorted_texts(const std::vector<redis::Push>& messages);
std::string text_of_words(const model::Command& words);
/// An instant in it is told from now on.
std::string text_of_effect(const model::Effect& effect);
/// A line for each key.
std::vector<std::string> stored_in(const redis::Node& node);

}  // namespace lockstep::tools
