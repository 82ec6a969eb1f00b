/**
 * The health endpoints of a controller that runs in a Pod, for the probes of the kubelet.
 *
 * @module
 */

import { createServer } from "node:http";

/**
 * Serves `/healthz` and `/readyz` until the returned object is disposed of. `/healthz` answers 200. `/readyz` answers
 * 200 if `isReady` returns true, and 503 otherwise.
 *
 * The kubelet connects from outside of the Pod, so the server listens on all addresses of the Pod by default.
 */
export async function serveHealth(
  { port, hostname = "0.0.0.0" }: { port: number; hostname?: string },
  isReady: () => boolean,
): Promise<AsyncDisposable> {
  const server = createServer(({ url }, response) => {
    const answers: Record<string, number> = { "/healthz": 200, "/readyz": isReady() ? 200 : 503 };
    const status = answers[url ?? ""] ?? 404;
    response.writeHead(status, { "content-type": "text/plain", connection: "close" });
    response.end(status === 200 ? "ok\n" : "no\n");
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, hostname, () => resolve());
  });
  return {
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
