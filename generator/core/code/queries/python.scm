; Adds to the grammar's own queries; what stands later wins.

["and" "in" "is" "not" "or" "is not" "not in"] @keyword
(call function: (attribute attribute: (identifier) @function))
(parameters (identifier) @variable.parameter)
(parameters (default_parameter name: (identifier) @variable.parameter))
(parameters (typed_parameter (identifier) @variable.parameter))
(parameters (typed_default_parameter name: (identifier) @variable.parameter))
(lambda_parameters (identifier) @variable.parameter)
((identifier) @keyword (#eq? @keyword "self"))
