/**
 * The site of the documentation, built, and opened in a real browser below a path that it was not built for.
 *
 * @module
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { buildSite, SITE } from "../../site/build.ts";
import { brokenLinks } from "../../site/links.ts";
import { Browser, browserMissing } from "./browser.ts";
import { Page } from "./page.ts";

const PATH = "/some/where/";

const NARROW = 360;
const WIDE = 1280;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  css: "text/css",
  html: "text/html; charset=utf-8",
  js: "text/javascript",
  svg: "image/svg+xml",
  webp: "image/webp",
};

/** Serves the site below {@linkcode PATH}. */
function serveSite(): Deno.HttpServer<Deno.NetAddr> {
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} } as const;
  return Deno.serve(options, async (request) => {
    const path = decodeURIComponent(new URL(request.url).pathname);
    const file = path.replace(PATH, "/").replace(/\/$/, "/index.html");
    const type = CONTENT_TYPES[file.slice(file.lastIndexOf(".") + 1)] ?? "text/plain";
    try {
      const body = await Deno.readFile(`${SITE}${file}`);
      return new Response(body, { headers: { "content-type": type } });
    } catch {
      return new Response(`There is no ${file}`, { status: 404 });
    }
  });
}

async function pagesOfSite(): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(SITE)) {
    if (name.endsWith(".html") && name !== "404.html") names.push(name);
  }
  return names.sort();
}

/** The levels of the headings of a page, without the navigation. */
const HEADINGS =
  `[...document.querySelectorAll("main :is(h1, h2, h3, h4), .VPHome :is(h1, h2, h3)")]
  .map(({ tagName }) => Number(tagName[1]))`;

/** Whether the page is wider than the window. */
const SCROLLS = "document.documentElement.scrollWidth > document.documentElement.clientWidth";

/** Whether the program of a page of VitePress has started; true for all other pages. */
const IS_ALIVE = "document.querySelector('#app')?.__vue_app__ !== undefined || " +
  "document.querySelector('#app') === null";

/** Asserts that a page has one heading of the first level, the first one, and leaves no level out. */
function assertInOrder(levels: readonly number[], page: string): void {
  assertEquals([levels[0], levels.filter((level) => level === 1).length], [1, 1], page);
  for (const [index, level] of levels.entries()) {
    const before = levels[index - 1] ?? 0;
    assert(level <= before + 1, `${page}: a heading of level ${level} follows level ${before}`);
  }
}

Deno.test("the site of the documentation", async (t) => {
  await buildSite();

  await t.step("each link leads to a file of the site, and to an anchor in it", async () => {
    assertEquals(await brokenLinks(SITE), []);
  });

  const missing = await browserMissing();
  if (missing !== undefined) {
    console.log(`the site in a real browser: skipped, ${missing}`);
    return;
  }
  await using server = serveSite();
  const site = `http://127.0.0.1:${server.addr.port}${PATH}`;
  await using browser = await Browser.open("about:blank");
  await using page = await Page.open(browser);
  const show = async (name: string, width: number) => {
    await page.setViewport(width, 800);
    await page.goto(`${site}${name}`);
    await page.until(IS_ALIVE);
  };

  await t.step("each page fits into a narrow window, with its headings in order", async () => {
    // The built pages have all of their text. Starting their programs would double the CPU of this step.
    await page.send("Emulation.setScriptExecutionDisabled", { value: true });
    await page.setViewport(NARROW, 800);
    for (const name of await pagesOfSite()) {
      await page.goto(`${site}${name}`);
      assertEquals(await page.evaluate(SCROLLS), false, `${name} scrolls sideways`);
      assertInOrder(await page.evaluate(HEADINGS), name);
    }
    await page.send("Emulation.setScriptExecutionDisabled", { value: false });
  });

  await t.step("pages of each kind fit into both windows", async () => {
    const names = [
      "index.html",
      "beside.html",
      "api/index.html",
      "api/controller/operator.ts/index.html",
      "api/controller/operator.ts/~/Manager.html",
      "source/examples/simulation/index.html",
      "source/tests/operator/manager/start_test.ts.html",
    ];
    for (const name of names) {
      for (const width of [NARROW, WIDE]) {
        await show(name, width);
        assertEquals(await page.evaluate(SCROLLS), false, `${name} scrolls sideways at ${width}`);
      }
    }
  });

  await t.step("the search finds a section, and opens it", async () => {
    await show("index.html", WIDE);
    await page.press("/");
    await page.until("document.querySelector('.VPLocalSearchBox input') !== null");
    for (const key of "finalizer") await page.press(key);
    await page.until("document.querySelectorAll('.VPLocalSearchBox .result').length > 3");
    await page.press("Enter");
    await page.until("document.querySelector('main h1')?.textContent !== 'kubeloop'");
    const { pathname } = new URL(await page.evaluate("location.href"));
    assertMatch(pathname, /^\/some\/where\/[\w-]+\.html$/);
  });

  await t.step("the search of the reference finds a method, and opens it", async () => {
    await show("api/index.html", WIDE);
    await page.press("s");
    for (const key of "waitFor") await page.press(key);
    await page.until("document.querySelector('#searchResults a') !== null");
    const link = await page.evaluate<string>("document.querySelector('#searchResults a').href");
    const response = await fetch(link);
    assertMatch(await response.text(), /waitFor/);
  });

  await t.step("it is dark if the reader's system is, or if the reader says so", async () => {
    const backgrounds: string[] = [];
    for (const scheme of ["light", "dark"]) {
      await page.setMedia({ "prefers-color-scheme": scheme });
      for (
        const name of ["guide.html", "api/index.html", "source/examples/simulation/index.html"]
      ) {
        await show(name, WIDE);
        assertEquals(
          await page.evaluate("document.documentElement.classList.contains('dark')"),
          scheme === "dark",
          name,
        );
        backgrounds.push(await page.evaluate("getComputedStyle(document.body).backgroundColor"));
      }
    }
    assertEquals(new Set(backgrounds.slice(0, 3)), new Set(["rgb(255, 255, 255)"]));
    assert(backgrounds.slice(3).every((color) => color !== "rgb(255, 255, 255)"), `${backgrounds}`);

    await page.setMedia({ "prefers-color-scheme": "light" });
    await show("guide.html", WIDE);
    await page.evaluate("document.querySelector('.VPSwitchAppearance').click()");
    await show("api/index.html", WIDE);
    await page.until("document.documentElement.classList.contains('dark')");
    await page.evaluate("localStorage.clear()");
  });

  await t.step("the keyboard reaches the content, the search and each door", async () => {
    await show("guide.html", WIDE);
    const reached: string[] = [];
    while (reached.length < 12) {
      await page.press("Tab");
      reached.push(await page.evaluate("document.activeElement.innerText.trim()"));
    }
    assertEquals(reached[0], "Skip to content");
    for (const name of ["Learn", "Do", "Know", "Operate", "API"]) {
      assert(reached.includes(name), `Tab does not reach ${name}: ${reached}`);
    }
  });

  await t.step("a narrow window has the doors in a menu", async () => {
    await show("guide.html", NARROW);
    await page.evaluate("document.querySelector('.VPNavBarHamburger').click()");
    await page.until("document.querySelector('.VPNavScreen')?.innerText.includes('Operate')");
  });

  assertEquals(page.complaints, []);
  assertEquals(page.requests.filter((request) => !request.startsWith(`GET ${site}`)), []);
});
