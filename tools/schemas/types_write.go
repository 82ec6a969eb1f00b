package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// often are the kinds that controllers use most often. Their descriptors are in oftenFile, so that a program that imports
// them from the library does not load the modules of their groups. The modules of the groups export the same descriptors.
// The types of such a group are in types.ts, which oftenFile and the module import: no two files import each other.
var often = map[string]bool{
	"apiextensions.CustomResourceDefinition": true, "apps.Deployment": true, "apps.ReplicaSet": true, "batch.Job": true,
	"coordination.Lease": true, "core.ConfigMap": true, "core.Event": true, "core.Namespace": true, "core.Node": true,
	"core.Pod": true, "core.Secret": true, "core.Service": true, "core.ServiceAccount": true,
}

const oftenFile = "often.ts"

// extended are the kinds that have a minimal interface in src/types/minimal, which the complete one extends.
var extended = map[string]bool{"core.Event": true, "core.Pod": true}

// handWritten are the types of meta/v1 that src/types/minimal has.
var handWritten = map[string]bool{
	"meta.Condition": true, "meta.LabelSelector": true, "meta.LabelSelectorRequirement": true, "meta.ListMeta": true,
	"meta.ManagedFieldsEntry": true, "meta.ObjectMeta": true, "meta.OwnerReference": true, "meta.Status": true,
	"meta.StatusCause": true, "meta.StatusDetails": true,
}

// closed are the string types that get no new values, in any group. All others may have values that a later version of
// Kubernetes, or a driver, has added.
var closed = map[string]bool{
	"ConditionStatus": true, "NamespacePhase": true, "PodPhase": true, "ResourceScope": true, "RestartPolicy": true,
}

// minimal are the fields that differ from the Go types: a Pod and an Event are assignable to the minimal, hand-written
// interfaces, and the reverse. A reader of a CustomResourceDefinition is spared the nulls of one that is being created.
//
// A server may send null for the times of a condition that has none; no controller writes one.
var minimal = map[string]string{
	"apiextensions.CustomResourceDefinitionStatus.conditions":     notNull,
	"apiextensions.CustomResourceDefinitionStatus.storedVersions": notNull,
	"apiextensions.JSONSchemaProps.x-kubernetes-list-type":        `"atomic" | "set" | "map"`,
	"core.ContainerStatus.image":                                  optional,
	"core.ContainerStatus.imageID":                                optional,
	"core.Event.type":                                             `"Normal" | "Warning"`,
	"apiextensions.CustomResourceDefinitionStatus.acceptedNames":  "Partial<CustomResourceDefinitionNames>",
}

// minimalRoom is what the files of a group import; those of the room src/kinds itself have one folder less to go up.
const minimalRoom = "../../types/minimal/mod.ts"

// builtin is the function that makes a descriptor.
const builtin = "builtinResource"

const notNull, optional = "not null", "optional"

// tsScalars are the scalars of the tables in TypeScript. Those with a capital letter are declared in scalars.ts.
var tsScalars = map[string]string{
	"string": "string", "bool": "boolean", "int32": "number", "int64": "number", "float": "number",
	"quantity": "Quantity", "intOrString": "IntOrString", "time": "Time", "microTime": "MicroTime", "bytes": "Base64",
	"any": "unknown",
}

// typeFile is a file of types that is being written.
type typeFile struct {
	all   apiTypes
	group string
	paths map[string]string
	// imports are the names that the file imports, by module.
	imports map[string]map[string]bool
}

// typeFiles returns a file for each group, named after its folder and version; and the file with the descriptors of
// often. Of a group that has such kinds, the rest is in a second file.
func typeFiles(all apiTypes) []file {
	paths := pathsOf(all)
	newFile := func(group string) *typeFile {
		return &typeFile{all: all, group: group, paths: paths, imports: map[string]map[string]bool{}}
	}
	files := []file{{oftenFile, newFile("").oftenText()}}
	for group := range all.groupVersions {
		writing := newFile(group)
		body := writing.typesText() + writing.resourcesText()
		if body == "" {
			continue
		}
		title := writing.title()
		if all.isSplit(group) {
			entry := moduleText(title, "", writing.reexports())
			files = append(files, file{modulePath(all, group), entry})
			title += ", except the descriptors of `" + oftenFile + "`"
		}
		files = append(files, file{typesPath(all, group), moduleText(title, writing.importsText(), body)})
	}
	sort.Slice(files, func(i, j int) bool { return files[i].name < files[j].name })
	return files
}

