import type { RequestInfo } from "../http/mod.ts";

/** The most series that are counted apart. Definitions can come and go without end. */
const MAX_SERIES = 10_000;

/** The verbs of the metrics, by the verb that is authorized. */
const VERBS: Readonly<Record<string, string>> = {
  get: "GET",
  list: "LIST",
  watch: "WATCH",
  create: "POST",
  update: "PUT",
  patch: "PATCH",
  delete: "DELETE",
  deletecollection: "DELETE",
};

/** The methods that are verbs of the metrics. */
const METHODS: readonly string[] = ["DELETE", "GET", "PATCH", "POST", "PUT"];

/** The labels of a request, apart from the code of its answer. None of them can be any text that a client sends. */
export interface RequestLabels {
  readonly component: string;
  readonly dry_run: string;
  readonly group: string;
  readonly resource: string;
  readonly scope: string;
  readonly subresource: string;
  readonly verb: string;
  readonly version: string;
}

/** The number of requests, by the labels of the metric `apiserver_request_total`. */
export class RequestCounts {
  readonly #counts = new Map<string, number>();

  /** Counts an answered request. Of too many different ones, the later ones are counted together, without labels. */
  add(labels: RequestLabels, code: number): void {
    const own = seriesOf({ code: String(code), ...labels });
    const isFull = this.#counts.size >= MAX_SERIES && !this.#counts.has(own);
    const series = isFull ? seriesOf({ code: "", ...NO_LABELS }) : own;
    this.#counts.set(series, (this.#counts.get(series) ?? 0) + 1);
  }

  /** Starts again from zero. */
  reset(): void {
    this.#counts.clear();
  }

  /** Returns the labels with their counts, sorted. */
  entries(): [string, number][] {
    return [...this.#counts].sort(([a], [b]) => a < b ? -1 : 1);
  }
}

const NO_LABELS: RequestLabels = {
  component: "",
  dry_run: "",
  group: "",
  resource: "",
  scope: "",
  subresource: "",
  verb: "",
  version: "",
};

function seriesOf(labels: Readonly<Record<string, string>>): string {
  return Object.keys(labels).sort()
    .map((name) => `${name}=${JSON.stringify(labels[name])}`).join(",");
}

/**
 * Returns the labels of a request for a resource that is served.
 *
 * @param how Whether the server passes the request on to a Pod, and whether it is a server-side apply.
 */
export function resourceLabels(
  info: RequestInfo,
  query: URLSearchParams,
  how: { readonly connects: boolean; readonly applies: boolean },
): RequestLabels {
  const { group, resource, subresource, verb, version } = info;
  const shown = how.connects ? "CONNECT" : how.applies ? "APPLY" : VERBS[verb] ?? "other";
  return {
    component: "apiserver",
    dry_run: dryRunOf(query.getAll("dryRun")),
    group,
    resource,
    scope: scopeOf(info),
    subresource: subresource.split("/")[0]!,
    verb: shown,
    version,
  };
}

/** Returns the labels of a request for a path without a resource; undefined if a real server does not count the path. */
export function systemLabels(path: string, method: string): RequestLabels | undefined {
  const subresource = counted(path);
  if (subresource === undefined) return undefined;
  return { ...NO_LABELS, subresource, verb: METHODS.includes(method) ? method : "other" };
}

function counted(path: string): string | undefined {
  if (path === "/healthz" || path === "/livez" || path === "/readyz") return path;
  if (path === "/openapi/v3") return "openapi/v3";
  return path.startsWith("/openapi/v3/") ? "openapi/v3/" : undefined;
}

function dryRunOf(values: readonly string[]): string {
  if (values.length === 0) return "";
  return values.every((value) => value === "All") ? "All" : "invalid";
}

function scopeOf({ name, namespace, verb }: RequestInfo): string {
  if (name !== "" || verb === "create") return "resource";
  return namespace === "" ? "cluster" : "namespace";
}
