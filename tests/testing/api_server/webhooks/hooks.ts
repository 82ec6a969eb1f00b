import { Cluster, type Reply } from "../cluster.ts";
import type { ApiServerOptions } from "../../../../src/testing/mod.ts";

// deno-lint-ignore no-explicit-any
type Loose = any;

/** The configuration collections. */
export const GROUP = "/apis/admissionregistration.k8s.io/v1";

/** A call that a webhook has got. */
export interface Call {
  readonly url: string;
  // deno-lint-ignore no-explicit-any
  readonly request: any;
}

/** Decides about a review: what to add to the response, or a whole answer. */
export type Decide = (request: Loose, url: URL) => unknown;

/** A server whose webhooks are functions by path, and that notes what they are asked. */
export class HookedCluster extends Cluster {
  readonly calls: Call[];
  readonly #decisions: Map<string, Decide>;

  constructor(options: ApiServerOptions = {}) {
    const calls: Call[] = [];
    const decisions = new Map<string, Decide>();
    super({
      webhooks: async (request) => {
        const url = new URL(request.url);
        const review = await request.json();
        calls.push({ url: request.url, request: review.request });
        const decided = await decisions.get(url.pathname)!(review.request, url);
        if (decided instanceof Response) return decided;
        const response = { uid: review.request.uid, allowed: true, ...decided as object };
        return Response.json({ apiVersion: review.apiVersion, kind: review.kind, response });
      },
      ...options,
    });
    this.calls = calls;
    this.#decisions = decisions;
  }

  /** Installs a webhook `<name>.example.com` for ConfigMaps, in a configuration of that name. */
  async hook(
    type: "mutating" | "validating",
    name: string,
    decide: Decide,
    rest: Record<string, unknown> = {},
  ): Promise<Reply> {
    this.#decisions.set(`/${name}`, decide);
    return await this.call("POST", `${GROUP}/${type}webhookconfigurations`, {
      metadata: { name },
      webhooks: [webhook(name, rest)],
    });
  }

  /** The message and status of an answer. */
  static said({ status, json }: Reply): [number, string] {
    return [status, json.message];
  }
}

/** Returns a webhook for all writes of ConfigMaps. */
export function webhook(name: string, rest: Record<string, unknown> = {}): Loose {
  return {
    name: `${name}.example.com`,
    clientConfig: { service: { namespace: "default", name: "hooks", path: `/${name}` } },
    rules: [{
      operations: ["*"],
      apiGroups: [""],
      apiVersions: ["v1"],
      resources: ["configmaps"],
    }],
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    ...rest,
  };
}

/** Returns the response of a mutating webhook with a JSON patch. */
export function patch(...operations: unknown[]): unknown {
  return { patchType: "JSONPatch", patch: btoa(JSON.stringify(operations)) };
}
