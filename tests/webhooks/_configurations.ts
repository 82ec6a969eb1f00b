/**
 * An API server whose requests are counted, and answered otherwise by a test.
 *
 * @module
 */

import { silentLogger } from "../../src/base/mod.ts";
import { Client } from "../../src/client/mod.ts";
import {
  MutatingWebhookConfigurations,
  ValidatingWebhookConfigurations,
  type WebhookConfiguration,
} from "../../src/webhooks/mod.ts";
import { ApiServer } from "../../src/testing/mod.ts";
import { isNotFound, type Resource } from "../../src/types/mod.ts";

export class Cluster implements AsyncDisposable {
  readonly server: ApiServer;
  readonly client: Client;
  /** The method and the end of the path of each write. */
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

  /** Returns a webhook configuration; undefined if there is none. */
  async configuration(
    mode: "mutating" | "validating",
    name = "widgets",
  ): Promise<WebhookConfiguration | undefined> {
    const resource: Resource<WebhookConfiguration> = mode === "mutating"
      ? MutatingWebhookConfigurations
      : ValidatingWebhookConfigurations;
    try {
      return await this.client.get(resource, name) as WebhookConfiguration;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (this.forbidden.some((part) => pathname.includes(part))) {
      const status = { kind: "Status", status: "Failure", code: 403, reason: "Forbidden" };
      const message = `secrets is forbidden: User "jane" cannot get resource "secrets"`;
      return Response.json({ ...status, message }, { status: 403 });
    }
    if (request.method !== "GET") {
      this.writes.push(`${request.method} ${pathname.split("/").at(-1)}`);
    }
    return await this.server.fetch(request);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.server.close();
  }
}
