import type { Row } from "../row.ts";
import { clientRequests } from "./client_requests.ts";
import { controllers } from "./controllers.ts";
import { elections } from "./elections.ts";
import { informers } from "./informers.ts";
import { kubectl } from "./kubectl.ts";
import { managers } from "./manager.ts";
import { operatorParts } from "./operator_parts.ts";
import { streamsOfPods } from "./streams.ts";
import { workQueues } from "./work_queues.ts";

/** All rows. */
export const rows: readonly Row[] = [
  ...clientRequests,
  ...controllers,
  ...elections,
  ...informers,
  ...kubectl,
  ...managers,
  ...operatorParts,
  ...streamsOfPods,
  ...workQueues,
];
