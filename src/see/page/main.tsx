/** @jsxImportSource preact */
/// <reference lib="dom" />

/**
 * The program of the page. The mode in its embedded data says what it shows.
 *
 * @module
 */

import { render, type VNode } from "preact";
import { App } from "./live/app.tsx";
import { after, download, send, takeToken } from "./live/browser.ts";
import { httpSource } from "./live/http_source.ts";
import { ReportPage } from "./report/report_page.tsx";
import { ServedReport } from "./report/served_report.tsx";
import { reportSource } from "./report/report_source.ts";
import type { ReportView } from "../mod.ts";

/** The data that is embedded into the page. */
type PageData =
  /** A process that has served the page. */
  | { readonly mode: "live" }
  /** A report of a simulation; without one, the process that has served the page has it. */
  | { readonly mode: "report"; readonly report?: ReportView };

function pageOf(data: PageData): VNode {
  switch (data.mode) {
    case "report":
      return data.report === undefined
        ? (
          <ServedReport
            source={reportSource({ token: takeToken(window), send })}
            page={document}
          />
        )
        : <ReportPage report={data.report} page={document} />;
    case "live":
      return (
        <App
          source={httpSource({ token: takeToken(window), send, after })}
          view={window}
          download={(name, text, type) => download(document, name, text, type)}
        />
      );
    default:
      return <p>This page does not know the mode {JSON.stringify((data as PageData).mode)}.</p>;
  }
}

render(
  pageOf(JSON.parse(document.getElementById("data")!.textContent!)),
  document.getElementById("page")!,
);
