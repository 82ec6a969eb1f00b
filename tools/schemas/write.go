package main

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// file is a file of the tables.
type file struct{ name, text string }

const head = "// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.\n"

const width = 100

// wholeTables returns a file for each group.
func wholeTables(read release) []file {
	var files []file
	for _, group := range tablesOf(read) {
		names := namesOf(read, group)
		text := head + "import type { StructTable } from \"../../../values/mod.ts\";\n\n" +
			fmt.Sprintf("/** The structs of `%s`. */\nexport const %s: StructTable = {", group, constantOf(group))
		if len(names) > 0 {
			text += "\n"
		}
		for _, name := range names {
			text += entry(name, read.definitions[name])
		}
		files = append(files, file{fileOf(group), text + "};\n"})
	}
	return files
}

// changedTable returns the file with what a release has differently from the base, and null for what it does not have.
func changedTable(minor string, base, read release) file {
	var changed []string
	for name, definition := range read.definitions {
		if before, ok := base.definitions[name]; !ok || before != definition {
			changed = append(changed, name)
		}
	}
	for name := range base.definitions {
		if _, ok := read.definitions[name]; !ok {
			changed = append(changed, name)
		}
	}
	sort.Strings(changed)
	text := head + "import type { StructChanges } from \"../../../values/mod.ts\";\n\n" +
		fmt.Sprintf("/** The structs that Kubernetes %s has differently. */\nexport const CHANGES: StructChanges = {\n", minor)
	for _, name := range changed {
		if definition, ok := read.definitions[name]; ok {
			text += entry(name, definition)
		} else {
			text += fmt.Sprintf("  %q: null,\n", name)
		}
	}
	text += "};\n\n/** The kinds of the groups that have others. */\nexport const KINDS: Readonly<Record<string, string>> = {"
	kinds := ""
	for _, one := range groups {
		if own := read.kinds[one.name]; own != base.kinds[one.name] {
			kinds += entry(one.name, own)
		}
	}
	if kinds != "" {
		kinds = "\n" + kinds
	}
	return file{changesFile(minor), text + kinds + "};\n"}
}

// indexOf returns the file that names all groups and their kinds. groupVersions are those of all releases.
func indexOf(base release, groupVersions map[string]string) file {
	text := "/**\n * The structs, kinds and feature gates of the Kubernetes API in each minor version.\n *\n" +
		" * Imports only types of `values`.\n *\n * @module\n */\n\n" + head +
		"import type { StructChanges, StructTable } from \"../../../values/mod.ts\";\n"
	var constants []string
	for _, group := range tablesOf(base) {
		text += fmt.Sprintf("import { %s } from \"./%s\";\n", constantOf(group), fileOf(group))
		constants = append(constants, "  "+constantOf(group)+",\n")
	}
	for _, one := range releases[1:] {
		text += fmt.Sprintf("import * as %s from \"./%s\";\n", changesOf(one.minor), changesFile(one.minor))
	}
	text += "\nexport { FEATURE_GATES } from \"./feature_gates.ts\";\nexport { GATED_FIELDS } from \"./gated_fields.ts\";\n" +
		"export { RULES } from \"./rules.ts\";\n" + minorsOf()
	text += "\n/** The structs of all groups. */\nexport const TABLES: readonly StructTable[] = [\n" +
		strings.Join(constants, "") + "];\n\n" +
		"/** The packages of the API groups and versions. */\nexport const PACKAGES: Readonly<Record<string, string>> = {\n"
	for _, one := range groups {
		if version, ok := groupVersions[one.name]; ok {
			text += entry(version, one.name)
		}
	}
	text += "};\n\n/** The kinds of each package. */\nexport const KINDS: Readonly<Record<string, string>> = {\n"
	for _, one := range groups {
		text += entry(one.name, base.kinds[one.name])
	}
	text += "};\n"
	return file{"mod.ts", text}
}

// minorsOf returns the table of the minor versions, the oldest first.
func minorsOf() string {
	var names []string
	text := "\n/** The minor versions: the release of each, and what differs from the tables. */\n" +
		"export const MINORS: Readonly<Record<KubernetesMinor, MinorTables>> = {\n"
	for _, one := range oldestFirst() {
		names = append(names, quoted(one.minor))
		changes := "..." + changesOf(one.minor)
		if one == releases[0] {
			changes = "CHANGES: {}, KINDS: {}"
		}
		text += fmt.Sprintf("  %q: { release: %q, %s },\n", one.minor, one.gitVersion(), changes)
	}
	return "\n/** The minor versions of Kubernetes that the server knows. */\n" +
		"export type KubernetesMinor = " + strings.Join(names, " | ") + ";\n" +
		fmt.Sprintf("\n/** The default minor version. */\nexport const DEFAULT_MINOR: KubernetesMinor = %q;\n", releases[0].minor) +
		"\n/** A minor version: its release, and the structs and kinds that differ from the tables. */\n" +
		"export interface MinorTables {\n  readonly release: string;\n  readonly CHANGES: StructChanges;\n" +
		"  readonly KINDS: Readonly<Record<string, string>>;\n}\n" + text + "};\n"
}

func changesOf(minor string) string {
	return "minor" + strings.TrimPrefix(minor, "1.")
}

func changesFile(minor string) string {
	return "minor_" + strings.ReplaceAll(minor, ".", "_") + ".ts"
}

// tablesOf returns the groups, and after them the previews of which the structs of groups have parts.
func tablesOf(read release) []string {
	var names []string
	for _, one := range groups {
		names = append(names, one.name)
	}
	var previews []string
	for name := range read.definitions {
		group := name[:strings.LastIndex(name, ".")]
		if !slices.Contains(names, group) && !slices.Contains(previews, group) {
			previews = append(previews, group)
		}
	}
	sort.Strings(previews)
	return append(names, previews...)
}

func namesOf(read release, group string) []string {
	var names []string
	for name := range read.definitions {
		if name[:strings.LastIndex(name, ".")] == group {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

func constantOf(group string) string {
	return strings.ToUpper(strings.ReplaceAll(group, "/", "_"))
}

func fileOf(group string) string {
	return strings.ReplaceAll(group, "/", "_") + ".ts"
}

// entry returns a property with a text, which stands on lines of its own if it is long.
func entry(name, text string) string {
	if short := fmt.Sprintf("  %s: %s,\n", key(name), quoted(text)); len(short) <= width {
		return short
	}
	lines, line := "", "   "
	add := func(words string) {
		if len(line)+1+len(words) > width && line != "   " {
			lines += line + "\n"
			line = "   "
		}
		line += " " + words
	}
	for _, part := range strings.Split(text+";", "; ") {
		part = strings.TrimSuffix(part, ";") + ";"
		if len(part)+4 <= width {
			add(part)
			continue
		}
		for _, word := range strings.Fields(part) {
			add(word)
		}
	}
	line = strings.TrimSuffix(line, ";")
	return fmt.Sprintf("  %s: `\n%s\n  `,\n", key(name), strings.ReplaceAll(lines+line, "\\", "\\\\"))
}

func quoted(text string) string {
	if strings.Contains(text, "\"") {
		return "'" + text + "'"
	}
	return "\"" + text + "\""
}

func key(name string) string {
	if strings.ContainsAny(name, "./") {
		return "\"" + name + "\""
	}
	return name
}
