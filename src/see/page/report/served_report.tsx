/** @jsxImportSource preact */
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ReportView } from "../../mod.ts";
import { visible } from "../kit/mod.ts";
import { ReportPage } from "./report_page.tsx";
import type { ReportSource } from "./report_source.ts";

/** The report of the process that has served the page. */
export function ServedReport({ page, source }: { page: Document; source: ReportSource }): VNode {
  const [report, setReport] = useState<ReportView>();
  const [error, setError] = useState<string>();
  useEffect(() => void source.report().then(setReport, (error) => setError(error.message)), []);
  if (report !== undefined) {
    return <ReportPage report={report} page={page} runAgain={(plan) => source.run(plan)} />;
  }
  return error === undefined
    ? <p class="empty">Waiting for the report …</p>
    : <p class="problem" role="alert">{visible(error)}</p>;
}
