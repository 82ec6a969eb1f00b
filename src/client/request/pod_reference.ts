import { describeValue, isRecord } from "../../base/mod.ts";
import { Pods } from "../../types/mod.ts";
import { objectPath } from "./resource_path.ts";

/** A Pod: its name, or an object that has its name and its namespace, such as a Pod that was listed. */
export type PodReference = string | {
  /** The metadata of the Pod. */
  readonly metadata: {
    /** The name of the Pod. */
    readonly name?: string | undefined;
    /** The namespace of the Pod. */
    readonly namespace?: string | undefined;
    /** The annotations of the Pod: one of them may name the container that is meant if none is given. */
    readonly annotations?: Readonly<Record<string, string>> | undefined;
  };
};

/**
 * Returns the path of a subresource of a Pod.
 *
 * @throws {TypeError} If the name or the namespace is missing or not valid, or if two namespaces differ.
 */
export function podPath(
  pod: PodReference,
  namespace: string | undefined,
  subresource: "attach" | "exec" | "log" | "portforward",
): string {
  if (typeof pod === "string") return objectPath(Pods, pod, { namespace, subresource });
  if (!isRecord(pod) || !isRecord(pod.metadata)) {
    throw new TypeError(
      `Invalid pod: expected a name, or an object with metadata, received ${describeValue(pod)}`,
    );
  }
  const { name, namespace: own } = pod.metadata;
  if (own !== undefined && namespace !== undefined && own !== namespace) {
    throw new TypeError(
      `The Pod is in namespace "${own}", but the options say "${namespace}": leave one of them out`,
    );
  }
  return objectPath(Pods, name as string, { namespace: namespace ?? own, subresource });
}

/** Returns the namespace and the name of a Pod, for messages. */
export function describePod(pod: PodReference, namespace: string | undefined): string {
  if (typeof pod === "string") return `${namespace}/${pod}`;
  return `${namespace ?? pod.metadata.namespace}/${pod.metadata.name}`;
}
