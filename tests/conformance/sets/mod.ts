/** All recorded sets. Sets with a common server are played in this order. */

import type { ModuleSet, RecordedSet } from "../recorded_set.ts";
import { STEP_SCENARIOS } from "../scenarios/mod.ts";
import { WEBHOOK_SCENARIOS } from "../scenarios/webhooks/mod.ts";
import { discoverySet } from "./discovery.ts";
import { expressionSet } from "./expressions.ts";
import { freshObjectSet } from "./fresh_objects.ts";
import { openApiSet } from "./openapi.ts";
import { protobufSet } from "./protobuf.ts";
import { scenarioSet } from "./scenario.ts";
import { createSet, updateSet } from "./writes.ts";
import { yamlSet } from "./yaml.ts";

export const RECORDED_SETS: readonly RecordedSet[] = [
  freshObjectSet,
  ...[...STEP_SCENARIOS, ...WEBHOOK_SCENARIOS].map(scenarioSet),
  createSet,
  updateSet,
  expressionSet,
  openApiSet,
  discoverySet,
];

/** The sets without a server. */
export const MODULE_SETS: readonly ModuleSet[] = [protobufSet, yamlSet];
