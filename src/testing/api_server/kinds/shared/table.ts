import {
  getObject,
  getPath,
  getString,
  humanAge,
  isNumber,
  type Json,
  type JsonObject,
} from "../../../values/mod.ts";
import type { MinorVersion, Release } from "../../release/mod.ts";
import { objects } from "./objects.ts";
import { selectorText } from "./selector_text.ts";

/** A function that returns the cells of one row, given the object and the current time. */
export type Row = (object: JsonObject, nowMs: number) => Json[];

/** Returns a row function for the name, then `cells`, then the age, then the `wide` cells of wide output. */
export function named(
  cells: (object: JsonObject, nowMs: number) => Json[],
  wide: (object: JsonObject) => Json[] = () => [],
): Row {
  return (object, nowMs) => [
    getString(object, "metadata", "name"),
    ...cells(object, nowMs),
    humanAge(getString(object, "metadata", "creationTimestamp"), nowMs),
    ...wide(object),
  ];
}

/** Returns the names and images of the containers of a template. */
export function containerCells(object: JsonObject): Json[] {
  return namesAndImages(objects(object, "spec", "template", "spec", "containers"));
}

/** Returns the names of containers, and their images. */
export function namesAndImages(containers: readonly JsonObject[]): Json[] {
  return ["name", "image"].map((one) => containers.map((it) => getString(it, one)).join(","));
}

/** Returns labels as a table shows them, as in `a=b,c=d`. */
export function labelsText(labels: JsonObject): string {
  return selectorText({ matchLabels: labels }) || "<none>";
}

/** Returns the names and images of the containers of a template, and the selector of its Pods. */
export function templateCells(object: JsonObject): Json[] {
  return [
    ...containerCells(object),
    selectorText(getObject(object, "spec", "selector")) || "<none>",
  ];
}

/** Returns the number at a path, or 0 if there is no number. */
export function getNumber(value: Json, ...path: string[]): number {
  const found = getPath(value, ...path);
  return isNumber(found) ? Number(found) : 0;
}

/** Reports whether an object has a condition of that type with status `True`. */
export function isTrue(object: JsonObject, type: string): boolean {
  const found = objects(object, "status", "conditions").find((one) =>
    getString(one, "type") === type
  );
  return found !== undefined && getString(found, "status") === "True";
}

/** The definition of one column of a Table. */
export interface Column {
  /** The heading. */
  readonly name: string;
  /** The OpenAPI type, or `date`. */
  readonly type: string;
  /** The OpenAPI format; `name` for the column with the name of the object. */
  readonly format: string;
  /** The description. */
  readonly description: string;
  /** The priority. Columns with a priority above 0 appear only in wide output. */
  readonly priority: number;
  /** The description in later releases. */
  readonly later?: { readonly since: MinorVersion; readonly description: string };
}

/** Returns a column whose description differs from a minor version on. */
export function since(column: Column, minor: MinorVersion, description: string): Column {
  return { ...column, later: { since: minor, description } };
}

/** Returns the columns as a release shows them. */
export function columnsIn(columns: readonly Column[], release: Release): Column[] {
  return columns.map(({ later, ...column }) =>
    later === undefined || !release.has(later)
      ? column
      : { ...column, description: later.description }
  );
}

/** Returns a column. */
export function column(name: string, description = "", priority = 0, type = "string"): Column {
  return { name, type, format: "", description, priority };
}

const CREATED =
  "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

/** The column with the name of the object. */
export const NAME: Column = {
  ...column(
    "Name",
    "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names",
  ),
  format: "name",
};

/** The column with the age of the object. */
export const AGE: Column = column("Age", CREATED);

/** The age column of custom resources and scales, with type `date`. */
export const AGE_DATE: Column = { ...AGE, type: "date" };

/** The column with the creation time, for kinds that have no columns of their own. */
export const CREATED_AT: Column = column("Created At", CREATED, 0, "date");
