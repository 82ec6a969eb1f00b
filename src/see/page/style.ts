import { STYLE } from "./kit/mod.ts";
import { LIVE_STYLE } from "./live/style.ts";
import { REPORT_STYLE } from "./report/style.ts";

/** The style sheet of the page. */
export const PAGE_STYLE: string = `${STYLE}${LIVE_STYLE}${REPORT_STYLE}`;
