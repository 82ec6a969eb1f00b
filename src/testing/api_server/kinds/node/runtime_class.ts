import {
  dnsLabel,
  duplicate,
  type FieldError,
  getObject,
  getString,
  invalidValue,
  item,
  jsonEqual,
  type JsonObject,
  required,
} from "../../../values/mod.ts";
import type { Release } from "../../release/mod.ts";
import {
  AGE,
  amountErrors,
  column,
  containerResourceErrors,
  immutable,
  NAME,
  named,
  objects,
  oldKeyWarnings,
  validateLabels,
  validateTolerations,
} from "../shared/mod.ts";
import { defineKind, type KindRecord } from "../record/mod.ts";

/** RuntimeClasses. */
export const RUNTIME_CLASS: KindRecord = defineKind(
  "node.k8s.io/v1",
  "runtimeclasses",
  "RuntimeClass",
  {
    namespaced: false,
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: false,
    names: "subdomain",
    validate: validateClass,
    wholeFirst: true,
    validateChange: (next, old) => immutable(next, old, "handler"),
    warnings: (one) =>
      oldKeyWarnings(
        getObject(one, "scheduling", "nodeSelector"),
        () => "scheduling.nodeSelector",
      ),
    table: {
      columns: [NAME, column("Handler"), AGE],
      row: named((one) => [getString(one, "handler")]),
    },
  },
);

function validateClass(one: JsonObject, release: Release): FieldError[] {
  const handler = getString(one, "handler");
  const errors = handler === "" && release.has({ since: "1.36" })
    ? [required("handler")]
    : dnsLabel(handler).map((text) => invalidValue("handler", handler, text));
  const fixed = getObject(one, "overhead", "podFixed");
  for (const name of Object.keys(fixed)) {
    const at = item("overhead.limits", name);
    errors.push(
      ...containerResourceErrors(name, at),
      ...amountErrors(name, getString(fixed, name), at),
    );
  }
  const selector = getObject(one, "scheduling", "nodeSelector");
  errors.push(...validateLabels(selector, "scheduling.nodeSelector"));
  const tolerations = objects(one, "scheduling", "tolerations");
  errors.push(...validateTolerations(tolerations, "scheduling.tolerations"));
  tolerations.forEach((toleration, index) => {
    const same = tolerations.findIndex((other) => jsonEqual(other, toleration));
    if (same === index) return;
    errors.push(duplicate(item("scheduling.tolerations", index), toleration));
  });
  return errors;
}
