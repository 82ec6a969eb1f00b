/**
 * An API server that keeps webhook configurations, and counts its requests.
 *
 * @module
 */

import { silentLogger } from "../../../src/base/mod.ts";
import { Client } from "../../../src/client/mod.ts";
import type { WebhookConfiguration } from "../../../src/operator/mod.ts";
import { ApiServer } from "../../../src/testing/mod.ts";

const PATH = "/apis/admissionregistration.k8s.io/v1/";

export class Cluster implements AsyncDisposable {
  readonly server: ApiServer;
  readonly client: Client;
  /** The webhook configurations by path. A test may change them. */
  readonly configurations: Map<string, WebhookConfiguration> = new Map();
  /** The method and path of each write, of the resources that are not in `ApiServer` too. */
  readonly writes: string[] = [];
  /** The parts of paths that are answered with 403. */
  readonly forbidden: string[] = [];

  constructor() {
    this.server = new ApiServer({ logger: silentLogger });
    this.client = new Client({
      fetch: (request) => this.#fetch(request),
      logger: silentLogger,
    });
  }

  async #fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (this.forbidden.some((part) => pathname.includes(part))) {
      const status = { kind: "Status", status: "Failure", code: 403, reason: "Forbidden" };
      return Response.json({ ...status, message: "no" }, { status: 403 });
    }
    if (request.method !== "GET") {
      this.writes.push(`${request.method} ${pathname.split("/").at(-1)}`);
    }
    if (!pathname.startsWith(PATH)) return await this.server.fetch(request);
    const key = pathname.slice(PATH.length);
    if (request.method === "PATCH") {
      const body = await request.json();
      const isApply = request.headers.get("content-type")?.includes("apply") ?? false;
      if (isApply) this.configurations.set(key, body);
      else for (const { op, path, value } of body) if (op === "add") this.#set(key, path, value);
    }
    const found = this.configurations.get(key);
    if (found !== undefined) return Response.json(found);
    const status = {
      kind: "Status",
      status: "Failure",
      code: 404,
      reason: "NotFound",
      message: key,
    };
    return Response.json(status, { status: 404 });
  }

  #set(key: string, path: string, value: unknown): void {
    const parts = path.split("/").slice(1);
    const last = parts.pop()!;
    // deno-lint-ignore no-explicit-any
    let at: any = this.configurations.get(key);
    for (const part of parts) at = at[part];
    at[last] = value;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.server.close();
  }
}
