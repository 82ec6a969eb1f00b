import type { FetchHandler, ServedApi, ServeOptions } from "./serve_types.ts";

export type { FetchHandler, ServedApi, ServeOptions } from "./serve_types.ts";

/** Serves `handler` on a socket, with `Deno.serve` or, outside of Deno, with `node:http`. */
export async function serve(handler: FetchHandler, options: ServeOptions): Promise<ServedApi> {
  const runtime = "Deno" in globalThis
    ? await import("./serve_deno.ts")
    : await import("./serve_node.ts");
  return runtime.serve(handler, options);
}
