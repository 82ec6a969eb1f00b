package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// release is what was read of one minor version.
type release struct {
	// definitions are those of the structs and enums, by name, as in core.Pod.
	definitions map[string]string
	// kinds are those that each package registers, separated by spaces.
	kinds map[string]string
	// groupVersions are the API group and version of each package, as in apps/v1; that of the core group is /v1.
	groupVersions map[string]string
	// values are the known values of string types, by name, as in core.PullPolicy.
	values map[string][]string
	// valuesOf are the string types of fields, or of their items, by struct and field, as in core.Pod.status.
	valuesOf map[string]string
	// rules are the validation rules of the fields of each struct.
	rules map[string]string
	// gates are the feature gates of the fields of each struct.
	gates map[string]string
	// resources say of each kind that is a resource of its own whether its objects are in namespaces.
	resources map[string]bool
}

// source is a package as it is read.
type source struct {
	name    string
	types   map[string]*ast.TypeSpec
	docs    map[string][]string
	imports map[string]string
	strings map[string]string
	enums   map[string][]string
	// open are the types of which not all values are known.
	open  map[string]bool
	kinds []string
	// clients are the markers of the clients of the types: those above a type, its documentation apart.
	clients map[string][]string
}

// scalars are the Go types that are one scalar in JSON.
var scalars = map[string]string{
	"string": "string", "bool": "bool", "int": "int64", "int32": "int32", "int64": "int64", "uint32": "int64",
	"float64": "float", "byte": "byte",
	"k8s.io/apimachinery/pkg/api/resource.Quantity":   "quantity",
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString": "intOrString",
	"k8s.io/apimachinery/pkg/types.UID":               "string", "k8s.io/apimachinery/pkg/types.NodeName": "string",
	"k8s.io/apimachinery/pkg/runtime.RawExtension": "any",
	"meta.Time":          "time",
	"meta.MicroTime":     "microTime",
	"meta.FieldsV1":      "any",
	"meta.Duration":      "string",
	"apiextensions.JSON": "any",
	"apiextensions.JSONSchemaPropsOrStringArray": "any",
	"apiextensions.JSONSchemaPropsOrBool":        "apiextensions.JSONSchemaProps|bool",
	"apiextensions.JSONSchemaPropsOrArray":       "apiextensions.JSONSchemaProps|list",
}

// reader turns the types of all packages of a release into definitions.
type reader struct {
	sources map[string]*source
	paths   map[string]string
	out     map[string]string
	// api is the folder of k8s.io/api.
	api      string
	values   map[string][]string
	valuesOf map[string]string
	rules    map[string]string
	gates    map[string]string
}

// readRelease reads the stable kinds of a release, and those that a function adds.
func readRelease(version string, add func(all *reader, read release)) release {
	folders := map[string]string{}
	all := &reader{
		sources: map[string]*source{}, paths: map[string]string{}, out: map[string]string{},
		values: map[string][]string{}, valuesOf: map[string]string{}, rules: map[string]string{},
		gates: map[string]string{},
	}
	for _, one := range groups {
		if folders[one.module] == "" {
			folders[one.module] = moduleFolder(one.module, version)
		}
		folder := filepath.Join(folders[one.module], one.dir)
		if _, err := os.Stat(folder); err != nil {
			continue
		}
		all.sources[one.name] = readSource(one.name, folder)
		all.paths[one.module+"/"+one.dir] = one.name
	}
	all.api = folders["k8s.io/api"]
	read := release{
		definitions: all.out, kinds: map[string]string{}, groupVersions: map[string]string{},
		values: all.values, valuesOf: all.valuesOf, rules: all.rules, gates: all.gates, resources: map[string]bool{},
	}
	for _, one := range groups {
		if from := all.sources[one.name]; from != nil {
			all.addKinds(read, from, from.kinds, filepath.Base(one.dir))
		}
	}
	add(all, read)
	return read
}

// addKinds adds kinds of a package, which has a version, and all that they consist of.
func (all *reader) addKinds(read release, from *source, kinds []string, version string) {
	group, _ := strconv.Unquote(from.strings["GroupName"])
	read.groupVersions[from.name] = group + "/" + version
	read.kinds[from.name] = strings.Join(kinds, " ")
	for _, kind := range kinds {
		all.name(from, kind)
		if namespaced, ok := from.resource(kind); ok {
			read.resources[from.name+"."+kind] = namespaced
		}
	}
}

