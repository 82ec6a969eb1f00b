/**
 * An API server that means harm: it answers as the in-process API server does, until a {@linkcode Behaviour} answers
 * instead, or changes an answer on its way.
 */

import { ApiServer, SeededRandom, VirtualClock } from "../../src/testing/mod.ts";
import type { ClientOptions } from "../../src/client/mod.ts";
import { type ConfigMap, ConfigMaps } from "../../src/types/mod.ts";

/** A request that a behaviour may answer. */
export interface Asked {
  readonly verb: "list" | "watch";
  readonly query: URLSearchParams;
  readonly signal: AbortSignal;
  /** Returns the true answer. */
  readonly honest: () => Promise<Response>;
  /** The number of requests that the behaviour has been asked before this one. */
  readonly nth: number;
}

/** The answer of a malicious server to a request. Undefined passes it to the honest server. */
export type Behaviour = (asked: Asked) => Response | Promise<Response> | undefined;

/** The fixture of a hostile test: the server, its objects, and the times of the requests. */
export class MaliciousServer {
  readonly clock: VirtualClock = new VirtualClock();
  /** The times of all requests, in milliseconds. */
  readonly times: number[] = [];
  readonly verbs: string[] = [];
  /** The number of answers that were not the honest ones. */
  faults = 0;
  #server: ApiServer = this.#start();
  #behaviour: Behaviour | undefined;
  #asked = 0;

  /** The options of a client of this server. */
  get clientOptions(): ClientOptions {
    return { ...this.#server.clientOptions, fetch: this.#fetch };
  }

  #start(state?: ReturnType<ApiServer["state"]>): ApiServer {
    return new ApiServer({ clock: this.clock, random: new SeededRandom(1), state });
  }

  /** Answers as `behaviour` wants from now on; undefined makes the server honest again. */
  behave(behaviour: Behaviour | undefined): void {
    this.#behaviour = behaviour;
    this.#asked = 0;
  }

  /** Ends the open watches, with a broken connection or without. */
  cut(broken: boolean): void {
    this.#server.closeWatches({ broken });
  }

  /** Forgets the history, so that every client has to list. */
  expire(): void {
    this.#server.compact();
    this.#server.restart();
  }

  /** Returns a function that puts the server back to where it is now, as a restored backup of etcd does. */
  backup(): () => void {
    const state = this.#server.state();
    return () => {
      this.#server.closeWatches({ broken: true });
      this.#server = this.#start(state);
    };
  }

  /** Creates or replaces a ConfigMap, or deletes it if there are no data. */
  async put(name: string, data: Record<string, string> | undefined): Promise<void> {
    const path = `https://api.invalid/api/v1/namespaces/default/configmaps`;
    const exists = this.#server.get(ConfigMaps, name, "default") !== undefined;
    if (data === undefined && !exists) return;
    const body: ConfigMap = { metadata: { name } };
    const [method, url] = data === undefined
      ? ["DELETE", `${path}/${name}`]
      : exists
      ? ["PUT", `${path}/${name}`]
      : ["POST", path];
    const init = method === "DELETE" ? {} : {
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", ...body, data }),
    };
    const response = await this.#server.fetch(new Request(url, { method, ...init }));
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${name}: ${text}`);
  }

  /** Returns the versions of all ConfigMaps, by name. */
  async versions(): Promise<Map<string, string>> {
    const response = await this.#server.fetch(
      new Request("https://api.invalid/api/v1/configmaps"),
    );
    const { items } = await response.json() as { items: ConfigMap[] };
    return versionsOf(items);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.close();
  }

  readonly #fetch = (request: Request): Promise<Response> => {
    const query = new URL(request.url).searchParams;
    const verb = query.has("watch") ? "watch" : "list";
    this.times.push(this.clock.now());
    this.verbs.push(`${verb} ${query.get("resourceVersion") ?? ""}`.trim());
    const honest = () => this.#server.fetch(request);
    const { signal } = request;
    const answer = this.#behaviour?.({ verb, query, signal, honest, nth: this.#asked++ });
    if (answer !== undefined) this.faults++;
    return Promise.resolve(answer ?? honest());
  };
}

/** Returns the versions of objects, by name, in the order of names. */
export function versionsOf(
  items: readonly {
    readonly metadata: { readonly name?: string; readonly resourceVersion?: string };
  }[],
): Map<string, string> {
  const versions = items.map(({ metadata }): [string, string] => [
    metadata.name ?? "",
    metadata.resourceVersion ?? "",
  ]);
  return new Map(versions.sort(([a], [b]) => a < b ? -1 : 1));
}
