import { escapeHtml, htmlPage } from "../report/mod.ts";
import type { RequestCount } from "./compare_runs.ts";

/** A table of a report. */
export interface RehearsalTable {
  /** The title. */
  readonly title: string;
  /** The rows, in words. */
  readonly rows: readonly string[];
}

/** The parts of a rehearsal that its page shows. */
interface Shown {
  readonly requests: readonly RequestCount[];
  readonly notes: readonly string[];
  tables(): readonly RehearsalTable[];
  summary(): string;
}

/** Returns a rehearsal as a page. */
export function rehearsalPage(rehearsal: Shown): string {
  const tables = rehearsal.tables().map(({ rows, title }) => {
    const items = rows.map((row) => `<li>${escapeHtml(row)}</li>`).join("\n");
    return `<section><h2>${escapeHtml(title)}</h2><ul>\n${items}\n</ul></section>`;
  });
  const requests = rehearsal.requests.map(({ after, before, differs, resource, verb }) =>
    `<tr${differs ? ' class="differs"' : ""}><td>${escapeHtml(`${verb} ${resource}`)}</td>` +
    `<td>${before}</td><td>${after}</td></tr>`
  );
  const all = `<section><h2>All requests</h2>
<table><tr><th>Request</th><th>Before</th><th>After</th></tr>
${requests.join("\n")}
</table></section>`;
  return htmlPage({
    title: "Rehearsal of an upgrade",
    paragraphs: [rehearsal.summary(), ...rehearsal.notes],
    sections: [...tables, all],
    style: STYLE,
  });
}

const STYLE = `
body{max-width:1100px}
ul{padding-left:18px}
li{margin:0 0 4px;overflow-wrap:anywhere}
table{border-collapse:collapse}
th,td{text-align:left;padding:2px 24px 2px 0;font-variant-numeric:tabular-nums}
th{color:var(--soft);font-weight:600}
.differs td{color:var(--red);font-weight:600}
`;
