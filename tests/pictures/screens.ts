/**
 * Takes the screenshots of the documentation in a real browser: `deno task screens`. They show a manager that has run into five
 * faults, and the report of a simulation.
 *
 * @module
 */

import { Browser, browserMissing } from "../foreign/browser.ts";
import { faultyManager } from "../foreign/_faulty_manager.ts";
import { Page } from "../foreign/page.ts";
import { scaler, STALE } from "../simulation/_operators.ts";

const DOCS = new URL("../../docs/", import.meta.url);

/** Writes a picture of the page, as a window of this size shows it. */
async function shoot(page: Page, file: string): Promise<void> {
  const { data } = await page.send("Page.captureScreenshot", { format: "webp", quality: 80 });
  const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
  await Deno.writeFile(new URL(file, DOCS), bytes);
  console.log(`docs/${file}: ${bytes.length} bytes`);
}

async function open(browser: Browser, url: string, height: number): Promise<Page> {
  const page = await Page.open(browser);
  await page.setViewport(1200, height, 1.25);
  await page.setMedia({ "prefers-color-scheme": "light", "prefers-reduced-motion": "reduce" });
  await page.send("Emulation.setScrollbarsHidden", { hidden: true });
  await page.goto(url);
  return page;
}

async function main(): Promise<void> {
  const missing = await browserMissing();
  if (missing !== undefined) throw new Error(`No screenshots: ${missing}`);
  await using browser = await Browser.open("about:blank");
  {
    const { manager, world } = await faultyManager();
    await using _world = world;
    const { url } = await manager.see();
    await using page = await open(browser, url, 860);
    // The states of the manager come while its clock runs.
    for (let passes = 0; passes < 60; passes++) await world.pass(100);
    await page.until(`document.querySelectorAll("tbody tr").length > 3`);
    await shoot(page, "see.webp");
  }
  const report = await scaler().explore({ plans: [STALE] });
  const file = await Deno.makeTempFile({ suffix: ".html" });
  await Deno.writeTextFile(file, report.toHtml());
  await using page = await open(browser, `file://${file}`, 1000);
  await page.until(`document.querySelector(".step-panel") !== null`);
  await shoot(page, "report.webp");
  await Deno.remove(file);
}

await main();
