// A monitor of one's own over a scenario that comes with the library: how often the lock changed hands.
//
// `Watched` is a sim::System that carries what the monitor remembers beside the world, so a search finds a
// shortest schedule in which it is broken, as it does for the properties that are built in.
#include <cstdio>

#include "model/world/facts.h"
#include "properties/check/checked.h"
#include "properties/monitors/catalog.h"
#include "scenarios/embedded.h"
#include "scenarios/format/reader.h"
#include "sim/search/search.h"

namespace {

using namespace lockstep;

class Watched {
 public:
  struct State {
    properties::Checked::State inner;
    std::string holder;  // the last one
    int hands = 0;       // how many holders there were, up to two
    friend bool operator==(const State&, const State&) = default;
  };
  using Move = model::Move;

  explicit Watched(const model::Setup& setup) : inner_(setup) {}

  State initial() const { return {inner_.initial(), "", 0}; }
  void enabled(const State& state, std::vector<Move>& moves) const { inner_.enabled(state.inner, moves); }
  sim::WitnessMask apply(State& state, const Move& move) {
    const auto shown = inner_.apply(state.inner, move);
    const auto truth = model::Facts(state.inner.world, inner_.setup()).truth(0, "orders");
    if (truth && !truth->free() && truth->holds.front().holder != state.holder && state.hands < 2) {
      state.holder = truth->holds.front().holder;
      ++state.hands;
    }
    return shown;
  }
  sim::PropertyMask violated(const State& state) const { return state.hands > 1 ? 1 : 0; }
  State normal(const State& state) const { return {inner_.normal(state.inner), state.holder, state.hands}; }
  void encode_state(const State& state, sim::Encoder& out) const {
    inner_.encode_state(state.inner, out);
    sim::encode(out, state.holder);
    sim::encode(out, state.hands);
  }
  sim::Digest digest(const State& state) const {
    sim::Encoder out;
    encode_state(state, out);
    return sim::digest_bytes(out.bytes());
  }
  std::string show(const Move& move) const { return inner_.show(move); }
  sim::Result<Move> parse(std::string_view text) const { return inner_.parse(text); }

 private:
  properties::Checked inner_;
};
static_assert(sim::System<Watched>);

}  // namespace

int main() {
  const auto scripts = scenarios::built_in_scripts({});
  const auto* file = scenarios::find_embedded_scenario("plain/two-clients");
  if (!scripts || file == nullptr) return 1;
  scenarios::ScenarioVocabulary names;
  for (const auto& one : properties::catalog) names.properties.emplace_back(one.name);
  for (const auto& one : properties::witness_names) names.witnesses.emplace_back(one);
  const auto setup = scenarios::read_scenario(file->text, "plain/two-clients", *scripts, names);
  if (!setup) return std::puts(setup.problem().text.c_str()), 2;
  Watched system(*setup);
  const auto outcome = sim::explore(system);
  std::printf("complete: %s, the lock changes hands: %s\n",
              outcome.ended == sim::SearchEnd::complete ? "yes" : "no",
              outcome.violations.empty() ? "never" : "yes");
  return outcome.violations.size() == 1 ? 0 : 1;
}
