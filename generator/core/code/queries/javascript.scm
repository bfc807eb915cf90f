; Adds to the grammar's own queries; what stands later wins.

(regex ["/"] @string)
(regex flags: (_) @string)
