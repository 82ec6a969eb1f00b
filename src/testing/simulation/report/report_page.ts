import { stringifyJson } from "@kubeloop/controller/internal/base";
import type { ReportView } from "@kubeloop/controller/internal/see";
import { escapeHtml } from "./escape_html.ts";
import { htmlPage } from "./html_page.ts";

/** Returns a report as one HTML file. Without scripts, it shows `text`. */
export function reportPage(view: ReportView, text: string): string {
  // No text of the report may end the element that holds it.
  const data = stringifyJson({ mode: "report", report: view }).replaceAll("<", "\\u003c");
  return htmlPage({
    title: view.title,
    paragraphs: [view.summary],
    sections: [
      `<script type="application/json" id="data">${data}</script>`,
      `<noscript><pre>${escapeHtml(text)}</pre></noscript>`,
    ],
    style: "",
  });
}
