; Adds to the grammar's own queries; what stands later wins.

(pair key: (string) @type)
