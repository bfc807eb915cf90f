// Answers one request per line, as page.wasm would.
#include <iostream>
#include <string>

#include "figures/page/page_call.hpp"

int main() {
  for (std::string request; std::getline(std::cin, request);)
    std::cout << figures::page_call(request) << '\n';
}