// moduleText returns the text of a module.
func moduleText(title, imports, body string) string {
	return head + "/**\n * " + title + ".\n *\n * @module\n */\n\n" + imports + body
}

// isSplit reports whether a group has kinds of often.
func (all apiTypes) isSplit(group string) bool {
	for _, kind := range all.kinds[group] {
		if often[group+"."+kind] {
			return true
		}
	}
	return false
}

// moduleName returns the name of a group and its version, as in apps/v1.
func moduleName(all apiTypes, group string) string {
	return strings.TrimSuffix(modulePath(all, group), ".ts")
}

// typesPath returns the file that has the types of a group.
func typesPath(all apiTypes, group string) string {
	if all.isSplit(group) {
		return filepath.Dir(modulePath(all, group)) + "/types.ts"
	}
	return modulePath(all, group)
}

// modulePath returns the file of a group, as in apps/v1.ts.
func modulePath(all apiTypes, group string) string {
	folder, _, _ := strings.Cut(group, "/")
	return folder + "/" + filepath.Base(all.groupVersions[group]) + ".ts"
}

// typesText returns the types of the group.
func (out *typeFile) typesText() string {
	var names []string
	texts := map[string]string{}
	add := func(name, text string) {
		if texts[name] != "" {
			fail(out.group + " has two types " + name)
		}
		names = append(names, name)
		texts[name] = text
	}
	for name, one := range out.all.structs {
		if own, ok := out.own(name); ok && !handWritten[name] {
			add(own, out.structText(own, one))
		}
	}
	for name, values := range out.all.values {
		if own, ok := out.own(name); ok && out.all.used[name] {
			add(own, out.valuesText(name, values))
		}
	}
	sort.Strings(names)
	body := ""
	for _, name := range names {
		body += "\n" + texts[name]
	}
	if body != "" && out.group == "meta" {
		body = out.metaText() + body
	}
	return body
}

func (out *typeFile) title() string {
	title := "The types of `" + moduleName(out.all, out.group) + "`"
	if out.group != "meta" {
		title += ", and the descriptors of its resources"
	}
	return title
}

// reexports exports the two files that make up the module of a group.
func (out *typeFile) reexports() string {
	var names []string
	for _, kind := range out.all.kinds[out.group] {
		if often[out.group+"."+kind] {
			names = append(names, plural(kind))
		}
	}
	sort.Strings(names)
	return "export * from \"./types.ts\";\n" + listed("export", names, "../"+oftenFile)
}

// oftenText returns the descriptors of often.
func (out *typeFile) oftenText() string {
	var kinds []string
	for kind := range often {
		kinds = append(kinds, kind)
	}
	sort.Strings(kinds)
	body := ""
	for _, full := range kinds {
		group, kind, _ := strings.Cut(full, ".")
		out.use("./"+typesPath(out.all, group), kind)
		body += out.resourceText(group, kind)
	}
	out.use(strings.TrimPrefix(minimalRoom, "../"), "Resource")
	out.use(strings.TrimPrefix(minimalRoom, "../"), builtin)
	return moduleText("The descriptors of the kinds that controllers use most often", out.importsText(), body)
}

// own returns the name of a type within its group, and whether it is the group of the file.
func (out *typeFile) own(name string) (string, bool) {
	at := strings.LastIndex(name, ".")
	return name[at+1:], name[:at] == out.group
}

// metaText exports what is written by hand.
func (out *typeFile) metaText() string {
	var names []string
	for name := range handWritten {
		names = append(names, strings.TrimPrefix(name, "meta."))
	}
	sort.Strings(names)
	return "export type {\n  " + strings.Join(names, ",\n  ") + ",\n} from \"" + minimalRoom + "\";\n" +
		"export type { Base64, IntOrString, MicroTime, OpenEnum, Quantity, Time } from \"../scalars.ts\";\n"
}

