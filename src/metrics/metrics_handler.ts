import { PrometheusRegistry } from "./prometheus_registry.ts";

/**
 * Returns a fetch handler for the path `/metrics`, which answers with the metrics of a registry.
 *
 * @param registry The registry.
 * @returns The handler. It answers 405 to methods other than GET and HEAD.
 *
 * @example In a server of your own: `Deno.serve(metricsHandler(metrics))`
 * ```ts
 * import { metricsHandler, PrometheusRegistry } from "@kubeloop/controller/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const metrics = new PrometheusRegistry();
 * const response = metricsHandler(metrics)(new Request("http://localhost/metrics"));
 * assertEquals(response.status, 200);
 * ```
 */
export function metricsHandler(registry: PrometheusRegistry): (request: Request) => Response {
  return ({ method }) => {
    if (method !== "GET" && method !== "HEAD") {
      return new Response("Metrics are read with GET\n", {
        status: 405,
        headers: { allow: "GET, HEAD" },
      });
    }
    return new Response(method === "HEAD" ? null : registry.text(), {
      headers: { "content-type": PrometheusRegistry.contentType, "cache-control": "no-store" },
    });
  };
}
