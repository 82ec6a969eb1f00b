/** The page that is published, and whether it is that of the sources. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fileURLToPath } from "node:url";
import { servedPage } from "../../../src/see/page.ts";
import { DATA_PLACEHOLDER, PAGE_HTML } from "../../../src/see/page_text.ts";
import { gzipBytes, pageSources, sha256, sourcesOf } from "../../package/_page_text.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** The maximum size of the page with gzip, in bytes. */
const MAX_BYTES = 60 * 1_024;

Deno.test("PAGE_HTML is made of the current sources", async () => {
  const { hash, paths } = sourcesOf(await Deno.readTextFile(`${ROOT}src/see/page_text.ts`));
  const now = await pageSources(ROOT, paths);
  assert(
    now.hash === hash,
    "src/see/page_text.ts is older than its sources: run `deno task page`, and commit the file",
  );
});

Deno.test("PAGE_HTML is small", async () => {
  const size = await gzipBytes(new TextEncoder().encode(PAGE_HTML));
  assert(size <= MAX_BYTES, `${size} bytes`);
});

Deno.test("PAGE_HTML has a policy that allows its script and its style, and nothing of elsewhere", async () => {
  const part = (name: string) => PAGE_HTML.split(`<${name}>`)[1]!.split(`</${name}>`)[0]!;
  const [policy] = /default-src[^"]*/.exec(PAGE_HTML)!;
  assertStringIncludes(policy, `script-src 'sha256-${await sha256(part("script"))}';`);
  assertStringIncludes(policy, `style-src 'sha256-${await sha256(part("style"))}';`);
  assertStringIncludes(policy, "default-src 'none'");
  assert(!/unsafe|\*|https?:/.test(policy), policy);
  // The header that goes with the page allows the same.
  const { policy: served } = await servedPage({ mode: "live" });
  for (const name of ["script", "style"]) {
    assertStringIncludes(served, `'sha256-${await sha256(part(name))}'`);
  }
});

Deno.test("PAGE_HTML has the license of Preact, and refers to no other file", () => {
  assertStringIncludes(PAGE_HTML, "The MIT License (MIT)");
  assertEquals(
    PAGE_HTML.match(/<(?:script|link|img|iframe)[^>]*(?:src|href)="(?!data:)[^"]*"/g),
    null,
  );
  assertEquals(PAGE_HTML.match(/@import|@font-face|\beval\(|new Function/g), null);
});

Deno.test("servedPage() embeds data that cannot end its element", async () => {
  assertEquals(PAGE_HTML.split(DATA_PLACEHOLDER).length, 2);
  const data = { mode: "report", text: "</script><script>alert(1)</script>$&$1<!--" };
  const { html } = await servedPage(data);
  assertEquals(html.split("<script").length, PAGE_HTML.split("<script").length);
  const json = html.split('id="data">')[1]!.split("</script>")[0]!;
  assertEquals(JSON.parse(json), data);
});