func (out *typeFile) use(module, name string) string {
	if out.imports[module] == nil {
		out.imports[module] = map[string]bool{}
	}
	out.imports[module][name] = true
	return name
}

func (out *typeFile) importsText() string {
	var modules []string
	owner := map[string]string{}
	for module, names := range out.imports {
		modules = append(modules, module)
		for name := range names {
			if other := owner[name]; other != "" || out.all.structs[out.group+"."+name] != nil {
				fail(fmt.Sprintf("%s: %s is in %s and %s", out.group, name, module, other))
			}
			owner[name] = module
		}
	}
	sort.Strings(modules)
	text := ""
	for _, module := range modules {
		var names []string
		for name := range out.imports[module] {
			names = append(names, name)
		}
		keyword := "import type"
		if out.imports[module][builtin] {
			keyword = "import"
			for i, name := range names {
				if name != builtin {
					names[i] = "type " + name
				}
			}
		}
		text += listed(keyword, names, module)
	}
	return text
}

// listed returns an import or an export of names, as the formatter writes it.
func listed(keyword string, names []string, module string) string {
	key := func(i int) string { return strings.ToLower(strings.TrimPrefix(names[i], "type ")) }
	sort.Slice(names, func(i, j int) bool { return key(i) < key(j) })
	line := fmt.Sprintf("%s { %s } from %q;\n", keyword, strings.Join(names, ", "), module)
	if len(line) > width+1 {
		line = fmt.Sprintf("%s {\n  %s,\n} from %q;\n", keyword, strings.Join(names, ",\n  "), module)
	}
	return line
}

func (out *typeFile) structText(name string, one *structure) string {
	if items := one.itemsOfList(); items != "" {
		list := out.use(minimalRoom, "KubeList")
		if items == "any" {
			return doc("A list of objects of any kind.", one.span, "") + fmt.Sprintf("export type %s = %s;\n", name, list)
		}
		item := out.typeOf(items, "")
		text := fmt.Sprintf("export type %s = %s<%s>;\n", name, list, item)
		return doc("A list of "+plural(item)+".", one.span, "") + text
	}
	object := one.field("metadata") != nil && one.field("metadata").kind == "meta.ObjectMeta" && one.object
	text := fmt.Sprintf("export type %s = {", name)
	if object {
		base := "KubeObject"
		if extended[one.name] {
			out.use(minimalRoom, name+" as Minimal"+name)
			base = "Minimal" + name
		} else {
			out.use(minimalRoom, base)
		}
		text = fmt.Sprintf("export interface %s extends %s {", name, base)
	}
	fields := ""
	if one.object && !object {
		fields = "  apiVersion?: string;\n  kind?: string;\n"
	}
	for _, field := range one.fields {
		if !object || field.name != "metadata" {
			about := ""
			if object {
				about = "The `" + field.name + "` of " + lower(article(name)) + "."
			}
			fields += out.fieldText(one, field, about)
		}
	}
	end := "};\n"
	if object {
		end = "}\n"
	}
	if fields != "" {
		fields = "\n" + fields
	} else if !object {
		text, end = fmt.Sprintf("export type %s = Record<never, never>", name), ";\n"
	}
	return doc(out.description(one.name, name, object || one.object), one.span, "") + text + fields + end
}

func (out *typeFile) description(full, name string, kind bool) string {
	if path, ok := out.paths[full]; ok && !kind {
		return path
	}
	version := strings.TrimPrefix(out.all.groupVersions[out.group], "/")
	if strings.HasSuffix(name, "Options") {
		return "The options `" + name + "` of `" + version + "`."
	}
	return article(name) + " of `" + version + "`."
}

