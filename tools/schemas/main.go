// Command schemas reads the Go types of the Kubernetes API, one minor version after the other, and writes the tables in
// src/testing/api_server/schema/generated, the TypeScript types in src/kinds, and the tables of protobuf messages in
// src/protobuf/tables. `deno task schemas` runs it;
// `deno task schemas --check` only compares.
//
// It copies names, types, tags and markers, and no documentation.
package main

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// minorsFile is the table of the minor versions and the releases that stand for them.
const minorsFile = "../minors.json"

// releases are the minor versions and the versions of their modules. The first is the default of the server and the
// base of the tables, which are written whole. Of the others, oldest first, only the differences are written.
var releases = readMinors()

// readMinors reads the table of the minor versions.
func readMinors() []minorRelease {
	text, err := os.ReadFile(minorsFile)
	if err != nil {
		fail(err.Error())
	}
	var table struct {
		Default  string
		Releases map[string]string
	}
	if err := json.Unmarshal(text, &table); err != nil {
		fail(fmt.Sprintf("%s: %v", minorsFile, err))
	}
	var read []minorRelease
	for minor, version := range table.Releases {
		read = append(read, minorRelease{minor, "v0" + strings.TrimPrefix(version, "v1")})
	}
	slices.SortFunc(read, func(a, b minorRelease) int {
		if a.minor == table.Default || b.minor == table.Default {
			return cmp.Compare(boolNumber(a.minor != table.Default), boolNumber(b.minor != table.Default))
		}
		return numberOf(a.minor) - numberOf(b.minor)
	})
	if len(read) == 0 || read[0].minor != table.Default {
		fail(fmt.Sprintf("%s: the default %q is not one of the releases", minorsFile, table.Default))
	}
	return read
}

func boolNumber(value bool) int {
	if value {
		return 1
	}
	return 0
}

type minorRelease struct{ minor, version string }

// gitVersion returns the version of Kubernetes, as in v1.35.4, of which the version of the modules is v0.35.4.
func (one minorRelease) gitVersion() string {
	return "v1" + strings.TrimPrefix(one.version, "v0")
}

// groups are the packages that are read, by the name that their structs have in the tables. A release need not have all
// of them.
var groups = []struct{ name, module, dir string }{
	{"meta", "k8s.io/apimachinery", "pkg/apis/meta/v1"},
	{"core", "k8s.io/api", "core/v1"},
	{"admissionregistration", "k8s.io/api", "admissionregistration/v1"},
	{"apiextensions", "k8s.io/apiextensions-apiserver", "pkg/apis/apiextensions/v1"},
	{"apiregistration", "k8s.io/kube-aggregator", "pkg/apis/apiregistration/v1"},
	{"apps", "k8s.io/api", "apps/v1"},
	{"authentication", "k8s.io/api", "authentication/v1"},
	{"authorization", "k8s.io/api", "authorization/v1"},
	{"autoscaling", "k8s.io/api", "autoscaling/v1"},
	{"autoscaling/v2", "k8s.io/api", "autoscaling/v2"},
	{"batch", "k8s.io/api", "batch/v1"},
	{"certificates", "k8s.io/api", "certificates/v1"},
	{"coordination", "k8s.io/api", "coordination/v1"},
	{"discovery", "k8s.io/api", "discovery/v1"},
	{"events", "k8s.io/api", "events/v1"},
	{"flowcontrol", "k8s.io/api", "flowcontrol/v1"},
	{"networking", "k8s.io/api", "networking/v1"},
	{"node", "k8s.io/api", "node/v1"},
	{"policy", "k8s.io/api", "policy/v1"},
	{"rbac", "k8s.io/api", "rbac/v1"},
	{"resource", "k8s.io/api", "resource/v1"},
	{"scheduling", "k8s.io/api", "scheduling/v1"},
	{"storage", "k8s.io/api", "storage/v1"},
	{"storagemigration", "k8s.io/api", "storagemigration/v1"},
}

