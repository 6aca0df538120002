// words_watch.h: whether servers treat all words that calls draw alike.
//
// Who goes round for ever draws again a number that nothing in the world mentions any more
// (model/client/new_words.h). That is right only if nobody looks into words: with f a request that is served
// and g an exchange of a word for one that was never sent, f(g x) = g f(x). A script that stores a part of a
// word, or goes by its digits, does not keep to it: then a word is stored that no text shows, or the seventh
// word does what the first six did not.
//
// So each request in a search or a run is served again with each word that it or the server mentions in
// place of others. Some of these are far away; what comes out has to be the same but for the word. Others are
// as long, and no digit is the same; then whatever the script looks into (lua/engine/inspector.h) has to be
// the same as well, at each place: who takes a part of a word is known by that part, whatever is made of it.
// What is searched in a text with words has to treat all digits alike, for that is not known by what it
// finds: `77` is hardly ever there.
//
// Nobody is told of `<`. So some words come before all others in the order of texts and some behind them, the
// whole word, or if a script looks into it, its number. A script that asks whether a word lies between two
// texts of its own, both of which begin like words, is found only if one of those words does.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lua/engine/engine.h"
#include "model/world/move.h"
#include "model/world/world.h"
#include "properties/check/served_again.h"
#include "sim/search/seen_set.h"

namespace lockstep::properties {

class WordsWatch {
 public:
  /// The setup must outlive it. `with_now`: what a request does may depend on what time it is.
  WordsWatch(const model::Setup& setup, bool with_now);
  WordsWatch(WordsWatch&&) noexcept;
  ~WordsWatch();

  /// Looks at the request in a move that is about to be taken.
  void before(const model::World& world, const model::Move& move);

  /// What looks into words, and how: "the script in the role `lock` does not treat all such words alike: what
  /// `string.sub` finds …"; nothing as long as nothing was seen to.
  const std::optional<std::string>& culprit() const { return culprit_; }

 private:
  struct Word;
  struct Looks;
  struct Outcome;

  void look_at(const model::World& world, model::LinkId link, model::ConnectionId connection,
               const model::Request& request);
  std::vector<Word> words_in(const model::World& world, const Asked& asked) const;
  Outcome outcome_of(Asked asked) const;
  std::optional<std::string> why_not_alike(const Asked& asked, const std::vector<Word>& words,
                                           bool thoroughly) const;

  const model::Setup& setup_;
  bool with_now_;
  std::unique_ptr<Looks> looks_;
  mutable lua::Engine engine_;  // tells what scripts look into
  sim::DigestSet met_;
  std::optional<std::string> culprit_;
};

}  // namespace lockstep::properties
