// Answers one request per line, as costs.wasm would.
#include <iostream>
#include <string>

#include "figures/page/costs_call.hpp"

int main() {
  for (std::string request; std::getline(std::cin, request);)
    std::cout << figures::costs_call(request) << '\n';
}
