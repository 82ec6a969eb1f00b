import { isRecord } from "@kubeloop/controller/internal/base";
import {
  type DeepReadonly,
  type KubeObject,
  labelSelectorAsSelector,
} from "@kubeloop/controller/types";

/**
 * Returns the label selector of the Pods of an object, such as a Deployment, a Job or a Service.
 *
 * @throws {Error} If the object has no selector of Pods.
 */
export function podSelectorOf(object: DeepReadonly<KubeObject>): string {
  const { kind = "Object", metadata } = object;
  const { spec } = object as { readonly spec?: unknown };
  const selector = isRecord(spec) ? spec.selector : undefined;
  if (!isRecord(selector) || Object.keys(selector).length === 0) {
    throw new Error(`${kind} ${metadata.name} selects no Pods: name a Pod, or what runs Pods`);
  }
  // The selector of a Service is a map of labels.
  const isFull = "matchLabels" in selector || "matchExpressions" in selector;
  const full = isFull ? selector : { matchLabels: selector as Record<string, string> };
  return labelSelectorAsSelector(full).toString();
}
