/**
 * The playground in a real browser: its first minute, its links, the keyboard, dark and light, 200 % zoom, and programs that
 * mean harm.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ROOT, run } from "../package/_tools.ts";
import { Browser, browserMissing } from "./browser.ts";
import { Page } from "./page.ts";
import { assertContrast, assertHeadings, assertNames, assertNoSideScroll } from "./page_checks.ts";

/** An expression: the button with this name, which is pressed. */
const press = (name: string) =>
  `[...document.querySelectorAll("button")].find((one) => one.textContent.startsWith(${
    JSON.stringify(name)
  })).click()`;
const NOTICE = `document.querySelector(".notice").textContent`;
const HAS_TEXT = (text: string) => `document.body.innerText.includes(${JSON.stringify(text)})`;

/** Serves the page below a path, as a host of static files does. */
class Host implements AsyncDisposable {
  readonly requests: string[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(page: Uint8Array<ArrayBuffer>) {
    this.#server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
      this.requests.push(new URL(request.url).pathname);
      return new Response(page, { headers: { "content-type": "text/html" } });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/docs/play/`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/** Keeps a screenshot, if the variable `KUBELOOP_SHOTS` names a folder for them. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = Deno.env.get("KUBELOOP_SHOTS");
  if (folder !== undefined) await Deno.writeFile(`${folder}/${name}.png`, await page.screenshot());
}

/** Replaces the program, as a link does, and waits until it is shown. */
async function open(page: Page, program: string, yaml = ""): Promise<void> {
  await page.evaluate(`(async () => {
    const json = new Blob([${JSON.stringify(JSON.stringify([program, yaml]))}]);
    const packed = json.stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
    const text = btoa(String.fromCharCode(...bytes));
    location.hash = "#program=" + text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  })()`);
  await page.until(`${NOTICE}.includes("of the link") && ${HAS_TEXT("operator")}`);
}

Deno.test("the playground in a real browser", async (t) => {
  const missing = await browserMissing();
  if (missing !== undefined) {
    console.log(`the playground in a real browser: skipped, ${missing}`);
    return;
  }
  const flags = ["--allow-read", "--allow-write", "--allow-env", "--allow-run", "--quiet"];
  const built = await run([
    Deno.execPath(),
    "run",
    "--no-check",
    ...flags,
    `${ROOT}site/playground/build.ts`,
  ]);
  console.log(built.trim());
  await using host = new Host(await Deno.readFile(`${ROOT}dist/playground/index.html`));
  await using browser = await Browser.open("about:blank");
  await using page = await Page.open(browser);
  await page.setViewport(1360, 860);
  await page.setMedia({ "prefers-color-scheme": "light", "prefers-reduced-motion": "reduce" });

  await t.step("the first program runs, and its objects appear", async () => {
    await page.goto(host.url);
    await page.until(HAS_TEXT("Can you see the bug?"));
    await page.evaluate(press("Run"));
    await page.until(`[...document.querySelectorAll("td")].filter((one) =>
      one.textContent === "Running").length === 2`);
    const text = await page.text();
    for (const kind of ["widgets", "deployments", "replicasets", "pods"]) {
      assertStringIncludes(text, `kubectl get ${kind}`);
    }
    await shoot(page, "play-objects");
    await page.evaluate(press("shop-"));
    await page.until(`document.querySelectorAll(".versions button").length > 1`);
    assertStringIncludes(await page.text(), "created by operator");
    await page.evaluate(press("Reconciles"));
    await page.until(HAS_TEXT("widgets.demo.dev default/shop was"));
  });

  await t.step("the simulation finds its bug, and marks the line", async () => {
    await page.evaluate(press("Find a bug"));
    await page.until(`document.querySelector(".verdict") !== null`);
    assertStringIncludes(await page.text(), "two Deployments for one Widget");
    const line = await page.evaluate(`document.querySelector(".line-marked").textContent`);
    assertStringIncludes(String(line), "client.create(Deployments, {");
    await shoot(page, "play-bug");
    for (const scheme of ["light", "dark"]) {
      await page.setMedia({ "prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce" });
      await assertContrast(page, scheme);
      await shoot(page, `play-${scheme}`);
    }
    const tree = await page.axTree();
    assertHeadings(tree);
    assertNames(tree);
  });

  await t.step("the plan runs again without its fault, and nothing is wrong", async () => {
    await page.evaluate(`document.querySelector("[role=switch]").click()`);
    await page.until(HAS_TEXT("Run again without 1 fault"));
    await page.evaluate(press("Run again without 1 fault"));
    await page.until(HAS_TEXT("nothing is wrong"));
  });

  await t.step("the repaired program has no bug", async () => {
    await page.setMedia({ "prefers-color-scheme": "light", "prefers-reduced-motion": "reduce" });
    await page.evaluate(press("Show the repair"));
    await page.until(HAS_TEXT("The program is repaired"));
    await page.evaluate(press("Find a bug"));
    await page.until(`${HAS_TEXT("tried …")} || ${HAS_TEXT("No bug in")}`);
    await page.evaluate(press("Stop the simulation"));
    await page.until(HAS_TEXT("Find a bug"));
  });

  await t.step("an object is applied, changed, compared and deleted", async () => {
    await page.evaluate(press("Objects"));
    await page.evaluate(`(() => {
      const field = document.getElementById("yaml");
      field.value = "apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: c}\\ndata: {mode: fast}";
      field.dispatchEvent(new Event("input", { bubbles: true }));
    })()`);
    await page.evaluate(press("Apply"));
    await page.until(`${NOTICE} === "configmap/c applied"`);
    await page.evaluate(`(() => {
      const field = document.getElementById("yaml");
      field.value = field.value.replace("fast", "safe");
      field.dispatchEvent(new Event("input", { bubbles: true }));
    })()`);
    await page.evaluate(press("Apply"));
    await page.until(HAS_TEXT("kubectl get configmaps"));
    await page.evaluate(
      `[...document.querySelectorAll(".table button")].find((one) => one.textContent === "c").click()`,
    );
    await page.until(`document.querySelectorAll(".versions button").length === 2`);
    const changed = await page.evaluate<string[]>(
      `[...document.querySelectorAll(".diff-line.removed, .diff-line.added")].map((one) => one.innerText)`,
    );
    assertEquals(changed.filter((line) => line.includes("mode:")).length, 2, changed.join());
    await page.evaluate(press("Delete"));
    await page.until(HAS_TEXT("deleted by kubectl"));
    await page.evaluate(press("Stop"));
  });

  await t.step("a link holds the program and its objects", async () => {
    await page.evaluate(`document.querySelector(".cm-content").focus()`);
    await page.send("Input.insertText", { text: "// ü 🚀 mine\n" });
    await page.evaluate(press("Copy link"));
    await page.until(`${NOTICE}.includes("link is")`);
    const link = await page.evaluate<string>("location.href");
    assert(link.startsWith(`${host.url}#program=`), link);
    await page.goto("about:blank");
    await page.goto(link);
    await page.until(HAS_TEXT("// ü 🚀 mine"));
    assertStringIncludes(await page.evaluate(`document.getElementById("yaml").value`), "safe");
    assertStringIncludes(await page.text(), "It runs when you press Run");
    await page.evaluate(`location.hash = "#program=notalink"`);
    await page.until(`${NOTICE}.includes("The link does not hold a program")`);
    await page.evaluate(`location.hash = "#example=tickets"`);
    await page.until(HAS_TEXT("Gives each Ticket the next number"));
  });

