// one_request.h: the machine of calls that are one request and its answer, whatever they are about.
//
//   1. Asked: the request is under way.
//   2. Told: its answer has been read; the call returns it. An error, or no answer in time, is an exception.
#pragma once

#include "model/client/machine.h"

namespace lockstep::model {

extern const Machine one_request;

/// Asks what a step asks, of any lock: about the calling thread, or the one that the step names.
void ask_about(Caller caller, const Step& step, std::uint16_t object, const std::string& lock);

/// The integer 1, or whatever else says that something is there: yes; 0, or nothing at all: no.
Items read_yes_or_no(const Reply& reply);

/// A number, or a text that is one; nothing at all: no.
Items read_number(const Reply& reply);

}  // namespace lockstep::model
