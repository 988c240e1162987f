// Everything public in one include.
#pragma once

#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/explain.hpp"
#include "shiftcut/features.hpp"
#include "shiftcut/feedback.hpp"
#include "shiftcut/message.hpp"
#include "shiftcut/metrics.hpp"
#include "shiftcut/neighbors.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/read.hpp"
#include "shiftcut/report.hpp"
#include "shiftcut/result.hpp"
#include "shiftcut/run.hpp"
#include "shiftcut/text.hpp"
#include "shiftcut/version.hpp"
#include "shiftcut/words.hpp"
