import { formatTime } from "@kubeloop/controller/types";
import {
  negotiate,
  parseLabelSelector,
  readListQuery,
  type RequestInfo,
  type ResponseWriter,
} from "../http/mod.ts";
import { ResourceInfo } from "../kinds/mod.ts";
import { DEFAULT_RELEASE } from "../release/mod.ts";
import { objectKey, type ResourceStore } from "../storage/mod.ts";
import {
  encodeJson,
  type Json,
  methodNotAllowed,
  noSuchResource,
  notFound,
} from "../../values/mod.ts";
import type { PodMetricUsage, ResourceMetrics } from "./resource_metrics.ts";

const GROUP = "metrics.k8s.io";
const VERSION = "v1beta1";
const API_VERSION = `${GROUP}/${VERSION}`;

/** The time over which a metrics server measures. */
const WINDOW = "15s";

/** The resources of a metrics server, as its discovery lists them. */
export const METRICS_RESOURCES: readonly ResourceInfo[] = [
  metricsResource("nodes", "NodeMetrics", false),
  metricsResource("pods", "PodMetrics", true),
];

/** A request to the metrics API. */
export interface MetricsExchange {
  readonly info: RequestInfo;
  readonly method: string;
  readonly headers: Headers;
  readonly query: URLSearchParams;
  readonly writer: ResponseWriter;
  readonly metrics: ResourceMetrics;
  /** The stored Pods and Nodes, whose labels the metrics have. */
  readonly stores: { readonly pods: ResourceStore; readonly nodes: ResourceStore };
  readonly wallMs: number;
}

/**
 * Answers a get or a list of the metrics of Pods or Nodes.
 *
 * @throws {ApiError} 404 for an unknown resource and for missing numbers; 405 for other methods; 406 if the answer may not be
 * in JSON; 400 for an invalid selector.
 */
export function metricsApiAnswer(exchange: MetricsExchange): Response {
  const { headers, info, method, query, writer } = exchange;
  const { name, namespace, resource, subresource, version } = info;
  const known = METRICS_RESOURCES.find(({ plural }) => plural === resource);
  const isPlaced = known?.namespaced === true ? name === "" || namespace !== "" : namespace === "";
  if (known === undefined || version !== VERSION || subresource !== "" || !isPlaced) {
    throw noSuchResource();
  }
  if (method !== "GET" && method !== "HEAD") throw methodNotAllowed();
  negotiate(headers, query, { table: false, protobuf: false });
  const items = resource === "pods" ? podMetrics(exchange) : nodeMetrics(exchange);
  if (name !== "") {
    const item = items.find(({ metadata }) => metadata.name === name);
    if (item === undefined) throw notFound({ group: GROUP, plural: resource }, name);
    return writer.json(200, encodeJson(item as unknown as Json));
  }
  const selector = parseLabelSelector(readListQuery(query, false).labelSelector);
  const selected = items.filter(({ metadata }) => selector.matches(metadata.labels ?? {}));
  const list = {
    kind: `${known.definition.kind}List`,
    apiVersion: API_VERSION,
    metadata: {},
    items: selected,
  };
  return writer.json(200, encodeJson(list as unknown as Json));
}

/** The common fields of the metrics of Pods and Nodes. */
interface Measured {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

function podMetrics({ info, metrics, stores, wallMs }: MetricsExchange): Measured[] {
  const keys = [...metrics.pods.keys()].filter((key) =>
    info.namespace === "" || key.startsWith(`${info.namespace}/`)
  );
  return keys.sort().map((key) => {
    const [namespace = "", name = ""] = key.split("/");
    const stored = stores.pods.get(objectKey(namespace, name));
    const { spec } = (stored?.parse() ?? {}) as {
      spec?: { containers?: readonly { name: string }[] };
    };
    const first = spec?.containers?.[0]?.name ?? name;
    return {
      ...head("PodMetrics", { name, namespace, labels: stored?.labels }, wallMs),
      containers: containersOf(metrics.pods.get(key)!, first),
    };
  });
}

function nodeMetrics({ metrics, stores, wallMs }: MetricsExchange): Measured[] {
  return [...metrics.nodes].sort(([a], [b]) => a < b ? -1 : 1).map(([name, usage]) => {
    const labels = stores.nodes.get(objectKey("", name))?.labels;
    return { ...head("NodeMetrics", { name, labels }, wallMs), usage };
  });
}

function head(
  kind: string,
  { labels, ...identity }: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels: Readonly<Record<string, string>> | undefined;
  },
  wallMs: number,
): Measured {
  const timestamp = formatTime(wallMs);
  const hasLabels = labels !== undefined && Object.keys(labels).length > 0;
  const metadata = {
    ...identity,
    creationTimestamp: timestamp,
    ...(hasLabels ? { labels } : {}),
  };
  const measured = { kind, apiVersion: API_VERSION, metadata, timestamp, window: WINDOW };
  return measured;
}

function containersOf(usage: PodMetricUsage, first: string): { name: string; usage: unknown }[] {
  if (!("containers" in usage)) return [{ name: first, usage }];
  return Object.entries(usage.containers).map(([name, usage]) => ({ name, usage }));
}

function metricsResource(plural: string, kind: string, namespaced: boolean): ResourceInfo {
  const descriptor = { group: GROUP, version: VERSION, plural, kind, namespaced };
  const schema = { kind: "struct", name: "", fields: new Map(), atomic: false } as const;
  return new ResourceInfo(
    { ...descriptor, singular: "", listKind: `${kind}List`, verbs: ["get", "list"] },
    { ...descriptor, schema, release: DEFAULT_RELEASE },
  );
}