func readSource(name, folder string) *source {
	from := &source{
		name: name, types: map[string]*ast.TypeSpec{}, docs: map[string][]string{}, imports: map[string]string{},
		strings: map[string]string{}, enums: map[string][]string{}, open: map[string]bool{},
		clients: map[string][]string{},
	}
	for _, parsed := range goFiles(folder) {
		from.add(parsed)
	}
	sort.Strings(from.kinds)
	return from
}

func (from *source) add(parsed *ast.File) {
	for _, one := range parsed.Imports {
		path, _ := strconv.Unquote(one.Path.Value)
		alias := filepath.Base(path)
		if one.Name != nil {
			alias = one.Name.Name
		}
		from.imports[alias] = path
	}
	before := parsed.Name.End()
	for _, declaration := range parsed.Decls {
		switch one := declaration.(type) {
		case *ast.GenDecl:
			from.declare(one)
			from.declareClient(one, parsed.Comments, before)
		case *ast.FuncDecl:
			from.register(one)
		}
		before = declaration.End()
	}
}

// declareClient keeps the markers between the declaration before and a type.
func (from *source) declareClient(declaration *ast.GenDecl, comments []*ast.CommentGroup, before token.Pos) {
	for _, spec := range declaration.Specs {
		one, ok := spec.(*ast.TypeSpec)
		if !ok {
			continue
		}
		for _, comment := range comments {
			if comment.Pos() > before && comment.End() < declaration.Pos() {
				from.clients[one.Name.Name] = append(from.clients[one.Name.Name], markers(comment)...)
			}
		}
	}
}

// resource reports whether a kind is a resource of its own, and whether its objects are in namespaces.
func (from *source) resource(kind string) (namespaced, ok bool) {
	all := append(from.clients[kind], from.docs[kind]...)
	_, client := marker(all, "genclient")
	_, part := marker(all, "genclient:noVerbs")
	_, whole := marker(all, "genclient:nonNamespaced")
	// It can only be created, for which Go's client of Pods has a method.
	binding := from.name == "core" && kind == "Binding"
	return !whole, client && !part || binding
}

func (from *source) declare(declaration *ast.GenDecl) {
	for _, spec := range declaration.Specs {
		switch one := spec.(type) {
		case *ast.TypeSpec:
			from.types[one.Name.Name] = one
			from.docs[one.Name.Name] = append(markers(declaration.Doc), markers(one.Doc)...)
		case *ast.ValueSpec:
			if declaration.Tok != token.CONST || len(one.Values) != 1 {
				continue
			}
			from.convert(one.Values[0])
			literal, ok := one.Values[0].(*ast.BasicLit)
			if !ok {
				continue
			}
			from.strings[one.Names[0].Name] = literal.Value
			if typed, ok := one.Type.(*ast.Ident); ok && literal.Kind == token.STRING {
				value, _ := strconv.Unquote(literal.Value)
				from.enums[typed.Name] = append(from.enums[typed.Name], value)
			}
		}
	}
}

// convert adds a value of an enum that is converted to its type, as in PathType("Exact"). What is converted from a
// constant of another package is not known here, so that the type does not count as an enum then.
func (from *source) convert(expression ast.Expr) {
	call, ok := expression.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return
	}
	typed, ok := call.Fun.(*ast.Ident)
	if !ok {
		return
	}
	literal, ok := call.Args[0].(*ast.BasicLit)
	if !ok {
		from.open[typed.Name] = true
		return
	}
	value, _ := strconv.Unquote(literal.Value)
	from.enums[typed.Name] = append(from.enums[typed.Name], value)
}

// register adds the kinds that a function adds to a scheme.
func (from *source) register(function *ast.FuncDecl) {
	if function.Name.Name != "addKnownTypes" && function.Name.Name != "AddToGroupVersion" {
		return
	}
	ast.Inspect(function, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok {
			return true
		}
		if selector, ok := call.Fun.(*ast.SelectorExpr); !ok || selector.Sel.Name != "AddKnownTypes" {
			return true
		}
		for _, argument := range call.Args {
			address, ok := argument.(*ast.UnaryExpr)
			if !ok {
				continue
			}
			if literal, ok := address.X.(*ast.CompositeLit); ok {
				if name, ok := literal.Type.(*ast.Ident); ok {
					from.kinds = append(from.kinds, name.Name)
				}
			}
		}
		return true
	})
}

// markers returns the lines of a comment that begin with a plus sign, without it.
func markers(group *ast.CommentGroup) []string {
	var found []string
	if group == nil {
		return found
	}
	for _, comment := range group.List {
		line := strings.TrimSpace(strings.TrimPrefix(comment.Text, "//"))
		if strings.HasPrefix(line, "+") {
			found = append(found, line[1:])
		}
	}
	return found
}

