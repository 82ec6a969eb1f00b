/**
 * The page of a controller at work in a real browser: with the keyboard, for a screen reader, in dark and light, at 200 % zoom
 * and on a narrow screen, with a thousand keys and hostile names.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { FAULTS, FixtureSource, HOSTILE, KEYS } from "../see/page/_fixture_source.ts";
import { faultyManager, MANAGER_FAULTS } from "./_faulty_manager.ts";
import { SeeServer, TOKEN } from "./_see_server.ts";
import { delay } from "../../src/base/mod.ts";
import { Browser, browserMissing } from "./browser.ts";
import { Page } from "./page.ts";
import { assertContrast, assertHeadings, assertNames, assertNoSideScroll } from "./page_checks.ts";

/** Complaints that the test itself causes: it ends the connection, and navigates without a gesture of a person. */
const EXPECTED = /status of 503|NavigationEntryMarkedSkippable/;

/** An expression: the page shows rows of keys. */
const HAS_KEYS = `document.querySelectorAll("tbody tr").length > 5`;

/** An expression: the path and the text of the focused element. */
const FOCUSED = `(document.activeElement.textContent || document.activeElement.tagName)`;

Deno.test("the page of a controller in a real browser", async (t) => {
  const missing = await browserMissing();
  if (missing !== undefined) {
    console.log(`the page of a controller in a real browser: skipped, ${missing}`);
    return;
  }
  const source = new FixtureSource();
  await using server = new SeeServer(source);
  await using browser = await Browser.open("about:blank");
  await using page = await Page.open(browser);
  await page.setViewport(1280, 900);
  await page.setMedia({ "prefers-color-scheme": "light", "prefers-reduced-motion": "reduce" });
  const overview = async () => {
    await page.evaluate(`location.hash = "#/"`);
    await page.until(HAS_KEYS);
  };

  const isOpen = await t.step(
    "the page is one document, and asks for nothing but its data",
    async () => {
      await page.goto(`${server.origin}/?token=${TOKEN}`);
      await page.until(HAS_KEYS);
      const [paint] = await page.evaluate<number[]>(
        `performance.getEntriesByName("first-contentful-paint").map(({ startTime }) => startTime)`,
      );
      console.log(`first paint after ${Math.round(paint!)} ms`);
      assertEquals(
        page.requests.map((one) => one.replace(server.origin, "").replace(/\?.*/, "")).sort(),
        ["GET /", "GET /see/events", "GET /see/keys"],
      );
    },
  );

  // All others would wait for a page that does not come.
  if (!isOpen) return;

  await t.step("the token leaves the URL, and a reload needs no other one", async () => {
    assertEquals(await page.evaluate("location.href"), `${server.origin}/`);
    await page.goto(`${server.origin}/`);
    await page.until(HAS_KEYS);
  });

  await t.step("a screen reader finds landmarks, headings and names", async () => {
    const tree = await page.axTree();
    assertHeadings(tree);
    assertNames(tree);
    const roles = new Set(tree.map(({ role }) => role));
    for (const role of ["banner", "main", "contentinfo", "table", "searchbox", "status"]) {
      assert(roles.has(role), `no ${role}`);
    }
    const texts = tree.map(({ name }) => name).join("\n");
    assertStringIncludes(texts, "Keys in the order of attention");
    assertStringIncludes(texts, "Watches, with their queues and caches");
  });

  await t.step("the numbers move with the state", async () => {
    const rates = `document.querySelector("[data-controller=widgets]").textContent`;
    const before = await page.evaluate(rates);
    for (let count = 0; count < 3; count++) source.advance();
    await page.until(`${rates} !== ${JSON.stringify(before)}`);
    await page.until(`document.querySelectorAll(".spark .line").length > 3`);
  });

  for (const { cause, key, kind, text } of FAULTS) {
    await t.step(`the keyboard leads from the page to the cause: ${kind}`, async () => {
      await overview();
      await page.evaluate("document.activeElement.blur()");
      // A click is Enter on a link that `j` has reached.
      for (let steps = 0; (await page.evaluate<string>(FOCUSED)) !== text; steps++) {
        assert(steps < 10, `${await page.evaluate(FOCUSED)} has the focus`);
        await page.press("j");
      }
      await page.press("Enter");
      await page.until(`document.querySelectorAll("[data-marked]").length > 0`);
      assertEquals(await page.evaluate("document.querySelector('h2').textContent"), key);
      assertStringIncludes(
        await page.evaluate(`document.querySelector("[data-marked]").textContent`),
        cause,
      );
      assert(
        await page.evaluate(`(() => {
          const { bottom, top } = document.querySelector("[data-marked]").getBoundingClientRect();
          return top >= 0 && bottom <= innerHeight;
        })()`),
        "the cause is not in view",
      );
      await page.press("Escape");
      await page.until(HAS_KEYS);
      await page.until(`${FOCUSED} === ${JSON.stringify(text)}`);
    });
  }

  await t.step(
    "a marked cause stays in place until the reader asks for newer reconciles",
    async () => {
      await page.evaluate(`location.hash = "#/key/widgets/default/loop?about=hot_loop"`);
      await page.until(`document.querySelector("[data-marked]") !== null`);
      const first = `document.querySelector(".story time").dateTime`;
      const before = await page.evaluate(first);
      for (let count = 0; count < 2; count++) source.advance();
      await page.until(`document.body.innerText.includes("Show 2 newer reconciles")`);
      assertEquals(await page.evaluate(first), before);
      await page.evaluate(
        `[...document.querySelectorAll("button")].find((one) => one.textContent.startsWith("Show 2")).click()`,
      );
      await page.until(`${first} > ${JSON.stringify(before)}`);
      await page.until(`document.querySelector("[data-marked]") !== null`);
    },
  );

  await t.step("an entry of a watch leads to the watch and its problem", async () => {
    await overview();
    await page.evaluate(`document.querySelector('a[href^="#/watch/"]').click()`);
    await page.until(`document.querySelector("[data-watch][data-marked] .problem") !== null`);
  });

  await t.step("the story of a key has headings, names and its comparison", async () => {
    await page.evaluate(`location.hash = "#/key/widgets/default/broken?about=backoff"`);
    await page.until(`document.querySelectorAll(".story").length === 6`);
    await page.until(`document.querySelector(".diff-line.added") !== null`);
    const tree = await page.axTree();
    assertHeadings(tree);
    assertNames(tree);
    const text = await page.text();
    for (const part of ["32 s backoff", "sent spec.replicas", "422", "replicas: 3", "attempt 6"]) {
      assertStringIncludes(text, part);
    }
  });

  await t.step(
    "a person reconciles, pauses, resumes and exports, and the page confirms it",
    async () => {
      const click = (name: string) =>
        page.evaluate(`[...document.querySelectorAll("button")]
        .find((one) => (one.ariaLabel ?? one.textContent) === ${JSON.stringify(name)}).click()`);
      const confirmed = (text: string) =>
        page.until(
          `document.querySelector(".action-status").textContent === ${JSON.stringify(text)}`,
        );
      await click("Reconcile now");
      await confirmed("default/broken is in the queue.");
      await click("Pause");
      await confirmed("default/broken is paused.");
      await page.until(`document.querySelector(".notice") !== null`);
      await click("Resume");
      await confirmed("default/broken is resumed.");
      await page.until(`document.querySelector(".notice") === null`);
      assertEquals(
        source.acts,
        ["reconcile", "pause", "resume"].map((name) => `${name} widgets default/broken`),
      );
      const folder = await Deno.makeTempDir();
      await page.send("Page.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
      await click("Export as JSON");
      await confirmed("Exported the stories as JSON.");
      // The browser writes the file in its own time, under another name first.
      let names: string[];
      do {
        await delay(10);
        names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
      } while (names.length !== 1 || !names[0]!.endsWith(".json"));
      const { form, stories } = JSON.parse(await Deno.readTextFile(`${folder}/${names[0]}`));
      assertEquals([form, stories.length > 0], ["json", true]);
      await Deno.remove(folder, { recursive: true });
    },
  );

  await t.step("names that are markup are texts", async () => {
    await overview();
    assertStringIncludes(await page.text(), `default/${HOSTILE}`);
    await page.evaluate(
      `[...document.querySelectorAll("tbody a")].find((one) => one.textContent.includes("onerror")).click()`,
    );
    await page.until(`document.querySelectorAll(".story").length > 0`);
    await page.until(`document.querySelector(".diff-line.added") !== null`);
    assertStringIncludes(await page.text(), `written by ${HOSTILE}`);
    assertEquals(await page.evaluate("document.querySelectorAll('img').length"), 0);
    // A mark that turns the writing is shown, and does not act.
    await overview();
    assertStringIncludes(await page.text(), "default/\\u202eevil");
  });

  await t.step(
    "the filter finds one of a thousand keys, and the list grows on demand",
    async () => {
      await overview();
      await page.press("/");
      for (const letter of "web-777") await page.press(letter);
      await page.until(`document.querySelectorAll("tbody tr").length === 1`);
      // The first one leads to the key, the second one opens it.
      await page.press("Enter");
      await page.press("Enter");
      await page.until(`document.querySelector("h2").textContent.endsWith("/web-777")`);
      await overview();
      for (let shown = 100; shown < KEYS; shown += 100) {
        await page.until(`document.querySelectorAll("tbody tr").length === ${shown}`);
        await page.evaluate(`document.querySelector(".more").click()`);
      }
      await page.until(`document.querySelectorAll("tbody tr").length === ${KEYS}`);
      source.advance();
      await page.until(`document.querySelector(".more") === null`);
    },
  );

  await t.step("the page says that the connection is lost, and finds it again", async () => {
    await overview();
    server.isDown = true;
    server.drop();
    await page.until(`document.body.innerText.includes("connection lost, trying again")`);
    server.isDown = false;
    await page.until(`document.querySelector(".connection").innerText.includes("live")`);
  });

  await t.step("a paused page asks for nothing", async () => {
    await page.evaluate(`document.querySelector(".connection button").click()`);
    await page.until(`document.querySelector(".connection").innerText.startsWith("paused")`);
    const count = page.requests.length;
    source.advance();
    assertEquals(page.requests.length, count);
    await page.evaluate(`document.querySelector(".connection button").click()`);
    await page.until(`document.querySelector(".connection").innerText.startsWith("live")`);
  });

  await t.step("all texts are readable in light and dark", async () => {
    for (const scheme of ["light", "dark"]) {
      await page.setMedia({ "prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce" });
      await overview();
      await assertContrast(page, `overview, ${scheme}`);
      for (const { key, kind } of FAULTS) {
        await page.evaluate(`location.hash = "#/key/widgets/${key}?about=${kind}"`);
        await page.until(`document.querySelector("[data-marked]") !== null`);
        await page.until(`document.querySelector(".diff-line") !== null`);
        await assertContrast(page, `${key}, ${scheme}`);
      }
    }
  });

  await t.step(
    "the page does not scroll sidewards on a narrow screen, nor at 200 % zoom",
    async () => {
      // Zoom halves the size in CSS pixels.
      for (
        const [width, height, scale] of [[360, 740, 1], [640, 450, 2], [1280, 900, 1]] as const
      ) {
        await page.setViewport(width, height, scale);
        await overview();
        await assertNoSideScroll(page, `overview, ${width} px`);
        await page.evaluate(`location.hash = "#/key/widgets/default/broken?about=backoff"`);
        await page.until(`document.querySelector(".diff-line.added") !== null`);
        await assertNoSideScroll(page, `story, ${width} px`);
      }
    },
  );

  await t.step("nothing moves for a person who wants no motion", async () => {
    await overview();
    assertEquals(await page.evaluate("document.getAnimations().length"), 0);
    await page.setMedia({ "prefers-reduced-motion": "no-preference" });
    await page.until("document.getAnimations().length > 0");
  });

  await t.step(
    "one click leads from the page of a manager to the cause of each seeded fault",
    async () => {
      const { manager, world } = await faultyManager();
      await using _world = world;
      const { url } = await manager.see();
      await using own = await Page.open(browser);
      await own.goto(url);
      // The states of the manager come while its clock runs.
      const until = async (expression: string) => {
        for (let passes = 0; !await own.evaluate(expression); passes++) {
          assert(passes < 200, `${expression}\n${await own.text()}`);
          await world.pass(100);
        }
      };
      for (const [kind, [name, cause]] of Object.entries(MANAGER_FAULTS)) {
        const entry =
          `document.querySelector('a[href="#/key/widget/default/${name}?about=${kind}"]')`;
        await own.evaluate(`location.hash = "#/"`);
        await until(`${entry} !== null`);
        await own.evaluate(`${entry}.click()`);
        await until(`document.querySelector("[data-marked]") !== null`);
        assertStringIncludes(
          await own.evaluate<string>(
            `document.querySelector("[data-marked]").innerText.replace(/\\s+/g, " ")`,
          ),
          cause,
        );
        await until(`document.querySelector(".diff-line") !== null`);
      }
      assertEquals(
        [...new Set(own.requests.map((one) => new URL(one.split(" ")[1]!).origin))],
        [new URL(url).origin],
      );
      assertEquals(own.complaints.filter(({ text }) => !EXPECTED.test(text)), []);
      // A page that is loaded again has no token in its URL.
      await own.goto(new URL("/", url).href);
      await until(`document.querySelector("[data-watch]") !== null`);
    },
  );

  await t.step("a page without the token says so, and tries no longer", async () => {
    await using other = await Page.open(browser);
    await other.goto(`${server.origin}/?token=another`);
    await other.until(`document.querySelector(".connection").innerText.includes("refused")`);
    assertStringIncludes(await other.text(), "The token is missing or wrong.");
    assertEquals(other.requests.filter((one) => one.includes("/see/")).length, 1);
  });

  await t.step("no request went elsewhere, and the browser has no complaint", () => {
    for (const one of page.requests) assertStringIncludes(one, `${server.origin}/`);
    for (const one of page.requests) {
      assert(!one.slice(0, -1).includes(TOKEN) || one.endsWith(TOKEN));
    }
    assertEquals(page.complaints.filter(({ text }) => !EXPECTED.test(text)), []);
  });
});
