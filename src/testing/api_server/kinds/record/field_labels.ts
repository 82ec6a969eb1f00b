import type { KubeObject } from "@kubeloop/controller/types";
import { badRequest, getPath, type Json } from "../../../values/mod.ts";

/** Returns the value of one field label of an object, as the text that a field selector compares. */
export type FieldReader = (object: KubeObject) => string;

/** The field labels of one kind: the fields that a field selector can name. */
export interface FieldLabels {
  /**
   * Returns the reader for `label`.
   *
   * @throws {ApiError} 400, if the kind does not support the label.
   */
  reader(label: string): FieldReader;
}

/** Returns the reader of the field at a path. */
export function at(...path: string[]): FieldReader {
  return (object) => {
    const value = getPath(object as unknown as Json, ...path);
    return typeof value === "object" || value === undefined ? "" : String(value);
  };
}

/** Returns the reader of the field at a path, or of a stand-in if the field is empty. */
export function orElse(path: readonly string[], fallback: string): FieldReader {
  const read = at(...path);
  return (object) => read(object) || fallback;
}

const NAME: Readonly<Record<string, FieldReader>> = { "metadata.name": at("metadata", "name") };
const META: Readonly<Record<string, FieldReader>> = {
  ...NAME,
  "metadata.namespace": at("metadata", "namespace"),
};

/** Returns the field labels of a kind whose only fields are the name and the namespace. */
export function metadataLabels(): FieldLabels {
  const known = 'is not a known field selector: only "metadata.name", "metadata.namespace"';
  return labelsOf(META, (label) => `${JSON.stringify(label)} ${known}`);
}

/**
 * Returns the field labels of a kind with fields of its own.
 *
 * @param unknown Returns the error for a label that the kind does not have.
 */
export function ownLabels(
  namespaced: boolean,
  own: Readonly<Record<string, FieldReader>>,
  unknown: (label: string) => string = (label) => `field label not supported: ${label}`,
): FieldLabels {
  return labelsOf({ ...(namespaced ? META : NAME), ...own }, unknown);
}

function labelsOf(
  labels: Readonly<Record<string, FieldReader>>,
  unknown: (label: string) => string,
): FieldLabels {
  return {
    reader: (label) => {
      if (!Object.hasOwn(labels, label)) throw badRequest(unknown(label));
      return labels[label]!;
    },
  };
}
