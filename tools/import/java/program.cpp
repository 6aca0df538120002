#include "tools/import/java/program.h"

#include <algorithm>

namespace lockstep::tools::java {

namespace {

std::string_view last_word(std::string_view name) { return name.substr(name.rfind('.') + 1); }

std::string full_name(const Type& type) {
  return type.file->package.empty() ? type.name : type.file->package + "." + type.name;
}

bool takes(const Method& method, std::size_t arguments) {
  const std::size_t count = method.parameters.size();
  if (count > 0 && method.parameters.back().rest) return arguments + 1 >= count;
  return arguments == count;
}

}  // namespace

Program::Program(std::vector<std::unique_ptr<File>> files) : files_(std::move(files)) {
  for (const auto& file : files_)
    for (const Type& type : file->types) add(type);
}

void Program::add(const Type& type) {
  types_.push_back(&type);
  by_name_[std::string(last_word(type.name))].push_back(&type);
  for (const Type& inner : type.nested) add(inner);
}

const Type* Program::type(std::string_view name, const Type& from) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return nullptr;
  const std::vector<const Type*>& all = found->second;
  const auto first = [&](auto fits) -> const Type* {
    const auto one = std::find_if(all.begin(), all.end(), fits);
    return one == all.end() ? nullptr : *one;
  };
  for (const Type* around = &from; around != nullptr; around = around->outer) {
    if (const Type* own = first([&](const Type* t) { return t == around || t->outer == around; })) return own;
  }
  const File& file = *from.file;
  if (const Type* own = first([&](const Type* t) { return t->file == &file && t->outer == nullptr; }))
    return own;
  for (const Import& import : file.imports) {
    if (import.fixed || last_word(import.name) != name) continue;
    return first([&](const Type* t) { return full_name(*t) == import.name; });
  }
  const auto in_package = [&](std::string_view package) {
    return first([&](const Type* t) { return t->outer == nullptr && t->file->package == package; });
  };
  if (const Type* beside = in_package(file.package)) return beside;
  for (const Import& import : file.imports) {
    if (import.fixed || !import.name.ends_with(".*")) continue;
    if (const Type* one = in_package(import.name.substr(0, import.name.size() - 2))) return one;
  }
  return nullptr;
}

std::vector<const Type*> Program::line_of(const Type& type) const {
  const auto known = lines_.find(&type);
  if (known != lines_.end()) return known->second;
  std::vector<const Type*> line{&type};
  for (std::size_t i = 0; i < line.size(); ++i) {
    for (const std::string_view base : line[i]->bases) {
      const Type* above = this->type(base, *line[i]);
      if (above != nullptr && std::find(line.begin(), line.end(), above) == line.end()) line.push_back(above);
    }
  }
  return lines_[&type] = line;
}

std::vector<const Type*> Program::heirs_of(const Type& type) const {
  std::vector<const Type*> heirs;
  for (const Type* each : types_) {
    if (each == &type) continue;
    const std::vector<const Type*> line = line_of(*each);
    if (std::find(line.begin(), line.end(), &type) != line.end()) heirs.push_back(each);
  }
  return heirs;
}

const Method* Program::method(std::string_view name, std::size_t arguments, const Type& type) const {
  for (const Type* around = &type; around != nullptr; around = around->outer) {
    for (const Type* owner : line_of(*around)) {
      const Method* found = nullptr;
      for (const Method& method : owner->methods) {
        if (method.name != name || !takes(method, arguments)) continue;
        if (found != nullptr) return nullptr;
        found = &method;
      }
      if (found != nullptr && (found->body || !owner->interface)) return found;
    }
  }
  return nullptr;
}

std::pair<const Field*, const Type*> Program::field(std::string_view name, const Type& type) const {
  for (const Type* around = &type; around != nullptr; around = around->outer)
    for (const Type* owner : line_of(*around))
      for (const Field& field : owner->fields)
        if (field.name == name) return {&field, owner};
  return {nullptr, nullptr};
}

}  // namespace lockstep::tools::java
