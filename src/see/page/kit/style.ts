import { PALETTE } from "../../palette/mod.ts";

/** The style sheet of all components, with the palette. */
export const STYLE: string = `${PALETTE}
*{box-sizing:border-box;margin:0}
html{font-size:100%;-webkit-text-size-adjust:100%}
body{background:var(--page);color:var(--ink);font:.875rem/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
h1{font-size:1.25rem;font-weight:650;letter-spacing:-.01em;line-height:1.3}
h2{font-size:.75rem;font-weight:600;letter-spacing:.06em;text-transform:uppercase;color:var(--soft)}
h3,h4{font-size:.875rem;font-weight:600}
ul,ol{list-style:none;padding:0}
code{font:.92em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
a{color:var(--blue)}
b{font-weight:600}
.soft{color:var(--soft)}
.red-text{color:var(--red)}
.amber-text{color:var(--amber)}
.vh{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
:focus-visible{outline:2px solid var(--blue);outline-offset:2px;border-radius:6px}
h1:focus-visible,h2:focus-visible{outline-offset:4px}
[tabindex="-1"]:focus{outline:none}
.empty{color:var(--soft);padding:14px 0}

button,select,input{font:inherit;color:inherit;background:var(--card);border:1px solid var(--rule);border-radius:8px;padding:5px 11px;min-height:32px}
button{cursor:pointer;font-weight:550}
button:hover{border-color:var(--soft)}
button:disabled{color:var(--soft);cursor:default;border-color:var(--rule)}
button.quiet{border-color:transparent;background:none;color:var(--blue);padding:2px 6px;min-height:26px;font-weight:500}
button.quiet:hover{text-decoration:underline}
button[aria-pressed=true]{background:var(--blue-soft);border-color:var(--blue);color:var(--blue)}
input::placeholder{color:var(--soft);opacity:1}

.chip{display:inline-flex;align-items:center;gap:6px;font-size:.75rem;line-height:1.4;font-weight:550;padding:1px 9px;border-radius:20px;color:var(--soft);background:color-mix(in srgb,var(--soft) 10%,var(--card));vertical-align:middle;max-width:100%}
.chip::before{content:"";width:6px;height:6px;border-radius:50%;background:currentColor;flex:none}
.chip.grey{color:var(--soft)}
.chip.blue{color:var(--blue);background:var(--blue-soft)}
.chip.green{color:var(--green);background:var(--green-soft)}
.chip.amber{color:var(--amber);background:var(--amber-soft)}
.chip.red{color:var(--red);background:var(--red-soft)}

.card{background:var(--card);border:1px solid var(--rule);border-radius:12px;padding:12px 16px}
.card-head{display:flex;flex-wrap:wrap;align-items:baseline;gap:4px 10px}
.card-head .chip{margin-left:auto}
.card-foot{display:flex;flex-wrap:wrap;gap:0 14px;color:var(--soft);font-size:.75rem;min-height:1.1rem}
.marked{border-color:var(--amber);box-shadow:0 0 0 3px var(--amber-soft)}
.problem{margin-top:8px;padding:8px 12px;border-radius:8px;background:var(--red-soft);color:var(--red);font-size:.8125rem}
.problem p+p{color:var(--ink)}

.flow{position:relative;display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:0 112px;align-items:center}
.flow-side{display:grid;gap:12px;position:relative}
.flow.alone{grid-template-columns:minmax(0,1fr)}
.alone .flow-side{grid-template-columns:repeat(auto-fill,minmax(min(300px,100%),1fr))}
.links{position:absolute;inset:0;width:100%;height:100%;pointer-events:none;contain:strict}
.links path,.arrow .wire{fill:none;stroke-linecap:round}
.wire{stroke:var(--rule);stroke-width:2}
.links .wire:not(.still){stroke:var(--blue);opacity:.45}
.links .fast{stroke-width:3}
@keyframes drop{from{transform:translateX(0);opacity:0}20%,80%{opacity:1}to{transform:translateX(20px);opacity:0}}
.stations{display:flex;align-items:flex-end;gap:8px;margin:8px 0 6px}
.station{min-width:0}
.station.grow{flex:1}
.station:last-child{margin-left:auto;text-align:right}
.station:last-child .station-value{justify-content:flex-end}
.watch .station:last-child{margin-left:0;text-align:left}
.station-name{display:block;font-size:.6875rem;color:var(--soft)}
.station-value{display:flex;align-items:center;flex-wrap:wrap;gap:2px 8px;font-weight:600;min-height:24px;white-space:nowrap}
.station.amber .station-value{color:var(--amber)}
.arrow{position:relative;width:28px;height:12px;flex:none;margin-bottom:6px}
.arrow svg{display:block;width:28px;height:12px}
.arrow .head{fill:var(--rule)}
.arrow:not(.still) .wire{stroke:var(--blue);opacity:.4}
.arrow:not(.still) .head{fill:var(--blue);opacity:.6}
.drop{position:absolute;left:0;top:3px;width:6px;height:6px;border-radius:50%;background:var(--blue);opacity:0}
.slow .drop{animation:drop 2.4s linear infinite}
.brisk .drop{animation:drop 1.2s linear infinite}
.fast .drop{animation:drop .6s linear infinite}
.spark{width:84px;height:22px;overflow:visible}
.spark path{fill:none;stroke-width:1.5;vector-effect:non-scaling-stroke;stroke-linejoin:round}
.spark .line{stroke:var(--blue)}
.spark .idle{stroke:var(--rule)}
.spark .area{fill:var(--blue-soft);stroke:none}
.spark .bad{stroke:var(--red)}
.workers{display:inline-flex;flex-wrap:wrap;gap:3px}
.worker{width:9px;height:14px;border-radius:3px;border:1px solid var(--rule);background:var(--page)}
.worker.busy{background:var(--blue);border-color:var(--blue)}

.table{width:100%;border-collapse:collapse}
.table th,.table td{text-align:left;padding:6px 12px 6px 0;border-bottom:1px solid var(--rule);font-weight:400;vertical-align:top}
.table thead th{font-size:.75rem;color:var(--soft);font-weight:550;white-space:nowrap}
.table tbody th{font-weight:550}
.table .chip.green,.table .chip.grey{background:none;padding-left:0}
.table td .chip{white-space:nowrap}
.table .number{text-align:right}
.table tbody tr:hover{background:color-mix(in srgb,var(--blue-soft) 45%,transparent)}
.table th a{color:inherit;text-decoration:none}
.table th a:hover{color:var(--blue);text-decoration:underline}

.stories{position:relative;padding-left:22px}
.stories::before{content:"";position:absolute;left:6px;top:14px;bottom:14px;width:2px;background:var(--rule);border-radius:1px}
.story{position:relative;border:1px solid transparent;border-radius:12px}
.story::before{content:"";position:absolute;left:-21px;top:13px;width:10px;height:10px;border-radius:50%;background:var(--soft);box-shadow:0 0 0 3px var(--card)}
.story.blue::before{background:var(--blue)}
.story.green::before{background:var(--green)}
.story.amber::before{background:var(--amber)}
.story.red::before{background:var(--red)}
.story-head{display:flex;flex-wrap:wrap;align-items:baseline;gap:2px 10px;width:100%;text-align:left;border-color:transparent;background:none;padding:6px 8px}
.story-head:hover{background:color-mix(in srgb,var(--blue-soft) 45%,transparent);border-color:transparent}
.story-head .soft{font-weight:400}
.story-age{margin-left:auto}
.story-why{font-weight:400;color:var(--soft);flex:1 1 12em;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.story-body{padding:2px 8px 16px}
.part{display:grid;grid-template-columns:76px minmax(0,1fr);gap:2px 12px;padding:4px 8px;border:1px solid transparent;border-radius:8px}
.part-name{color:var(--soft);font-size:.8125rem}
.part li,.part.marked{border:1px solid transparent;border-radius:8px}
.part li.marked,.part.marked{background:var(--amber-soft);border-color:var(--amber);box-shadow:none}
.part li.marked{margin:2px -10px;padding:4px 9px}
.field{background:color-mix(in srgb,var(--soft) 10%,var(--card));border-radius:5px;padding:1px 6px;margin-right:2px}
.marked .field{background:var(--card)}
.sent summary{cursor:pointer;width:fit-content}
.sent pre{font:.8125rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;border:1px solid var(--rule);border-radius:8px;background:var(--page);padding:8px 12px;margin:4px 0;white-space:pre-wrap;overflow:auto;max-height:320px}
.remark{margin-top:2px;color:var(--amber);font-weight:550}
.method{font-size:.75rem;color:var(--soft)}
.method.blue{color:var(--blue)}
.error-text{color:var(--red)}
.waits{padding-top:6px}
.wait-bar{display:flex;gap:2px;height:8px;max-width:520px}
.wait{background:var(--soft);min-width:3px;border-radius:3px}
.wait.backoff{background:var(--red);opacity:.75}
.wait.gate{background:var(--amber)}
.wait.delay{background:var(--rule)}
.wait.queue{background:var(--soft);opacity:.6}
.wait.run{background:var(--blue)}
.wait-legend{display:flex;flex-wrap:wrap;gap:0 16px;font-size:.75rem;color:var(--soft);margin-top:4px}
.wait-legend b{color:var(--ink)}
.wait-legend .wait{display:inline-block;width:9px;height:9px;margin-right:5px}

.diff-head{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;gap:8px;color:var(--soft);min-height:30px}
.diff-lines{border:1px solid var(--rule);border-radius:10px;overflow-x:auto;max-height:70vh;padding:6px 0;background:var(--page)}
.diff-line{display:flex;gap:8px;padding:0 10px;line-height:1.6}
.diff-line code,.diff-line .mark{font:.8125rem/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.diff-line code{white-space:pre-wrap}
.diff-line .mark{width:.8em;flex:none;color:var(--soft)}
.diff-line.added{background:var(--green-soft);color:var(--green)}
.diff-line.removed{background:var(--red-soft);color:var(--red)}
.diff-line.added .mark,.diff-line.removed .mark{color:inherit}
.diff-line.marked{box-shadow:inset 3px 0 0 var(--amber)}
.diff-line.same.marked{background:var(--amber-soft)}
.diff-line.fold{color:var(--soft);font-size:.75rem;padding:2px 10px 2px 2.4em}

@media (max-width:860px){
.flow{grid-template-columns:minmax(0,1fr);gap:16px}
.links{display:none}
.wide{display:none}
}
@media (max-width:480px){
.stations{flex-wrap:wrap;justify-content:space-between;gap:6px 14px}
.spark{width:52px}
.arrow{display:none}
.station.grow{flex:none}
.station:last-child{margin-left:0;text-align:left}
.part{grid-template-columns:minmax(0,1fr)}
.stories{padding-left:18px}
}
@media (min-width:861px){.feeds{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}}
@media (prefers-reduced-motion:reduce){*{animation:none!important;transition:none!important;scroll-behavior:auto!important}}
@media (forced-colors:active){.wait,.worker.busy,.chip::before,.story::before{forced-color-adjust:none}}
`;
