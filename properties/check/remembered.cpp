#include "properties/check/remembered.h"

#include "properties/check/remembered_memory.h"

namespace lockstep::properties {

using sim::Row;

bool Remembered::fits(const Setup& setup) { return Stage::fits(setup); }

Remembered::Remembered(Checked& system, const Checked::State& start, Memories memories)
    : memory_(std::make_unique<Memory>(system, start, memories)) {
  VERIFY(memories != Memories::none);
}
Remembered::Remembered(Remembered&&) noexcept = default;
Remembered::~Remembered() = default;

Row Remembered::initial() const { return memory_->known().stage().start(); }
void Remembered::enabled(const State& state, std::vector<Move>& moves) const {
  const std::size_t count = memory_->listed(state).size();
  moves.clear();
  for (std::size_t place = 0; place < count; ++place) moves.push_back(memory_->move_listed(place));
}
const std::vector<KnownMove>& Remembered::listed(const State& state) const { return memory_->listed(state); }
const model::Move& Remembered::move_listed(std::size_t place) const { return memory_->move_listed(place); }
sim::WitnessMask Remembered::apply(State& state, const Move& move) { return memory_->apply(state, move); }
sim::WitnessMask Remembered::apply_listed(State& state, std::size_t place) {
  return memory_->apply_listed(state, place);
}
void Remembered::enough_of(const State& state, const std::vector<Move>& moves,
                           std::vector<std::size_t>& places) {
  struct Looks {
    Memory& memory;
    const Row& row;
    bool is_apart(model::ProcessId p) const { return memory.is_apart(row, p); }
    bool is_unnoticed(const Move& move, model::ProcessId p) const {
      return memory.is_unnoticed(row, move, p);
    }
  };
  find_enough(moves, memory_->checked().setup(), Looks{*memory_, state}, places);
}
const Checked::State& Remembered::whole(const State& row) const { return memory_->known().stage().lay(row); }
void Remembered::note_ways(WaysWatch* ways) { memory_->note_ways(ways); }
const std::vector<std::uint32_t>& Remembered::last_ways() const { return memory_->last_ways(); }
Row Remembered::adopt(Remembered& other, const State& state) {
  return memory_->known().stage().adopted(other.memory_->known().stage(), state);
}
bool Remembered::must_stop() const { return memory_->checked().must_stop(); }
sim::Digest Remembered::digest(const State& state) const { return memory_->digest(state); }
Row Remembered::normal(const State& state) const { return memory_->normal(state); }
sim::Digest Remembered::normal_digest(const State& state) const { return memory_->normal_digest(state); }
sim::PropertyMask Remembered::violated(const State& state) const { return memory_->violated(state); }
sim::EndingMask Remembered::endings_asked() const { return memory_->checked().endings_asked(); }
sim::EndingMask Remembered::ended(const State& state) const { return memory_->ended(state); }
std::uint64_t Remembered::bytes() const { return memory_->bytes(); }
std::size_t Remembered::contents() const { return memory_->known().stage().contents(); }
std::size_t Remembered::shown() const { return memory_->shown(); }
std::uint64_t Remembered::times_forgotten() const { return memory_->times_forgotten(); }
void Remembered::encode_state(const State& state, sim::Encoder& out) const {
  memory_->checked().encode_state(memory_->known().stage().lay(state), out);
}

std::string Remembered::show(const Move& move) const { return memory_->checked().show(move); }
sim::Result<model::Move> Remembered::parse(std::string_view text) const {
  return memory_->checked().parse(text);
}

sim::ActorClasses Remembered::classes() const { return memory_->checked().classes(); }

sim::Digest Remembered::signature(const State& state, std::size_t actor) const {
  return memory_->signature(state, actor);
}

sim::Digest Remembered::inner_signature(const State& state, std::size_t thread) const {
  return memory_->inner_signature(state, thread);
}

sim::Digest Remembered::digest_permuted(const State& state, sim::Permutation permutation) const {
  return memory_->digest_permuted(state, permutation);
}

const std::vector<std::uint32_t>* Remembered::known_orders(const State& state, sim::Ranking& ranking) const {
  return memory_->renamed().orders(state, ranking);
}

sim::Digest Remembered::digest_called(const State& state, std::uint32_t order) const {
  return memory_->digest_permuted(state, order);
}

void Remembered::encode_permuted(const State& state, sim::Permutation permutation, sim::Encoder& out) const {
  memory_->checked().encode_permuted(memory_->known().stage().lay(state), permutation, out);
}

}  // namespace lockstep::properties
