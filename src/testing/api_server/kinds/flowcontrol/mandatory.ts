import {
  type FieldError,
  getObject,
  invalidValue,
  jsonEqual,
  type JsonObject,
} from "../../../values/mod.ts";

/** The part of a FlowSchema rule that selects all requests. */
export const ALL_REQUESTS: JsonObject = {
  resourceRules: [{
    verbs: ["*"],
    apiGroups: ["*"],
    resources: ["*"],
    clusterScope: true,
    namespaces: ["*"],
  }],
  nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
};

const everything = (subjects: readonly string[]): JsonObject[] => [{
  subjects: subjects.map((name) => ({ kind: "Group", group: { name } })),
  ...ALL_REQUESTS,
}];

/** The FlowSchemas that always exist, with their immutable spec. */
export const MANDATORY_SCHEMAS: Readonly<Record<string, JsonObject>> = {
  exempt: {
    priorityLevelConfiguration: { name: "exempt" },
    matchingPrecedence: 1,
    rules: everything(["system:masters"]),
  },
  "catch-all": {
    priorityLevelConfiguration: { name: "catch-all" },
    matchingPrecedence: 10_000,
    distinguisherMethod: { type: "ByUser" },
    rules: everything(["system:unauthenticated", "system:authenticated"]),
  },
};

/** The PriorityLevelConfigurations that always exist, in the same way. */
export const MANDATORY_LEVELS: Readonly<Record<string, JsonObject>> = {
  exempt: { type: "Exempt" },
  "catch-all": {
    type: "Limited",
    limited: {
      nominalConcurrencyShares: 5,
      limitResponse: { type: "Reject" },
      lendablePercent: 0,
    },
  },
};

/** Returns an error if an object that always exists has another desired state. `free` is the field that may differ. */
export function mandatoryErrors(
  object: JsonObject,
  mandatory: Readonly<Record<string, JsonObject>>,
  free?: string,
): FieldError[] {
  const name = String(getObject(object, "metadata")["name"]);
  const fixed = Object.hasOwn(mandatory, name) ? mandatory[name]! : undefined;
  const spec = getObject(object, "spec");
  if (fixed === undefined || jsonEqual(without(spec, free), without(fixed, free))) return [];
  const except = free === undefined ? "" : ` except the 'spec.${free}' field`;
  const reason = `spec of '${name}'${except} must equal the fixed value`;
  return [invalidValue("spec", spec, reason)];
}

function without(spec: JsonObject, name: string | undefined): JsonObject {
  return Object.fromEntries(Object.entries(spec).filter(([key]) => key !== name));
}