func (out *typeFile) fieldText(one *structure, field *member, about string) string {
	text := out.typeOf(field.kind, field.values)
	mark := "?"
	if field.required && minimal[one.name+"."+field.name] != optional {
		mark = ""
	}
	nullable := field.nullable && text != "unknown" && field.name != "lastTransitionTime"
	switch difference := minimal[one.name+"."+field.name]; difference {
	case "", optional:
	case notNull:
		nullable = false
	default:
		text, nullable = difference, false
	}
	if nullable {
		text += " | null"
	}
	if about == "" && field.byDefault != "" {
		about = "Default `" + field.byDefault + "`."
	}
	return doc(about, field.span, "  ") + fmt.Sprintf("  %s%s: %s;\n", property(field.name), mark, text)
}

func (out *typeFile) typeOf(kind, values string) string {
	if item, ok := strings.CutPrefix(kind, "[]"); ok {
		return out.typeOf(item, values) + "[]"
	}
	if value, ok := strings.CutPrefix(kind, "{}"); ok {
		return "Record<string, " + out.typeOf(value, values) + ">"
	}
	if either, ok := strings.CutSuffix(kind, "|bool"); ok {
		return out.typeOf(either, "") + " | boolean"
	}
	// The schemas of a list are read, so that they can be refused.
	kind = strings.TrimSuffix(kind, "|list")
	name := values
	if name == "" {
		if scalar, ok := tsScalars[kind]; ok {
			if scalar[0] < 'a' {
				out.use("../scalars.ts", scalar)
			}
			return scalar
		}
		name = kind
	}
	if name == "meta.ConditionStatus" {
		name = "core.ConditionStatus"
	}
	own, ok := out.own(name)
	if ok && !handWritten[name] {
		return own
	}
	module := minimalRoom
	if !handWritten[name] {
		module = "../" + typesPath(out.all, name[:strings.LastIndex(name, ".")])
	}
	return out.use(module, own)
}

func (out *typeFile) valuesText(name string, values []string) string {
	own, _ := out.own(name)
	var quoted []string
	for _, value := range values {
		quoted = append(quoted, fmt.Sprintf("%q", value))
	}
	before, after, description := "", "", "All values of `"+own+"`."
	if !closed[own] {
		before, after = out.use("../scalars.ts", "OpenEnum")+"<", ">"
		description = "The known values of `" + own + "`."
	}
	line := fmt.Sprintf("export type %s = %s%s%s;\n", own, before, strings.Join(quoted, " | "), after)
	if len(line) > width+1 {
		last := "\n"
		if after == "" {
			last = ""
		}
		line = fmt.Sprintf("export type %s = %s\n  | %s%s%s;\n", own, before, strings.Join(quoted, "\n  | "), last, after)
	}
	return doc(description, span{}, "") + line
}

// resourcesText returns the descriptors of the group, except those of often.
func (out *typeFile) resourcesText() string {
	text := ""
	for _, kind := range out.all.kinds[out.group] {
		full := out.group + "." + kind
		if _, ok := out.all.resources[full]; !ok || often[full] {
			continue
		}
		out.use(minimalRoom, "Resource")
		out.use(minimalRoom, builtin)
		text += out.resourceText(out.group, kind)
	}
	return text
}

// resourceText returns the descriptor of a kind.
func (out *typeFile) resourceText(of, kind string) string {
	namespaced := out.all.resources[of+"."+kind]
	group, version, _ := strings.Cut(out.all.groupVersions[of], "/")
	resource := strings.ToLower(plural(kind))
	description := "The resource `" + resource + "." + group + "`"
	if group == "" {
		description = "The resource `" + resource + "` of the core group"
	}
	if !namespaced {
		description += ", which is cluster-scoped"
	}
	declaration := fmt.Sprintf("export const %s: Resource<%s> =", plural(kind), kind)
	call, indent := " /* @__PURE__ */ builtinResource({\n", "  "
	if len(declaration+call) > width+1 {
		call, indent = "\n "+call, "    "
	}
	fields := fmt.Sprintf("group: %q,\nversion: %q,\nplural: %q,\nkind: %q,\nnamespaced: %t,\n",
		group, version, resource, kind, namespaced)
	return "\n" + doc(description+".", out.all.structs[of+"."+kind].span, "") + declaration + call +
		indent + strings.ReplaceAll(strings.TrimSuffix(fields, "\n"), "\n", "\n"+indent) + "\n" + indent[2:] + "});\n"
}