  await t.step("an error is shown at its line", async () => {
    const marked = `document.querySelector(".line-marked")?.textContent`;
    await open(page, "const a: number = 1;\nexport function operator( { }\n");
    await page.evaluate(press("Run"));
    await page.until(`${marked} !== undefined`);
    await open(page, 'import { z } from "zod";\nexport const operator = () => z;\n');
    await page.evaluate(press("Run"));
    await page.until(`${NOTICE}.includes('There is no module "zod" here')`);
    await page.until(`${marked} === 'import { z } from "zod";'`);
    await open(page, "let n: any;\n\nexport async function operator() {\n  n.x();\n}\n");
    await page.evaluate(press("Run"));
    await page.until(`${marked} === "  n.x();"`);
    await page.evaluate(press("Stop"));
    await open(
      page,
      "export async function operator() {\n  setTimeout(() => {\n    throw new Error('late');\n  });\n}\n",
    );
    await page.evaluate(press("Output"));
    await page.evaluate(press("Run"));
    await page.until(HAS_TEXT("line 3: late"));
    await page.evaluate(press("Stop"));
    await page.evaluate(press("Objects"));
  });

  await t.step("a program that loops is stopped", async () => {
    await open(page, "export function operator() {\n  while (true);\n}\n");
    await page.evaluate(press("Run"));
    await page.until(`${NOTICE}.includes("did not give way")`);
    await page.until(HAS_TEXT("Run"));
  });

