package main

import (
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// notServed are the groups of k8s.io/api that an API server does not serve: bodies of webhooks, discovery, and a group
// that is gone.
var notServed = map[string]bool{"admission": true, "apidiscovery": true, "extensions": true, "imagepolicy": true}

var preview = regexp.MustCompile(`^v\d+(alpha|beta)\d+$`)

// addPreviews adds the alpha and beta versions that a minor version has of the kinds that are not among the stable ones.
// The tables do not have them; the types do.
func (all *reader) addPreviews(read release, minor string, stable map[string]string) {
	folders, _ := filepath.Glob(filepath.Join(all.api, "*", "v*"))
	sort.Strings(folders)
	for _, folder := range folders {
		group, version := filepath.Base(filepath.Dir(folder)), filepath.Base(folder)
		if !preview.MatchString(version) || notServed[group] {
			continue
		}
		from := all.sourceOf("k8s.io/api/" + group + "/" + version)
		removed := removedKinds(folder, minor)
		var kinds []string
		for _, kind := range from.kinds {
			if !removed[strings.TrimSuffix(kind, "List")] && !has(strings.Fields(stable[group]), kind) {
				kinds = append(kinds, kind)
			}
		}
		all.addKinds(read, from, kinds, version)
	}
	// What only others use has no kinds.
	for _, from := range all.sources {
		if read.groupVersions[from.name] == "" {
			all.addKinds(read, from, nil, filepath.Base(from.name))
		}
	}
}

var lifecycle = regexp.MustCompile(`func \(in \*(\w+)\) APILifecycleRemoved\(\).*\{\s+return 1, (\d+)`)

// removedKinds returns the kinds of a package that a minor version does not serve any more.
func removedKinds(folder, minor string) map[string]bool {
	removed := map[string]bool{}
	text, _ := os.ReadFile(filepath.Join(folder, "zz_generated.prerelease-lifecycle.go"))
	for _, found := range lifecycle.FindAllStringSubmatch(string(text), -1) {
		if "1."+found[2] <= minor {
			removed[found[1]] = true
		}
	}
	return removed
}
