import { parseJson, stringifyJson } from "@kubeloop/controller/internal/base";
import type { Client } from "@kubeloop/controller/client";
import type { KubeObject, ResourceDescriptor } from "@kubeloop/controller/types";
import type { WebhookHandler } from "../../api_server/mod.ts";
import type { Neighbour } from "./neighbours.ts";

/** The descriptor of the configurations of mutating webhooks. */
const CONFIGURATIONS: ResourceDescriptor = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  plural: "mutatingwebhookconfigurations",
  kind: "MutatingWebhookConfiguration",
  namespaced: false,
};

/** Registers the webhooks of the neighbours that fill in fields. */
export async function registerDefaults(
  client: Client,
  neighbours: readonly Neighbour[],
): Promise<void> {
  for (const [index, { defaults }] of neighbours.entries()) {
    if (defaults === undefined) continue;
    await client.create(CONFIGURATIONS as never, {
      metadata: { name: `neighbour-${index}` },
      webhooks: [{
        name: `neighbour-${index}.example.com`,
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        clientConfig: { url: `https://neighbour-${index}.example.com/` },
        rules: defaults.resources.map(({ group, plural, version }) => ({
          apiGroups: [group],
          apiVersions: [version],
          resources: [plural],
          operations: ["CREATE", "UPDATE"],
        })),
      }],
    } as never);
  }
}

/** Returns the handler of the webhooks that {@linkcode registerDefaults} has registered; undefined if there are none. */
export function defaultsHandler(neighbours: readonly Neighbour[]): WebhookHandler | undefined {
  if (!neighbours.some(({ defaults }) => defaults !== undefined)) return undefined;
  return async (request) => {
    const [, index = ""] = /^neighbour-(\d+)\./.exec(new URL(request.url).hostname) ?? [];
    const { apiVersion, kind, request: { object, uid } } = parseJson(await request.text()) as {
      apiVersion: string;
      kind: string;
      request: { uid: string; object: KubeObject };
    };
    const before = stringifyJson(object);
    neighbours[Number(index)]?.defaults?.change(object);
    const isSame = stringifyJson(object) === before;
    const patch = stringifyJson([{ op: "replace", path: "", value: object }]);
    const changed = { patchType: "JSONPatch", patch: base64Of(patch) };
    const response = { uid, allowed: true, ...(isSame ? {} : changed) };
    return new Response(stringifyJson({ apiVersion, kind, response }));
  };
}

function base64Of(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
