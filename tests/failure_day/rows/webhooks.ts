import { assertEquals } from "@std/assert";
import { admission, conversion, WebhookServer } from "../../../src/operator/mod.ts";
import type { KubeObject } from "../../../src/types/mod.ts";
import { type Day, namespace } from "../day.ts";
import type { Row } from "../row.ts";
import { NO_CLOCK, NO_OBJECT, NO_SERVER } from "./_reasons.ts";
import { type Widget, Widgets } from "./_widgets.ts";

const widget = {
  apiVersion: "acme.io/v1",
  kind: "Widget",
  metadata: { name: "a", namespace, uid: "u" },
  spec: { size: 1 },
};

/** Sends a review to a handler, as the API server does. */
async function review(
  { handler }: WebhookServer,
  { signal }: Day,
  { path, kind, request }: {
    readonly path: string;
    readonly kind: "AdmissionReview" | "ConversionReview";
    readonly request: object;
  },
): Promise<{ readonly allowed?: boolean; readonly result?: { readonly status: string } }> {
  const group = kind === "AdmissionReview" ? "admission.k8s.io" : "apiextensions.k8s.io";
  const response = await handler(
    new Request(`https://w.default.svc${path}?timeout=10s`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        apiVersion: `${group}/v1`,
        kind,
        request: { uid: "u-1", ...request },
      }),
      // A runtime listens to the signal of a request until it is collected.
      signal: AbortSignal.any([signal]),
    }),
  );
  const { response: answer } = await response.json();
  return answer ?? {};
}

/** The functions of webhooks. */
export const webhooks: readonly Row[] = [
  {
    name: "WebhookServer.handler",
    covers: [
      "WebhookServer.handler",
      "WebhookServer.add(webhook)",
      "AdmissionFunctions.validate",
      "AdmissionFunctions.mutate",
      "AdmissionRequest.warn",
      "VersionConversion.toHub",
      "VersionConversion.fromHub",
    ],
    start: async (day) => {
      const server = new WebhookServer(day.client, { service: { namespace, name: "w" } });
      const options = { clock: day.clock, logger: day.log };
      server.add(admission(Widgets, {
        validate: day.user("validate", ({ warn }: { warn(message: string): void }) => warn("old")),
        mutate: day.user("mutate", ({ object }: { object: Widget }) => object),
      }, options));
      const keep = (object: KubeObject) => object as never;
      server.add(conversion(Widgets, {
        v0: { toHub: day.user("toHub", keep), fromHub: day.user("fromHub", keep) },
      }, options));
      const answers: (boolean | string | undefined)[] = [];
      for (const path of server.paths.filter((path) => !path.startsWith("/convert"))) {
        const request = {
          kind: { group: "acme.io", version: "v1", kind: "Widget" },
          resource: { group: "acme.io", version: "v1", resource: "widgets" },
          name: "a",
          namespace,
          operation: "CREATE",
          userInfo: { username: "jane" },
          object: widget,
          oldObject: null,
          dryRun: false,
        };
        answers.push(
          (await review(server, day, { path, kind: "AdmissionReview", request })).allowed,
        );
      }
      const path = server.paths.find((path) => path.startsWith("/convert")) ?? "";
      for (const [from, to] of [["v0", "v1"], ["v1", "v0"]] as const) {
        const request = {
          desiredAPIVersion: `acme.io/${to}`,
          objects: [{ ...widget, apiVersion: `acme.io/${from}` }],
        };
        const { result } = await review(server, day, { path, kind: "ConversionReview", request });
        answers.push(result?.status);
      }
      return answers;
    },
    normal: (_day, answers) => assertEquals(answers, [true, true, "Success", "Success"]),
    not: { ...NO_SERVER, ...NO_OBJECT, ...NO_CLOCK, abort: "its signal is that of one request" },
  },
];