// marker returns the value of the first marker with that name.
func marker(all []string, name string) (string, bool) {
	for _, one := range all {
		if one == name {
			return "", true
		}
		if strings.HasPrefix(one, name+"=") {
			return one[len(name)+1:], true
		}
	}
	return "", false
}

// name returns how the tables name a type of a package, and defines it if it is a struct or an enum.
func (all *reader) name(from *source, name string) string {
	if scalar, ok := scalars[name]; ok {
		return scalar
	}
	full := from.name + "." + name
	if scalar, ok := scalars[full]; ok {
		if target, _, found := strings.Cut(scalar, "|"); found || strings.Contains(scalar, ".") {
			all.name(from, target[strings.Index(target, ".")+1:])
		}
		return scalar
	}
	spec, ok := from.types[name]
	if !ok {
		fail("there is no type " + full)
	}
	structure, ok := spec.Type.(*ast.StructType)
	if !ok {
		if values := from.enums[name]; len(values) > 0 && !from.open[name] {
			if _, ok := marker(from.docs[name], "enum"); ok {
				sort.Strings(values)
				for index, value := range values {
					if value == "" {
						values[index] = `""`
					}
				}
				all.out[full] = "enum " + strings.Join(values, " | ")
				return full
			}
		}
		return all.typeOf(from, spec.Type)
	}
	if _, ok := all.out[full]; ok {
		return full
	}
	all.out[full] = ""
	all.out[full] = all.structOf(from, name, structure)
	return full
}

func (all *reader) typeOf(from *source, expression ast.Expr) string {
	switch one := expression.(type) {
	case *ast.Ident:
		return all.name(from, one.Name)
	case *ast.StarExpr:
		return all.typeOf(from, one.X)
	case *ast.ArrayType:
		item := all.typeOf(from, one.Elt)
		if item == "byte" {
			return "bytes"
		}
		return "[]" + item
	case *ast.MapType:
		return "{}" + all.typeOf(from, one.Value)
	case *ast.SelectorExpr:
		path := from.imports[one.X.(*ast.Ident).Name]
		if scalar, ok := scalars[path+"."+one.Sel.Name]; ok {
			return scalar
		}
		return all.name(all.sourceOf(path), one.Sel.Name)
	}
	fail(fmt.Sprintf("%s has a type that is not known: %T", from.name, expression))
	return ""
}

// sourceOf returns the package with that import path. It reads packages that only others use when they are needed.
func (all *reader) sourceOf(path string) *source {
	group, ok := all.paths[path]
	if !ok {
		group, ok = strings.CutPrefix(path, "k8s.io/api/")
		if !ok {
			fail(fmt.Sprint("a type is in a package that is not read: ", path))
		}
		all.paths[path] = group
		all.sources[group] = readSource(group, filepath.Join(all.api, group))
	}
	return all.sources[group]
}

// field is a field of a struct, as the tables have it. values is the string type of which the values are known.
type field struct {
	text, number, values string
	// rules are the validation rules in its comment.
	rules []string
	// gates are the feature gates in its comment.
	gates []string
}

func (all *reader) structOf(from *source, name string, structure *ast.StructType) string {
	var parts, rules, gates []string
	if kind, _ := marker(from.docs[name], "structType"); kind == "atomic" {
		parts = append(parts, "@atomic")
	}
	expected := "1"
	for _, one := range all.fieldsOf(from, structure, "", "") {
		text := one.text
		if one.number != "" {
			if one.number != expected {
				text += " #" + one.number
			}
			expected = following(one.number)
		}
		if len(one.rules) > 0 {
			rules = append(rules, strings.Fields(one.text)[0]+" "+strings.Join(one.rules, " "))
		}
		if len(one.gates) > 0 {
			gates = append(gates, strings.Fields(one.text)[0]+" "+strings.Join(one.gates, " "))
		}
		if one.values != "" {
			all.valuesOf[from.name+"."+name+"."+strings.Fields(one.text)[0]] = one.values
		}
		parts = append(parts, text)
	}
	if len(rules) > 0 {
		all.rules[from.name+"."+name] = strings.Join(rules, "; ")
	}
	if len(gates) > 0 {
		all.gates[from.name+"."+name] = strings.Join(gates, "; ")
	}
	return strings.Join(parts, "; ")
}

// following returns the field number after the given one: 3 after 2, and 1.3 after 1.2.
func following(number string) string {
	at := strings.LastIndex(number, ".") + 1
	count, _ := strconv.Atoi(number[at:])
	return number[:at] + strconv.Itoa(count+1)
}

