/** The clients whose informers are compared. */
export const INFORMERS: readonly string[] = [
  "floor",
  "kubeloop",
  "kubeloop-transform",
  "kubeloop-metadata",
  "kubeloop-compact",
  "kubeloop-compact-10%",
  "client-node",
  "client-go-protobuf",
  "client-go-json",
];
