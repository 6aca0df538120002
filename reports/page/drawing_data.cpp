#include "reports/page/drawing_data.h"

#include <string_view>

namespace lockstep::reports {

namespace {

using PartJson = nlohmann::ordered_json;

std::string_view word_of(Align align) {
  return align == Align::left ? "left" : align == Align::right ? "right" : "center";
}

std::string_view word_of(Dash dash) {
  return dash == Dash::solid ? "solid" : dash == Dash::dashed ? "dashed" : "dotted";
}

std::string_view word_of(Sign sign) {
  switch (sign) {
    case Sign::dot: return "dot";
    case Sign::ring: return "ring";
    case Sign::up: return "up";
    case Sign::hollow_up: return "hollow_up";
    case Sign::down: return "down";
    case Sign::cross: return "cross";
    case Sign::diamond: return "diamond";
  }
  return "dot";
}

PartJson part_of(const Box& box) {
  PartJson part{{"kind", "box"},          {"x", box.x},           {"y", box.y},
                {"width", box.width},     {"height", box.height}, {"fill", box.fill},
                {"border", box.border},   {"thick", box.border_tenths}};
  if (box.label.empty()) return part;
  part["label"] = box.label;
  part["font"] = box.font_size;
  part["bold"] = box.bold;
  part["colour"] = box.colour;
  return part;
}

PartJson part_of(const Text& text) {
  return {{"kind", "text"},      {"x", text.x},                   {"y", text.y},
          {"text", text.text},   {"align", word_of(text.align)},  {"font", text.font_size},
          {"bold", text.bold},   {"colour", text.colour},         {"backed", text.backed}};
}

PartJson part_of(const Line& line) {
  return {{"kind", "line"}, {"x", line.x0},           {"y", line.y0},
          {"x1", line.x1},  {"y1", line.y1},          {"colour", line.colour},
          {"thick", line.width_tenths}, {"dash", word_of(line.dash)}};
}

PartJson part_of(const Hatch& hatch) {
  return {{"kind", "hatch"},        {"x", hatch.x},           {"y", hatch.y},      {"width", hatch.width},
          {"height", hatch.height}, {"colour", hatch.colour}, {"step", hatch.step}};
}

PartJson part_of(const Mark& mark) {
  return {{"kind", "mark"}, {"sign", word_of(mark.sign)}, {"x", mark.x},
          {"y", mark.y},    {"size", mark.size},          {"colour", mark.colour}};
}

}  // namespace

nlohmann::ordered_json drawing_data(const Drawing& drawing) {
  PartJson parts = PartJson::array();
  for (const Element& element : drawing.elements) {
    PartJson part = std::visit([](const auto& shape) { return part_of(shape); }, element.shape);
    if (!element.id.empty()) part["id"] = element.id;
    if (!element.tooltip.empty()) part["tip"] = element.tooltip;
    parts.push_back(std::move(part));
  }
  return {{"name", drawing.name},
          {"width", drawing.width},
          {"height", drawing.height},
          {"parts", std::move(parts)}};
}

}  // namespace lockstep::reports
