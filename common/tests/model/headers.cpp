// The model without exceptions and run-time type information, as the browser build compiles it.
#include "headline_values.hpp"
