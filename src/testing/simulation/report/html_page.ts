import { PALETTE } from "@kubeloop/controller/internal/see";
import { escapeHtml } from "./escape_html.ts";

/** The content of a page. */
export interface PageContent {
  readonly title: string;
  /** The texts below the title. */
  readonly paragraphs: readonly string[];
  /** The sections, as HTML. */
  readonly sections: readonly string[];
  /** The style sheet of the sections. */
  readonly style: string;
}

/** Returns a page without scripts and without references to other files. */
export function htmlPage({ paragraphs, sections, style, title }: PageContent): string {
  const texts = paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${STYLE}${style}</style>
</head>
<body>
<header><h1>${escapeHtml(title)}</h1>${texts.join("")}</header>
${sections.join("\n")}
</body>
</html>
`;
}

const STYLE = `
${PALETTE}
*{box-sizing:border-box;margin:0}
body{background:var(--page);color:var(--ink);font:14px/1.45 system-ui,sans-serif;padding:32px;max-width:1500px;margin:auto}
h1{font-size:22px;font-weight:650}
header p{color:var(--soft)}
h2{font-size:12px;font-weight:600;letter-spacing:.06em;text-transform:uppercase;color:var(--soft);margin:0 0 6px}
section{background:var(--card);border:1px solid var(--rule);border-radius:12px;padding:24px;margin:20px 0}`;
