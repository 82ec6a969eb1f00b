import type { Row } from "../row.ts";
import { clientRequests } from "./client_requests.ts";
import { managers } from "./manager.ts";

/** All rows. */
export const rows: readonly Row[] = [...clientRequests, ...managers];
