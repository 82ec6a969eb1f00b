// Reads the Go types of the Kubernetes API and writes the tables from which the in-process API server makes its schemas.
// It needs no module: it downloads the API modules itself and reads them as text.
module kubeloop.test/schemas

go 1.24
