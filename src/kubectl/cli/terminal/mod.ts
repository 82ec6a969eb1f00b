/**
 * Formats text for a terminal: tables, colours, and the progress of long work. Control characters from the server are escaped.
 *
 * @module
 */

export { ago, span } from "./ago.ts";
export { logText } from "./log_text.ts";
export { COLOR_FLAG, COLORS, type Paint, painter } from "./paint.ts";
export { Progress, type Screen } from "./progress.ts";
export { TableWriter } from "./table_writer.ts";
export { cutText, textWidth } from "./text_width.ts";
