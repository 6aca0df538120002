#include "tools/measure/figures.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "reports/text/text.h"
#include "sim/base/amount.h"

namespace lockstep::tools {

namespace {

/// A distribution by its name, unit last, and where it lies.
struct Quantity {
  const char* name;
  const char* says;
  Distribution Measured::*where;
};
constexpr Quantity quantities[] = {
    {"wait_ms", "waited for a lock (ms)", &Measured::wait_ms},
    {"hold_ms", "held it (ms)", &Measured::hold_ms},
    {"commands", "commands an acquire", &Measured::commands},
    {"messages", "messages an acquire", &Measured::messages},
    {"fair_grants", "fairness of grants (Jain)", &Measured::fair_grants},
    {"fair_waits", "fairness of waits (Jain)", &Measured::fair_waits},
};

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string point_table(const Measured& measured) {
  std::string text = fmt::format("  {:<28}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}\n", "", "samples", "mean",
                                 "p50", "p90", "p99", "max");
  for (const Quantity& one : quantities) {
    const Distribution& of = measured.*one.where;
    text += fmt::format("  {:<28}{:>10}", one.says, of.samples.size());
    for (const double number :
         {of.mean(), of.quantile(.5), of.quantile(.9), of.quantile(.99), of.quantile(1)})
      text += of.samples.empty() ? fmt::format("{:>10}", "-") : fmt::format("{:>10.2f}", number);
    text += '\n';
  }
  text += fmt::format("  {}, {} granted, {} refused; {}, {} in vain\n", sim::amount(measured.runs, "run"),
                      measured.acquires, measured.refusals, sim::amount(measured.wake_ups, "wake-up"),
                      measured.wake_ups_in_vain);
  for (const auto& [property, runs] : measured.violated)
    text += fmt::format("  {} broken in {} of {} ({:.1f} %)\n", property, runs,
                        sim::amount(measured.runs, "run"), 100 * share(runs, measured.runs));
  if (measured.violated.empty()) text += "  no property was broken in these runs\n";
  return text;
}

/// A text between quotes of CSV (RFC 4180).
std::string csv_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

/// A text between quotes of gnuplot.
std::string plot_text(const std::string& text) {
  std::string quoted = "'";
  for (const char c : reports::printable(text)) quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::string measured_of(const Measurement& of) {
  return fmt::format(
      "{} · {} · {}, seeds {} to {}\n"
      "Of schedules drawn uniformly, in virtual time: each move is as likely as every other, faults too. "
      "These numbers\ncompare protocols and settings; they are not those of any network or machine.\n",
      reports::printable(of.scenario), reports::printable(of.scripts), sim::amount(of.runs, "run"), of.seed,
      of.seed + of.runs - 1);
}

std::string measurement_table(const Measurement& of) {
  std::string text = measured_of(of);
  if (!of.complete) text += "INCOMPLETE: interrupted, so runs are missing\n";
  for (const MeasuredPoint& point : of.points) {
    text += '\n';
    if (!of.key.empty()) text += reports::printable(of.key) + " = " + reports::printable(point.value) + '\n';
    text += point_table(point.measured);
  }
  return text;
}

std::string measurement_csv(const Measurement& of) {
  std::string text = "key,value,quantity,samples,mean,p50,p90,p99,max\n";
  for (const MeasuredPoint& point : of.points) {
    const std::string begin = csv_text(of.key) + ',' + csv_text(point.value) + ',';
    const Measured& measured = point.measured;
    for (const Quantity& one : quantities) {
      const Distribution& d = measured.*one.where;
      text += fmt::format("{}{},{},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g}\n", begin, one.name, d.samples.size(),
                          d.mean(), d.quantile(.5), d.quantile(.9), d.quantile(.99), d.quantile(1));
    }
    const auto count = [&](const std::string& name, std::uint64_t part, std::uint64_t whole) {
      text += fmt::format("{}{},{},{:.6g},,,,\n", begin, name, whole, share(part, whole));
    };
    count("wake_ups_in_vain", measured.wake_ups_in_vain, measured.wake_ups);
    for (const auto& [property, runs] : measured.violated) count("broken:" + property, runs, measured.runs);
  }
  return text;
}

std::string measurement_json(const Measurement& of) {
  using Json = nlohmann::ordered_json;
  Json json;
  json["lockstep"] = "measurement";
  json["v"] = 1;
  json["scenario"] = of.scenario;
  json["scripts"] = of.scripts;
  json["sampler"] = "uniform";
  json["seed"] = of.seed;
  json["runs"] = of.runs;
  json["complete"] = of.complete;
  if (!of.key.empty()) json["key"] = of.key;
  json["points"] = Json::array();
  for (const MeasuredPoint& point : of.points) {
    const Measured& measured = point.measured;
    Json one;
    if (!of.key.empty()) one["value"] = point.value;
    one["runs"] = measured.runs;
    one["acquires"] = measured.acquires;
    one["refusals"] = measured.refusals;
    one["wake_ups"] = measured.wake_ups;
    one["wake_ups_in_vain"] = measured.wake_ups_in_vain;
    for (const Quantity& quantity : quantities) {
      const Distribution& d = measured.*quantity.where;
      one[quantity.name] = {{"samples", d.samples.size()}, {"mean", d.mean()},
                            {"p50", d.quantile(.5)},       {"p90", d.quantile(.9)},
                            {"p99", d.quantile(.99)},      {"max", d.quantile(1)}};
    }
    one["violated"] = Json::object();
    for (const auto& [property, runs] : measured.violated) one["violated"][property] = runs;
    json["points"].push_back(std::move(one));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

namespace {

/// What was broken in any run.
std::set<std::string> broken_anywhere(const Measurement& of) {
  std::set<std::string> names;
  for (const MeasuredPoint& point : of.points)
    for (const auto& [property, runs] : point.measured.violated) names.insert(property);
  return names;
}

std::string plot_of_waits(const Measurement& of) {
  std::string text = "set ylabel 'waited for a lock (ms, virtual)'\nset yrange [0:*]\n$points << END\n";
  for (std::size_t i = 0; i < of.points.size(); ++i) {
    const Distribution& wait = of.points[i].measured.wait_ms;
    text += fmt::format("{} {:.6g} {:.6g} {:.6g} {:.6g}\n", i, wait.mean(), wait.quantile(.5),
                        wait.quantile(.9), wait.quantile(.99));
  }
  return text +
         "END\nplot $points using 1:2 with linespoints title 'mean', '' using 1:3 with linespoints title "
         "'p50', '' using 1:4 with linespoints title 'p90', '' using 1:5 with linespoints title 'p99'\n";
}

/// How often each property was broken, of all runs of a point.
std::string plot_of_violations(const Measurement& of, const std::set<std::string>& broken) {
  std::string text =
      "unset title\nset ylabel 'share of runs that break it'\nset yrange [0:1]\n$shares << END\n";
  for (std::size_t i = 0; i < of.points.size(); ++i) {
    const Measured& measured = of.points[i].measured;
    text += fmt::format("{}", i);
    for (const std::string& property : broken) {
      const auto found = measured.violated.find(property);
      text +=
          fmt::format(" {:.6g}", found == measured.violated.end() ? 0 : share(found->second, measured.runs));
    }
    text += '\n';
  }
  text += "END\nplot ";
  std::size_t column = 2;
  for (const std::string& property : broken) {
    text += fmt::format("{} using 1:{} with linespoints title {} noenhanced",
                        column == 2 ? "$shares" : ", ''", column, plot_text(property));
    ++column;
  }
  return text + "\n";
}

}  // namespace

std::string measurement_plot(const Measurement& of) {
  const std::set<std::string> broken = broken_anywhere(of);
  std::string text = fmt::format("set terminal svg size 900,{} font 'DejaVu Sans,12'\nset grid\n",
                                 broken.empty() ? 500 : 900);
  const std::string title = of.scenario + " · " + of.scripts + (of.complete ? "" : " · INCOMPLETE");
  text += "set title " + plot_text(title) + " noenhanced\nset key left top\n";
  text += "set xlabel " + plot_text(of.key.empty() ? "schedules drawn uniformly" : of.key) + " noenhanced\n";
  text += "set xtics (";
  for (std::size_t i = 0; i < of.points.size(); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ",
                        plot_text(of.points[i].value.empty() ? "all" : of.points[i].value), i);
  text += fmt::format(") noenhanced\nset xrange [-0.5:{}.5]\n", of.points.size() - 1);
  if (broken.empty()) return text + plot_of_waits(of);
  return text + "set multiplot layout 2,1\n" + plot_of_waits(of) + plot_of_violations(of, broken) +
         "unset multiplot\n";
}

}  // namespace lockstep::tools
