import type { ResponseWriter } from "../http/mod.ts";
import type { Release, Span } from "../release/mod.ts";

/** The releases that have a check. Default: all. */
const SPANS: Readonly<Record<string, Span>> = {
  "loopback-serving-certificate": { since: "1.36" },
  "poststarthook/peer-endpoint-reconciler-controller": { since: "1.36" },
  "poststarthook/storage-readiness": { since: "1.36" },
};

/**
 * The start hooks that a real server completes before it is healthy. This server has everything from the beginning: roles,
 * namespaces, priority classes, definitions and aggregated discovery.
 */
const STARTED: readonly string[] = [
  "poststarthook/start-apiserver-admission-initializer",
  "poststarthook/generic-apiserver-start-informers",
  "poststarthook/priority-and-fairness-config-consumer",
  "poststarthook/priority-and-fairness-filter",
  "poststarthook/storage-object-count-tracker-hook",
  "poststarthook/start-apiextensions-informers",
  "poststarthook/start-apiextensions-controllers",
  "poststarthook/crd-informer-synced",
  "poststarthook/start-system-namespaces-controller",
  "poststarthook/peer-endpoint-reconciler-controller",
  "poststarthook/start-cluster-authentication-info-controller",
  "poststarthook/start-kube-apiserver-identity-lease-controller",
  "poststarthook/start-kube-apiserver-identity-lease-garbage-collector",
  "poststarthook/storage-readiness",
  "poststarthook/start-legacy-token-tracking-controller",
  "poststarthook/start-service-ip-repair-controllers",
  "poststarthook/rbac/bootstrap-roles",
  "poststarthook/scheduling/bootstrap-system-priority-classes",
  "poststarthook/priority-and-fairness-config-producer",
  "poststarthook/bootstrap-controller",
  "poststarthook/start-kubernetes-service-cidr-controller",
  "poststarthook/start-kube-aggregator-informers",
  "poststarthook/apiservice-status-local-available-controller",
  "poststarthook/apiservice-status-remote-available-controller",
  "poststarthook/apiservice-registration-controller",
  "poststarthook/apiservice-discovery-controller",
  "poststarthook/kube-apiserver-autoregistration",
  "autoregister-completion",
  "poststarthook/apiservice-openapi-controller",
  "poststarthook/apiservice-openapiv3-controller",
];

const LIVE_CHECKS: readonly string[] = [
  "ping",
  "log",
  "loopback-serving-certificate",
  "etcd",
  ...STARTED,
];

const PATHS: ReadonlyMap<string, readonly string[]> = new Map([
  ["/healthz", LIVE_CHECKS],
  ["/livez", LIVE_CHECKS],
  [
    "/readyz",
    ["ping", "log", "etcd", "etcd-readiness", "informer-sync", ...STARTED, "shutdown"],
  ],
]);

/** Returns the checks of a path in a release; undefined if the path is not one of a health check. */
function checksOf(path: string, release: Release): readonly string[] | undefined {
  return PATHS.get(path)?.filter((check) =>
    !Object.hasOwn(SPANS, check) || release.has(SPANS[check]!)
  );
}

/** Returns the paths of all health checks that the index of a real server lists. */
export function healthPaths(release: Release): string[] {
  return [...PATHS.keys()].flatMap((path) => [
    path,
    ...checksOf(path, release)!.map((check) => `${path}/${check}`),
  ]);
}

/** Returns the names and types of all health checks of a release. */
export function allChecks(release: Release): { name: string; type: string }[] {
  return [...PATHS.keys()].flatMap((path) =>
    checksOf(path, release)!.map((name) => ({ name, type: path.slice(1) }))
  );
}

/** Answers a health check. Returns undefined if the path is not one of a health check. */
export function healthAnswer(
  path: string,
  query: URLSearchParams,
  writer: ResponseWriter,
  release: Release,
): Response | undefined {
  const checks = checksOf(path, release);
  if (checks === undefined) return singleCheck(path, writer, release);
  if (!query.has("verbose")) return writer.plain(200, "ok");
  const excluded = query.getAll("exclude");
  const lines = checks.map((check) =>
    excluded.includes(check) ? `[+]${check} excluded: ok\n` : `[+]${check} ok\n`
  );
  const unknown = excluded.filter((check) => !checks.includes(check)).sort();
  if (unknown.length > 0) {
    const names = unknown.map((check) => JSON.stringify(check)).join(",");
    lines.push(`warn: some health checks cannot be excluded: no matches for ${names}\n`);
  }
  return writer.plain(200, `${lines.join("")}${path.slice(1)} check passed\n`);
}

/** Answers a single health check, such as `/healthz/etcd`. Returns undefined if there is no such check. */
function singleCheck(
  path: string,
  writer: ResponseWriter,
  release: Release,
): Response | undefined {
  const at = path.indexOf("/", 1);
  if (at < 0 || !checksOf(path.slice(0, at), release)?.includes(path.slice(at + 1))) {
    return undefined;
  }
  const response = writer.plain(200, "ok");
  response.headers.delete("X-Content-Type-Options");
  return response;
}
