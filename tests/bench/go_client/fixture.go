package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
)

// pageSize is the page size of the stub server in protobuf.
const pageSize = 500

// encoders are the protobuf encoders of an API server: for an object, and for the event that contains it.
type encoders struct{ object, event runtime.Encoder }

// writeFixture writes the Pods of the stub server as protobuf to `pages` and `events`, each piece after its length.
func writeFixture(server, folder string) error {
	info, found := runtime.SerializerInfoForMediaType(
		scheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeProtobuf)
	if !found {
		return fmt.Errorf("client-go knows no protobuf")
	}
	to := encoders{
		object: scheme.Codecs.EncoderForVersion(info.Serializer, corev1.SchemeGroupVersion),
		event:  scheme.Codecs.EncoderForVersion(info.StreamSerializer.Serializer, corev1.SchemeGroupVersion),
	}
	if err := writePieces(filepath.Join(folder, "pages"), func(put func([]byte) error) error {
		return encodePages(server, to, put)
	}); err != nil {
		return err
	}
	return writePieces(filepath.Join(folder, "events"), func(put func([]byte) error) error {
		return encodeEvents(server, to, put)
	})
}

func encodePages(server string, to encoders, put func([]byte) error) error {
	for next := ""; ; {
		response, err := http.Get(fmt.Sprintf("%s/api/v1/pods?limit=%d&continue=%s", server, pageSize, next))
		if err != nil {
			return err
		}
		var page corev1.PodList
		err = json.NewDecoder(response.Body).Decode(&page)
		response.Body.Close()
		if err != nil {
			return err
		}
		encoded, err := encode(to.object, &page)
		if err != nil {
			return err
		}
		if err := put(encoded); err != nil {
			return err
		}
		if next = page.Continue; next == "" {
			return nil
		}
	}
}

func encodeEvents(server string, to encoders, put func([]byte) error) error {
	response, err := http.Get(server + "/_bench/events")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	lines := bufio.NewReader(response.Body)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		var event struct {
			Type   string
			Object corev1.Pod
		}
		if err := json.Unmarshal(line, &event); err != nil {
			return err
		}
		pod, err := encode(to.object, &event.Object)
		if err != nil {
			return err
		}
		encoded, err := encode(to.event, &metav1.WatchEvent{
			Type:   event.Type,
			Object: runtime.RawExtension{Raw: pod},
		})
		if err != nil {
			return err
		}
		if err := put(encoded); err != nil {
			return err
		}
	}
}

func encode(encoder runtime.Encoder, object runtime.Object) ([]byte, error) {
	var buffer bytes.Buffer
	err := encoder.Encode(object, &buffer)
	return buffer.Bytes(), err
}

func writePieces(path string, produce func(put func([]byte) error) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	writer := bufio.NewWriter(file)
	err = produce(func(piece []byte) error {
		if err := binary.Write(writer, binary.BigEndian, uint32(len(piece))); err != nil {
			return err
		}
		_, err := writer.Write(piece)
		return err
	})
	if err != nil {
		return err
	}
	return writer.Flush()
}
