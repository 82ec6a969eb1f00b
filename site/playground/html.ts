/** The parts of the page, each ready to be embedded. */
export interface PageParts {
  readonly policy: string;
  readonly style: string;
  /** The examples, as JSON. */
  readonly examples: string;
  /** The script of the worker, which the page starts. */
  readonly worker: string;
  readonly script: string;
  /** The licenses of the packages that the scripts contain. */
  readonly licenses: string;
}

/** Returns the page. */
export function pageHtml({ examples, licenses, policy, script, style, worker }: PageParts): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="description" content="Write a Kubernetes operator, run it on a cluster in this page, and find its bugs.">
<title>kubeloop playground</title>
<style>${style}</style>
</head>
<body>
<div id="page"><p>The playground needs JavaScript.</p></div>
<script type="application/json" id="examples">${examples}</script>
<script type="text/plain" id="worker">${worker}</script>
<script>${script}</script>
</body>
</html>
<!--
${licenses}
-->
`;
}
