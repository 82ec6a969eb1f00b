import type { Responder, ServedApi, ServeOptions } from "./serve_types.ts";

export type { Responder, ServedApi, ServeOptions } from "./serve_types.ts";

/** Serves on a socket. */
export async function serve(responder: Responder, options: ServeOptions): Promise<ServedApi> {
  // Servers without a socket do not load node:http.
  const { listen } = await import("./http_server.ts");
  return await listen(responder, options);
}
