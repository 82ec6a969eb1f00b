import { STYLE } from "../../../src/see/page/kit/mod.ts";
import { REPORT_STYLE } from "../../../src/see/page/report/style.ts";

/** The style sheet of the page. */
export const PAGE_STYLE: string = `${STYLE}${REPORT_STYLE}
:root{--code-keyword:#8250b8;--code-type:#0e6b77}
@media (prefers-color-scheme:dark){:root{--code-keyword:#c79bff;--code-type:#5cc8d6}}
html,body{height:100%}
#page{display:flex;flex-direction:column;min-height:100%;height:100%}
.grow{flex:1}
.bar{display:flex;flex-wrap:wrap;align-items:center;gap:8px 12px;padding:10px 16px}
.bar h1{font-size:1.0625rem;margin-right:8px}
.bar h1 .soft{font-weight:400}
button.primary{background:var(--blue);border-color:var(--blue);color:var(--card)}
button.primary:hover{filter:brightness(1.08)}
.panes{flex:1;min-height:0;display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:12px;padding:0 16px 16px}
.column{display:flex;flex-direction:column;gap:12px;min-height:0;min-width:0}
.pane{background:var(--card);border:1px solid var(--rule);border-radius:12px;min-height:0;overflow:hidden;display:flex;flex-direction:column}
.pane:focus-within{border-color:color-mix(in srgb,var(--blue) 45%,var(--rule))}
.program{flex:1 1 68%}
.yaml{flex:1 1 22%;min-height:120px}
.pane-head{display:flex;align-items:center;gap:8px;padding:6px 8px 6px 14px;color:var(--soft);font-size:.8125rem}
.yaml textarea{flex:1;resize:none;border:0;background:none;color:inherit;padding:2px 14px 10px;font:.8125rem/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.editor{flex:1;min-height:0;overflow:hidden}
.editor .cm-editor{height:100%;background:none;color:var(--ink);font-size:.8125rem}
.editor .cm-editor.cm-focused{outline:none}
.editor .cm-scroller{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;line-height:1.55}
.editor .cm-content{padding:10px 0;caret-color:var(--ink)}
.editor .cm-cursor{border-left-color:var(--ink)}
.editor .cm-gutters{background:none;border:0;color:var(--soft)}
.editor .cm-selectionBackground,.editor .cm-editor.cm-focused .cm-selectionBackground{background:var(--blue-soft)!important}
.editor .cm-matchingBracket{background:var(--blue-soft)!important;outline:1px solid var(--blue)}
.line-marked.red{background:var(--red-soft)}
.line-marked.amber{background:var(--amber-soft)}
.line-remark{font:.8125rem/1.45 system-ui,sans-serif;font-weight:550;padding:5px 12px 6px 18px}
.line-remark.red{background:var(--red-soft);color:var(--red);box-shadow:inset 3px 0 0 var(--red)}
.line-remark.amber{background:var(--amber-soft);color:var(--amber);box-shadow:inset 3px 0 0 var(--amber)}
.notice{font-size:.8125rem;color:var(--soft)}
.notice:empty{display:none}
.notice.problem{margin:0}
.tabs{flex:1}
.tab-list{display:flex;flex-wrap:wrap;gap:2px;padding:6px 8px 0;border-bottom:1px solid var(--rule)}
.tab-list button{border:0;border-bottom:2px solid transparent;border-radius:8px 8px 0 0;background:none;color:var(--soft);margin-bottom:-1px}
.tab-list button[aria-selected=true]{color:var(--ink);border-bottom-color:var(--blue)}
.badge{margin-left:6px;font-size:.6875rem;padding:0 7px;border-radius:20px;background:color-mix(in srgb,var(--soft) 12%,var(--card))}
.badge.red{background:var(--red-soft);color:var(--red)}
.tab-panel{flex:1;min-height:0;overflow:auto;padding:12px 16px}
.tab-panel:focus-visible{outline-offset:-3px}
.versions{max-height:8.5rem;overflow:auto;padding:2px}
.kinds,.versions{display:flex;flex-wrap:wrap;gap:6px;align-items:center;margin-bottom:12px}
.kinds button,.versions button{min-height:28px;padding:2px 10px;font-size:.8125rem;font-weight:500}
.count{color:var(--soft)}
.check{font-size:.8125rem;color:var(--soft);display:inline-flex;align-items:center;gap:6px;margin-left:4px}
.check input{min-height:0}
.table-scroll{overflow-x:auto;margin-bottom:16px}
.table-scroll .table{white-space:nowrap}
.table button.quiet{padding:0 2px;margin:0 -3px;min-height:0;line-height:inherit}
.command{font:.8125rem ui-monospace,monospace;color:var(--soft);margin-bottom:4px}
.details{margin-top:18px;padding-top:12px;border-top:1px solid var(--rule)}
.details-head{display:flex;align-items:center;gap:8px;margin-bottom:8px}
.summary{display:flex;flex-wrap:wrap;align-items:center;gap:8px;color:var(--soft);margin-bottom:8px}
.title{font-size:1.0625rem;line-height:1.4;margin-bottom:6px}
.green-text{color:var(--green)}
.hint{background:var(--blue-soft);border-radius:10px;padding:12px 14px;margin:14px 0;display:grid;gap:10px;justify-items:start}
.finding .verdict:first-child{display:none}
.finding .facts,.finding .player-grid{grid-template-columns:minmax(0,1fr)}
.finding .controls{position:static;background:none}
.finding .step-panel{position:static;max-height:none}
.output{font:.8125rem/1.55 ui-monospace,monospace}
.output .warn b{color:var(--amber)}
.output .error b{color:var(--red)}
.spinner{width:12px;height:12px;border-radius:50%;border:2px solid var(--rule);border-top-color:var(--blue);animation:spin .8s linear infinite}
@keyframes spin{to{transform:rotate(1turn)}}
.empty p+p{margin-top:12px}
@media (max-width:860px){
html,body,#page{height:auto}
.panes{grid-template-columns:minmax(0,1fr)}
.program{flex:none;height:min(26rem,70vh)}
.tabs{min-height:20rem}
}
`;
