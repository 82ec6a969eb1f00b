/** The parts of the build of the site that need no npm: links in pages, paths in the output, links of the output. */

import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { brokenLinks } from "../../site/links.ts";
import { BASE, relocated } from "../../site/relocate.ts";
import { linksRewritten, pageNames, partsOfReadme } from "../../site/stage.ts";

const options = {
  names: pageNames(["guide.md"]),
  copyOf: (path: string) => path.startsWith("tests/") ? `source/${path}.html` : undefined,
};
const rewritten = (text: string) => linksRewritten("docs/a.md", text, options);

Deno.test("linksRewritten() links to pages of the site and to copies of sources, and leaves code and URLs", () => {
  assertEquals(rewritten("[a](guide.md#run) [b](#here)"), "[a](./guide.md#run) [b](#here)");
  assertEquals(rewritten("![a](../docs/b.svg)"), "![a](./b.svg)");
  assertEquals(rewritten("[a](../SECURITY.md)"), "[a](./security.md)");
  assertEquals(rewritten("[a](../README.md#examples)"), "[a](./examples.md)");
  assertEquals(
    rewritten("[`a`](../tests/a_test.ts#L3)"),
    '[`a`](./source/tests/a_test.ts.html#L3){target="_self"}',
  );
  for (const text of ["`[a](nowhere.md)`", "```\n[a](nowhere.md)\n```", "[a](https://b.c/d.md)"]) {
    assertEquals(rewritten(text), text);
  }
});

Deno.test("linksRewritten() refuses a link to a file that does not exist", () => {
  assertThrows(
    () => rewritten("[a](nowhere.md)"),
    Error,
    "docs/a.md links to nowhere.md: there is no docs/nowhere.md in the repository",
  );
});

Deno.test("relocated() replaces the path of the build by relative ones in pages, styles and programs", () => {
  const page = `<a href="${BASE}a.html"><script>d("{\\"base\\":\\"${BASE}\\"}")</script>`;
  const moved = relocated("guide.html", page);
  assertStringIncludes(moved, 'href="./a.html"');
  assertStringIncludes(moved, '\\"base\\":\\""+new URL(".",location.href).pathname+"\\"');
  assertEquals(relocated("assets/a.css", `url(${BASE}assets/b.svg)`), "url(../assets/b.svg)");
  const program = relocated("assets/chunks/a.js", `const a="${BASE}assets/b.svg";`);
  assertStringIncludes(program, 'new URL("../../",import.meta.url)');
  assertStringIncludes(program, '+"assets/b.svg"');
  assertThrows(() => relocated("a.html", `<p>${BASE}</p>`), Error, "a.html still has the path");
});

Deno.test("partsOfReadme() takes the parts of the site from the README, and says if they are gone", async () => {
  const readme = await Deno.readTextFile(new URL("../../README.md", import.meta.url));
  const { create, examples, home, more, what } = partsOfReadme(readme);
  assertEquals(create, ["npm create kubeloop", "deno run -A jsr:@kubeloop/create"]);
  assert(what.endsWith(".") && more.startsWith("kubeloop has"), what);
  assertStringIncludes(home, "simulation<Volumes>");
  assertStringIncludes(examples, "pod_controller.ts");
  assertThrows(() => partsOfReadme("# Other"), Error, "README.md has no first paragraph");
});

Deno.test("brokenLinks() finds missing files and anchors, paths of this machine, and files of other hosts", async () => {
  const site = await Deno.makeTempDir({ prefix: "kubeloop-site-" });
  const pages = {
    "a.html":
      `<h1 id="top"></h1><a href="b/c.html#one"></a><a href="b/"></a><a href="https://d.e"></a>` +
      `<!-- <a href="x.html"> --><script>"<a href='y.html'>"</script><a href="#top"></a>`,
    "b/c.html":
      `<i id="one"></i><a href="../a.html#gone"></a><a href="d.html"></a><img src="/e.svg">` +
      `<a href="file:///home/me/f.ts"></a><script src="https://d.e/f.js"></script>` +
      `<link rel="stylesheet" href="//d.e/g.css">`,
    "b/index.html": "",
  };
  try {
    await Deno.mkdir(`${site}/b`);
    for (const [name, html] of Object.entries(pages)) {
      await Deno.writeTextFile(`${site}/${name}`, html);
    }
    assertEquals((await brokenLinks(site)).sort(), [
      "b/c.html: ../a.html#gone: a.html has no such anchor",
      "b/c.html: //d.e/g.css: is loaded from another host",
      "b/c.html: /e.svg: there is no such file",
      "b/c.html: d.html: there is no such file",
      "b/c.html: file:///home/me/f.ts: there is no such file",
      "b/c.html: https://d.e/f.js: is loaded from another host",
    ]);
  } finally {
    await Deno.remove(site, { recursive: true });
  }
});

Deno.test("every page links to files that exist", async () => {
  const root = new URL("../../", import.meta.url);
  const pages = ["README.md", "SECURITY.md", "CHANGELOG.md", "CONTRIBUTING.md"];
  pages.push("examples/deploy/README.md", "tests/failure_day/README.md");
  for (const name of ["create", "kubectl", "testing"]) pages.push(`src/${name}/README.md`);
  for await (const { name } of Deno.readDir(new URL("docs/", root))) {
    if (name.endsWith(".md")) pages.push(`docs/${name}`);
  }
  const copyOf = (path: string) => {
    try {
      Deno.statSync(new URL(path, root));
      return path;
    } catch {
      return undefined;
    }
  };
  for (const page of pages) {
    linksRewritten(page, await Deno.readTextFile(new URL(page, root)), { ...options, copyOf });
  }
});
