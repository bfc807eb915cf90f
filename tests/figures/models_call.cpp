// Answers one request per line, as models.wasm would.
#include <iostream>
#include <string>

#include "figures/page/models_call.hpp"

int main() {
  figures::models::Desk desk;
  for (std::string request; std::getline(std::cin, request);)
    std::cout << desk.answer(request) << '\n';
}
