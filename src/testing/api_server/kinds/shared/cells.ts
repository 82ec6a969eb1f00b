import {
  getObject,
  getPath,
  getString,
  humanAge,
  isNumber,
  type Json,
  type JsonObject,
} from "../../../values/mod.ts";
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
