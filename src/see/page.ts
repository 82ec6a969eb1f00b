import { encodeBase64 } from "../base/mod.ts";
import { DATA_PLACEHOLDER, PAGE_HTML } from "./page_text.ts";

/** The page as it is served. */
export interface ServedPage {
  readonly html: string;
  /** The value of the header `content-security-policy`. */
  readonly policy: string;
}

/**
 * Returns the page with its data, and a policy that permits its own scripts and styles by their hashes, requests to the server
 * of the page, and nothing else.
 *
 * @param data The data, as a JSON value.
 */
export async function servedPage(data: unknown): Promise<ServedPage> {
  // A `<` of the data must not end the element.
  const json = JSON.stringify(data).replaceAll("<", "\\u003c");
  const html = PAGE_HTML.replace(DATA_PLACEHOLDER, () => json);
  const [scripts, styles] = await Promise.all([hashes(html, "script"), hashes(html, "style")]);
  const policy = [
    "default-src 'none'",
    `script-src ${sources(scripts)}`,
    `style-src ${sources(styles)}`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return { html, policy };
}

function sources(hashes: readonly string[]): string {
  return hashes.length === 0 ? "'none'" : hashes.join(" ");
}

/** Returns the sources of the inline elements of a name, as in `'sha256-…'`. */
async function hashes(html: string, name: "script" | "style"): Promise<string[]> {
  const texts: string[] = [];
  let at = html.indexOf(`<${name}`);
  while (at >= 0) {
    const from = html.indexOf(">", at) + 1;
    const to = html.indexOf(`</${name}>`, from);
    if (from === 0 || to < 0) break;
    texts.push(html.slice(from, to));
    at = html.indexOf(`<${name}`, to);
  }
  return await Promise.all(texts.map(async (text) => {
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    return `'sha256-${encodeBase64(new Uint8Array(hash))}'`;
  }));
}