// itemsOfList returns the type of the items, if a struct is a list of objects.
func (one *structure) itemsOfList() string {
	metadata, items := one.field("metadata"), one.field("items")
	if !one.object || metadata == nil || items == nil || metadata.kind != "meta.ListMeta" {
		return ""
	}
	return strings.TrimPrefix(items.kind, "[]")
}

func (one *structure) field(name string) *member {
	for _, field := range one.fields {
		if field.name == name {
			return field
		}
	}
	return nil
}

// pathsOf returns where each struct is: the shortest path, from a kind of its own group if there is one.
func pathsOf(all apiTypes) map[string]string {
	paths := map[string]string{}
	var ordered []string
	for group := range all.groupVersions {
		ordered = append(ordered, group)
	}
	sort.Strings(ordered)
	for _, own := range []bool{true, false} {
		for depth := 1; depth < 12; depth++ {
			for _, group := range ordered {
				for _, kind := range all.kinds[group] {
					root := all.structs[group+"."+kind]
					if root == nil || root.itemsOfList() != "" {
						continue
					}
					seen := map[string]bool{}
					all.walk(root, "", depth, seen, func(name, path string) {
						inside := strings.HasPrefix(name, group+".")
						if _, known := paths[name]; !known && inside == own {
							paths[name] = "The `" + path + "` of " + lower(article(kind)) + "."
						}
					})
				}
			}
		}
	}
	return paths
}

// walk visits the structs that are a number of steps away from one.
func (all apiTypes) walk(one *structure, path string, depth int, seen map[string]bool, visit func(name, path string)) {
	if seen[one.name] {
		return
	}
	seen[one.name] = true
	defer delete(seen, one.name)
	for _, field := range one.fields {
		kind := strings.TrimSuffix(strings.TrimSuffix(field.kind, "|bool"), "|list")
		below := path + field.name
		for {
			if item, ok := strings.CutPrefix(kind, "[]"); ok {
				kind, below = item, below+"[]"
			} else if value, ok := strings.CutPrefix(kind, "{}"); ok {
				kind, below = value, below+".*"
			} else {
				break
			}
		}
		next := all.structs[kind]
		if next == nil || field.name == "metadata" {
			continue
		}
		if depth == 1 {
			visit(kind, below)
		} else {
			all.walk(next, below+".", depth-1, seen, visit)
		}
	}
}

// doc returns a docstring, or nothing if there is nothing to say.
func doc(description string, of span, indent string) string {
	var sentences []string
	if description != "" {
		sentences = append(sentences, description)
	}
	if of.since != "" {
		sentences = append(sentences, "Since Kubernetes "+of.since+".")
	}
	if of.last != "" {
		sentences = append(sentences, "@deprecated Kubernetes "+of.last+" is the last version that has it.")
	}
	if len(sentences) == 0 {
		return ""
	}
	return indent + "/** " + strings.Join(sentences, " ") + " */\n"
}

func article(kind string) string {
	if strings.ContainsAny(kind[:1], "AEIO") {
		return "An " + kind
	}
	return "A " + kind
}

func lower(text string) string {
	return strings.ToLower(text[:1]) + text[1:]
}

// plural returns the plural of a kind, as its resource has it.
func plural(kind string) string {
	switch {
	case kind == "Endpoints":
		return kind
	case strings.HasSuffix(kind, "s"), strings.HasSuffix(kind, "x"), strings.HasSuffix(kind, "ch"):
		return kind + "es"
	case strings.HasSuffix(kind, "y") && !strings.ContainsAny(kind[len(kind)-2:len(kind)-1], "aeiou"):
		return kind[:len(kind)-1] + "ies"
	default:
		return kind + "s"
	}
}

var identifier = regexp.MustCompile(`^[A-Za-z_$][\w$]*$`)

// property returns the name of a field, with quotes if it needs them.
func property(name string) string {
	if identifier.MatchString(name) {
		return name
	}
	return fmt.Sprintf("%q", name)
}
