import { LinkedAbort, realClock } from "@kubeloop/controller/base";
import type { FetchHandler, ServedApi, ServeOptions } from "./serve_types.ts";

/** How long open answers may take to end before they are cut. */
const CLOSE_GRACE_MS = 500;

/** Serves `handler` by `Deno.serve`. */
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

  /** A body that breaks, on purpose or because its reader has gone, is nothing to tell on the console. */
  function broken(): Response {
    return new Response(null, { status: 500 });
  }

  async function answer(request: Request, info: Deno.ServeHandlerInfo): Promise<Response> {
    const { method, headers, body, url } = request;
    // Deno's own signal also aborts after successful answers; this one aborts when the caller has gone away.
    const gone = new AbortController();
    info.completed.catch((reason) => gone.abort(reason));
    const duplex = body === null ? {} : { duplex: "half" };
    try {
      return await handler(
        new Request(url, { method, headers, body, signal: gone.signal, ...duplex }),
      );
    } catch {
      // A connection cannot be dropped from here; an answer without a body or a Status comes closest.
      return new Response(null, { status: 502 });
    }
  }
}