// fieldsOf returns the fields of a struct; those of embedded structs stand in their place.
//
// outer is the number of the protobuf message that the struct is, and a dot, if its fields are inlined in another.
// embedded is the name of the struct then.
func (all *reader) fieldsOf(from *source, structure *ast.StructType, outer, embedded string) []field {
	var found []field
	for _, one := range structure.Fields.List {
		if one.Tag == nil {
			continue
		}
		text, _ := strconv.Unquote(one.Tag.Value)
		tag := reflect.StructTag(text)
		options := strings.Split(tag.Get("json"), ",")
		if options[0] == "-" {
			continue
		}
		number := protobufNumber(tag)
		if number != "" {
			number = outer + number
		}
		if options[0] == "" {
			found = append(found, all.inlined(from, one.Type, number, embedded)...)
			continue
		}
		if named(one.Type) == "JSONSchemaPropsOrArray" {
			// The server knows one schema for all items, which is a field of this message.
			number += ".1"
		}
		text = all.fieldOf(from, one, options, tag)
		if embedded != "" {
			text += " in=" + embedded
		}
		found = append(found, field{text, number, all.valuesOfType(from, one.Type), all.fieldRules(from, one), fieldGates(one)})
	}
	return found
}

// named returns the name of the type that a pointer points to.
func named(expression ast.Expr) string {
	if pointer, ok := expression.(*ast.StarExpr); ok {
		if one, ok := pointer.X.(*ast.Ident); ok {
			return one.Name
		}
	}
	return ""
}

func protobufNumber(tag reflect.StructTag) string {
	parts := strings.Split(tag.Get("protobuf"), ",")
	if len(parts) < 2 {
		return ""
	}
	return parts[1]
}

func (all *reader) inlined(from *source, expression ast.Expr, number, outer string) []field {
	target, name := from, ""
	switch one := expression.(type) {
	case *ast.Ident:
		name = one.Name
	case *ast.SelectorExpr:
		target, name = all.sourceOf(from.imports[one.X.(*ast.Ident).Name]), one.Sel.Name
	}
	if target == nil || target.types[name] == nil {
		fail(from.name + " embeds a type that is not read")
	}
	if name == "TypeMeta" {
		return []field{{text: "@object"}}
	}
	if number == "" {
		fail("the fields of " + target.name + "." + name + " have no number where " + from.name + " embeds it")
	}
	embedded := name
	if outer != "" {
		embedded = outer + "." + name
	}
	structure, ok := target.types[name].Type.(*ast.StructType)
	if !ok {
		// Another name of a struct.
		return all.inlined(target, target.types[name].Type, number, outer)
	}
	return all.fieldsOf(target, structure, number+".", embedded)
}

func (all *reader) fieldOf(from *source, one *ast.Field, options []string, tag reflect.StructTag) string {
	notes := markers(one.Doc)
	_, pointer := one.Type.(*ast.StarExpr)
	kind := all.typeOf(from, one.Type)
	omitEmpty, omitZero := has(options, "omitempty"), has(options, "omitzero")
	_, optional := marker(notes, "optional")
	if options[0] == "managedFields" {
		// A request with an empty list clears the managed fields, so that empty is not the same as absent.
		omitEmpty, pointer = true, true
	}
	text := options[0] + " " + kind + presence(all.isStruct(kind), pointer, omitEmpty, omitZero)
	_, required := marker(notes, "required")
	if required || !omitEmpty && !omitZero && !optional {
		text += "*"
	}
	text += all.options(from, notes, tag)
	if named, ok := all.goTypeOf(from, one.Type); ok {
		text += " go=" + named
	}
	return text
}

// valuesOfType returns the name of a string type of which values are known, also of the type of items; else nothing.
func (all *reader) valuesOfType(from *source, expression ast.Expr) string {
	switch one := expression.(type) {
	case *ast.Ident:
		declared := from.types[one.Name]
		if declared == nil {
			return ""
		}
		if len(from.enums[one.Name]) == 0 {
			if _, another := declared.Type.(*ast.SelectorExpr); another {
				return all.valuesOfType(from, declared.Type)
			}
			return ""
		}
		all.values[from.name+"."+one.Name] = from.enums[one.Name]
		return from.name + "." + one.Name
	case *ast.StarExpr:
		return all.valuesOfType(from, one.X)
	case *ast.ArrayType:
		return all.valuesOfType(from, one.Elt)
	case *ast.MapType:
		return all.valuesOfType(from, one.Value)
	case *ast.SelectorExpr:
		path := from.imports[one.X.(*ast.Ident).Name]
		if _, ok := scalars[path+"."+one.Sel.Name]; !ok {
			return all.valuesOfType(all.sourceOf(path), one.Sel)
		}
	}
	return ""
}

