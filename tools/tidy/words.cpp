// Words that the deterministic core may not use, each with what to use instead (STYLE.md, rule 11).
#include <fmt/format.h>

#include <array>

#include "tools/tidy/tidy.h"

namespace lockstep::tidy {

namespace {

enum class InTests { allowed, banned };

struct Banned {
  std::string_view word;
  std::string_view instead;
  InTests in_tests;
};

constexpr std::string_view order = "std::map, std::set or a sorted vector (iteration order is observable)";
constexpr std::string_view chance = "a move, or sim/base/random.h (results must be the same everywhere)";
constexpr std::string_view clock = "the world's virtual time (sim/base/time.h)";
constexpr std::string_view outside =
    "a parameter that tools fills in (the core touches nothing outside the program)";
constexpr std::string_view alone =
    "nothing: the core runs in one thread; what searches do side by side goes through sim/search/workers.h";
/// The one file of the core that may know of threads.
constexpr std::string_view thread_door = "sim/search/workers.h";

constexpr std::array banned_words{
    Banned{"std::unordered_map", order, InTests::allowed},
    Banned{"std::unordered_set", order, InTests::allowed},
    Banned{"std::unordered_multimap", order, InTests::allowed},
    Banned{"std::unordered_multiset", order, InTests::allowed},
    Banned{"std::rand", chance, InTests::banned},
    Banned{"std::srand", chance, InTests::banned},
    Banned{"std::random_device", chance, InTests::banned},
    Banned{"std::mt19937", chance, InTests::allowed},
    Banned{"std::mt19937_64", chance, InTests::allowed},
    Banned{"std::uniform_int_distribution", chance, InTests::banned},
    Banned{"#include <random>", chance, InTests::allowed},
    Banned{"system_clock", clock, InTests::allowed},
    Banned{"steady_clock", clock, InTests::allowed},
    Banned{"high_resolution_clock", clock, InTests::allowed},
    Banned{"std::time", clock, InTests::allowed},
    Banned{"gettimeofday", clock, InTests::allowed},
    Banned{"clock_gettime", clock, InTests::allowed},
    Banned{"std::thread", alone, InTests::allowed},
    Banned{"std::jthread", alone, InTests::allowed},
    Banned{"std::async", alone, InTests::allowed},
    Banned{"std::mutex", alone, InTests::allowed},
    Banned{"std::atomic", alone, InTests::allowed},
    Banned{"#include <thread>", alone, InTests::allowed},
    Banned{"thread_local", alone, InTests::allowed},
    Banned{"getenv", outside, InTests::allowed},
    Banned{"fopen", outside, InTests::allowed},
    Banned{"std::ifstream", outside, InTests::allowed},
    Banned{"std::ofstream", outside, InTests::allowed},
    Banned{"std::fstream", outside, InTests::allowed},
    Banned{"#include <fstream>", outside, InTests::allowed},
    Banned{"#include <filesystem>", outside, InTests::allowed},
};

constexpr std::string_view no_float =
    "whole numbers (sim::Duration, counts); only Redis's own numbers are fractions, formatted in one place";

constexpr std::array core{"sim/", "lua/", "model/", "properties/"};

bool is_core(std::string_view path) {
  for (const std::string_view folder : core) {
    if (begins_with(path, folder)) return true;
  }
  return false;
}

/// Where Redis's own numbers are handled: Lua numbers, scores of sorted sets, INCRBYFLOAT.
bool may_use_floats(std::string_view path) {
  if (begins_with(path, "lua/")) return true;
  if (!begins_with(path, "model/redis/")) return false;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (const std::string_view part :
       {"score", "argument", "value", "number", "sorted", "zset", "string", "counter", "keyspace", "hash"}) {
    if (name.find(part) != std::string_view::npos) return true;
  }
  return false;
}

void look_for(std::string_view word, std::string_view instead, const SourceFile& file, std::string_view line,
              int number, std::vector<Finding>& findings) {
  for (std::size_t at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
    if (!is_word_at(line, at, word)) continue;
    findings.push_back(
        {file.path, number, fmt::format("{} is banned here, use {}", word, instead), Rule::words});
    return;
  }
}

}  // namespace

void check_words(const SourceFile& file, std::vector<Finding>& findings) {
  if (!is_source(file.path) || !is_core(file.path)) return;
  const std::string code = code_of(file.text);
  int number = 0;
  for (const std::string_view line : lines_of(code)) {
    ++number;
    for (const Banned& banned : banned_words) {
      if (is_test(file.path) && banned.in_tests == InTests::allowed) continue;
      if (file.path == thread_door && banned.instead == alone) continue;
      look_for(banned.word, banned.instead, file, line, number, findings);
    }
    if (is_test(file.path) || may_use_floats(file.path)) continue;
    for (const std::string_view word : {"float", "double"})
      look_for(word, no_float, file, line, number, findings);
  }
}

}  // namespace lockstep::tidy
