// program.h: the types of all files together: who extends whom, and what a name means where.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/import/java/declarations.h"

namespace lockstep::tools::java {

class Program {
 public:
  explicit Program(std::vector<std::unique_ptr<File>> files);

  const std::vector<std::unique_ptr<File>>& files() const { return files_; }

  /// All types, those within others too, in the order of the files.
  const std::vector<const Type*>& types() const { return types_; }

  /// What a simple name means in a type; nothing if it is not among the files, or could be several.
  const Type* type(std::string_view name, const Type& from) const;

  /// The type, those that it extends and implements, each once; the type itself first.
  std::vector<const Type*> line_of(const Type& type) const;
  /// Types that extend this one, directly or not.
  std::vector<const Type*> heirs_of(const Type& type) const;

  /// The method that a call of this name with so many arguments runs in an object of the type. Nothing if
  /// there is none, or if several could be meant.
  const Method* method(std::string_view name, std::size_t arguments, const Type& type) const;
  /// A field of the type, of those above it or of those around it, and who declares it.
  std::pair<const Field*, const Type*> field(std::string_view name, const Type& type) const;

 private:
  void add(const Type& type);

  std::vector<std::unique_ptr<File>> files_;
  std::vector<const Type*> types_;
  std::map<std::string, std::vector<const Type*>, std::less<>> by_name_;  // by simple name
  mutable std::map<const Type*, std::vector<const Type*>> lines_;
};

}  // namespace lockstep::tools::java
