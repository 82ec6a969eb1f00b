import {
  type FieldError,
  forbidden,
  forbiddenField,
  getOwn,
  getString,
  type JsonObject,
  notSupported,
  required,
  withPath,
} from "../../../values/mod.ts";
import { AGE, column, fillPointer, getNumber, immutable, NAME, named } from "../shared/mod.ts";
import { type ClusterView, defineKind, type KindRecord } from "../record/mod.ts";

/** The classes of the system. */
const SYSTEM: Readonly<Record<string, number>> = {
  "system-node-critical": 2_000_001_000,
  "system-cluster-critical": 2_000_000_000,
};

/** PriorityClasses. */
export const PRIORITY_CLASS: KindRecord = defineKind(
  "scheduling.k8s.io/v1",
  "priorityclasses",
  "PriorityClass",
  {
    namespaced: false,
    shortNames: ["pc"],
    prepareCreate: (one) => withPath(one, ["metadata", "generation"], 1),
    defaults: (one) => fillPointer(one, "preemptionPolicy", "PreemptLowerPriority"),
    names: "subdomain",
    deletion: {
      undeletable: {
        names: Object.keys(SYSTEM),
        why: "this is a system priority class and cannot be deleted",
        onlyByName: true,
      },
    },
    confirm: (one, _, { cluster }) => requireOnlyDefault(one, cluster),
    validatesAgain: false,
    validate: validateClass,
    validateChange: (next, old) => {
      const fixed = "may not be changed in an update.";
      return [
        ...(getOwn(next, "value") === getOwn(old, "value") ? [] : [forbiddenField("value", fixed)]),
        ...immutable(next, old, "preemptionPolicy"),
      ];
    },
    table: {
      columns: [
        NAME,
        column(
          "Value",
          "value represents the integer value of this priority class. This is the actual priority that pods receive when they have the name of this class in their pod spec.",
          0,
          "integer",
        ),
        column(
          "Global-Default",
          "globalDefault specifies whether this PriorityClass should be considered as the default priority for pods that do not have any priority class. Only one PriorityClass can be marked as `globalDefault`. However, if more than one PriorityClasses exists with their `globalDefault` field set to true, the smallest value of such global default PriorityClasses will be used as the default priority.",
          0,
          "boolean",
        ),
        AGE,
        column(
          "PreemptionPolicy",
          "preemptionPolicy is the Policy for preempting pods with lower priority. One of Never, PreemptLowerPriority. Defaults to PreemptLowerPriority if unset.",
        ),
      ],
      row: named(
        (one) => [getNumber(one, "value"), getOwn(one, "globalDefault") === true],
        (one) => [
          getString(one, "preemptionPolicy"),
        ],
      ),
    },
  },
);

/**
 * Refuses a default class while another class is the default.
 *
 * @throws {ApiError} 403
 */
function requireOnlyDefault(one: JsonObject, cluster: ClusterView): void {
  if (getOwn(one, "globalDefault") !== true) return;
  const name = getString(one, "metadata", "name");
  const [first] = cluster.list("priorityclasses.scheduling.k8s.io", "")
    .filter((other) => getOwn(other, "globalDefault") === true)
    .sort((a, b) => getNumber(a, "value") - getNumber(b, "value"));
  const other = getString(first, "metadata", "name");
  if (first === undefined || other === name) return;
  throw forbidden(
    { group: "scheduling.k8s.io", plural: "priorityclasses" },
    name,
    `PriorityClass ${other} is already marked as default. Only one default can exist`,
  );
}

const MAX_VALUE = 1_000_000_000;

function validateClass(one: JsonObject): FieldError[] {
  const name = getString(one, "metadata", "name");
  const value = getNumber(one, "value");
  const errors: FieldError[] = [];
  if (name.startsWith("system-")) {
    const known = Object.hasOwn(SYSTEM, name);
    if (!known || SYSTEM[name] !== value) {
      const reason =
        "priority class names with 'system-' prefix are reserved for system use only. error: " +
        (known
          ? `value of ${name} PriorityClass must be ${SYSTEM[name]}`
          : `${name} is not a known system priority class`);
      errors.push(forbiddenField("metadata.name", reason));
    }
  } else if (value > MAX_VALUE) {
    const reason = `maximum allowed value of a user defined priority is ${MAX_VALUE}`;
    errors.push(forbiddenField("value", reason));
  }
  const policy = getString(one, "preemptionPolicy");
  const policies = ["PreemptLowerPriority", "Never"];
  if (policy === "") errors.push(required("preemptionPolicy"));
  else if (!policies.includes(policy)) {
    errors.push(notSupported("preemptionPolicy", policy, policies));
  }
  return errors;
}
