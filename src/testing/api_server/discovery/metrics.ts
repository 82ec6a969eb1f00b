import type { ResponseWriter } from "../http/mod.ts";
import type { Release } from "../release/mod.ts";
import { allChecks } from "./health.ts";
import type { RequestCounts } from "./request_counts.ts";

/** The values that `/metrics` reports. */
export interface MetricsSource {
  readonly release: Release;
  readonly requests: RequestCounts;
  /** The number of stored objects by the full name of their resource. */
  readonly objects: Iterable<readonly [string, number]>;
}

/**
 * Answers `/metrics`: the few metrics of a real server that this one has, in the same format. A DELETE starts the
 * counters again.
 */
export function metricsAnswer(
  method: string,
  { release, requests, objects }: MetricsSource,
  writer: ResponseWriter,
): Response {
  if (method === "DELETE") {
    requests.reset();
    const answer = writer.plain(200, "metrics reset\n");
    answer.headers.delete("X-Content-Type-Options");
    return answer;
  }
  const stored = [...objects].sort(([a], [b]) => a < b ? -1 : 1);
  const text = [
    metric("apiserver_request_total", "counter", "Answered requests.", requests.entries()),
    metric(
      "apiserver_storage_objects",
      "gauge",
      "Stored objects.",
      stored.map(([name, count]) => [`resource="${name}"`, count]),
    ),
    metric("kubernetes_build_info", "gauge", "The release that this server says it is.", [
      [`git_version="${release.version}",platform="linux/amd64"`, 1],
    ]),
  ].join("");
  return metricsText(text, writer);
}

/** Answers `/metrics/slis`: the results of the health checks. */
export function healthMetricsAnswer(release: Release, writer: ResponseWriter): Response {
  const samples = allChecks(release)
    .map(({ name, type }) => [`name="${name}",type="${type}"`, 1] as const)
    .sort(([a], [b]) => a < b ? -1 : 1);
  const help = "[STABLE] This metric records the result of a single healthcheck.";
  return metricsText(metric("kubernetes_healthcheck", "gauge", help, samples), writer);
}

function metricsText(text: string, writer: ResponseWriter): Response {
  const answer = writer.plain(200, text);
  answer.headers.delete("X-Content-Type-Options");
  answer.headers.set(
    "Content-Type",
    "text/plain; version=0.0.4; charset=utf-8; escaping=underscores",
  );
  return answer;
}

function metric(
  name: string,
  type: "counter" | "gauge",
  help: string,
  samples: readonly (readonly [string, number])[],
): string {
  const lines = samples.map(([labels, value]) => `${name}{${labels}} ${value}\n`).join("");
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines}`;
}
