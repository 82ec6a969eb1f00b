package main

import (
	"go/ast"
	"slices"
	"strings"
)

// strayGates are the feature gates in comments that no minor version has: removed or misnamed ones. Their fields are
// always there.
var strayGates = []string{"CSIStorageCapacity", "PodCertificateProjection"}

// fieldGates returns the feature gates in the comment of a field, which all must be on.
func fieldGates(one *ast.Field) []string {
	var gates []string
	for _, note := range markers(one.Doc) {
		names, ok := strings.CutPrefix(note, "featureGate=")
		if ok && !slices.Contains(strayGates, names) {
			gates = append(gates, strings.Split(names, ",")...)
		}
	}
	return gates
}

// gatedFile returns the file of the fields that depend on feature gates, as the newest minor version with a gate in the
// comment of the struct has them. A gate that a comment no longer has is on.
func gatedFile(minors []minorRelease, read map[string]release) file {
	fields := map[string]string{}
	for _, one := range minors {
		for name, gates := range read[one.minor].gates {
			fields[name] = gates
		}
	}
	text := head + "\n/**\n * The fields that depend on feature gates, by struct. The gates of a field follow its name; fields are separated by\n" +
		" * semicolons.\n */\nexport const GATED_FIELDS: Readonly<Record<string, string>> = {\n"
	for _, name := range sortedKeys(fields) {
		text += entry(name, fields[name])
	}
	return file{"gated_fields.ts", text + "};\n"}
}