// goTypeOf returns a type as Go's messages name it, and whether it has a name that the tables do not show otherwise: one
// of a string, a number, a list or a map.
func (all *reader) goTypeOf(from *source, expression ast.Expr) (string, bool) {
	switch one := expression.(type) {
	case *ast.Ident:
		declared := from.types[one.Name]
		if declared == nil {
			return one.Name, false
		}
		_, structure := declared.Type.(*ast.StructType)
		return versionOf(from) + "." + one.Name, !structure
	case *ast.StarExpr:
		return all.goTypeOf(from, one.X)
	case *ast.ArrayType:
		item, named := all.goTypeOf(from, one.Elt)
		return "[]" + item, named
	case *ast.MapType:
		key, _ := all.goTypeOf(from, one.Key)
		value, named := all.goTypeOf(from, one.Value)
		return "map[" + key + "]" + value, named
	case *ast.SelectorExpr:
		path := from.imports[one.X.(*ast.Ident).Name]
		if scalar, ok := scalars[path+"."+one.Sel.Name]; ok {
			return filepath.Base(path) + "." + one.Sel.Name, scalar == "string"
		}
		return all.goTypeOf(all.sourceOf(path), one.Sel)
	}
	return "", false
}

// versionOf returns the name of a Go package, which is the version of its API.
func versionOf(from *source) string {
	if at := strings.LastIndex(from.name, "/"); at >= 0 {
		return from.name[at+1:]
	}
	return "v1"
}

// presence returns when a field is encoded; see field_tables.ts.
func presence(structure, pointer, omitEmpty, omitZero bool) string {
	switch {
	case pointer && (omitEmpty || omitZero):
		return "?"
	case pointer:
		return "!?"
	case omitZero, omitEmpty && !structure:
		return ""
	default:
		return "!"
	}
}

// isStruct reports whether Go's omitempty has no effect on a type: it never takes a struct for empty.
func (all *reader) isStruct(kind string) bool {
	switch kind {
	case "time", "microTime", "quantity", "intOrString":
		return true
	}
	definition, ok := all.out[kind]
	return ok && !strings.HasPrefix(definition, "enum ")
}

func (all *reader) options(from *source, notes []string, tag reflect.StructTag) string {
	var text strings.Builder
	var keys []string
	for _, note := range notes {
		if key, ok := strings.CutPrefix(note, "listMapKey="); ok {
			keys = append(keys, key)
		}
	}
	listType, _ := marker(notes, "listType")
	mergeKey, strategy := tag.Get("patchMergeKey"), tag.Get("patchStrategy")
	merge := has(strings.Split(strategy, ","), "merge")
	switch {
	case listType == "map" && merge && strings.Join(keys, ",") == mergeKey:
		text.WriteString(" key=" + mergeKey)
		merge = false
	case listType == "map":
		text.WriteString(" map=" + strings.Join(keys, ","))
	case listType != "":
		text.WriteString(" " + listType)
	}
	if merge && mergeKey != "" {
		text.WriteString(" merge=" + mergeKey)
	} else if merge {
		text.WriteString(" merge")
	}
	if strings.Contains(strategy, "retainKeys") {
		text.WriteString(" retainKeys")
	}
	if has(strings.Split(strategy, ","), "replace") {
		text.WriteString(" replace")
	}
	structType, _ := marker(notes, "structType")
	mapType, _ := marker(notes, "mapType")
	if structType == "atomic" || mapType == "atomic" {
		text.WriteString(" atomic")
	} else if structType == "granular" || mapType == "granular" {
		text.WriteString(" granular")
	}
	if value, ok := marker(notes, "default"); ok {
		text.WriteString(" default=" + all.constant(from, value))
	}
	return text.String()
}

var reference = regexp.MustCompile(`^ref\((.*)\)$`)

// constant returns the JSON of a default, without spaces. It may refer to a constant.
func (all *reader) constant(from *source, value string) string {
	match := reference.FindStringSubmatch(value)
	if match == nil {
		return strings.ReplaceAll(value, " ", "")
	}
	at := strings.LastIndex(match[1], ".")
	if at >= 0 {
		from = all.sources[all.paths[match[1][:at]]]
	}
	if from == nil || from.strings[match[1][at+1:]] == "" {
		fail("there is no constant " + match[1])
	}
	return from.strings[match[1][at+1:]]
}

func has(options []string, name string) bool {
	for _, one := range options {
		if one == name {
			return true
		}
	}
	return false
}
