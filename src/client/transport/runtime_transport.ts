import type { TransportSettings } from "../config/mod.ts";
import type { Transport } from "./transport.ts";
import { bunTransport } from "./bun.ts";
import { denoConnectionsFree, denoTransport } from "./deno.ts";
import { nodeConnectionsFree, nodeTransport } from "./node.ts";

/** Returns the transport for the current runtime: Deno, Bun or Node. */
export function runtimeTransport(settings: TransportSettings): Transport {
  if ("Deno" in globalThis) return denoTransport(settings);
  if ("Bun" in globalThis) return bunTransport(settings);
  return nodeTransport(settings);
}

/** Resolves when the connections of completed requests are available for the next request. */
export function connectionsFree(): Promise<void> {
  if ("Deno" in globalThis) return denoConnectionsFree();
  return "Bun" in globalThis ? Promise.resolve() : nodeConnectionsFree();
}
