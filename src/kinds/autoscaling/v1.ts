// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `autoscaling/v1`, and the descriptors of its resources.
 *
 * @module
 */

import {
  builtinResource,
  type KubeList,
  type KubeObject,
  type Resource,
} from "../../types/minimal/mod.ts";
import type { Time } from "../scalars.ts";

/** The `spec.scaleTargetRef` of a HorizontalPodAutoscaler. */
export type CrossVersionObjectReference = {
  kind: string;
  name: string;
  apiVersion?: string;
};

/** A HorizontalPodAutoscaler of `autoscaling/v1`. */
export interface HorizontalPodAutoscaler extends KubeObject {
  /** The `spec` of a HorizontalPodAutoscaler. */
  spec?: HorizontalPodAutoscalerSpec;
  /** The `status` of a HorizontalPodAutoscaler. */
  status?: HorizontalPodAutoscalerStatus;
}

/** A list of HorizontalPodAutoscalers. */
export type HorizontalPodAutoscalerList = KubeList<HorizontalPodAutoscaler>;

/** The `spec` of a HorizontalPodAutoscaler. */
export type HorizontalPodAutoscalerSpec = {
  scaleTargetRef: CrossVersionObjectReference;
  minReplicas?: number;
  maxReplicas: number;
  targetCPUUtilizationPercentage?: number;
};

/** The `status` of a HorizontalPodAutoscaler. */
export type HorizontalPodAutoscalerStatus = {
  observedGeneration?: number;
  lastScaleTime?: Time;
  currentReplicas: number;
  desiredReplicas: number;
  currentCPUUtilizationPercentage?: number;
};

/** A Scale of `autoscaling/v1`. */
export interface Scale extends KubeObject {
  /** The `spec` of a Scale. */
  spec?: ScaleSpec;
  /** The `status` of a Scale. */
  status?: ScaleStatus;
}

/** The `spec` of a Scale. */
export type ScaleSpec = {
  /** Default `0`. */
  replicas?: number;
};

/** The `status` of a Scale. */
export type ScaleStatus = {
  replicas: number;
  selector?: string;
};

/** The resource `horizontalpodautoscalers.autoscaling`. */
export const HorizontalPodAutoscalers: Resource<HorizontalPodAutoscaler> =
  /* @__PURE__ */ builtinResource({
    group: "autoscaling",
    version: "v1",
    plural: "horizontalpodautoscalers",
    kind: "HorizontalPodAutoscaler",
    namespaced: true,
  });
