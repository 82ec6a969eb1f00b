import type { Cached, Pod } from "@kubeloop/controller/types";

/** A question for the value of a metric. */
export interface MetricQuery {
  /** The type of the metric. */
  readonly type: "Resource" | "ContainerResource" | "Pods" | "Object" | "External";
  /** The name of the metric or of the resource, such as `cpu`. */
  readonly name: string;
  /** The namespace of the autoscaler. */
  readonly namespace: string;
  /** The Pod, for metrics of Pods. */
  readonly pod?: Cached<Pod> | undefined;
  /** The name of the container, for `ContainerResource`. */
  readonly container?: string | undefined;
  /** The kind and name of the object, for `Object`. */
  readonly object?: { readonly kind: string; readonly name: string } | undefined;
}

/** Returns the value of a metric as a quantity, such as `250m` or `1Gi`; undefined if there is none. */
export type MetricSource = (query: MetricQuery) => string | undefined;
