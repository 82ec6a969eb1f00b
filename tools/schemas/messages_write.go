package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// message is a message of protobuf, with the fields of all minor versions.
type message struct {
	object bool
	fields []messageField
}

// messageField is a field of a message. The name is that in JSON. The number has dots if the field is in messages that
// are inlined in JSON.
type messageField struct{ name, number, kind, presence string }

// scalarCodes are the letters of scalars in the tables of messages.
var scalarCodes = map[string]string{
	"string": "s", "bool": "b", "int32": "i", "int64": "l", "float": "f", "bytes": "y", "quantity": "q",
	"intOrString": "o", "time": "t", "microTime": "u", "any": "r",
}

// presenceCodes tell when JSON has a field: if it is not empty, always, if it is given, or null if it is not given.
var presenceCodes = map[string]string{"": "", "!": "!", "?": "?", "!?": "~"}

// messageFiles returns the tables of messages: a file for each group and version, and the index.
func messageFiles(read []release) []file {
	newestFirst := slices.Clone(read)
	slices.Reverse(newestFirst)
	messages := map[string]*message{}
	enums := map[string]bool{}
	packages := map[string]string{}
	for _, one := range newestFirst {
		for name, definition := range one.definitions {
			if strings.HasPrefix(definition, "enum ") {
				enums[name] = true
			} else if !strings.HasSuffix(name, "List") {
				addMessage(messages, name, definition)
			}
		}
		for name, groupVersion := range one.groupVersions {
			packages[name] = groupVersion
		}
	}
	// It is not among the kinds that are registered with the others.
	addMessage(messages, "meta.PartialObjectMetadata", "@object; metadata meta.ObjectMeta!")
	names := sorted(messages)
	used := map[string][]string{}
	for _, name := range names {
		used[packageOf(name)] = append(used[packageOf(name)], name)
	}
	var files []file
	for _, one := range sorted(used) {
		files = append(files, messageTable(one, used[one], messages, enums))
	}
	return append(files, messageIndex(sorted(used), packages), messageSet(sorted(used)))
}

// addMessage adds the fields of a definition that a message does not have yet. JSON of a newer version does not have the
// fields of an older one, so that they are not null if they are absent.
func addMessage(messages map[string]*message, name, definition string) {
	one := messages[name]
	older := one != nil
	if !older {
		one = &message{}
		messages[name] = one
	}
	number := "0"
	for _, text := range strings.Split(definition, "; ") {
		words := strings.Fields(text)
		if len(words) == 0 || words[0] == "@atomic" {
			continue
		}
		if words[0] == "@object" {
			one.object = true
			continue
		}
		number = following(number)
		for _, word := range words[2:] {
			if given, ok := strings.CutPrefix(word, "#"); ok {
				number = given
			}
		}
		found := presenceOf.FindStringSubmatch(words[1])
		field := messageField{words[0], number, found[1], found[2]}
		field.correct(name)
		if older && field.presence != "" {
			field.presence = "?"
		}
		if !slices.ContainsFunc(one.fields, field.replaces) {
			one.fields = append(one.fields, field)
		}
	}
}

// correct gives a field the type that it has in protobuf, where the other tables simplify it.
func (one *messageField) correct(message string) {
	if item, ok := strings.CutSuffix(one.kind, "|list"); ok {
		one.kind, one.number = "&"+item, strings.TrimSuffix(one.number, ".1")
	} else if target, ok := strings.CutSuffix(one.kind, "|bool"); ok {
		one.kind = "|" + target
	} else if message == "apiextensions.JSONSchemaProps" && one.name == "dependencies" {
		one.kind = "{}^" + message
	} else if one.kind == "any" && one.presence == "" {
		// Go's omitempty does not take a struct for empty.
		one.presence = "!"
	}
}

func (one messageField) replaces(other messageField) bool {
	return one.name == other.name || one.number == other.number
}

