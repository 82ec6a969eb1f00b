import { escapeHtml } from "./escape_html.ts";
import { htmlPage } from "./html_page.ts";
import type { Cause } from "./cause.ts";
import { drawTimeline } from "./timeline_svg.ts";
import { type Row, timelineRows } from "./timeline_rows.ts";

/** The content of a page about a finding. */
export interface TimelineFinding {
  readonly wrong: readonly { readonly oracle: string; readonly message: string }[];
  readonly faults: readonly string[];
  readonly seed: number;
  readonly replay: string;
  readonly cause: Cause;
}

/** Returns a page with sections of findings. */
export function timelinePage(
  title: string,
  summary: string,
  sections: readonly string[],
): string {
  return htmlPage({ title, paragraphs: [summary], sections, style: STYLE });
}

/** Returns the part of a page that is about one finding. */
export function timelineSection({ cause, faults, replay, seed, wrong }: TimelineFinding): string {
  const items = (texts: readonly string[]) =>
    texts.map((text) => `<li>${escapeHtml(text)}</li>`).join("");
  const without = faults.length === 0 ? ["none: it happens without any"] : faults;
  return `<section>
${
    wrong.map(({ message, oracle }) =>
      `<p class="verdict"><b>${escapeHtml(oracle)}</b> ${escapeHtml(message)}</p>`
    ).join("\n")
  }
<div class="facts">
<div><h2>What was done to it</h2><ul>${items([...without, `seed ${seed}`])}</ul></div>
<div><h2>Why it went wrong</h2><ul>${items(cause.sentences)}</ul></div>
</div>
${timelines(cause)}
<h2>Replay</h2><pre>${escapeHtml(replay)}</pre>
</section>`;
}

/** Returns the timeline of a run, and that of the other run if either may be right. */
function timelines(cause: Cause): string {
  const { other } = cause;
  if (other === undefined) return timeline(cause);
  return `<h2>${escapeHtml(other.here)}</h2>
${timeline(cause)}
<h2>${escapeHtml(other.there)}</h2>
${timeline(other.cause)}`;
}

function timeline(cause: Cause): string {
  const rows = timelineRows(cause);
  const { height, lanes, svg, width } = drawTimeline(rows, cause);
  const heads = lanes.map(({ name, x }) =>
    `<span style="left:${x}px" title="${escapeHtml(name)}">${escapeHtml(name)}</span>`
  );
  return `<div class="timeline" style="--lanes:${width}px">
<div class="heads">${heads.join("")}</div>
<div class="rows">
${rows.map(rowOf).join("\n")}
<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="Who did what to whom">
${svg}
</svg>
</div>
</div>
<p class="legend"><i class="write"></i>write, with its version <i class="seen"></i>seen at once <i class="late"></i>seen late <i class="refused"></i>refused or lost <i class="wrong"></i>wrong</p>`;
}

function rowOf({ height, kind, knew, mark, text, time }: Row): string {
  const title = escapeHtml(knew === undefined ? text : `${text}\n${knew}`);
  const classes = `row ${kind}${mark === undefined ? "" : " marked"}`;
  return `<div class="${classes}" style="height:${height}px" title="${title}"><time>${time}</time><p>${
    mark === undefined ? "" : `<em>${escapeHtml(mark)}</em>`
  }${escapeHtml(text)}${knew === undefined ? "" : `<small>${escapeHtml(knew)}</small>`}</p></div>`;
}

