/**
 * Reports of simulations in a real browser: from a file, and from the process that can run their plans again.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { seeReport } from "@kubeloop/testing/simulation";
import { dropper, scaler, STALE } from "../simulation/_operators.ts";
import { Browser, browserMissing } from "./browser.ts";
import { Page } from "./page.ts";

const STEP = `document.querySelector(".step-panel")`;

/** Keeps a screenshot, if the variable `KUBELOOP_SHOTS` names a folder for them. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = Deno.env.get("KUBELOOP_SHOTS");
  if (folder !== undefined) await Deno.writeFile(`${folder}/${name}.png`, await page.screenshot());
}

Deno.test("reports of simulations in a real browser", async (t) => {
  const missing = await browserMissing();
  if (missing !== undefined) {
    console.log(`reports of simulations in a real browser: skipped, ${missing}`);
    return;
  }
  await using browser = await Browser.open("about:blank");
  const folder = await Deno.makeTempDir();
  try {
    const simulation = scaler();
    const report = await simulation.explore({ plans: [STALE] });
    await Deno.writeTextFile(`${folder}/report.html`, report.toHtml());

    await t.step("a file shows the wrong write, and what the process knew", async () => {
      await using page = await Page.open(browser);
      await page.setViewport(1440, 1000);
      await page.goto(`file://${folder}/report.html`);
      await page.until(`${STEP} !== null`);
      assertStringIncludes(await page.text(), "stale delete");
      const step = await page.evaluate<string>(`${STEP}.innerText`);
      assertStringIncludes(step, "the wrong write");
      assertEquals(
        await page.evaluate(
          `[...document.querySelectorAll(".known .differs")].slice(0, 2).map((td) => td.innerText)`,
        ),
        ["size: 1", "size: 3"],
      );
      await shoot(page, "file");
      for (let i = 0; i < 2; i++) await page.press("ArrowLeft");
      await page.until(`!${STEP}.innerText.includes("the wrong write")`);
      const texts = new Set<string>();
      const rows = await page.evaluate<number>(`document.querySelectorAll(".row button").length`);
      await page.evaluate(`document.querySelector(".row button").click()`);
      for (let i = 0; i < rows; i++) {
        texts.add(
          await page.evaluate<string>(
            `document.querySelector(".controls [role=status]").innerText`,
          ),
        );
        await page.press("ArrowRight");
      }
      assertEquals(texts.size, rows);
      assertStringIncludes(await page.text(), "KUBELOOP_PLAN=");
      await page.setMedia({ "prefers-color-scheme": "dark" });
      await page.evaluate(`document.querySelector(".controls .quiet").click()`);
      await shoot(page, "file_dark");
      await page.setViewport(420, 900);
      const overflow = await page.evaluate<number>(
        `document.documentElement.scrollWidth - document.documentElement.clientWidth`,
      );
      assert(overflow <= 0, `the page is ${overflow} px too wide`);
      await shoot(page, "file_small");
      assertEquals(page.complaints, []);
      assertEquals(page.requests, [`GET file://${folder}/report.html`]);
    });

    await t.step("a fault is switched off, and the plan runs again", async () => {
      await using served = await seeReport(simulation, report);
      await using page = await Page.open(browser);
      await page.setViewport(1440, 1000);
      await page.goto(served.url);
      await page.until(`document.querySelector("[role=switch]") !== null`);
      assert(!(await page.evaluate<string>("location.href")).includes("token"));
      await page.evaluate(`document.querySelector("[role=switch]").click()`);
      await page.until(`document.querySelector(".plan button").disabled === false`);
      await page.evaluate(`document.querySelector(".plan button").click()`);
      await page.until(`document.querySelector(".outcome") !== null`);
      assertStringIncludes(
        await page.evaluate<string>(`document.querySelector(".outcome").innerText`),
        "nothing is wrong",
      );
      await shoot(page, "again");
      assertEquals(page.complaints, []);
      assert(page.requests.every((request) => request.includes(`127.0.0.1:${served.port}/`)));
    });

    await t.step("names from outside are text", async () => {
      const evil = `</script><img src=x onerror="document.title='evil'">`;
      const hostile = await dropper({ name: evil, always: [() => evil] }).explore();
      await Deno.writeTextFile(`${folder}/hostile.html`, hostile.toHtml());
      await using page = await Page.open(browser);
      await page.goto(`file://${folder}/hostile.html`);
      await page.until(`${STEP} !== null`);
      assertEquals(await page.evaluate(`document.querySelectorAll("img").length`), 0);
      assertStringIncludes(await page.text(), evil);
      assertEquals(page.complaints, []);
    });

    await t.step("without scripts, the story is readable", async () => {
      await using page = await Page.open(browser);
      await page.send("Emulation.setScriptExecutionDisabled", { value: true });
      await page.goto(`file://${folder}/report.html`);
      const nodes = await page.axTree();
      assert(nodes.some(({ name }) => name.includes("<== the wrong write")));
      await shoot(page, "no_script");
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
