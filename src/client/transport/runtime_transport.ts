import type { TransportSettings } from "../config/mod.ts";
import type { Transport } from "./transport.ts";

/** The transports of one runtime. */
interface Runtime {
  readonly transport: (settings: TransportSettings) => Transport;
  readonly connectionsFree: () => Promise<void>;
}

let runtime: Runtime | undefined;

/**
 * Returns the transport for the current runtime: Deno, Bun, Node or a browser. {@linkcode connectionsFree} must have
 * resolved before.
 */
export function runtimeTransport(settings: TransportSettings): Transport {
  if (runtime === undefined) throw new Error("The transports of this runtime are not loaded");
  return runtime.transport(settings);
}

/**
 * Resolves when the connections of completed requests are available for the next request. The first call loads the
 * transports of the current runtime, so that a bundle for browsers has only theirs.
 */
export async function connectionsFree(): Promise<void> {
  runtime ??= await load();
  await runtime.connectionsFree();
}

async function load(): Promise<Runtime> {
  if ("Deno" in globalThis) {
    const { denoTransport, denoConnectionsFree } = await import("./deno.ts");
    return { transport: denoTransport, connectionsFree: denoConnectionsFree };
  }
  const nothing = () => Promise.resolve();
  if ("Bun" in globalThis) {
    const { bunTransport } = await import("./bun.ts");
    return { transport: bunTransport, connectionsFree: nothing };
  }
  // Bundlers may give a page a `process` without the version of Node.
  if (globalThis.process?.versions?.node !== undefined) {
    const { HttpPool } = await import("./http_pool.ts");
    return { transport: (settings) => new HttpPool(settings), connectionsFree: nothing };
  }
  const { browserTransport } = await import("./browser.ts");
  return { transport: browserTransport, connectionsFree: nothing };
}
