/**
 * Shows the Pods of a cluster in a web page, and follows their changes. The API is that of `kubectl proxy`, which also
 * serves the page, so that the page needs no credentials:
 *
 * ```sh
 * npm install @kubeloop/controller esbuild
 * npx esbuild pods.js --bundle --minify --format=esm --outfile=bundle.js
 * kubectl proxy --www=. --www-prefix=/static/
 * ```
 *
 * Then open http://127.0.0.1:8001/static/.
 */

import { Client } from "@kubeloop/controller/client";
import { Pods } from "@kubeloop/controller/types/core/v1";

const RETRY_AFTER_MS = 1000;

const client = new Client({ server: location.origin });
const phases = new Map();

/** Shows one line for each Pod. */
function show() {
  const lines = [...phases].sort().map(([key, phase]) => {
    const line = document.createElement("li");
    line.textContent = `${key} ${phase}`;
    return line;
  });
  document.querySelector("#pods").replaceChildren(...lines);
}

/** Keeps the phase of a Pod. */
function keep({ metadata: { namespace, name }, status }) {
  phases.set(`${namespace}/${name}`, status?.phase ?? "");
}

/** Lists all Pods, and watches them until the server ends the watch. */
async function follow() {
  const { items, metadata: { resourceVersion } } = await client.list(Pods);
  phases.clear();
  for (const pod of items) keep(pod);
  show();
  for await (const { type, object } of await client.watch(Pods, { resourceVersion })) {
    if (type === "DELETED") phases.delete(`${object.metadata.namespace}/${object.metadata.name}`);
    else if (type !== "BOOKMARK") keep(object);
    show();
  }
}

while (true) {
  try {
    await follow();
    document.querySelector("#problem").textContent = "";
  } catch (error) {
    document.querySelector("#problem").textContent = error.message;
  }
  await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
}
