/** The style sheet of the page of a program that runs. */
export const LIVE_STYLE: string = `
body{padding:0 clamp(12px,3vw,40px) 24px;max-width:1400px;margin:auto}
.top{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;gap:8px 24px;padding:20px 0 4px}
.top p{display:flex;flex-wrap:wrap;align-items:center;gap:4px 10px;margin-top:2px}
.connection{display:flex;flex-wrap:wrap;align-items:center;gap:8px 12px}
section{margin-top:26px}
section>h2{margin-bottom:8px}
.section-head{display:flex;flex-wrap:wrap;align-items:center;gap:4px 14px;margin-bottom:8px;min-height:32px}
.filters{display:flex;flex-wrap:wrap;gap:8px;margin-left:auto}
.filters input{width:240px;max-width:100%}
.calm{display:flex;align-items:center;gap:10px;color:var(--green)}
.calm svg{width:20px;height:20px;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.entries{padding:0}
.entries>li{display:grid;grid-template-columns:152px minmax(0,1fr) auto;gap:4px 14px;padding:10px 16px;align-items:baseline}
.entries>li+li{border-top:1px solid var(--rule)}
.entries .chip{justify-self:start}
.entry-body>*{display:block}
.entry-body a{color:var(--ink);font-weight:600;text-decoration:none}
.entry-body a:hover{color:var(--blue);text-decoration:underline}
.entry-since{font-size:.75rem;display:flex;flex-direction:column;align-items:flex-end;max-width:260px}
.row-error{display:block;color:var(--red);font-size:.75rem;font-weight:400;overflow:hidden;text-overflow:ellipsis;display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical}
.when{white-space:nowrap}
.gone{font-weight:400;margin-left:10px}
.more{margin:12px 0 4px}
nav{margin-top:18px}
nav a{text-decoration:none}
nav a:hover{text-decoration:underline}
.key-head{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:flex-start;gap:10px 24px;margin:8px 0 14px}
.key-head p{display:flex;flex-wrap:wrap;gap:4px 10px;align-items:center}
.key-name{font-size:1.25rem;font-weight:650;letter-spacing:0;text-transform:none;color:var(--ink)}
.actions{display:flex;flex-wrap:wrap;gap:8px;align-items:center}
.exports{display:inline-flex;flex-wrap:wrap;align-items:center}
.key-head .action-status{flex-basis:100%;min-height:1.5em;color:var(--green)}
.key-head .action-status.red-text{color:var(--red)}
.notice{background:var(--amber-soft);color:var(--amber);border-color:transparent;margin-bottom:12px}
.key-grid{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,2fr);gap:0 20px;align-items:start}
.key-grid section{margin-top:14px}
footer{margin-top:32px;font-size:.75rem}
footer ul{display:flex;flex-wrap:wrap;gap:4px 18px}
kbd{font:.75rem ui-monospace,monospace;border:1px solid var(--rule);border-bottom-width:2px;border-radius:5px;padding:0 5px;background:var(--card);color:var(--ink)}
@media (max-width:1000px){.key-grid{grid-template-columns:minmax(0,1fr)}}
@media (max-width:640px){.entries>li{grid-template-columns:minmax(0,1fr)}.entry-since{flex-direction:row;flex-wrap:wrap;gap:0 12px}}
@media (max-width:480px){.filters{margin-left:0;width:100%}.filters input{width:100%}}
`;
