/**
 * Reports: why a run went wrong, told as a story, as a timeline and as JSON.
 *
 * @module
 */

export { bugOf } from "./bug.ts";
export { type Cause, causeOf, type Compared } from "./cause.ts";
export { Chronicle } from "./chronicle.ts";
export { escapeHtml } from "./escape_html.ts";
export { Finding, type FindingJson, type FindingParts } from "./finding.ts";
export {
  describeChange,
  describeFields,
  describeState,
  shortValue,
  valueAt,
} from "./object_diff.ts";
export { htmlPage } from "./html_page.ts";
export { Progress } from "./progress.ts";
export { findRepeats } from "./repeats.ts";
export { planToReplay } from "./replay.ts";
export { Coverage, type FaultCounts, type PlanResult } from "./coverage.ts";
export { assertClean, Report, type ReportEnd, type ReportJson, resultOf } from "./report.ts";
export { writeReport } from "./report_files.ts";
export { storyOf } from "./story.ts";
export { type StoryKind, type StoryLine, storyLines } from "./story_lines.ts";
export { runView } from "./run_view.ts";
