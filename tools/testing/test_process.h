// test_process.h: runs the built program in a test and keeps what it said.
//
// Standard output and error go to temporary files, so neither can fill a pipe and stop the program. Standard
// input is empty. The environment is the test's own, without the variables that decide about colour, plus
// what is given.
#pragma once

#include <string>
#include <vector>

namespace lockstep::tools {

struct Finished {
  int status = -1;  // exit status; 128 + the signal if one ended it
  std::string out;
  std::string err;
};

struct Surrounding {
  std::vector<std::string> environment;  // "NAME=value"
  std::string directory;                 // where it runs; empty: where the test does
  std::string out_to;                    // standard output goes to this file instead
};

Finished run_program(const std::string& program, const std::vector<std::string>& arguments,
                     const Surrounding& around = {});

/// A program that runs until it is told to end: the signal comes when it has said `ready` on its standard
/// output, however long that takes.
Finished run_until_ready(const std::string& program, const std::vector<std::string>& arguments,
                         const std::string& ready, const std::string& signal,
                         const Surrounding& around = {});

}  // namespace lockstep::tools
