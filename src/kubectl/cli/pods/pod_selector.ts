import { isRecord } from "@kubeloop/controller/internal/base";
import {
  type DeepReadonly,
  type KubeObject,
  labelSelectorAsSelector,
} from "@kubeloop/controller/types";

/**
 * Returns the label selector of the Pods of an object: of a Deployment, a Job, a Service and whatever else selects Pods.
 *
 * @throws {Error} If the object selects none.
 */
export function podSelectorOf(object: DeepReadonly<KubeObject>): string {
  const { kind = "Object", metadata } = object;
  const { spec } = object as { readonly spec?: unknown };
  const selector = isRecord(spec) ? spec.selector : undefined;
  if (!isRecord(selector) || Object.keys(selector).length === 0) {
    throw new Error(`${kind} ${metadata.name} selects no Pods: name a Pod, or what runs Pods`);
  }
  // That of a Service is the labels themselves.
  const isFull = "matchLabels" in selector || "matchExpressions" in selector;
  const full = isFull ? selector : { matchLabels: selector as Record<string, string> };
  return labelSelectorAsSelector(full).toString();
}
