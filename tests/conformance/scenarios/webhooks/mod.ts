/**
 * The scenarios with webhooks. Each uses a namespace of its own.
 *
 * @module
 */

import type { StepScenario } from "../../step.ts";
import { answers } from "./answers.ts";
import { cluster } from "./cluster.ts";
import { connections } from "./connections.ts";
import { conversion } from "./conversion.ts";
import { custom } from "./custom.ts";
import { kinds } from "./kinds.ts";
import { matching } from "./matching.ts";
import { order } from "./order.ts";
import { policies } from "./policies.ts";
import { reviews } from "./reviews.ts";
import { unreadables } from "./unreadable.ts";

/** All scenarios with webhooks. */
export const WEBHOOK_SCENARIOS: readonly StepScenario[] = [
  answers,
  reviews,
  connections,
  order,
  matching,
  cluster,
  conversion,
  policies,
  custom,
  unreadables,
  kinds,
];
