import {
  getObject,
  getOwn,
  getString,
  isObject,
  type Json,
  type JsonObject,
} from "../../../values/mod.ts";
import { AGE, column, fill, NAME, named } from "../shared/mod.ts";
import { defineKind, type KindRecord, STATUS } from "../record/mod.ts";
import { flowConditionErrors } from "./flow_schema_validation.ts";
import { MANDATORY_LEVELS, mandatoryErrors } from "./mandatory.ts";
import { isExempt, validatePriorityLevel } from "./priority_level_validation.ts";

/** PriorityLevelConfigurations. */
export const PRIORITY_LEVEL_CONFIGURATION: KindRecord = defineKind(
  "flowcontrol.apiserver.k8s.io/v1",
  "prioritylevelconfigurations",
  "PriorityLevelConfiguration",
  {
    namespaced: false,
    subresources: [STATUS],
    directsFlow: true,
    counts: [["spec"]],
    statusKeeps: ["*"],
    defaults: defaultLevel,
    names: "subdomain",
    validatesMetaChange: false,
    validate: (level, release) => [
      ...validatePriorityLevel(level, release),
      ...mandatoryErrors(
        level,
        MANDATORY_LEVELS,
        isExempt(level) ? "exempt" : undefined,
      ),
    ],
    validateStatus: flowConditionErrors,
    table: {
      columns: [
        NAME,
        column("Type"),
        column("NominalConcurrencyShares"),
        column("Queues"),
        column("HandSize"),
        column("QueueLengthLimit"),
        AGE,
      ],
      row: named(levelCells),
    },
  },
);

function defaultLevel(level: JsonObject): void {
  const spec = getObject(level, "spec");
  const exempt = getOwn(spec, "exempt");
  if (isObject(exempt)) {
    fill(exempt, "nominalConcurrencyShares", 0);
    fill(exempt, "lendablePercent", 0);
  }
  const limited = getOwn(spec, "limited");
  if (!isObject(limited)) return;
  fill(limited, "nominalConcurrencyShares", 30);
  fill(limited, "lendablePercent", 0);
  const queuing = getOwn(getObject(limited, "limitResponse"), "queuing");
  if (!isObject(queuing)) return;
  const numbers = { queues: 64, handSize: 8, queueLengthLimit: 50 };
  for (const [name, value] of Object.entries(numbers)) {
    if (!getOwn(queuing, name)) queuing[name] = value;
  }
}

function levelCells(level: JsonObject): Json[] {
  const limited = getObject(level, "spec", "limited");
  const queuing = getObject(limited, "limitResponse", "queuing");
  return [
    getString(level, "spec", "type"),
    getOwn(limited, "nominalConcurrencyShares") ?? "<none>",
    getOwn(queuing, "queues") ?? "<none>",
    getOwn(queuing, "handSize") ?? "<none>",
    getOwn(queuing, "queueLengthLimit") ?? "<none>",
  ];
}
