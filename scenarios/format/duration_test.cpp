#include "scenarios/format/duration.h"

#include <gtest/gtest.h>

namespace lockstep::scenarios {
namespace {

using namespace std::chrono_literals;
using sim::Duration;

TEST(Durations, EveryUnitIsReadAsWholeMilliseconds) {
  EXPECT_EQ(*parse_duration("250ms"), Duration(250));
  EXPECT_EQ(*parse_duration("30s"), Duration(30s));
  EXPECT_EQ(*parse_duration("2m"), Duration(2min));
  EXPECT_EQ(*parse_duration("1h"), Duration(1h));
  EXPECT_EQ(*parse_duration("0s"), Duration(0));
}

TEST(Durations, BareNumbersFractionsSignsAndRubbishAreRefused) {
  for (const char* text : {"", "30", "1.5s", "-1s", "+1s", "s", "3 s", "3sec", "1e3s", "0x10s"}) {
    EXPECT_FALSE(parse_duration(text).ok()) << text;
  }
}

TEST(Durations, TheLongestIsTenYearsAndNothingOverflows) {
  EXPECT_EQ(parse_duration("315360000s")->count(), 315'360'000'000);
  EXPECT_FALSE(parse_duration("315360001s").ok());
  EXPECT_FALSE(parse_duration("18446744073709551617ms").ok());
  EXPECT_FALSE(parse_duration(std::string(1000, '9') + "h").ok());
}

TEST(Durations, AnOffsetMayHaveASign) {
  EXPECT_EQ(*parse_offset("+400ms"), Duration(400));
  EXPECT_EQ(*parse_offset("-5s"), Duration(-5s));
  EXPECT_EQ(*parse_offset("5s"), Duration(5s));
  EXPECT_FALSE(parse_offset("--5s").ok());
  EXPECT_EQ(*parse_drift("+200ppm"), 200);
  EXPECT_EQ(*parse_drift("-50ppm"), -50);
  for (const char* wrong : {"", "+", "5", "ppm", "5s", "600000ppm", "99999999999ppm", "+-5ppm"})
    EXPECT_FALSE(parse_drift(wrong).ok()) << wrong;
}

TEST(Durations, TheLowerEndOfAnIntervalTakesTheUnitOfTheUpperOne) {
  EXPECT_EQ(*parse_interval("0..50ms"), (model::Interval{Duration(0), Duration(50)}));
  EXPECT_EQ(*parse_interval("10..20s"), (model::Interval{Duration(10s), Duration(20s)}));
  EXPECT_EQ(*parse_interval("500ms..1s"), (model::Interval{Duration(500), Duration(1s)}));
  EXPECT_EQ(*parse_interval("7s"), (model::Interval{Duration(7s), Duration(7s)}));
  for (const char* text : {"..", "1s..", "..1s", "2s..1s", "1s..2", "1s...2s"}) {
    EXPECT_FALSE(parse_interval(text).ok()) << text;
  }
}

TEST(Durations, PrintingAndReadingAreInverse) {
  for (const std::int64_t ms : {0, 1, 999, 1000, 1500, 60'000, 600'000}) {
    EXPECT_EQ(*parse_duration(print(Duration(ms))), Duration(ms));
    EXPECT_EQ(*parse_offset(print_offset(Duration(-ms))), Duration(-ms));
    EXPECT_EQ(*parse_interval(print(model::Interval{Duration(ms), Duration(2 * ms)})),
              (model::Interval{Duration(ms), Duration(2 * ms)}));
  }
  EXPECT_EQ(print(Duration(600'000)), "600s");
  EXPECT_EQ(print(model::Interval{Duration(0), Duration(50)}), "0..50ms");
}

}  // namespace
}  // namespace lockstep::scenarios
