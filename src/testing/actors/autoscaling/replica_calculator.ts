import { formatQuantity, parseQuantity } from "@kubeloop/controller/internal/base";
import type { Cached, Pod } from "@kubeloop/controller/types";
import { isActive, isReady } from "../control/mod.ts";
import type { MetricSpec, MetricTarget } from "./autoscaler_kinds.ts";
import type { MetricQuery, MetricSource } from "./metric_source.ts";

/** A change of a tenth or less is not worth a rescale. */
const TOLERANCE = 0.1;

/** The number of replicas that a metric requires. */
export interface Proposal {
  readonly replicas: number;
  /** The metric, as events name it. */
  readonly name: string;
  /** The entry of `status.currentMetrics`. */
  readonly status: unknown;
}

/** A metric without a value, with the reason of the condition and the text of the error. */
export class NoMetric extends Error {
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The input of the calculation. */
export interface Workload {
  readonly namespace: string;
  /** The replicas that the workload wants. */
  readonly replicas: number;
  /** The Pods that its selector matches. */
  readonly pods: readonly Cached<Pod>[];
  readonly source: MetricSource | undefined;
}

type Query = Omit<MetricQuery, "namespace" | "pod">;

/**
 * Computes the replicas that bring a metric to its target.
 *
 * @throws {NoMetric} If the metric has no value.
 */
export function propose(metric: MetricSpec, workload: Workload): Proposal {
  const { containerResource, external, object, pods, resource } = metric;
  if (resource !== undefined || containerResource !== undefined) {
    return proposeResource(metric, workload);
  }
  if (pods !== undefined) {
    const { metric: { name }, target } = pods;
    const query: Query = { type: "Pods", name };
    const failed = ["FailedGetPodsMetric", `failed to get pods metric value: `] as const;
    const values = podValues(query, workload, failed);
    const average = mean(values);
    return {
      replicas: scaled(average / amount(target.averageValue), values.length, workload),
      name: `pods metric ${name}`,
      status: {
        type: "Pods",
        pods: { metric: { name }, current: { averageValue: text(average) } },
      },
    };
  }
  if (object !== undefined) {
    const { describedObject, metric: { name }, target } = object;
    const value = oneValue({ type: "Object", name, object: describedObject }, workload, [
      "FailedGetObjectMetric",
      "failed to get object metric value: ",
    ]);
    return {
      ...ofOneValue(value, target, workload),
      name: `${describedObject.kind} metric ${name}`,
      status: {
        type: "Object",
        object: { describedObject, metric: { name }, current: currentOf(value, target, workload) },
      },
    };
  }
  const { metric: { name }, target } = external!;
  const value = oneValue({ type: "External", name }, workload, [
    "FailedGetExternalMetric",
    `failed to get ${name} external metric value: `,
  ]);
  return {
    ...ofOneValue(value, target, workload),
    name: `external metric ${name}(nil)`,
    status: {
      type: "External",
      external: { metric: { name }, current: currentOf(value, target, workload) },
    },
  };
}

function proposeResource(
  { containerResource, resource, type }: MetricSpec,
  workload: Workload,
): Proposal {
  const { name, target } = (resource ?? containerResource)!;
  const container = containerResource?.container;
  const query: Query = {
    type: resource === undefined ? "ContainerResource" : "Resource",
    name,
    container,
  };
  const isRatio = target.averageValue === undefined;
  const reason = resource === undefined
    ? "FailedGetContainerResourceMetric"
    : "FailedGetResourceMetric";
  const failed = [reason, `failed to get ${name} ${isRatio ? "utilization" : "usage"}: `] as const;
  const values = podValues(query, workload, failed);
  const average = mean(values);
  const current: Record<string, unknown> = { averageValue: text(average) };
  let ratio = average / amount(target.averageValue);
  if (isRatio) {
    const requests = workload.pods.filter(isActive).map((pod) => requestOf(pod, name, container));
    const missing = requests.findIndex((one) => one === undefined);
    if (missing >= 0) {
      const pod = workload.pods.filter(isActive)[missing]!;
      const which = container ?? pod.spec?.containers[0]?.name;
      const message =
        `missing request for ${name} in container ${which} of Pod ${pod.metadata.name}`;
      throw new NoMetric(failed[0], `${failed[1]}${message}`);
    }
    const utilization = Math.floor(100 * average / mean(requests as number[]));
    current.averageUtilization = utilization;
    ratio = utilization / (target.averageUtilization ?? 100);
  }
  const kind = resource === undefined ? "containerResource" : "resource";
  const what = resource === undefined ? `${name} container resource` : `${name} resource`;
  return {
    replicas: scaled(ratio, values.length, workload),
    name: isRatio ? `${what} utilization (percentage of request)` : `${name} resource`,
    status: { type, [kind]: { name, ...(container && { container }), current } },
  };
}

/** Returns the values of the Pods that are ready. */
function podValues(
  query: Query,
  { namespace, pods, source }: Workload,
  [reason, prefix]: readonly [reason: string, prefix: string],
): number[] {
  if (source === undefined) {
    const what = query.name;
    throw new NoMetric(
      reason,
      `${prefix}unable to get metrics for resource ${what}: unable to fetch metrics from resource ` +
        "metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)",
    );
  }
  if (pods.length === 0) {
    throw new NoMetric(
      reason,
      `${prefix}no pods returned by selector while calculating replica count`,
    );
  }
  const values = pods.filter((pod) => isActive(pod) && isReady(pod)).flatMap((pod) => {
    const value = source({ ...query, namespace, pod });
    return value === undefined ? [] : [amount(value)];
  });
  if (values.length > 0) return values;
  const message = "did not receive metrics for targeted pods (pods might be unready)";
  throw new NoMetric(reason, `${prefix}${message}`);
}

function oneValue(
  query: Query,
  { namespace, source }: Workload,
  [reason, prefix]: readonly [reason: string, prefix: string],
): number {
  const value = source?.({ ...query, namespace });
  if (value !== undefined) return amount(value);
  throw new NoMetric(reason, `${prefix}unable to get metric ${query.name}: no metrics returned`);
}

function ofOneValue(value: number, target: MetricTarget, workload: Workload) {
  const { pods, replicas } = workload;
  if (target.averageValue !== undefined) {
    const ratio = value / (amount(target.averageValue) * replicas);
    return { replicas: isClose(ratio) ? replicas : Math.ceil(value / amount(target.averageValue)) };
  }
  const ready = pods.filter((pod) => isActive(pod) && isReady(pod)).length;
  return { replicas: scaled(value / amount(target.value), ready, workload) };
}

function currentOf(value: number, target: MetricTarget, { replicas }: Workload): unknown {
  return target.averageValue === undefined
    ? { value: text(value) }
    : { averageValue: text(value / Math.max(replicas, 1)) };
}

function scaled(ratio: number, pods: number, { replicas }: Workload): number {
  return isClose(ratio) ? replicas : Math.ceil(ratio * pods);
}

/** Reports whether a ratio is within the tolerance. The distance from 1 would be rounded: that of 1.1 is above 0.1. */
function isClose(ratio: number): boolean {
  return 1 - TOLERANCE <= ratio && ratio <= 1 + TOLERANCE;
}

function requestOf(
  { spec }: Cached<Pod>,
  resource: string,
  container: string | undefined,
): number | undefined {
  let sum = 0;
  for (const { name, resources } of spec?.containers ?? []) {
    if (container !== undefined && name !== container) continue;
    const request = resources?.requests?.[resource];
    if (request === undefined) return undefined;
    sum += amount(request);
  }
  return sum;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Returns a quantity in thousandths. */
function amount(quantity: string | undefined): number {
  return Number((parseQuantity(quantity ?? "0")?.nano ?? 0n) / 1_000_000n);
}

function text(thousandths: number): string {
  const nano = BigInt(Math.floor(thousandths)) * 1_000_000n;
  return formatQuantity({ nano, format: "decimal" });
}
