/**
 * What a kubelet asks a controller that runs in a Pod.
 *
 * @module
 */

import { createServer } from "node:http";

/** Answers `/healthz` with 200, and `/readyz` with 200 when `isReady` says so, 503 before; until it is disposed of. */
export async function serveHealth(port: number, isReady: () => boolean): Promise<AsyncDisposable> {
  const server = createServer(({ url }, response) => {
    const answers: Record<string, number> = { "/healthz": 200, "/readyz": isReady() ? 200 : 503 };
    const status = answers[url ?? ""] ?? 404;
    response.writeHead(status, { "content-type": "text/plain", connection: "close" });
    response.end(status === 200 ? "ok\n" : "no\n");
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, () => resolve());
  });
  return {
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
