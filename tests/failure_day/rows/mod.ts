import type { Row } from "../row.ts";
import { clientFunctions } from "./client_functions.ts";
import { clientRequests } from "./client_requests.ts";
import { controllers } from "./controllers.ts";
import { elections } from "./elections.ts";
import { informers } from "./informers.ts";
import { kubectl } from "./kubectl.ts";
import { managerParts } from "./manager_parts.ts";
import { managers } from "./manager.ts";
import { operatorParts } from "./operator_parts.ts";
import { simulations } from "./simulations.ts";
import { sockets } from "./sockets.ts";
import { stores } from "./stores.ts";
import { streamsOfPods } from "./streams.ts";
import { testing } from "./testing.ts";
import { waits } from "./waits.ts";
import { webhooks } from "./webhooks.ts";
import { workQueues } from "./work_queues.ts";

/** All rows. */
export const rows: readonly Row[] = [
  ...clientFunctions,
  ...clientRequests,
  ...controllers,
  ...elections,
  ...informers,
  ...kubectl,
  ...managerParts,
  ...managers,
  ...operatorParts,
  ...simulations,
  ...sockets,
  ...stores,
  ...streamsOfPods,
  ...testing,
  ...waits,
  ...webhooks,
  ...workQueues,
];
