/** The style sheet of reports of simulations. */
export const REPORT_STYLE: string = `
noscript pre{white-space:pre-wrap;font:.8125rem/1.5 ui-monospace,monospace;margin-top:12px}
body:has(.report-head){max-width:1680px}
.report-head{padding:20px 0 8px}
.findings{display:grid;gap:6px;margin-top:10px}
.findings button{text-align:left;width:100%;font-weight:400}
.verdicts{display:grid;gap:8px;margin-top:12px}
.verdict{background:var(--red-soft);border-left:4px solid var(--red);border-radius:6px;padding:10px 14px}
.verdict b{color:var(--red);margin-right:6px}
.facts{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,2fr);gap:16px;margin-top:16px;align-items:start}
.facts section{margin-top:0}
.cause{list-style:decimal;padding-left:20px;display:grid;gap:6px;margin-top:6px}
.plan{display:grid;gap:8px;justify-items:start}
.plan pre{width:100%;background:var(--page);border:1px solid var(--rule);border-radius:8px;padding:8px 12px;white-space:pre-wrap;font:.75rem/1.5 ui-monospace,monospace;max-height:9em;overflow:auto}
.switches{display:grid;gap:6px}
.switches label{display:flex;gap:10px;align-items:flex-start;cursor:pointer}
.switches .off span{text-decoration:line-through;color:var(--soft)}
.switches input{appearance:none;flex:none;width:34px;height:20px;min-height:0;padding:0;border-radius:12px;background:var(--page);position:relative;cursor:pointer;margin:1px 0 0}
.switches input::after{content:"";position:absolute;left:2px;top:2px;width:14px;height:14px;border-radius:50%;background:var(--soft)}
.switches input:checked{background:var(--amber);border-color:var(--amber)}
.switches input:checked::after{left:16px;background:var(--card)}
.outcome{margin-top:12px;padding-top:12px;border-top:1px solid var(--rule);display:grid;gap:8px}
.player{display:grid;gap:10px;margin-bottom:28px}
.controls{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center;position:sticky;top:0;background:var(--page);padding:8px 0;z-index:2}
.controls input{flex:1 1 200px;padding:0;accent-color:var(--blue)}
.player-grid{display:grid;grid-template-columns:minmax(0,11fr) minmax(0,9fr);gap:20px;align-items:start}
.timeline{border:1px solid var(--rule);border-radius:10px;background:var(--card);overflow:auto;max-height:max(340px,58vh)}
.lane-heads{position:sticky;top:0;height:40px;background:var(--card);border-bottom:1px solid var(--rule);z-index:1}
.lane-heads span{position:absolute;inset-block:0;margin-left:74px;display:flex;align-items:center;justify-content:center;text-align:center;font-weight:600;font-size:.75rem;line-height:1.2;overflow:hidden;padding:0 4px}
.rows{position:relative}
.lanes{position:absolute;left:74px;top:0;pointer-events:none}
.row{display:flex;align-items:stretch;white-space:nowrap}
.row button{display:flex;align-items:center;width:100%;min-width:0;border:0;border-radius:0;background:none;padding:0 10px 0 0;min-height:0;text-align:left;font-weight:400}
.row button:hover{background:color-mix(in srgb,var(--blue-soft) 50%,transparent)}
.row time{flex:0 0 74px;text-align:right;padding-right:10px;color:var(--soft);font-size:.75rem}
.row-text{margin-left:var(--lanes);min-width:0;overflow:hidden;text-overflow:ellipsis;font-size:.8125rem}
.row.step .row-text{font-weight:600}
.row.log .row-text,.row.seen .row-text{color:var(--soft)}
.row.fault{background:var(--amber-soft)}
.row.fault .row-text{color:var(--amber);font-weight:600}
.row.wrong,.row.wrong-mark{background:var(--red-soft)}
.row.wrong .row-text{color:var(--red);font-weight:600}
.row [aria-current]{box-shadow:inset 0 0 0 2px var(--blue)}
.row-mark{display:inline-block;font-size:.6875rem;font-weight:650;color:var(--card);background:var(--red);border-radius:10px;padding:0 8px;margin-right:8px}
.row.fault .row-mark{background:var(--amber)}
.row.stale:not(.wrong-mark) .row-mark{color:var(--red);background:var(--red-soft)}
.row.gap,.row.note{align-items:center;padding-left:calc(74px + var(--lanes));font-size:.75rem;font-style:italic;color:var(--soft)}
.row.gap{background:repeating-linear-gradient(135deg,transparent 0 6px,var(--rule) 6px 7px)}
.row.gap span{background:var(--card);padding:0 8px;margin-left:-8px}
.lanes path{fill:none;stroke:var(--blue);stroke-width:1.6}
.lanes .head{fill:var(--blue);stroke:none}
.lanes circle{fill:var(--blue)}
.lanes text{font:600 .6875rem system-ui,sans-serif;fill:var(--soft);paint-order:stroke;stroke:var(--card);stroke-width:4px}
.lanes .lane{stroke:var(--rule);stroke-width:2}
.lanes .life{fill:var(--blue-soft);stroke:var(--rule)}
.lanes .reconcile{fill:var(--blue);opacity:.55}
.lanes .reconcile.failed{fill:var(--red)}
.lanes .reconcile.current{opacity:1}
.lanes circle.step,.lanes circle.log{fill:var(--soft)}
.lanes circle.reconcile{fill:var(--card);opacity:1}
.lanes .call .line{stroke:var(--green)}
.lanes .call .head,.lanes .call circle{fill:var(--green)}
.lanes .seen .line{stroke:var(--soft);stroke-dasharray:2 3;stroke-width:1.2}
.lanes .seen .head{fill:var(--soft)}
.lanes .late .line{stroke:var(--amber);stroke-dasharray:5 3}
.lanes .late .head{fill:var(--amber)}
.lanes .late:not(.selected){opacity:.4}
.lanes .refused .line{stroke:var(--red);stroke-dasharray:3 3}
.lanes .refused .head{fill:var(--red)}
.lanes .cross{stroke:var(--red);stroke-width:2.4}
.lanes .wrong-mark .line{stroke:var(--red);stroke-width:3}
.lanes .wrong-mark .head,.lanes .wrong-mark circle{fill:var(--red)}
.lanes .selected .line{stroke-width:3}
.legend{display:flex;flex-wrap:wrap;gap:2px 16px;font-size:.75rem;margin-top:6px}
.legend i{display:inline-block;width:24px;border-top:2px solid var(--blue);margin:0 6px 3px 0}
.legend .seen{border-top:2px dotted var(--soft)}
.legend .late{border-top:2px dashed var(--amber)}
.legend .refused{border-top:2px dashed var(--red)}
.legend .wrong{border-top:4px solid var(--red)}
.legend .bar{width:6px;height:13px;border:0;border-radius:3px;background:var(--blue);margin-bottom:-2px}
.step-panel{display:grid;gap:10px;position:sticky;top:56px;max-height:calc(100vh - 70px);overflow:auto;padding:2px}
.step-panel section{margin-top:4px;display:grid;gap:8px}
.step-text{font-size:1rem;font-weight:600;line-height:1.4}
.known{border:1px solid var(--rule);border-radius:10px;background:var(--card)}
.known.stale{border-color:var(--red)}
.known summary{padding:7px 12px;cursor:pointer}
.known summary .chip{margin-left:6px}
.known>:not(summary){margin:0 12px 10px}
.place{display:block;font-size:.75rem}
.known .sides{margin:0;border:0;border-top:1px solid var(--rule);border-radius:0 0 10px 10px}
.sides{width:100%;table-layout:fixed;border-collapse:separate;border-spacing:0;border:1px solid var(--rule);border-radius:10px;overflow:hidden;background:var(--card)}
.sides th,.sides td{text-align:left;vertical-align:top;padding:1px 10px;width:50%}
.sides th{padding:6px 10px;font-weight:600;font-size:.8125rem;border-bottom:1px solid var(--rule)}
.sides th span{font-weight:400;display:block;font-size:.75rem}
.sides td+td,.sides th+th{border-left:1px solid var(--rule)}
.sides code{white-space:pre-wrap;display:block}
.sides .left{background:var(--red-soft);color:var(--red)}
.sides .right{background:var(--green-soft);color:var(--green)}
.sides .none{background:color-mix(in srgb,var(--soft) 6%,var(--card))}
.sides .fold{color:var(--soft);font-size:.75rem}
.sides .absent{color:var(--soft);font-style:italic;padding:8px 10px}
.step-panel .diff-lines{max-height:none}
.known>.diff-lines{border:0;border-top:1px solid var(--rule);border-radius:0 0 10px 10px;margin:0}
.again{border-top:2px solid var(--rule);padding-top:16px}
.coverage{max-width:640px}
.notes{margin-top:16px}
@media (max-width:1100px){.facts,.player-grid{grid-template-columns:minmax(0,1fr)}.timeline{max-height:46vh}.step-panel{position:static;max-height:none}}
`;
