// The pages of the explorer, compiled in.
#pragma once

#include <string_view>

namespace explore_page {

extern const std::string_view kHtml;
extern const std::string_view kScript;
extern const std::string_view kStyle;

}  // namespace explore_page
