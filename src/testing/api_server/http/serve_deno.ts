import { LinkedAbort, realClock } from "@kubeloop/controller/base";
import type { FetchHandler, ServedApi, ServeOptions } from "./serve_types.ts";

/** The time, in milliseconds, that open responses have to end before their connections are cut. */
const CLOSE_GRACE_MS = 500;

/** Serves `handler` with `Deno.serve`. */
export function serve(handler: FetchHandler, options: ServeOptions): Promise<ServedApi> {
  const { port = 0, hostname = "127.0.0.1", signal, tls } = options;
  const abort = new LinkedAbort(signal);
  const server = Deno.serve(
    { port, hostname, signal: abort.signal, onListen: () => {}, onError: broken, ...tls },
    answer,
  );
  const finished = server.finished.finally(() => abort.release());
  const { addr } = server;
  const host = addr.hostname.includes(":") ? `[${addr.hostname}]` : addr.hostname;
  return Promise.resolve({
    url: `${tls === undefined ? "http" : "https"}://${host}:${addr.port}`,
    port: addr.port,
    finished,
    close: async () => {
      const timer = realClock.setTimer(() => abort.abort(), CLOSE_GRACE_MS);
      await server.shutdown();
      timer.cancel();
      await finished;
    },
  });

  /**
   * Replaces Deno's error handler, which logs. A body that fails, because of a fault or because the client left, is no
   * error to log.
   */
  function broken(): Response {
    return new Response(null, { status: 500 });
  }

  async function answer(request: Request, info: Deno.ServeHandlerInfo): Promise<Response> {
    const { method, headers, body, url } = request;
    // Deno's own signal also aborts after successful responses. This one aborts only if the client has disconnected.
    const gone = new AbortController();
    info.completed.catch((reason) => gone.abort(reason));
    const duplex = body === null ? {} : { duplex: "half" };
    try {
      return await handler(
        new Request(url, { method, headers, body, signal: gone.signal, ...duplex }),
      );
    } catch {
      // Deno.serve cannot drop a connection. A 502 without a body, and thus without a Status, comes closest.
      return new Response(null, { status: 502 });
    }
  }
}
