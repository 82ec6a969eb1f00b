import { stringifyJson, visibleText } from "../base/mod.ts";
import { DATA_PLACEHOLDER, PAGE_HTML } from "./page_text.ts";
import type { ReportView } from "./report_model.ts";

/** The maximum length of a title, in characters. */
const MAX_TITLE = 200;

/** Returns a report as one HTML document without references to other files. `text` is shown where scripts do not run. */
export function reportHtml(report: ReportView, text: string): string {
  const data = stringifyJson({ mode: "report", report });
  return PAGE_HTML
    // No text of the report may end the element that holds it.
    .replace(DATA_PLACEHOLDER, () => data.replaceAll("<", "\\u003c"))
    .replace("<title>kubeloop<", () => `<title>${escaped(visibleText(report.title, MAX_TITLE))}<`)
    .replace(
      '<div id="page"></div>',
      (page) =>
        `${page}\n<noscript><h1>${escaped(report.title)}</h1><pre>${
          escaped(text)
        }</pre></noscript>`,
    );
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Returns text for the content of an element. Control characters become a mark. */
function escaped(text: string): string {
  return text
    .replaceAll(/[&<>]/g, (character) => ESCAPES[character]!)
    // deno-lint-ignore no-control-regex -- these are what is meant
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "\ufffd");
}