const STYLE = `
.verdict{background:var(--red-soft);border-left:4px solid var(--red);border-radius:4px;padding:10px 14px;margin:0 0 8px;overflow-wrap:anywhere}
.verdict b{color:var(--red);margin-right:8px}
.facts{display:grid;grid-template-columns:minmax(220px,1fr) 2fr;gap:28px;margin:18px 0 24px}
.facts ul{padding-left:18px}
.facts li{margin:0 0 4px;overflow-wrap:anywhere}
.timeline{border:1px solid var(--rule);border-radius:8px;overflow-x:auto}
.heads{position:relative;height:38px;border-bottom:1px solid var(--rule);min-width:calc(var(--lanes) + 560px)}
.heads span{position:absolute;top:10px;width:116px;margin-left:22px;text-align:center;font-weight:600;font-size:12.5px;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.rows{position:relative;min-width:calc(var(--lanes) + 560px)}
.rows svg{position:absolute;left:80px;top:0}
.row{display:flex;align-items:start;padding:4px 12px 0 0;white-space:nowrap}
.row time{flex:0 0 80px;text-align:right;padding-right:12px;color:var(--soft);font-variant-numeric:tabular-nums;font-size:12.5px;line-height:22px}
.row p{flex:1;min-width:0;margin-left:var(--lanes);overflow:hidden;text-overflow:ellipsis;line-height:22px;font-size:13.5px}
.row small{display:block;color:var(--amber);font-size:12px;line-height:16px;overflow:hidden;text-overflow:ellipsis}
.row em{font-style:normal;font-weight:650;font-size:11.5px;color:#fff;background:var(--red);border-radius:10px;padding:2px 9px;margin-right:8px}
.row.step p{font-weight:600}
.row.step{box-shadow:inset 0 1px var(--rule)}
.row.fault{background:var(--amber-soft)}
.row.fault p::before{content:"⚡ "}
.row.fault p{color:var(--amber);font-weight:600}
.row.wrong{background:var(--red-soft)}
.row.wrong p{color:var(--red);font-weight:600}
.row.marked{background:var(--red-soft)}
.row.log p,.row.gap p,.row.note p{color:var(--soft)}
.row.gap,.row.note{padding-top:0;font-style:italic}
.row.gap{background:repeating-linear-gradient(135deg,transparent 0 6px,var(--rule) 6px 7px)}
.row.gap p,.row.note p{font-size:12px}
.row.gap p{background:var(--card);flex:0 0 auto;padding:0 8px}
svg path{fill:none;stroke:var(--blue);stroke-width:1.6}
svg .head{fill:var(--blue);stroke:none}
svg circle{fill:var(--blue)}
svg text{font:600 11px system-ui,sans-serif;fill:var(--soft);paint-order:stroke;stroke:var(--card);stroke-width:4px}
.lane{stroke:var(--rule);stroke-width:2}
.life{fill:var(--blue-soft);stroke:var(--blue);stroke-width:1}
.step{fill:var(--soft)}
.log{fill:var(--soft)}
.call path:not(.head){stroke:var(--green)}
.call .head,.call circle{fill:var(--green)}
.seen path:not(.head){stroke:var(--soft);stroke-dasharray:2 3;stroke-width:1.2}
.seen .head{fill:var(--soft)}
.late path:not(.head){stroke:var(--amber);stroke-dasharray:5 3}
.late .head,.late circle{fill:var(--amber)}
.refused path:not(.head){stroke:var(--red);stroke-dasharray:3 3}
.refused .head{fill:var(--red)}
.refused .cross,.death .cross{stroke:var(--red)!important;stroke-width:2.4;stroke-dasharray:none!important}
.marked path:not(.head){stroke:var(--red);stroke-width:2.6}
.marked .head,.marked circle{fill:var(--red)}
.legend{color:var(--soft);font-size:12.5px;margin:10px 0 22px}
.legend i{display:inline-block;width:26px;height:0;border-top:2px solid var(--blue);margin:0 6px 3px 14px}
.legend i.seen{border-top:2px dotted var(--soft)}
.legend i.late{border-top:2px dashed var(--amber)}
.legend i.refused{border-top:2px dashed var(--red)}
.legend i.wrong{border-top:4px solid var(--red)}
pre{background:var(--page);border:1px solid var(--rule);border-radius:6px;padding:10px 14px;white-space:pre-wrap;overflow-wrap:anywhere;font:12.5px/1.5 ui-monospace,monospace}
@media (max-width:800px){body{padding:12px}.facts{grid-template-columns:1fr}}
`;
