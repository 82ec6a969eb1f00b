/** The clients whose informers are compared: handlers that need keys, then handlers that need objects. */
export const INFORMERS: readonly string[] = [
  "floor",
  ...bothEncodings("body", "kubeloop", "kubeloop-objects"),
  "client-node",
  "client-go-protobuf",
];

/** The clients that reconcile: a bare `Controller`, and a `Manager` by what it makes of an event. */
export const RECONCILERS: readonly string[] = bothEncodings(
  "kubeloop-controller",
  "kubeloop-manager",
  "kubeloop-manager-filtered",
  "kubeloop-manager-function",
  "kubeloop-manager-owning",
);

/** Returns the clients in JSON and in protobuf. */
export function bothEncodings(...clients: readonly string[]): string[] {
  return clients.flatMap((client) => [client, `${client}-protobuf`]);
}
