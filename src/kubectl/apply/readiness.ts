import {
  complete,
  condition,
  established,
  type ObjectPredicate,
  rolledOut,
} from "@kubeloop/controller/client";
import type { KubeObject } from "@kubeloop/controller/types";
import { isDefinition } from "./kind_order.ts";

/**
 * Returns the condition for an applied object to be ready; undefined for kinds without a condition `Ready`, and for workloads
 * that do not roll out by themselves.
 */
export function readinessOf(object: KubeObject): ObjectPredicate | undefined {
  const { apiVersion = "", kind = "" } = object;
  const { spec, status } = object as {
    spec?: { updateStrategy?: { type?: string }; suspend?: boolean };
    status?: { conditions?: readonly { type?: string }[] };
  };
  if (isDefinition({ apiVersion, kind })) return established;
  if (apiVersion.startsWith("apps/")) {
    const isWorkload = ["Deployment", "StatefulSet", "DaemonSet"].includes(kind);
    return isWorkload && spec?.updateStrategy?.type !== "OnDelete" ? rolledOut : undefined;
  }
  if (apiVersion.startsWith("batch/")) {
    return kind === "Job" && spec?.suspend !== true ? complete : undefined;
  }
  const conditions: unknown = status?.conditions;
  const hasReady = Array.isArray(conditions) && conditions.some((one) => one?.type === "Ready");
  return hasReady || (apiVersion === "v1" && kind === "Pod") ? condition("Ready") : undefined;
}
