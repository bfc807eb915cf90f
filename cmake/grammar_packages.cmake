# The tree-sitter grammars that come along, and the npm package of each: what is compiled (generator/code/grammars.cmake), and
# whose licences are installed with it (install.cmake).
set(grammar_languages c cpp python bash javascript json rust go java toml typescript)

# What is not at tree-sitter-<language>.
set(package_of_toml @tree-sitter-grammars/tree-sitter-toml)

function(package_of result language)
  if(DEFINED package_of_${language})
    set(${result} ${PROJECT_SOURCE_DIR}/node_modules/${package_of_${language}} PARENT_SCOPE)
  else()
    set(${result} ${PROJECT_SOURCE_DIR}/node_modules/tree-sitter-${language} PARENT_SCOPE)
  endif()
endfunction()
