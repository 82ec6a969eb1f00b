import type { Row } from "../row.ts";
import { clientRequests } from "./client_requests.ts";
import { controllers } from "./controllers.ts";
import { informers } from "./informers.ts";
import { managers } from "./manager.ts";

/** All rows. */
export const rows: readonly Row[] = [...clientRequests, ...controllers, ...informers, ...managers];
