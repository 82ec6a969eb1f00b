import {
  getObject,
  getOwn,
  getString,
  humanAge,
  type Json,
  type JsonObject,
} from "../../../values/mod.ts";
import { quote } from "../../../values/mod.ts";
import { defineKind, type KindRecord, STATUS } from "../record/mod.ts";
import { AGE, column, getNumber, NAME, objects } from "../shared/mod.ts";
import { flowConditionErrors, validateFlowSchema } from "./flow_schema_validation.ts";
import { MANDATORY_SCHEMAS, mandatoryErrors } from "./mandatory.ts";

/** FlowSchemas. */
export const FLOW_SCHEMA: KindRecord = defineKind(
  "flowcontrol.apiserver.k8s.io/v1",
  "flowschemas",
  "FlowSchema",
  {
    namespaced: false,
    subresources: [STATUS],
    directsFlow: true,
    counts: [["spec"]],
    statusKeeps: ["*"],
    defaults: (schema) => {
      const spec = getObject(schema, "spec");
      if (!getOwn(spec, "matchingPrecedence")) spec["matchingPrecedence"] = 1000;
    },
    names: "subdomain",
    validatesMetaChange: false,
    validate: (schema) => [
      ...validateFlowSchema(schema),
      ...mandatoryErrors(schema, MANDATORY_SCHEMAS),
    ],
    validateStatus: flowConditionErrors,
    table: {
      columns: [
        NAME,
        column(
          "PriorityLevel",
          "`name` is the name of the priority level configuration being referenced Required.",
        ),
        column(
          "MatchingPrecedence",
          "`matchingPrecedence` is used to choose among the FlowSchemas that match a given request. The chosen FlowSchema is among those with the numerically lowest (which we take to be logically highest) MatchingPrecedence.  Each MatchingPrecedence value must be ranged in [1,10000]. Note that if the precedence is not specified, it will be set to 1000 as default.",
        ),
        column(
          "DistinguisherMethod",
          "`distinguisherMethod` defines how to compute the flow distinguisher for requests that match this schema. `nil` specifies that the distinguisher is disabled and thus will always be the empty string.",
        ),
        AGE,
        column("MissingPL", "references a broken or non-existent PriorityLevelConfiguration"),
      ],
      row: schemaRow,
      order: byPrecedence,
    },
  },
);

function byPrecedence(a: JsonObject, b: JsonObject): number {
  const difference = precedenceOf(a) - precedenceOf(b);
  if (difference !== 0) return difference;
  return getString(a, "metadata", "name") < getString(b, "metadata", "name") ? -1 : 1;
}

function precedenceOf(schema: JsonObject): number {
  return getNumber(schema, "spec", "matchingPrecedence");
}

function schemaRow(schema: JsonObject, nowMs: number): Json[] {
  const dangling = objects(schema, "status", "conditions").find((one) =>
    getString(one, "type") === "Dangling"
  );
  return [
    getString(schema, "metadata", "name"),
    getString(schema, "spec", "priorityLevelConfiguration", "name"),
    precedenceOf(schema),
    getString(schema, "spec", "distinguisherMethod", "type") || "<none>",
    humanAge(getString(schema, "metadata", "creationTimestamp"), nowMs),
    dangling === undefined ? "?" : getString(dangling, "status"),
  ];
}

/** Returns the `Dangling` condition of a FlowSchema, without its time: whether its priority level is missing. */
export function danglingOf(level: string, exists: boolean): JsonObject {
  const subject = `This FlowSchema references the PriorityLevelConfiguration object named ${
    quote(level)
  }`;
  return exists
    ? { type: "Dangling", status: "False", reason: "Found", message: `${subject} and it exists` }
    : {
      type: "Dangling",
      status: "True",
      reason: "NotFound",
      message: `${subject} but there is no such object`,
    };
}
