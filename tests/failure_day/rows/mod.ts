import type { Row } from "../row.ts";
import { clientRequests } from "./client_requests.ts";

/** All rows. */
export const rows: readonly Row[] = [...clientRequests];
