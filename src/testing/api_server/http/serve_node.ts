import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { onAbort, realClock } from "@kubeloop/controller/base";
import type { FetchHandler, ServedApi, ServeOptions } from "./serve_types.ts";

/** The time, in milliseconds, that open responses have to end before their connections are cut. */
const CLOSE_GRACE_MS = 500;

/** Serves `handler` with `node:http`, or with `node:https` for TLS. */
export async function serve(handler: FetchHandler, options: ServeOptions): Promise<ServedApi> {
  const { port = 0, hostname = "127.0.0.1", signal, tls } = options;
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    answer(handler, incoming, outgoing).catch(() => outgoing.destroy());
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  const listening = Promise.withResolvers<void>();
  server.once("error", listening.reject);
  server.listen(port, hostname, listening.resolve);
  await listening.promise;
  const finished = Promise.withResolvers<void>();
  server.once("close", finished.resolve);
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  const release = onAbort(signal, stop);
  const address = server.address() as { address: string; port: number };
  return {
    url: `${tls === undefined ? "http" : "https"}://${
      address.address.includes(":") ? `[${address.address}]` : address.address
    }:${address.port}`,
    port: address.port,
    finished: finished.promise.finally(release),
    close: async () => {
      const timer = realClock.setTimer(stop, CLOSE_GRACE_MS);
      server.close();
      server.closeIdleConnections();
      await finished.promise;
      timer.cancel();
    },
  };
}

async function answer(
  handler: FetchHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const abort = new AbortController();
  outgoing.once("close", () => abort.abort());
  const response = await handler(toRequest(incoming, abort.signal));
  outgoing.writeHead(response.status, [...response.headers].flat());
  outgoing.flushHeaders();
  if (response.body === null) {
    outgoing.end();
    return;
  }
  await pipeline(
    Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]),
    outgoing,
  );
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = "GET", headers, url = "/" } = incoming;
  const init: RequestInit & { duplex?: "half" } = { method, signal };
  init.headers = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]]
  );
  if (method !== "GET" && method !== "HEAD") {
    init.body = Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
    init.duplex = "half";
  }
  return new Request(`http://${headers.host ?? "localhost"}${url}`, init);
}
