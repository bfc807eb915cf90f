# The bundled tree-sitter grammars and the npm package of each. generator/core/code/grammars.cmake
# compiles them, and install.cmake installs their licences.
set(grammar_languages c cpp python bash javascript json rust go java toml typescript)

# Packages with other names than tree-sitter-<language>.
set(package_of_toml @tree-sitter-grammars/tree-sitter-toml)

function(package_of result language)
  if(DEFINED package_of_${language})
    set(${result} ${PROJECT_SOURCE_DIR}/node_modules/${package_of_${language}} PARENT_SCOPE)
  else()
    set(${result} ${PROJECT_SOURCE_DIR}/node_modules/tree-sitter-${language} PARENT_SCOPE)
  endif()
endfunction()
