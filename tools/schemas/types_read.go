package main

import (
	"regexp"
	"sort"
	"strings"
)

// structure is a struct as the types have it: with the fields of all minor versions.
type structure struct {
	name string
	// object reports whether the struct has a kind and an API version.
	object bool
	fields []*member
	span
}

// member is a field of a struct, as the types have it.
type member struct {
	// name is the name in JSON; kind is the type, as in the tables, without its presence.
	name, kind string
	// values is the string type of the field or of its items, if values are known of it.
	values string
	// always reports whether the field is in every answer.
	required, nullable, always bool
	byDefault                  string
	span
}

// span are the minor versions that have something. since is empty if all have it, last if the newest has it.
type span struct{ since, last string }

// apiTypes are the types of all minor versions.
type apiTypes struct {
	structs map[string]*structure
	values  map[string][]string
	// used are the string types that fields have.
	used map[string]bool
	// kinds are those of each group, in order.
	kinds     map[string][]string
	resources map[string]bool
	// groupVersions are those of the packages.
	groupVersions map[string]string
}

// joined returns the types of several releases, the oldest of which comes first. Where they differ, the newest is right.
// But a field is required if the oldest requires it, and the newest does or has it in every answer: upstream calls more
// fields required, and others optional, without a change of what servers accept and send. A field may be null if one of
// them sends null.
func joined(minors []string, read []release) apiTypes {
	all := apiTypes{
		structs: map[string]*structure{}, values: map[string][]string{}, used: map[string]bool{}, kinds: map[string][]string{},
		resources: map[string]bool{}, groupVersions: map[string]string{},
	}
	for index, minor := range minors {
		since := minor
		if index == 0 {
			since = ""
		}
		all.add(since, minor, read[index])
	}
	newest := minors[len(minors)-1]
	for _, one := range all.structs {
		one.close(newest)
		for _, field := range one.fields {
			all.used[field.values] = all.used[field.values] || !handWritten[one.name]
			if field.required && (field.kind == "time" || field.kind == "microTime") {
				field.nullable = false
			}
			if field.close(newest); field.last == one.last {
				field.last = ""
			}
			if field.since == one.since {
				field.since = ""
			} else if field.since != "" {
				field.required = false
			}
		}
	}
	return all
}

func (one *span) close(newest string) {
	if one.last == newest {
		one.last = ""
	}
}

func (all *apiTypes) add(since, minor string, read release) {
	for name, definition := range read.definitions {
		if strings.HasPrefix(definition, "enum ") {
			continue
		}
		known := all.structs[name]
		if known == nil {
			known = &structure{name: name, span: span{since: since}}
			all.structs[name] = known
		}
		known.last = minor
		known.merge(since, minor, definition, read.valuesOf)
	}
	for name, values := range read.values {
		all.values[name] = union(all.values[name], values)
	}
	for group, kinds := range read.kinds {
		all.kinds[group] = union(all.kinds[group], strings.Fields(kinds))
	}
	for name, namespaced := range read.resources {
		all.resources[name] = namespaced
	}
	for name, groupVersion := range read.groupVersions {
		all.groupVersions[name] = groupVersion
	}
}

// merge adds the fields of a definition. They come first, in their order; those that only older versions have come last.
func (one *structure) merge(since, minor, definition string, valuesOf map[string]string) {
	before := map[string]*member{}
	for _, field := range one.fields {
		before[field.name] = field
	}
	var fields []*member
	for _, text := range strings.Split(definition, "; ") {
		words := strings.Fields(text)
		switch {
		case len(words) == 0 || words[0] == "@atomic":
			continue
		case words[0] == "@object":
			one.object = true
			continue
		}
		field := memberOf(words)
		field.values = valuesOf[one.name+"."+field.name]
		field.span = span{since: since}
		if known := before[field.name]; known != nil {
			field.since = known.since
			field.required = known.required && (field.required || field.always)
			field.nullable = field.nullable || known.nullable
			delete(before, field.name)
		}
		field.last = minor
		fields = append(fields, field)
	}
	for _, field := range one.fields {
		if before[field.name] != nil {
			fields = append(fields, field)
		}
	}
	one.fields = fields
}

var presenceOf = regexp.MustCompile(`^(.*?)(!?\??)(\*?)$`)

func memberOf(words []string) *member {
	found := presenceOf.FindStringSubmatch(words[1])
	one := &member{name: words[0], kind: found[1], required: found[3] != "", always: found[2] == "!"}
	// Go sends null for a time, a list, a map or a raw value that is not set, unless it leaves it out.
	empty := one.kind == "time" || one.kind == "microTime" || one.kind == "any" ||
		strings.HasPrefix(one.kind, "[]") || strings.HasPrefix(one.kind, "{}")
	one.nullable = !one.required && (found[2] == "!?" || found[2] == "!" && empty)
	for _, word := range words[2:] {
		if value, ok := strings.CutPrefix(word, "default="); ok {
			one.byDefault = value
		}
	}
	return one
}

// union returns the values of both lists, sorted.
func union(one, other []string) []string {
	known := map[string]bool{}
	var all []string
	for _, value := range append(append([]string{}, one...), other...) {
		if value == `""` {
			value = ""
		}
		if !known[value] {
			known[value] = true
			all = append(all, value)
		}
	}
	sort.Strings(all)
	return all
}
