import {
  child,
  type FieldError,
  getObject,
  getOwn,
  getPath,
  getString,
  humanAge,
  type JsonObject,
  tooMany,
  withPath,
} from "../../../values/mod.ts";
import {
  AGE,
  column,
  driverErrors,
  fill,
  NAME,
  named,
  objects,
  validateConditions,
} from "../shared/mod.ts";
import type { Release } from "../../release/mod.ts";
import { defineKind, type KindRecord, STATUS, type Writer } from "../record/mod.ts";
import { labelErrors, poolNameErrors } from "./claim_validation.ts";
import { taintErrors } from "./device_taints.ts";

const MAX_CONDITIONS = 8;
const TIME_ADDED = ["spec", "taint", "timeAdded"] as const;

/** DeviceTaintRules. */
export const DEVICE_TAINT_RULE: KindRecord = defineKind(
  "resource.k8s.io/v1",
  "devicetaintrules",
  "DeviceTaintRule",
  {
    served: { gate: "DRADeviceTaintRules" },
    namespaced: false,
    storedVersion: "v1beta2",
    subresources: [STATUS],
    statusKeeps: ["*"],
    counts: [["spec"]],
    allowUnconditionalUpdate: false,
    names: "subdomain",
    defaults: (rule, _release, now) => {
      if (now !== undefined) fill(getObject(rule, "spec", "taint"), "timeAdded", now);
    },
    validate: (rule) => validateRule(rule),
    validateChange: validateRule,
    validatesAgain: false,
    validateStatus,
    prepareCreate: timed,
    prepareUpdate: (next, old, writer) => {
      const [effect, before] = [next, old].map((one) => getString(one, "spec", "taint", "effect"));
      const isSame = getPath(next, ...TIME_ADDED) === getPath(old, ...TIME_ADDED);
      const untimed = effect !== before && isSame ? withPath(next, TIME_ADDED, undefined) : next;
      return timed(untimed, writer);
    },
    table: {
      columns: [
        NAME,
        column("Key", "The taint key to be applied to a device. Must be a label name."),
        column("Value", "The taint value corresponding to the taint key. Must be a label value."),
        column(
          "Effect",
          "The effect of the taint on claims that do not tolerate the taint and through such claims on the pods using them.\n\nValid effects are None, NoSchedule and NoExecute. PreferNoSchedule as used for nodes is not valid here. More effects may get added in the future. Consumers must treat unknown effects like None.",
        ),
        column(
          "TimeAdded",
          "TimeAdded represents the time at which the taint was added or (only in a DeviceTaintRule) the effect was modified. Added automatically during create or update if not set.\n\nIn addition, in a DeviceTaintRule a value provided during an update gets replaced with the current time if the provided value is the same as the old one and the new effect is different. Changing the key and/or value while keeping the effect unchanged is possible and does not update the time stamp because the eviction which uses it is either already started (NoExecute) or not started yet (NoEffect, NoSchedule).",
        ),
        AGE,
      ],
      row: named((rule, nowMs) => [
        ...["key", "value", "effect"].map((name) => getString(rule, "spec", "taint", name)),
        humanAge(getString(rule, ...TIME_ADDED), nowMs),
      ]),
    },
  },
);

/** Sets the time of a taint that has none. */
function timed(rule: JsonObject, { now }: Writer): JsonObject {
  return getPath(rule, ...TIME_ADDED) === undefined ? withPath(rule, TIME_ADDED, now) : rule;
}

/** Returns the errors of a DeviceTaintRule. `old` is absent on a create. */
function validateRule(rule: JsonObject, old?: JsonObject): FieldError[] {
  const spec = getObject(rule, "spec");
  const before = old === undefined ? undefined : getString(old, "spec", "taint", "effect");
  return [
    ...selectorErrors(getObject(spec, "deviceSelector"), "spec.deviceSelector"),
    ...taintErrors(getObject(spec, "taint"), "spec.taint", before),
  ];
}

function selectorErrors(selector: JsonObject, field: string): FieldError[] {
  const checks = { driver: driverErrors, pool: poolNameErrors, device: labelErrors };
  return Object.entries(checks).flatMap(([name, check]) => {
    const value = getOwn(selector, name);
    return typeof value === "string" ? check(value, child(field, name)) : [];
  });
}

function validateStatus(rule: JsonObject, _old: JsonObject, release: Release): FieldError[] {
  const count = objects(rule, "status", "conditions").length;
  return [
    ...validateConditions(rule, release),
    ...(count > MAX_CONDITIONS ? [tooMany("status.conditions", count, MAX_CONDITIONS)] : []),
  ];
}
