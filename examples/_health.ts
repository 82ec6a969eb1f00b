/**
 * What a kubelet asks a controller that runs in a Pod.
 *
 * @module
 */

import { createServer } from "node:http";

/**
 * Answers `/healthz` with 200, and `/readyz` with 200 when `isReady` says so, 503 before; until it is disposed of. A kubelet
 * asks from outside of the Pod, so it listens on all of the Pod's addresses unless told otherwise.
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