func messageTable(from string, names []string, messages map[string]*message, enums map[string]bool) file {
	uses := map[string]bool{}
	text := ""
	for _, name := range names {
		mark := ""
		if messages[name].object {
			mark = "+"
		}
		text += mark + name[strings.LastIndex(name, ".")+1:] + " "
		text += fieldsText(messages[name].fields, "", func(kind string) string {
			return kindCode(kind, from, enums, uses)
		}) + "\n"
	}
	out := head + fmt.Sprintf("\n/** The messages of `%s`. */\nexport const MESSAGES: string = `\n%s`;\n", from, text)
	out += "\n/** The tables that they refer to. */\nexport const USES: readonly string[] = ["
	var quotedUses []string
	for _, one := range sorted(uses) {
		quotedUses = append(quotedUses, fmt.Sprintf("%q", one))
	}
	return file{fileOf(from), out + strings.Join(quotedUses, ", ") + "];\n"}
}

// fieldsText returns the fields whose numbers begin with those of the message that they are in.
func fieldsText(fields []messageField, outer string, code func(kind string) string) string {
	var parts []string
	expected := outer + "1"
	for index := 0; index < len(fields); index++ {
		field := fields[index]
		rest := strings.TrimPrefix(field.number, outer)
		number, _, inlined := strings.Cut(rest, ".")
		number = outer + number
		text := ""
		if number != expected {
			text = number[len(outer):]
		}
		expected = following(number)
		if !inlined {
			parts = append(parts, text+field.name+":"+code(field.kind)+presenceCodes[field.presence])
			continue
		}
		end := index
		for end < len(fields) && strings.HasPrefix(fields[end].number, number+".") {
			end++
		}
		parts = append(parts, text+"("+fieldsText(fields[index:end], number+".", code)+")")
		index = end - 1
	}
	return strings.Join(parts, ",")
}

func kindCode(kind, from string, enums map[string]bool, uses map[string]bool) string {
	for _, prefix := range []struct{ long, short string }{{"[]", "["}, {"{}", "{"}, {"&", "&"}, {"|", "|"}, {"^", "^"}} {
		if rest, ok := strings.CutPrefix(kind, prefix.long); ok {
			return prefix.short + kindCode(rest, from, enums, uses)
		}
	}
	if code := scalarCodes[kind]; code != "" {
		return code
	}
	if enums[kind] {
		return "s"
	}
	if packageOf(kind) == from {
		return kind[strings.LastIndex(kind, ".")+1:]
	}
	table := tableOf(packageOf(kind))
	uses[table] = true
	return table + kind[strings.LastIndex(kind, "."):]
}

func messageIndex(used []string, packages map[string]string) file {
	text := head + "\n/** A table of messages. */\nexport interface MessageTable {\n  readonly MESSAGES: string;\n" +
		"  readonly USES: readonly string[];\n}\n\n" +
		"/** Loads the tables, by their names; the table `meta` is always loaded. */\n" +
		"export const TABLES: Readonly<Record<string, () => Promise<MessageTable>>> = {\n"
	for _, one := range used {
		if one == "meta" {
			continue // always loaded
		}
		text += fmt.Sprintf("  %s: () => import(\"./%s\"),\n", tableOf(one), fileOf(one))
	}
	text += "};\n\n/** The names of the tables, by group and version. */\nexport const TABLE_NAMES: Readonly<Record<string, string>> = {\n"
	for _, one := range used {
		text += fmt.Sprintf("  %q: %q,\n", packages[one], tableOf(one))
	}
	return file{"index.ts", text + "};\n"}
}

// messageSet returns a file that imports all tables, for programs that cannot wait for one.
func messageSet(used []string) file {
	text := head + "\n"
	list := ""
	for _, one := range used {
		if one == "meta" {
			continue // always loaded
		}
		text += fmt.Sprintf("import * as %s from \"./%s\";\n", tableOf(one), fileOf(one))
		list += fmt.Sprintf("  %s,\n", tableOf(one))
	}
	return file{"all.ts", text + "import type { MessageTable } from \"./index.ts\";\n\n" +
		"/** All tables but `meta`, by their names. */\n" +
		"export const ALL_TABLES: Readonly<Record<string, MessageTable>> = {\n" + list + "};\n"}
}

func packageOf(name string) string {
	return name[:strings.LastIndex(name, ".")]
}

func tableOf(from string) string {
	return strings.TrimSuffix(filepath.Base(fileOf(from)), ".ts")
}

func sorted[V any](all map[string]V) []string {
	var names []string
	for name := range all {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
