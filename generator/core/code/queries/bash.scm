; Adds to the grammar's own queries; what stands later wins.

[(simple_expansion) (expansion)] @variable.parameter
(simple_expansion ["$"] @variable.parameter)
(simple_expansion (variable_name) @variable.parameter)
(expansion (variable_name) @variable.parameter)
(variable_assignment name: (variable_name) @variable.parameter)
["&&" "||" "|" "<" ">" ">>"] @operator
