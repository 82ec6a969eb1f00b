/**
 * Reviews as an API server posts them.
 *
 * @module
 */

import { defineResource, type KubeObject, type Resource } from "../../src/types/mod.ts";

export interface Widget extends KubeObject {
  spec: { size: number; image?: string };
  status?: { ready: number };
}

export const Widgets: Resource<Widget> = defineResource<Widget>({
  group: "acme.io",
  version: "v1",
  plural: "widgets",
  kind: "Widget",
  namespaced: true,
});

export function widget(size: number, metadata: Partial<KubeObject["metadata"]> = {}): Widget {
  const full = { name: "a", namespace: "default", ...metadata };
  return { apiVersion: "acme.io/v1", kind: "Widget", metadata: full, spec: { size } };
}

export type Handler = (request: Request) => Response | Promise<Response>;

export function post(body: unknown, path = "/", init: RequestInit = {}): Request {
  return new Request(`https://webhooks.default.svc${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...init,
  });
}

/** The answer to an AdmissionReview, with the patch decoded. */
export interface AdmissionAnswer {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: { code: number; reason?: string; message: string; details?: unknown };
  readonly warnings?: string[];
  readonly patchType?: string;
  readonly patch?: unknown;
}

export function admissionReview(request: object): object {
  return {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: "u-1",
      kind: { group: "acme.io", version: "v1", kind: "Widget" },
      resource: { group: "acme.io", version: "v1", resource: "widgets" },
      name: "a",
      namespace: "default",
      operation: "CREATE",
      userInfo: { username: "jane", groups: ["dev"] },
      object: null,
      oldObject: null,
      dryRun: false,
      options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1" },
      ...request,
    },
  };
}

/** Posts an AdmissionReview and returns its response. */
export async function review(
  handler: Handler,
  request: object,
  path = "/?timeout=10s",
): Promise<AdmissionAnswer> {
  const response = await handler(post(admissionReview(request), path));
  const { apiVersion, kind, response: answer } = await response.json();
  if (
    response.status !== 200 || apiVersion !== "admission.k8s.io/v1" || kind !== "AdmissionReview"
  ) {
    throw new Error(`No AdmissionReview of v1: ${response.status} ${kind} of ${apiVersion}`);
  }
  const { patch } = answer;
  return patch === undefined ? answer : {
    ...answer,
    patch: JSON.parse(
      new TextDecoder().decode(Uint8Array.from(atob(patch), (char) => char.charCodeAt(0))),
    ),
  };
}
