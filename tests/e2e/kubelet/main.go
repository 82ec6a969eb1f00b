// A kubelet without containers: it serves the streams of Pods with the code of a real kubelet. A command runs on this
// machine, an attachment repeats its input, and the ports of a Pod are those of 127.0.0.1.
//
// It listens on a free port of 127.0.0.1, with a self-signed certificate, and prints the port.
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"time"

	remotecommandconsts "k8s.io/apimachinery/pkg/util/remotecommand"
	"k8s.io/cri-streaming/pkg/streaming/portforward"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
	utilexec "k8s.io/utils/exec"
)

const (
	idleTimeout   = 4 * time.Hour
	createTimeout = 30 * time.Second
)

type runtime struct{}

func (runtime) ExecInContainer(ctx context.Context, _ string, _ string, _ string, command []string, in io.Reader, out, errOut io.WriteCloser, tty bool, resize <-chan remotecommand.TerminalSize, _ time.Duration) error {
	if tty && command[0] == "size" {
		size := <-resize
		fmt.Fprintf(out, "%dx%d", size.Width, size.Height)
		return nil
	}
	process := exec.CommandContext(ctx, command[0], command[1:]...)
	if in != nil {
		pipe, err := process.StdinPipe()
		if err != nil {
			return err
		}
		go func() {
			io.Copy(pipe, in)
			pipe.Close()
		}()
	}
	if out != nil {
		process.Stdout = out
	}
	if errOut != nil {
		process.Stderr = errOut
	}
	err := process.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return utilexec.CodeExitError{Err: err, Code: exit.ExitCode()}
	}
	return err
}

func (runtime) AttachContainer(_ context.Context, _ string, _ string, _ string, in io.Reader, out, _ io.WriteCloser, _ bool, _ <-chan remotecommand.TerminalSize) error {
	_, err := io.WriteString(out, "attached\n")
	if err == nil && in != nil {
		_, err = io.Copy(out, in)
	}
	return err
}

func (runtime) PortForward(_ context.Context, _ string, _ string, port int32, stream io.ReadWriteCloser) error {
	connection, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	defer connection.Close()
	go func() {
		io.Copy(connection, stream)
		connection.(*net.TCPConn).CloseWrite()
	}()
	_, err = io.Copy(stream, connection)
	return err
}

func serve(w http.ResponseWriter, req *http.Request) {
	parts := strings.Split(strings.Trim(req.URL.Path, "/"), "/")
	if parts[0] == "portForward" {
		options, err := portforward.NewV4Options(req)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		portforward.ServePortForward(w, req, runtime{}, parts[2], "", options, idleTimeout, createTimeout, portforward.SupportedProtocols)
		return
	}
	if len(parts) < 4 || parts[3] == "gone" {
		http.Error(w, fmt.Sprintf("container not found (%q)", parts[len(parts)-1]), http.StatusInternalServerError)
		return
	}
	options, err := remotecommand.NewOptions(req)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	protocols := remotecommandconsts.SupportedStreamingProtocols
	if parts[0] == "exec" {
		remotecommand.ServeExec(w, req, runtime{}, parts[2], "", parts[3], req.URL.Query()["command"], options, idleTimeout, createTimeout, protocols)
	} else {
		remotecommand.ServeAttach(w, req, runtime{}, parts[2], "", parts[3], options, idleTimeout, createTimeout, protocols)
	}
}

func main() {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		NotAfter:     time.Now().Add(24 * time.Hour),
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	server := &http.Server{
		Handler: http.HandlerFunc(serve),
		// The streams are those of HTTP/1.1.
		TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){},
		TLSConfig: &tls.Config{
			Certificates: []tls.Certificate{{Certificate: [][]byte{certificate}, PrivateKey: key}},
		},
	}
	log.Fatal(server.ServeTLS(listener, "", ""))
}
