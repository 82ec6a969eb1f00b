import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { careful, dropper, leaker, scaler } from "./_operators.ts";

/** Returns the elements of a page that were opened and not closed; there must be none. */
function unclosed(page: string): string[] {
  const open: string[] = [];
  const body = page.slice(page.indexOf("<body>")).replace(/<\/html>\s*$/, "");
  for (const [, slash, name = "", rest = ""] of body.matchAll(/<(\/?)([\w]+)([^>]*)>/g)) {
    if (rest.endsWith("/")) continue;
    if (slash === "") open.push(name);
    else assertEquals(open.pop(), name);
  }
  return open;
}

Deno.test("timeline() draws a lane for each process, its lives, and the wrong write", async () => {
  const { findings: [finding] } = await scaler().explore({
    plans: [{
      seed: 1,
      faults: [{
        fault: "stale",
        process: "operator",
        step: 5,
        at: "ADDED widgets.example.com default/w #1",
        forMs: 5000,
      }],
    }],
  });
  const page = finding!.timeline();
  assertEquals(unclosed(page), []);
  for (const lane of ["user, cluster", "API server", "operator"]) {
    assertStringIncludes(page, `title="${lane}">${lane}</span>`);
  }
  assertEquals(page.match(/class="life"/g)?.length, 2);
  assertMatch(
    page,
    /<g class="write marked"><title>92\.00 s operator \(life 2\) deletes configmaps/,
  );
  assertMatch(page, /<g class="late"><title>91\.00 s operator \(life 2\) reads widgets default\/w/);
  assertMatch(page, /class="row fault"/);
  assert(page.length < 200_000);
});

Deno.test("timeline() needs no script and no other file", async () => {
  const page = (await leaker().explore()).timeline();
  assertEquals(unclosed(page), []);
  assert(!/<script|<link|@import|url\(|src=|href=/.test(page));
  assertStringIncludes(page, "default-src 'none'");
  assertStringIncludes(page, "prefers-color-scheme:dark");
  assertStringIncludes(page, ">external world</span>");
});

Deno.test("timeline() escapes what a controller says", async () => {
  const evil = `<img src=x onerror="alert('1')">&`;
  const report = await dropper({ name: evil, always: [() => evil] }).explore();
  const page = report.timeline();
  assert(!page.includes("<img"), page);
  assertStringIncludes(page, "&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;");
  assertEquals(unclosed(page), []);
});

Deno.test("timeline() of a report without findings says so", async () => {
  const report = await careful().explore({ budget: { plans: 2 } });
  assertStringIncludes(report.timeline(), "2 plans");
});
