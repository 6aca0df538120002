// How many states and transitions the shipped scenarios have. A change of a number is a change of what the
// model means, and the commit that makes it says why.
#include <gtest/gtest.h>

#include "scenarios/exploring.h"

namespace lockstep::scenarios {
namespace {

struct Counts {
  std::string_view name;
  bool symmetry;
  std::uint64_t states, transitions;
  std::string_view violated = "";
};

void PrintTo(const Counts& counts, std::ostream* out) {
  *out << counts.name << (counts.symmetry ? "" : " without symmetry");
}

std::string name_of_counts(const testing::TestParamInfo<Counts>& counts) {
  std::string name(counts.param.name);
  for (char& c : name)
    if (c == '/' || c == '-') c = '_';
  return name + (counts.param.symmetry ? "" : "_without_symmetry");
}

class ShippedCounts : public testing::TestWithParam<Counts> {};

TEST_P(ShippedCounts, AreAsPinned) {
  const Counts& pinned = GetParam();
  const model::Setup setup = shipped_setup(pinned.name);
  const auto found = search(setup, {.symmetry = pinned.symmetry});
  EXPECT_TRUE(found.complete());
  EXPECT_EQ(found.states, pinned.states);
  EXPECT_EQ(found.transitions, pinned.transitions);
  EXPECT_EQ(names_of(found.violated), pinned.violated);
  EXPECT_FALSE(found.zeno.has_value());
}

INSTANTIATE_TEST_SUITE_P(
    Scenarios, ShippedCounts,
    testing::Values(
        Counts{"plain/two-clients", true, 267, 625}, Counts{"plain/two-clients", false, 531, 1'246},
        Counts{"plain/three-clients", true, 1'414, 4'457},
        Counts{"plain/three-clients", false, 8'049, 25'611},
        Counts{"plain/reentrant", true, 219, 358}, Counts{"plain/not-the-owner", true, 24, 28},
        Counts{"plain/try-lock-timeout", true, 54, 76}, Counts{"plain/holder-crashes", true, 387, 1'274},
        Counts{"plain/shared-process", true, 4'705, 14'690}, Counts{"monitor/two-threads", true, 148, 322},
        Counts{"java/try-lock-2", true, 286, 664}, Counts{"java/try-lock-with-lease-time", true, 11, 10},
        Counts{"java/try-lock-wait-timeout", true, 30, 36}, Counts{"spin/two-clients", true, 685, 794},
        Counts{"spin/two-clients", false, 1'367, 1'584}, Counts{"spin/three-clients", true, 220, 367},
        Counts{"spin/reentrant", true, 945, 1'201}, Counts{"spin/try-lock-timeout", true, 198, 222},
        Counts{"spin/holder-crashes", true, 9'674, 11'098},
        Counts{"spin/force-unlock", true, 102, 160, "mutual-exclusion mutual-exclusion-within-lease"},
        Counts{"spin/interrupted", true, 6'731, 7'468, "nothing-left-behind no-uncaught-exception"},
        Counts{"spin/reply-lost", true, 70, 70, "reentrancy no-uncaught-exception"},
        Counts{"fair/two-clients", true, 567, 1'633}, Counts{"fair/three-clients", true, 648, 1'602},
        Counts{"fair/round-and-round", true, 5'543, 14'337}, Counts{"fair/reentrant", true, 527, 1'190},
        Counts{"fair/try-lock-timeout", true, 468, 1'354}, Counts{"fair/holder-crashes", true, 46, 56},
        Counts{"fair/waiter-crashes", true, 345, 403, "busy-poll"},
        Counts{"fair/long-work", true, 692, 1'684},
        Counts{"fair/waits-for-ever", true, 210, 264, "granted-in-time"},
        Counts{"fair/deadlines-drift", true, 579, 1'401, "granted-in-time"},
        Counts{"fair/deadlines-kept-near", true, 602, 1'448},
        Counts{"fair/unit-trap", true, 926, 2'509, "granted-in-time bounded-overtaking"},
        Counts{"fair/unit-said", true, 1'654, 4'884}, Counts{"fair/simplified", true, 510, 1'228},
        Counts{"fair/interrupted", true, 81, 113, "granted-in-time"},
        Counts{"fair/places-behind-the-first", true, 214, 429},
        Counts{"fair/places-of-their-own", true, 211, 426},
        Counts{"fair/try-lock-before-3-11-1", true, 223, 457},
        Counts{"readwrite/readers-share", true, 1'835, 4'887},
        Counts{"readwrite/writer-excludes", true, 467, 922}, Counts{"readwrite/reentrant", true, 189, 375},
        Counts{"readwrite/message-missed", true, 375, 843, "granted-in-time no-lost-wake-up"},
        Counts{"readwrite/downgrade", true, 181, 371, "granted-in-time"},
        Counts{"readwrite/holder-crashes", true, 771, 2'540},
        Counts{"readwrite/long-reading", true, 594, 1'750},
        Counts{"readwrite/dead-reader-renewed", true, 96, 141, "free-after-crash"},
        Counts{"fenced/two-clients", true, 107, 177}, Counts{"fenced/reentrant", true, 1'232, 2'934},
        Counts{"non-reentrant/two-clients", true, 175, 365}),
    name_of_counts);

INSTANTIATE_TEST_SUITE_P(
    Later, ShippedCounts,
    testing::Values(
        Counts{"promises/read-in-company", true, 34, 38}, Counts{"promises/write-in-company", true, 46, 54},
        Counts{"promises/fenced-at-a-resource", true, 43, 51, "mutual-exclusion"},
        Counts{"red/one-clock-jumps", true, 767, 1'917},
        Counts{"faster-multi/two-clients", true, 171, 361},
        Counts{"faster-multi/two-clients", false, 339, 718},
        Counts{"faster-multi/overlapping", true, 5'385, 15'759},
        Counts{"faster-multi/count-left-behind", true, 247, 468, "reentrancy"}),
    name_of_counts);

TEST(Counts, TwoEqualClientsThatWorkTenSecondsHaveTheStatesThatWereCountedByHand) {
  const auto setup_for = [](const char* count) {
    return setup_of(std::string("[process.P]\ncount = ") + count +
                    "\nthreads = [[\"lock orders\", \"work 10s\", \"unlock orders\"]]\n");
  };
  const auto two = setup_for("2"), three = setup_for("3");
  const auto counted = [](model::Setup setup, bool symmetry) {
    setup.reductions = model::Reductions::none();
    const auto found = search(setup, {.symmetry = symmetry});
    return std::pair{found.states, found.transitions};
  };
  EXPECT_EQ(counted(two, false), (std::pair<std::uint64_t, std::uint64_t>{956, 2'280}));
  EXPECT_EQ(counted(two, true), (std::pair<std::uint64_t, std::uint64_t>{479, 1'142}));
  EXPECT_EQ(counted(three, false), (std::pair<std::uint64_t, std::uint64_t>{15'098, 48'105}));
  EXPECT_EQ(counted(three, true), (std::pair<std::uint64_t, std::uint64_t>{2'597, 8'266}));
}

}  // namespace
}  // namespace lockstep::scenarios
