/**
 * The page of a cluster in a real browser: from what needs attention to the writes that are the cause.
 *
 * @module
 */

import { ApiServer } from "@kubeloop/testing";
import { seeCluster } from "@kubeloop/testing/see";
import { silentLogger } from "@kubeloop/controller/base";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { Browser, browserMissing } from "./browser.ts";
import { Page } from "./page.ts";

const HOSTILE = "<img src=x onerror=document.title=1>";
const PATH = "http://cluster/api/v1/namespaces/default/configmaps";

const missing = await browserMissing();

Deno.test({
  name: "the page of a cluster leads from a field that two clients overwrite to their writes",
  ignore: missing !== undefined,
  fn: async () => {
    await using server = new ApiServer({ logger: silentLogger });
    await using served = await seeCluster(server, { title: "a cluster" });
    const send = async (method: string, path: string, agent: string, body: unknown) => {
      const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
      const headers = { "content-type": type, "user-agent": agent };
      const response = await server.fetch(path, { method, headers, body: JSON.stringify(body) });
      await response.body?.cancel();
    };
    await send("POST", PATH, "kubectl/v1", { metadata: { name: "web" }, data: { size: "1" } });
    for (
      const [size, agent] of [["2", "scaler"], ["1", HOSTILE], ["2", "scaler"], ["1", HOSTILE]]
    ) {
      await send("PATCH", `${PATH}/web`, agent!, { data: { size } });
    }

    await using browser = await Browser.open("about:blank");
    await using page = await Page.open(browser);
    await page.goto(served.url);
    await page.until(`document.querySelector(".attention a") !== null`);
    const text = await page.evaluate<string>("document.body.innerText");
    assertStringIncludes(
      text,
      "data.size of configmaps default/web was written 4 times, in turns by",
    );
    assertStringIncludes(text, HOSTILE);
    assertStringIncludes(text, "written by any client");
    await page.evaluate(`document.querySelector(".attention a").focus()`);
    await page.press("Enter");
    await page.until(`document.querySelector("[data-marked]") !== null`);
    const marked = await page.evaluate<string>(
      `document.querySelector("[data-marked]").innerText.replace(/\\s+/g, " ")`,
    );
    assertStringIncludes(marked, `data.size written by ${HOSTILE}`);
    assertEquals(await page.evaluate("document.querySelectorAll('main img').length"), 0);
    assertEquals(page.complaints, []);
  },
});
