import { diffAll } from "@kubeloop/kubectl";
import type { ApiServerOptions } from "@kubeloop/testing";
import { World as PlainWorld } from "../support/world.ts";

/** The namespace of the objects. */
export const namespace = "default";

/** A world that counts concurrent requests. */
export class World extends PlainWorld {
  /** The largest number of requests at the same time. */
  mostAtOnce = 0;
  #atOnce = 0;

  constructor(server: ApiServerOptions = {}) {
    super({ server });
  }

  override async fetch(request: Request): Promise<Response> {
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#atOnce);
    try {
      return await super.fetch(request);
    } finally {
      this.#atOnce--;
    }
  }

  /** Moves the clock until the promise has settled, and returns its result. */
  run<T>(promise: Promise<T>): Promise<T> {
    return this.until(promise);
  }
}

/** Returns an answer with a Status. */
export function refusal(code: number, reason: string, message: string, headers = {}): Response {
  return Response.json({ kind: "Status", code, reason, message }, { status: code, headers });
}

// The parser of YAML is loaded when it is first needed, and a virtual clock does not wait for that.
{
  await using world = new PlainWorld();
  await diffAll(world.client, "\n");
}
