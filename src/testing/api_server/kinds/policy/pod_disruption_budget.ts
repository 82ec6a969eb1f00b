import {
  child,
  type FieldError,
  getObject,
  getOwn,
  getPath,
  invalidValue,
  isObject,
  type JsonObject,
  notSupported,
} from "../../../values/mod.ts";
import { defineKind, type KindRecord, STATUS } from "../record/mod.ts";
import {
  AGE,
  atMost100Percent,
  column,
  getNumber,
  intOrPercent,
  NAME,
  named,
  nonNegative,
  validateConditions,
  validateLabelSelector,
} from "../shared/mod.ts";

/** PodDisruptionBudgets. */
export const POD_DISRUPTION_BUDGET: KindRecord = defineKind(
  "policy/v1",
  "poddisruptionbudgets",
  "PodDisruptionBudget",
  {
    shortNames: ["pdb"],
    subresources: [STATUS],
    counts: [["spec"]],
    allowUnconditionalUpdate: false,
    validatesAgain: false,
    validate: validateDisruptionBudget,
    validateChange: validateDisruptionBudget,
    validateStatus: (budget, _, release) => [
      ...validateConditions(budget, release),
      ...nonNegative(
        getObject(budget, "status"),
        "status",
        "disruptionsAllowed",
        "currentHealthy",
        "desiredHealthy",
        "expectedPods",
      ),
    ],
    table: {
      columns: [
        NAME,
        column("Min Available", "The minimum number of pods that must be available."),
        column("Max Unavailable", "The maximum number of pods that may be unavailable."),
        column(
          "Allowed Disruptions",
          "Calculated number of pods that may be disrupted at this time.",
          0,
          "integer",
        ),
        AGE,
      ],
      row: named((budget) => [
        String(getPath(budget, "spec", "minAvailable") ?? "N/A"),
        String(getPath(budget, "spec", "maxUnavailable") ?? "N/A"),
        getNumber(budget, "status", "disruptionsAllowed"),
      ]),
    },
  },
);

/** Returns the validation errors of a PodDisruptionBudget apart from its metadata. */
function validateDisruptionBudget(budget: JsonObject): FieldError[] {
  const spec = getObject(budget, "spec");
  const min = getOwn(spec, "minAvailable");
  const max = getOwn(spec, "maxUnavailable");
  const errors: FieldError[] = [];
  const selector = getOwn(spec, "selector");
  if (min !== undefined && max !== undefined) {
    errors.push(invalidValue("spec", spec, "minAvailable and maxUnavailable cannot be both set"));
  }
  for (const [name, value] of [["minAvailable", min], ["maxUnavailable", max]] as const) {
    const field = child("spec", name);
    errors.push(...intOrPercent(value, field), ...atMost100Percent(value, field));
  }
  if (isObject(selector)) errors.push(...validateLabelSelector(selector, "spec.selector"));
  const policy = getOwn(spec, "unhealthyPodEvictionPolicy");
  const policies = ["AlwaysAllow", "IfHealthyBudget"];
  if (typeof policy === "string" && !policies.includes(policy)) {
    errors.push(notSupported("spec.unhealthyPodEvictionPolicy", policy, policies));
  }
  return errors;
}
