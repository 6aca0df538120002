// overloaded.h: one visitor from several lambdas.
#pragma once

namespace lockstep::sim {

template <class... Fs>
struct overloaded : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
overloaded(Fs...) -> overloaded<Fs...>;  // clang 14 does not deduce it by itself

}  // namespace lockstep::sim
