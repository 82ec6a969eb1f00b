import {
  type FieldError,
  getOwn,
  getString,
  isObject,
  type JsonObject,
  required,
} from "../../../values/mod.ts";
import {
  AGE,
  column,
  getNumber,
  immutable,
  NAME,
  named,
  nonNegative,
  objects,
  since,
} from "../shared/mod.ts";
import { defineKind, type KindRecord } from "../record/mod.ts";

/** ControllerRevisions. */
export const CONTROLLER_REVISION: KindRecord = defineKind(
  "apps/v1",
  "controllerrevisions",
  "ControllerRevision",
  {
    inBookmark: (revision) => ({ ...revision, data: null }),
    names: "subdomain",
    validate: (revision) => nonNegative(revision, "", "revision"),
    validateCreate: validateData,
    validateChange: (next, old) => immutable(next, old, "data"),
    table: {
      columns: [
        NAME,
        column("Controller", "Controller of the object"),
        since(
          column("Revision", "revision indicates the revision of the state represented by Data."),
          "1.36",
          "Revision indicates the revision of the state represented by Data.",
        ),
        AGE,
      ],
      row: named((one) => [controllerOf(one), getNumber(one, "revision")]),
    },
  },
);

function controllerOf(object: JsonObject): string {
  const owner = objects(object, "metadata", "ownerReferences").find((one) =>
    getOwn(one, "controller") === true
  );
  if (owner === undefined) return "<none>";
  const [version = "", group = ""] = getString(owner, "apiVersion").split("/").reverse();
  const kind = getString(owner, "kind").toLowerCase();
  const full = group === "" || version === "" ? kind : `${kind}.${group}`;
  return `${full}/${getString(owner, "name")}`;
}

function validateData(revision: JsonObject): FieldError[] {
  const data = getOwn(revision, "data") ?? null;
  if (isObject(data)) return [];
  const reason = data === null ? "data is mandatory" : "data must be a valid JSON object";
  return [required("data", reason)];
}