func main() {
	out := flag.String("out", "", "the folder of the tables")
	types := flag.String("types", "", "the folder of the TypeScript types")
	messages := flag.String("messages", "", "the folder of the tables of protobuf messages")
	check := flag.Bool("check", false, "compare the files with those in the folders, and write nothing")
	flag.Parse()
	if *out == "" || *types == "" || *messages == "" || flag.NArg() > 0 {
		fail("usage: schemas -out FOLDER -types FOLDER -messages FOLDER [-check]")
	}
	differs := settle(*out, tableFiles(), []string{""}, *check)
	minors, read := readWithPreviews()
	written := typeFiles(joined(minors, read))
	differs = append(differs, settle(*types, written, foldersOf(written), *check)...)
	differs = append(differs, settle(*messages, messageFiles(read), []string{""}, *check)...)
	if len(differs) > 0 {
		fail("the files do not match the Go types; run `deno task schemas`:\n  " + strings.Join(differs, "\n  "))
	}
}

// tableFiles returns the files of the tables.
func tableFiles() []file {
	var files []file
	var base release
	groupVersions := map[string]string{}
	all := map[string]release{}
	for index, one := range releases {
		read := readRelease(one.version, func(*reader, release) {})
		maps.Copy(groupVersions, read.groupVersions)
		all[one.minor] = read
		if index == 0 {
			base = read
			files = append(files, wholeTables(read)...)
			continue
		}
		files = append(files, changedTable(one.minor, base, read))
	}
	return append(files, gatesFile(oldestFirst()), rulesFile(oldestFirst(), all),
		gatedFile(oldestFirst(), all), indexOf(base, groupVersions))
}

// readWithPreviews reads all minor versions, the oldest first, with the previews of the kinds that the oldest has no
// stable version of.
func readWithPreviews() ([]string, []release) {
	var minors []string
	var read []release
	var stable map[string]string
	for index, one := range oldestFirst() {
		next := readRelease(one.version, func(all *reader, read release) {
			if index == 0 {
				stable = maps.Clone(read.kinds)
			}
			all.addPreviews(read, one.minor, stable)
		})
		minors, read = append(minors, one.minor), append(read, next)
	}
	return minors, read
}

// foldersOf returns the folders of the files, except the room itself, which also has files that are written by hand.
func foldersOf(files []file) []string {
	var folders []string
	for _, one := range files {
		if folder := filepath.Dir(one.name); folder != "." && (len(folders) == 0 || folders[len(folders)-1] != folder) {
			folders = append(folders, folder)
		}
	}
	return folders
}

// settle writes the files, or returns the names of those that differ if it only checks. All files of the folders inside
// are its own.
func settle(folder string, files []file, inside []string, check bool) []string {
	var differs []string
	known := map[string]bool{}
	for _, one := range files {
		known[one.name] = true
		path := filepath.Join(folder, one.name)
		before, err := os.ReadFile(path)
		if err == nil && string(before) == one.text {
			continue
		}
		if check {
			differs = append(differs, one.name)
		} else if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			fail(err.Error())
		} else if err := os.WriteFile(path, []byte(one.text), 0o644); err != nil {
			fail(err.Error())
		}
	}
	for _, one := range inside {
		entries, _ := os.ReadDir(filepath.Join(folder, one))
		for _, entry := range entries {
			name := filepath.Join(one, entry.Name())
			if known[name] {
				continue
			}
			if check {
				differs = append(differs, name+" is not written any more")
			} else if err := os.Remove(filepath.Join(folder, name)); err != nil {
				fail(err.Error())
			}
		}
	}
	return differs
}

// moduleFolder downloads a module, unless it is in the cache of modules, and returns its folder.
func moduleFolder(module, version string) string {
	command := exec.Command("go", "mod", "download", "-json", module+"@"+version)
	command.Dir = os.TempDir()
	command.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	answer, err := command.Output()
	var found struct{ Dir, Error string }
	if json.Unmarshal(answer, &found) != nil || found.Dir == "" {
		fail(fmt.Sprintf("cannot download %s %s: %v %s", module, version, err, found.Error))
	}
	return found.Dir
}

func fail(text string) {
	fmt.Fprintln(os.Stderr, text)
	os.Exit(1)
}
