import type { FetchHandler, ServedApi, ServeOptions } from "./serve_types.ts";

export type { FetchHandler, ServedApi, ServeOptions } from "./serve_types.ts";

/** Serves `handler` with what the runtime has: `Deno.serve`, or `node:http` elsewhere. */
export async function serve(handler: FetchHandler, options: ServeOptions): Promise<ServedApi> {
  const runtime = "Deno" in globalThis
    ? await import("./serve_deno.ts")
    : await import("./serve_node.ts");
  return runtime.serve(handler, options);
}
