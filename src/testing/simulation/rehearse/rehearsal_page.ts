import { escapeHtml } from "../report/mod.ts";
import type { RequestCount } from "./compare_runs.ts";

/** A table of a report. */
export interface RehearsalTable {
  /** The title. */
  readonly title: string;
  /** The rows, in words. */
  readonly rows: readonly string[];
}

/** The content of a page. */
export interface PageContent {
  readonly requests: readonly RequestCount[];
  readonly notes: readonly string[];
  tables(): readonly RehearsalTable[];
  summary(): string;
}

/** Returns a rehearsal as a page without scripts and without references to other files. */
export function rehearsalPage(rehearsal: PageContent): string {
  const title = "Rehearsal of an upgrade";
  const sections = rehearsal.tables().map(({ rows, title }) => {
    const items = rows.map((row) => `<li>${escapeHtml(row)}</li>`).join("\n");
    return `<section><h2>${escapeHtml(title)}</h2><ul>\n${items}\n</ul></section>`;
  });
  const requests = rehearsal.requests.map(({ after, before, differs, resource, verb }) =>
    `<tr${differs ? ' class="differs"' : ""}><td>${escapeHtml(`${verb} ${resource}`)}</td>` +
    `<td>${before}</td><td>${after}</td></tr>`
  );
  const notes = rehearsal.notes.map((note) => `<p>${escapeHtml(note)}</p>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<header><h1>${title}</h1><p>${escapeHtml(rehearsal.summary())}</p>${notes.join("")}</header>
${sections.join("\n")}
<section><h2>All requests</h2>
<table><tr><th>Request</th><th>Before</th><th>After</th></tr>
${requests.join("\n")}
</table></section>
</body>
</html>
`;
}

const STYLE = `
:root{color-scheme:light dark;--page:#fbfbfa;--card:#fff;--ink:#1d2129;--soft:#6b7280;--rule:#e4e5e9;--red:#d1293d}
@media (prefers-color-scheme:dark){:root{--page:#101318;--card:#171b22;--ink:#e4e7ec;--soft:#939cab;--rule:#2a303b;--red:#ff6b7c}}
*{box-sizing:border-box;margin:0}
body{background:var(--page);color:var(--ink);font:14px/1.45 system-ui,sans-serif;padding:32px;max-width:1100px;margin:auto}
h1{font-size:22px;font-weight:650}
header p{color:var(--soft)}
h2{font-size:12px;font-weight:600;letter-spacing:.06em;text-transform:uppercase;color:var(--soft);margin:0 0 6px}
section{background:var(--card);border:1px solid var(--rule);border-radius:12px;padding:24px;margin:20px 0}
ul{padding-left:18px}
li{margin:0 0 4px;overflow-wrap:anywhere}
table{border-collapse:collapse}
th,td{text-align:left;padding:2px 24px 2px 0;font-variant-numeric:tabular-nums}
th{color:var(--soft);font-weight:600}
.differs td{color:var(--red);font-weight:600}
`;
