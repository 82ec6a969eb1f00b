import { isTrue, type RequestInfo } from "../http/mod.ts";

/** The verbs of the metrics, by the verb that is authorized. */
const VERBS: Readonly<Record<string, string>> = {
  get: "GET",
  list: "LIST",
  watch: "WATCH",
  create: "POST",
  update: "PUT",
  patch: "PATCH",
  delete: "DELETE",
  deletecollection: "DELETECOLLECTION",
};

/** The number of requests, by the labels of the metric `apiserver_request_total`. */
export class RequestCounts {
  readonly #counts = new Map<string, number>();

  /** Counts an answered request. */
  add(info: RequestInfo, method: string, query: URLSearchParams, code: number): void {
    const labels = labelsOf(info, method, query, code);
    this.#counts.set(labels, (this.#counts.get(labels) ?? 0) + 1);
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

function labelsOf(
  info: RequestInfo,
  method: string,
  query: URLSearchParams,
  code: number,
): string {
  const { group, isResource, resource, version } = info;
  // The paths of requests without a resource could be any text, so that only their first part is a label.
  const subresource = isResource ? info.subresource : `/${info.path.split("/")[1] ?? ""}`;
  const dryRun = isTrue(query.get("dryRun")) ? "All" : "";
  const component = isResource ? "apiserver" : "";
  const verb = isResource ? VERBS[info.verb] ?? "other" : method;
  return [
    ["code", String(code)],
    ["component", component],
    ["dry_run", dryRun],
    ["group", group],
    ["resource", resource],
    ["scope", isResource ? scopeOf(info) : ""],
    ["subresource", subresource],
    ["verb", verb],
    ["version", version],
  ].map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(",");
}

function scopeOf({ name, namespace, verb }: RequestInfo): string {
  if (name !== "" || verb === "create") return "resource";
  return namespace === "" ? "cluster" : "namespace";
}
