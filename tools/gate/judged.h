// judged.h: what a check found out about one scenario, as a gate keeps it, and the file of what was found.
//
// A question is the text of the scenario, the scripts that its kinds of locks send, how far the search may
// go, and the build of Lockstep that asks. The same question has the same answer, so an answer is kept
// under the question's digest and never asked for twice. What ended for want of time is not kept.
//
//   {"lockstep":"results","v":1,"program":"6b1f…"}
//   {"key":"1c…","states":3071,"complete":true,"graph":"41…","sent":["lock","unlock"],"seen":["contention"],
//    "properties":[{"name":"owner-only","verdict":"proved"},…],"sum":"0c2d…"}
//   …
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "properties/check/check.h"
#include "sim/base/result.h"

namespace lockstep::tools {

struct JudgedProperty {
  std::string name, verdict, why;
  bool vacuous = false;
  std::uint64_t steps = 0;
  std::string trail;  // of what is violated: its deviations
  bool operator==(const JudgedProperty&) const = default;
};

struct Judged {
  std::uint64_t states = 0;
  bool complete = false;
  std::string graph;
  std::vector<std::string> sent, seen;  // roles; witnesses that the scenario demands
  std::vector<JudgedProperty> properties;
  std::string refusal;  // why no verdict can be given; then there are none
  bool in_time = true;  // false: ended by the clock or by hand
  bool operator==(const Judged&) const = default;

  const JudgedProperty* find(const std::string& property) const;
};

/// The digests under which a baseline knows the question: of the scenario without its scripts, and of these.
struct QuestionDigests {
  std::string scenario, scripts;
  bool operator==(const QuestionDigests&) const = default;
};
QuestionDigests digests_of(const model::Setup& setup);
/// The key of an answer; `limits` says how far the search goes.
std::string key_of(const QuestionDigests& question, const std::string& limits);

Judged judge(const model::Setup& setup, const properties::CheckOptions& options);

/// Answers by their keys, the newest last.
class KeptResults {
 public:
  static sim::Result<KeptResults> parse(std::string_view text, const std::string& file,
                                        const std::string& program);
  explicit KeptResults(std::string program) : program_(std::move(program)) {}

  const Judged* find(const std::string& key);
  void keep(const std::string& key, Judged judged);
  bool changed() const { return changed_; }
  std::string text() const;

 private:
  std::string program_;
  std::vector<std::string> order_;  // of the keys, the newest last
  std::map<std::string, Judged> by_key_;
  bool changed_ = false;
};

}  // namespace lockstep::tools
