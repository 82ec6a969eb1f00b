import {
  getArray,
  getObject,
  getOwn,
  getPath,
  getString,
  isObject,
  type Json,
  type StructType,
} from "../values/mod.ts";
import type { KubeObject } from "@kubeloop/controller/types";
import { compileStructural, hasRules, type Structural } from "./structural/structural.ts";
import { rootType } from "./structural/to_type.ts";

/** Where a custom resource keeps what `/scale` shows. */
export interface ScalePaths {
  /** The wanted number, as in `.spec.replicas`. */
  readonly spec: string;
  /** The present number. */
  readonly status: string;
  /** The selector as text, if there is one. */
  readonly selector: string | undefined;
}

/** One column that `kubectl get` shows. */
export interface PrinterColumn {
  /** The heading. */
  readonly name: string;
  /** `string`, `integer`, `number`, `boolean` or `date`. */
  readonly type: string;
  /** A narrower form of the type. */
  readonly format: string;
  /** What it is; the server makes one up where there is none. */
  readonly description: string;
  /** Above 0: only in wide output. */
  readonly priority: number;
  /** Where the value is. */
  readonly jsonPath: string;
}

/** One version of a CRD, ready for use. */
export interface CustomVersion {
  /** The schema. */
  readonly schema: Structural;
  /** The schema as server-side apply sees it. */
  readonly type: StructType;
  /** Whether it has `/status`. */
  readonly status: boolean;
  /** `/scale`, if it has that. */
  readonly scale: ScalePaths | undefined;
  /** The paths of the fields that selectors may name, as in `.spec.color`. */
  readonly selectableFields: readonly string[];
  /** The columns; undefined where the server shows name and age. */
  readonly columns: readonly PrinterColumn[] | undefined;
  /** Whether the schema has CEL rules, which are not evaluated here. */
  readonly hasRules: boolean;
}

/** Reads one version of a CRD; undefined when the CRD has no such version. */
export function compileCrdVersion(crd: KubeObject, version: string): CustomVersion | undefined {
  const found = getArray(crd as unknown as Json, "spec", "versions").find((candidate) =>
    getString(candidate, "name") === version
  );
  if (!isObject(found)) return undefined;
  const schema = compileStructural(getObject(found, "schema", "openAPIV3Schema"));
  const scale = getPath(found, "subresources", "scale");
  const columns = getArray(found, "additionalPrinterColumns");
  return {
    schema,
    type: rootType(schema),
    status: getPath(found, "subresources", "status") !== undefined,
    scale: isObject(scale)
      ? {
        spec: getString(scale, "specReplicasPath"),
        status: getString(scale, "statusReplicasPath"),
        selector: getString(scale, "labelSelectorPath") || undefined,
      }
      : undefined,
    selectableFields: getArray(found, "selectableFields").map((one) => getString(one, "jsonPath")),
    columns: columns.length === 0 ? undefined : columns.map(column),
    hasRules: hasRules(schema),
  };
}

function column(json: Json): PrinterColumn {
  const jsonPath = getString(json, "jsonPath");
  const priority = isObject(json) ? getOwn(json, "priority") : undefined;
  return {
    name: getString(json, "name"),
    type: getString(json, "type"),
    format: getString(json, "format"),
    description: getString(json, "description") ||
      `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    priority: typeof priority === "number" ? priority : 0,
    jsonPath,
  };
}
