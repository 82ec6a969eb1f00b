import {
  type FieldError,
  getObject,
  getString,
  type JsonObject,
  notSupported,
  required,
} from "../../../values/mod.ts";
import { defineKind, type KindRecord } from "../record/mod.ts";

/** Bindings, which assign a Pod to a node. They are not stored. */
export const BINDING: KindRecord = defineKind("v1", "bindings", "Binding", {
  verbs: ["create"],
  validate: validateBinding,
  actsOn: { plural: "pods", subresource: "binding" },
});

function validateBinding(binding: JsonObject): FieldError[] {
  const target = getObject(binding, "target");
  const kind = getString(target, "kind");
  const errors: FieldError[] = [];
  if (kind !== "" && kind !== "Node") {
    errors.push(notSupported("target.kind", kind, ["Node", "<empty>"]));
  }
  if (getString(target, "name") === "") errors.push(required("target.name"));
  return errors;
}
