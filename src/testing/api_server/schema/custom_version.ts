import {
  getArray,
  getObject,
  getOwn,
  getPath,
  getString,
  isObject,
  type Json,
  type JsonObject,
  type StructType,
} from "../../values/mod.ts";
import type { KubeObject } from "@kubeloop/controller/types";
import {
  compileStructural,
  hasRules,
  type Structural,
} from "@kubeloop/controller/internal/structural";
import { rootType } from "./to_type.ts";

/** The JSON paths of a custom resource that its `/scale` subresource reads and writes. */
export interface ScalePaths {
  /** The path of the desired number of replicas, such as `.spec.replicas`. */
  readonly spec: string;
  /** The path of the observed number of replicas, such as `.status.replicas`. */
  readonly status: string;
  /** The path of the label selector in string form; undefined if the CRD has none. */
  readonly selector: string | undefined;
}

/** An additional printer column: one column of `kubectl get`. */
export interface PrinterColumn {
  /** The heading of the column. */
  readonly name: string;
  /** The type: `string`, `integer`, `number`, `boolean` or `date`. */
  readonly type: string;
  /** The OpenAPI format, which refines the type; empty if the CRD has none. */
  readonly format: string;
  /** The description; generated if the CRD has none. */
  readonly description: string;
  /** The priority. A column with a priority above 0 is shown in wide output only. */
  readonly priority: number;
  /** The JSON path of the value. */
  readonly jsonPath: string;
}

/** One version of a CustomResourceDefinition, compiled. */
export interface CustomVersion {
  /** The schema as the CRD has it. */
  readonly openApi: JsonObject;
  /** The structural schema. */
  readonly schema: Structural;
  /** The schema as a type, for server-side apply. */
  readonly type: StructType;
  /** Whether the version has the `/status` subresource. */
  readonly status: boolean;
  /** The paths of the `/scale` subresource; undefined if the version has none. */
  readonly scale: ScalePaths | undefined;
  /** The JSON paths of the fields that field selectors may use, such as `.spec.color`. */
  readonly selectableFields: readonly string[];
  /** The additional printer columns; undefined if the CRD has none, so that the server shows name and age. */
  readonly columns: readonly PrinterColumn[] | undefined;
  /** Whether the schema has CEL validation rules. */
  readonly hasRules: boolean;
}

/** Compiles one version of a CRD; returns undefined if the CRD has no such version. */
export function compileCrdVersion(crd: KubeObject, version: string): CustomVersion | undefined {
  const found = getArray(crd as unknown as Json, "spec", "versions").find((candidate) =>
    getString(candidate, "name") === version
  );
  if (!isObject(found)) return undefined;
  const openApi = getObject(found, "schema", "openAPIV3Schema");
  const schema = compileStructural(openApi);
  const scale = getPath(found, "subresources", "scale");
  const columns = getArray(found, "additionalPrinterColumns");
  return {
    openApi,
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