  await t.step("a program sends nothing, and reaches nothing of the page", async () => {
    const url = `http://127.0.0.1:${new URL(host.url).port}/leak`;
    await open(
      page,
      `export async function operator() {
  const attempts = {
    fetch: () => fetch("${url}"),
    import: () => import(["${url}"].join()),
    socket: () => new WebSocket("${url.replace("http", "ws")}"),
    xhr: () => new XMLHttpRequest(),
    events: () => new EventSource("${url}"),
    scripts: () => importScripts("${url}"),
    worker: () => new Worker("${url}"),
    storage: () => indexedDB.open("x"),
    caches: () => caches.open("x"),
    channel: () => new BroadcastChannel("x"),
    page: () => document.body,
  };
  for (let i = 0; i < 100_000; i++) console.log("line", i);
  console.log("<img src=x onerror=alert(1)>", "x".repeat(1e6));
  const refused = [];
  for (const [name, attempt] of Object.entries(attempts)) {
    await Promise.resolve().then(attempt).catch(() => refused.push(name));
  }
  console.log("refused:", refused.length, "of", Object.keys(attempts).length);
}`,
    );
    await page.evaluate(press("Run"));
    await page.until(`document.getElementById("tab-output").textContent.includes("300")`);
    await page.evaluate(press("Output"));
    await page.until(HAS_TEXT("refused: 11 of 11"));
    assertStringIncludes(await page.text(), "line 99999");
    // The browser reports each refusal of the content security policy.
    const refused = page.complaints.splice(0).filter(({ kind }) => kind === "error");
    assertEquals(refused.map(({ text }) => text.includes("Content Security Policy")), [
      true,
      true,
      true,
    ]);
    await shoot(page, "play-output");
    const count = await page.evaluate(`document.querySelectorAll(".output li").length`);
    assert(Number(count) <= 300, `${count} lines`);
    assertEquals(await page.evaluate(`document.querySelectorAll("img").length`), 0);
    await page.evaluate(press("Stop"));
  });

  await t.step("a program that floods the page with messages is stopped", async () => {
    await open(page, "export function operator() {\n  for (;;) postMessage('{\"id\":-1}');\n}\n");
    await page.evaluate(press("Run"));
    await page.until(`${NOTICE}.includes("too many messages")`);
  });

  await t.step("a program that forges answers breaks no more than its own view", async () => {
    await open(
      page,
      // The list of the kinds becomes a number.
      `export async function operator() {
  Array.prototype.toJSON = function () { return this.length > 9 ? 5 : [...this]; };
}`,
    );
    await page.evaluate(press("Objects"));
    await page.evaluate(press("Run"));
    await page.until(HAS_TEXT("something that cannot be shown"));
    await page.evaluate(press("Stop"));
    await page.evaluate(press("Try again"));
    await page.until(HAS_TEXT("starts an API server"));
  });

  await t.step("the keyboard reaches everything", async () => {
    await page.evaluate(`location.hash = "#example=widgets"`);
    await page.until(HAS_TEXT("Can you see the bug?"));
    await page.evaluate(`document.querySelector("select").focus()`);
    const reached: string[] = [];
    for (let count = 0; count < 9; count++) {
      await page.press("Tab");
      reached.push(
        await page.evaluate(
          `document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent.slice(0, 20)`,
        ),
      );
    }
    // The button Apply is off while no cluster runs.
    assertEquals(reached.slice(0, 4), ["Copy link", "Run", "Find a bug", "Program"]);
    assert(reached.some((one) => one.startsWith("Objects")), reached.join());
    await page.evaluate(`document.getElementById("tab-objects").focus()`);
    await page.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key: "ArrowLeft" });
    await page.until(`document.activeElement.textContent.startsWith("Output")`);
    await page.evaluate(`document.querySelector(".cm-content").focus()`);
    const enter = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 13, modifiers: 2 };
    await page.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...enter });
    await page.until(HAS_TEXT("Stop"));
    await page.evaluate(press("Stop"));
  });

  await t.step("the page does not scroll sidewards at 200 % zoom, nor on a phone", async () => {
    for (const [width, height, scale] of [[680, 430, 2], [360, 740, 1]] as const) {
      await page.setViewport(width, height, scale);
      await assertNoSideScroll(page, `${width} px`);
      await shoot(page, `play-${width}`);
    }
  });

  await t.step("a copy on a disk works", async () => {
    await page.setViewport(1360, 860);
    await page.goto(`file://${ROOT}dist/playground/index.html`);
    await page.until(HAS_TEXT("Can you see the bug?"));
    await page.evaluate(press("Find a bug"));
    await page.until(HAS_TEXT("two Deployments for one Widget"));
  });

  await t.step("the page is its only request, and complains of nothing", () => {
    assertEquals(new Set(host.requests), new Set(["/docs/play/"]));
    const others = page.requests.filter((one) => !one.includes(host.url) && !one.includes("file:"));
    assertEquals(others, []);
    // The browser remarks that a script has changed the address.
    const complaints = page.complaints.filter(({ text }) => !text.includes("MarkedSkippable"));
    assertEquals(complaints, []);
  });
});
