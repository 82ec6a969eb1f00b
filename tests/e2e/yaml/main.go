// Reads YAML texts as Kubernetes does, for the tests of kubeloop's reader and writer.
//
// Each line of the standard input is a JSON object with a text and how to read it; each line of the standard output has
// the values, or the error. Objects are lists of their fields, and numbers are texts, so that no parser of JSON changes
// them:
//
//	{"how": "documents", "text": "a: 1\n---\n- b\n"}
//	{"values": [{"o": [["a", {"n": "1"}]]}, {"a": ["b"]}]}
//
// How "documents" is how kubectl reads manifests, with the decoder of k8s.io/apimachinery. How "first" is how client-go
// reads kubeconfigs, with sigs.k8s.io/yaml.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	kubeyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

type request struct {
	How  string `json:"how"`
	Text string `json:"text"`
}

type answer struct {
	Values []any  `json:"values,omitempty"`
	Error  string `json:"error,omitempty"`
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var one request
			if err := json.Unmarshal(line, &one); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			if err := encoder.Encode(read(one)); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		if err != nil {
			return
		}
	}
}

func read(one request) (found answer) {
	defer func() {
		// go-yaml panics for some texts that are not YAML.
		if problem := recover(); problem != nil {
			found = answer{Error: fmt.Sprint("panic: ", problem)}
		}
	}()
	var raw []json.RawMessage
	var err error
	switch one.How {
	case "documents":
		raw, err = documents(one.Text)
	case "first":
		var value []byte
		value, err = yaml.YAMLToJSON([]byte(one.Text))
		raw = []json.RawMessage{value}
	default:
		err = fmt.Errorf("how must be documents or first: %q", one.How)
	}
	if err != nil {
		return answer{Error: err.Error()}
	}
	for _, value := range raw {
		var decoded any
		decoder := json.NewDecoder(bytes.NewReader(value))
		decoder.UseNumber()
		if err := decoder.Decode(&decoded); err != nil {
			return answer{Error: err.Error()}
		}
		found.Values = append(found.Values, unambiguous(decoded))
	}
	return found
}

// unambiguous returns a value in which objects are lists of their fields, and numbers are texts.
func unambiguous(value any) any {
	switch value := value.(type) {
	case map[string]any:
		fields := [][2]any{}
		for key, member := range value {
			fields = append(fields, [2]any{key, unambiguous(member)})
		}
		return map[string]any{"o": fields}
	case []any:
		items := []any{}
		for _, item := range value {
			items = append(items, unambiguous(item))
		}
		return map[string]any{"a": items}
	case json.Number:
		return map[string]any{"n": value.String()}
	default:
		return value
	}
}

// documents does what the visitors of k8s.io/cli-runtime do with a file before they look at the objects.
func documents(text string) ([]json.RawMessage, error) {
	decoder := kubeyaml.NewYAMLOrJSONDecoder(strings.NewReader(strings.TrimPrefix(text, "\ufeff")), 4096)
	values := []json.RawMessage{}
	for {
		// Like a RawExtension, it takes the JSON as it is.
		var raw json.RawMessage
		if err := decoder.Decode(&raw); err != nil {
			if errors.Is(err, io.EOF) {
				return values, nil
			}
			return nil, err
		}
		if raw = bytes.TrimSpace(raw); len(raw) > 0 && !bytes.Equal(raw, []byte("null")) {
			values = append(values, bytes.Clone(raw))
		}
	}
}
