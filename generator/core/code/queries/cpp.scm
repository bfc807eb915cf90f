; Adds to the grammar's own queries (C's, then C++'s); what stands later wins.

["/" "%" "<=" ">=" "<<" ">>" "!" "|" "^" "~" "*=" "/=" "%=" "<<=" ">>=" "&=" "|=" "^=" "?" "<=>"]
  @operator

; Brackets of templates are no comparisons.
(template_argument_list ["<" ">"] @none)
(template_parameter_list ["<" ">"] @none)
(preproc_include path: (system_lib_string) @string)

["#define" "#elif" "#else" "#endif" "#if" "#ifdef" "#ifndef" "#include"] @preproc
(preproc_directive) @preproc
(preproc_def name: (identifier) @constant)
(attribute_declaration) @preproc
(attribute name: (identifier) @preproc)

["alignas" "alignof" "decltype" "static_assert" "thread_local" "co_await"] @keyword
(auto) @keyword
(this) @keyword
[(true) (false)] @constant
(char_literal) @string

(parameter_declaration declarator: (identifier) @variable.parameter)
(parameter_declaration
  declarator: (pointer_declarator declarator: (identifier) @variable.parameter))
(parameter_declaration declarator: (reference_declarator (identifier) @variable.parameter))
(optional_parameter_declaration declarator: (identifier) @variable.parameter)

; CUDA's qualifiers are names to a C++ parser, and so are the types behind them.
([(identifier) (type_identifier)] @keyword
  (#match? @keyword "^__(global|device|host|shared|constant|restrict|forceinline)__$"))
((identifier) @type
  (#any-of? @type "void" "bool" "char" "int" "unsigned" "float" "double" "half" "float4"))
