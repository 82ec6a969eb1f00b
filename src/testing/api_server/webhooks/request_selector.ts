import type { LabelSelector } from "@kubeloop/controller/types";
import { matchesSelector } from "../kinds/mod.ts";
import { objectKey, type Storage } from "../storage/mod.ts";
import { getObject, isObject, type Json, type JsonObject, notFound } from "../../values/mod.ts";
import type { AdmissionAttributes } from "./admission_request.ts";

/** Compares requests with the `objectSelector` and `namespaceSelector` of webhooks and policies. */
export class RequestSelector {
  readonly #storage: Storage;

  /** Reads the labels of namespaces in `storage`. */
  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /**
   * Reports whether both selectors select a request.
   *
   * @throws {ApiError} 404, if the namespace does not exist and its labels matter.
   */
  matches(selectors: JsonObject, attributes: AdmissionAttributes): boolean {
    return this.matchesObject(
      getObject(selectors, "objectSelector") as LabelSelector,
      attributes,
    ) &&
      this.matchesNamespace(
        getObject(selectors, "namespaceSelector") as LabelSelector,
        attributes,
      );
  }

  /** Reports whether a selector selects the new or the old object of a request. */
  matchesObject(selector: LabelSelector, { object, oldObject }: AdmissionAttributes): boolean {
    return isUnlimited(selector) ||
      [object, oldObject].some((one) =>
        one?.metadata !== undefined && matchesSelector(selector, one.metadata.labels)
      );
  }

  /** Reports whether a selector selects the namespace of a request. */
  matchesNamespace(selector: LabelSelector, attributes: AdmissionAttributes): boolean {
    if (isUnlimited(selector)) return true;
    const labels = this.#namespaceLabels(attributes);
    return labels === undefined || matchesSelector(selector, labels);
  }

  /** Returns the labels of the namespace of a request; undefined for a cluster-scoped object, which no selector excludes. */
  #namespaceLabels(attributes: AdmissionAttributes): Record<string, string> | undefined {
    const { resource, subresource, operation, namespace, object } = attributes;
    const { isNamespace } = resource.record;
    if (namespace === "" && !isNamespace) return undefined;
    if (isNamespace && subresource === "" && operation !== "DELETE") {
      return object?.metadata.labels ?? {};
    }
    const stored = this.#storage.store("namespaces").get(objectKey("", namespace));
    if (stored === undefined) throw notFound({ group: "", plural: "namespaces" }, namespace);
    return { ...stored.labels };
  }
}

/** Reports whether a label selector selects everything. */
export function isUnlimited({ matchLabels, matchExpressions }: LabelSelector): boolean {
  const labels = isObject(matchLabels as Json) ? Object.keys(matchLabels!).length : 0;
  return labels === 0 && (matchExpressions ?? []).length === 0;
}
