#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "reports/files/trace_file.h"
#include "reports/testing/any_trace.h"
#include "reports/text/text.h"

namespace lockstep::reports {
namespace {

RC_GTEST_PROP(TraceFile, EveryTraceIsReadBackAsItWasWritten, ()) {
  const auto trace = any_trace();
  const auto bytes = write_trace(trace);
  RC_ASSERT(valid_utf8(bytes));
  const auto read = read_trace(bytes, "x");
  RC_ASSERT(read.ok());
  RC_ASSERT(*read == trace);
  RC_ASSERT(write_trace(*read) == bytes);
}

RC_GTEST_PROP(TraceFile, NoChangeOfAByteIsReadAsAnotherTrace, ()) {
  const auto trace = any_trace();
  auto bytes = write_trace(trace);
  const auto at = *rc::gen::inRange<std::size_t>(0, bytes.size());
  bytes[at] = static_cast<char>(bytes[at] ^ (1 << *rc::gen::inRange(0, 7)));
  const auto read = read_trace(bytes, "x");
  if (read.ok())
    RC_ASSERT(read->events == trace.events && read->actors == trace.actors && read->trail == trace.trail);
  else RC_ASSERT(read.problem().text.substr(0, 2) == "x:");
}

RC_GTEST_PROP(Text, PrintableTextIsValidAndTellsDifferentTextsApart, ()) {
  const auto a = any_text();
  const auto b = any_text();
  RC_ASSERT(valid_utf8(printable(a)));
  RC_ASSERT((printable(a) == printable(b)) == (a == b));
  RC_ASSERT(from_base64(base64(a)) == a);
}

}  // namespace
}  // namespace lockstep::reports
