package main

import (
	"fmt"
	"go/ast"
	"regexp"
	"sort"
	"strings"
)

// rulesSince is the minor version since which servers enforce the validation rules in the comments of the Go types.
const rulesSince = 37

// knownRule are the rules that the server understands. Others concern code generators, or are functions in Go.
var knownRule = regexp.MustCompile(
	`^(optional|required|forbidden|immutable|enum|unionMember|modeDiscriminator|opaqueType|customUnique|` +
		`(format|listType|unique|listMapKey|maxItems|minimum|maximum|maxLength|maxBytes|update)=.*|` +
		`(ifMode|ifEnabled|ifDisabled|item|subfield)\(.*|(eachVal|eachKey)=.*)$`)

var lifecyclePrefix = regexp.MustCompile(`^(alpha|beta)(\([^)]*\))?=`)

// rulesOf returns the enforced rules among the markers of a field or a type. Those of stage alpha have no effect, except
// that a violation of the first ones ends the validation of a field.
func rulesOf(notes []string) []string {
	var rules []string
	for _, note := range notes {
		rule, ok := strings.CutPrefix(note, "k8s:")
		if !ok {
			continue
		}
		if strings.HasPrefix(rule, "alpha") {
			if strings.HasSuffix(rule, "=+k8s:immutable") {
				rules = append(rules, "hidden=immutable")
			}
			continue
		}
		rule = lifecyclePrefix.ReplaceAllString(rule, "")
		rule = strings.NewReplacer("+k8s:", "", `"`, "", " ", "").Replace(rule)
		if knownRule.MatchString(rule) {
			rules = append(rules, rule)
		}
	}
	return rules
}

// fieldRules returns the enforced rules of a field, and the one of its type if that is an enum.
func (all *reader) fieldRules(from *source, one *ast.Field) []string {
	rules := rulesOf(markers(one.Doc))
	expression, prefix := one.Type, ""
	for {
		switch typed := expression.(type) {
		case *ast.StarExpr:
			expression = typed.X
			continue
		case *ast.ArrayType:
			expression, prefix = typed.Elt, "eachVal="
			continue
		case *ast.Ident:
			if has(rulesOf(from.docs[typed.Name]), "enum") {
				rules = append(rules, prefix+"enum")
			}
		}
		return rules
	}
}

// rulesFile returns the file of the rules of each minor version that has others than the one before.
func rulesFile(minors []minorRelease, read map[string]release) file {
	text, table := head, ""
	before := map[string]string{}
	for _, one := range minors {
		if numberOf(one.minor) < rulesSince {
			continue
		}
		changed := map[string]string{}
		for name, rules := range read[one.minor].rules {
			if before[name] != rules {
				changed[name] = rules
			}
		}
		for name := range before {
			if _, ok := read[one.minor].rules[name]; !ok {
				changed[name] = ""
			}
		}
		before = read[one.minor].rules
		name := "SINCE_" + strings.ReplaceAll(one.minor, ".", "_")
		table += fmt.Sprintf("  %q: %s,\n", one.minor, name)
		text += "\nconst " + name + ": Readonly<Record<string, string>> = {\n"
		for _, name := range sortedKeys(changed) {
			text += entry(name, changed[name])
		}
		text += "};\n"
	}
	text += "\n/**\n * The rules in the comments of the Go types that servers enforce, by struct: those of the first minor version that\n" +
		" * enforces rules, and what later ones have differently. The rules of a field follow its name; fields are separated by\n" +
		" * semicolons.\n */\n" +
		"export const RULES: Readonly<Record<string, Readonly<Record<string, string>>>> = {\n"
	return file{"rules.ts", text + table + "};\n"}
}

func sortedKeys(all map[string]string) []string {
	var keys []string
	for key := range all {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
