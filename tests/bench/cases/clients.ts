/** The clients whose informers are compared: handlers that need keys, then handlers that need objects. */
export const INFORMERS: readonly string[] = [
  "floor",
  "kubeloop",
  "kubeloop-objects",
  "client-node",
  "client-go-protobuf",
];
