import { type CelType, parseType, RESOURCE_CHECK, structOf } from "../types/mod.ts";
import type { Variables } from "../program/mod.ts";

function struct(name: string, fields: Readonly<Record<string, CelType | string>>): CelType {
  const types = Object.entries(fields).map(([field, type]) =>
    [field, typeof type === "string" ? parseType(type) : type] as const
  );
  return structOf(`kubernetes.${name}`, new Map(types));
}

const KIND = struct("GroupVersionKind", { group: "string", version: "string", kind: "string" });
const RESOURCE = struct("GroupVersionResource", {
  group: "string",
  version: "string",
  resource: "string",
});
const USER = struct("UserInfo", {
  username: "string",
  uid: "string",
  groups: "list(string)",
  extra: "map(string, list(string))",
});
const REQUEST = struct("AdmissionRequest", {
  kind: KIND,
  resource: RESOURCE,
  subResource: "string",
  requestKind: KIND,
  requestResource: RESOURCE,
  requestSubResource: "string",
  name: "string",
  namespace: "string",
  operation: "string",
  userInfo: USER,
  dryRun: "bool",
  options: "dyn",
});
const CONDITION = struct("NamespaceCondition", {
  status: "string",
  type: "string",
  lastTransitionTime: "timestamp",
  message: "string",
  reason: "string",
});
const NAMESPACE = struct("Namespace", {
  metadata: struct("NamespaceMetadata", {
    name: "string",
    generateName: "string",
    namespace: "string",
    labels: "map(string, string)",
    annotations: "map(string, string)",
    UID: "string",
    creationTimestamp: "timestamp",
    deletionGracePeriodSeconds: "int",
    deletionTimestamp: "timestamp",
    generation: "int",
    resourceVersion: "string",
    finalizers: "list(string)",
  }),
  spec: struct("NamespaceSpec", { finalizers: "list(string)" }),
  status: struct("NamespaceStatus", {
    conditions: { kind: "list", name: "list", params: [CONDITION] },
    phase: "string",
  }),
});

/** The variables that an expression of an admission policy or webhook may use, besides the variables of the request. */
export interface AdmissionScope {
  /** Whether the policy has parameters. */
  readonly params: boolean;
  /** Whether the expression may ask the authorizer. */
  readonly authorizer: boolean;
  /** Whether the expression may make patches. Default: false. */
  readonly patches?: boolean;
  /** The types of the policy's own variables, by name; undefined if it may not use them. */
  readonly composed?: ReadonlyMap<string, CelType>;
}

/** Returns the variables of an expression of an admission policy or webhook. */
export function admissionVariables({ params, authorizer, composed }: AdmissionScope): Variables {
  const variables = new Map<string, CelType>([
    ["object", parseType("dyn")],
    ["oldObject", parseType("dyn")],
    ["namespaceObject", NAMESPACE],
    ["request", REQUEST],
  ]);
  if (params) variables.set("params", parseType("dyn"));
  if (authorizer) {
    variables.set("authorizer", parseType("Authorizer"));
    variables.set("authorizer.requestResource", RESOURCE_CHECK);
  }
  if (composed !== undefined) {
    variables.set("variables", structOf("kubernetes.variables", composed));
  }
  return variables;
}
