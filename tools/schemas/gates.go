package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// gatePackages are the packages that declare the feature gates of a kube-apiserver. Not each minor version has all of
// them.
var gatePackages = []struct{ module, dir string }{
	{"k8s.io/kubernetes", "pkg/features"},
	{"k8s.io/apiserver", "pkg/features"},
	{"k8s.io/apiextensions-apiserver", "pkg/features"},
	{"k8s.io/client-go", "features"},
	{"k8s.io/component-base", "logs/api/v1"},
	{"k8s.io/component-base", "metrics/features"},
	{"k8s.io/component-base", "zpages/features"},
}

// gatesFile returns the file of the feature gates.
func gatesFile(minors []minorRelease) file {
	known := map[string][]string{}
	for _, one := range minors {
		read := readGates(one)
		for name := range known {
			if _, ok := read[name]; !ok {
				read[name] = "removed"
			}
		}
		for name, state := range read {
			before := known[name]
			if len(before) == 0 || !strings.HasSuffix(before[len(before)-1], " "+state) {
				known[name] = append(before, one.minor+" "+state)
			}
		}
	}
	var names []string
	for name := range known {
		names = append(names, name)
	}
	sort.Strings(names)
	text := head + "\n/**\n * The feature gates of a kube-apiserver: since which minor version a gate has which stage, and whether it is on by\n" +
		" * default and locked.\n */\nexport const FEATURE_GATES: Readonly<Record<string, string>> = {\n"
	for _, name := range names {
		text += entry(name, strings.Join(known[name], "; "))
	}
	return file{"feature_gates.ts", text + "};\n"}
}

// readGates returns the states of the feature gates of a minor version, as in "beta on".
func readGates(one minorRelease) map[string]string {
	states := map[string]string{}
	for _, from := range gatePackages {
		version := one.version
		if from.module == "k8s.io/kubernetes" {
			version = one.gitVersion()
		}
		folder := filepath.Join(moduleFolder(from.module, version), from.dir)
		if _, err := os.Stat(folder); err != nil {
			continue
		}
		for _, parsed := range goFiles(folder) {
			readSpecs(parsed, one.minor, states)
		}
	}
	return states
}

// goFiles parses the Go files of a folder, except the tests and the generated files.
func goFiles(folder string) []*ast.File {
	entries, err := os.ReadDir(folder)
	if err != nil {
		fail(err.Error())
	}
	var files []*ast.File
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			strings.HasPrefix(name, "zz_generated") || strings.HasPrefix(name, "generated") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, name), nil, parser.ParseComments)
		if err != nil {
			fail(err.Error())
		}
		files = append(files, parsed)
	}
	return files
}

// readSpecs adds the states that the maps of specifications in a file say. The name of a gate is that of its constant.
func readSpecs(parsed *ast.File, minor string, states map[string]string) {
	ast.Inspect(parsed, func(node ast.Node) bool {
		literal, ok := node.(*ast.CompositeLit)
		if !ok {
			return true
		}
		kind, ok := literal.Type.(*ast.MapType)
		if !ok || !strings.HasSuffix(nameOf(kind.Value), "VersionedSpecs") {
			return true
		}
		for _, element := range literal.Elts {
			pair := element.(*ast.KeyValueExpr)
			if state := stateIn(pair.Value.(*ast.CompositeLit), minor); state != "" {
				states[nameOf(pair.Key)] = state
			}
		}
		return false
	})
}

// nameOf returns the last part of a name, as Feature of featuregate.Feature.
func nameOf(expression ast.Expr) string {
	switch one := expression.(type) {
	case *ast.Ident:
		return one.Name
	case *ast.SelectorExpr:
		return one.Sel.Name
	}
	return ""
}

// stateIn returns the state of a gate in a minor version; empty if the gate is newer.
func stateIn(specs *ast.CompositeLit, minor string) string {
	state, since := "", -1
	for _, one := range specs.Elts {
		own, version := "off", -1
		stage, locked := "GA", ""
		for _, element := range one.(*ast.CompositeLit).Elts {
			pair := element.(*ast.KeyValueExpr)
			switch nameOf(pair.Key) {
			case "Version":
				text, _ := strconv.Unquote(pair.Value.(*ast.CallExpr).Args[0].(*ast.BasicLit).Value)
				version = numberOf(text)
			case "Default":
				if nameOf(pair.Value) == "true" {
					own = "on"
				}
			case "PreRelease":
				stage = nameOf(pair.Value)
			case "LockToDefault":
				if nameOf(pair.Value) == "true" {
					locked = " locked"
				}
			}
		}
		if version <= numberOf(minor) && version > since {
			state, since = stage+" "+own+locked, version
		}
	}
	return state
}

// numberOf returns the number of a minor version.
func numberOf(minor string) int {
	number, err := strconv.Atoi(strings.TrimPrefix(minor, "1."))
	if err != nil {
		fail(fmt.Sprintf("%q is not a minor version", minor))
	}
	return number
}

// oldestFirst returns the minor versions in their order.
func oldestFirst() []minorRelease {
	sorted := slices.Clone(releases)
	slices.SortFunc(sorted, func(a, b minorRelease) int { return numberOf(a.minor) - numberOf(b.minor) })
	return sorted
}
