/** The pages of reports of real runs. */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import {
  ConfigMaps,
  Controller,
  defineResource,
  type KubeObject,
  Secrets,
  SharedInformerFactory,
} from "@kubeloop/controller";
import { Manager } from "@kubeloop/controller/operator";
import {
  create,
  type Finding,
  type Plan,
  type ProcessEnv,
  type Report,
  seeReport,
  settle,
  simulation,
} from "@kubeloop/testing/simulation";
import type { ReportView } from "../../src/see/mod.ts";
import { bug as netbird } from "../../examples/simulation/netbird_operator_191.ts";
import { testOn } from "../support/kinds_of_tests.ts";
import { careful, dropper, leaker, scaler, STALE } from "./_operators.ts";

const explore = () => scaler().explore({ plans: [STALE] });

let explored: Promise<Report> | undefined;

/** Returns the report of a delete on stale knowledge. */
function stale(): Promise<Report> {
  return explored ??= explore();
}

/** Returns the data that a page embeds. */
function dataOf(page: string): { readonly mode: string; readonly report: ReportView } {
  const [, data] = /<script type="application\/json" id="data">(.*?)<\/script>/.exec(page) ?? [];
  return JSON.parse(data!);
}

Deno.test("Finding.view() shows the stale knowledge behind the wrong write", async () => {
  const { findings: [finding] } = await stale();
  const { faults, runs: [run] } = finding!.view();
  assertEquals(faults.length, 1);
  const row = run!.rows.find(({ mark }) => mark === "the wrong write")!;
  const [widget] = row.step!.known;
  assertEquals([widget!.object, widget!.state], ["widgets.example.com default/w", "stale"]);
  const sizeAt = (index: number | undefined) =>
    (run!.versions[index!]!.value as { spec: { size: number } }).spec.size;
  assertEquals([sizeAt(widget!.knew), sizeAt(widget!.was)], [1, 3]);
  assertEquals(run!.reconciles[row.reconcile!]!.key, "default/w");
  assertEquals(
    run!.lives.map(({ isOver, life }) => [life, isOver]),
    [[1, true], [2, false]],
  );
  assert(run!.rows.some(({ kind }) => kind === "fault"));
  assert(run!.rows.some(({ from, kind }) => kind === "seen" && from !== undefined));
});

Deno.test("Finding.view() shows that a reconcile knew the truth, and failed again and again", async () => {
  const { findings: [finding] } = await netbird.simulate("broken").explore();
  const { cause, plan, runs: [run] } = finding!.view();
  assertEquals(plan.faults, []);
  assert(cause.length > 0);
  const at = run!.rows.findIndex(({ mark }) => mark === "this deletion never ends");
  const after = run!.rows.slice(at).find(({ kind }) => kind === "reconcile")!;
  assertEquals(
    after.step!.known.map(({ object, state }) => `${object} ${state}`),
    ["nbresources.example.com default/web fresh", "services default/web fresh"],
  );
  assertEquals(
    run!.reconciles[after.reconcile!]!.result,
    "failed: kubernetes API error: getting Service",
  );
  assertStringIncludes(run!.rows.map(({ text }) => text).join("\n"), "times more, until");
});

interface Item extends KubeObject {
  spec?: { note?: string };
}
const Items = defineResource<Item>({
  group: "example.com",
  version: "v1",
  plural: "items",
  kind: "Item",
  namespaced: true,
});

/** Copies items into ConfigMaps with two workers, whose reconciles take their time. */
async function copier({ client, clock, signal }: ProcessEnv): Promise<void> {
  const items = new SharedInformerFactory(client).informer(Items);
  const controller = new Controller({
    informer: items,
    async reconcile(key) {
      await new Promise<void>((resolve) => clock.setTimer(resolve, 100));
      const item = items.indexer.getByKey(key);
      await new Promise<void>((resolve) => clock.setTimer(resolve, 100));
      const name = item?.metadata.name;
      if (name !== undefined) {
        await client.create(ConfigMaps, { metadata: { name } }, { namespace: "default" });
      }
    },
  });
  await controller.run({ signal, workers: 2 });
}

Deno.test("Finding.view() knows which of two reconciles has read and sent what", async () => {
  const sim = simulation({
    process: copier,
    workload: [create(Items, "a"), create(Items, "b"), settle()],
    always: [({ server }) => {
      return server.get(ConfigMaps, "b", "default") === undefined ? undefined : "b is there";
    }],
  });
  const { findings: [finding] } = await sim.explore();
  const [run] = finding!.view().runs;
  const creates = run!.rows.filter(({ step }) => step?.request !== undefined);
  assertEquals(
    creates.map(({ reconcile, step }) => [
      step!.request!.text,
      run!.reconciles[reconcile!]!.key,
      step!.known.filter(({ object }) => object.startsWith("items")).map(({ object }) => object),
    ]),
    [
      ["create configmaps default/a #1", "default/a", ["items.example.com default/a"]],
      ["create configmaps default/b #1", "default/b", ["items.example.com default/b"]],
    ],
  );
});

Deno.test("Finding.view() has no reconcile for what a reconcile has started and left behind", async () => {
  const sim = simulation({
    process: async ({ client, clock, signal }) => {
      const items = new SharedInformerFactory(client).informer(Items);
      const call = { namespace: "default" };
      const controller = new Controller({
        informer: items,
        reconcile() {
          const metadata = { name: "b" };
          const late = () => client.create(ConfigMaps, { metadata }, call).catch(() => {});
          clock.setTimer(() => void late(), 9);
        },
      });
      await controller.run({ signal });
    },
    workload: [create(Items, "a"), settle()],
    always: [({ server }) => server.get(ConfigMaps, "b", "default") && "it is there"],
  });
  const { findings: [finding] } = await sim.explore();
  const { reconciles, rows } = finding!.view().runs[0]!;
  assertEquals(reconciles.length, 1);
  const [late] = rows.filter(({ step }) => step?.request !== undefined);
  assertEquals([late!.step!.request!.answer, late!.reconcile], ["201", undefined]);
});

Deno.test("Finding.view() shows the objects that a controller of a manager has read from its caches", async () => {
  const sim = simulation({
    process: async ({ client, logger, signal }) => {
      const manager = new Manager(client, { logger });
      manager.controller(Items).owns(ConfigMaps).watches(Secrets, { map: () => [] })
        .reconcile(async ({ apply, cache, name, object }) => {
          const secret = cache(Secrets).get(name, "default");
          const data = { note: object.spec?.note ?? "", color: secret?.data?.color ?? "" };
          await apply(ConfigMaps, { metadata: { name }, data });
        });
      await manager.run({ signal });
    },
    workload: [create(Items, "a", { spec: { note: "n" } }), settle()],
    always: [({ server }) => server.get(ConfigMaps, "a", "default") && "it is there"],
  });
  const { findings: [finding] } = await sim.explore();
  const { rows } = finding!.view().runs[0]!;
  const wrong = rows.find(({ mark }) => mark === "the wrong write")!;
  assertEquals(
    wrong.step!.known.map(({ knew, object, place, state }) => [
      object,
      state,
      knew !== undefined,
      place?.includes("report_page_test") ?? false,
    ]).sort(),
    [
      ["configmaps default/a", "fresh", false, true],
      ["items.example.com default/a", "fresh", true, true],
      ["secrets default/a", "fresh", false, true],
    ],
  );
});

Deno.test("a report keeps the reconciles of a run, and the run stays the same", async () => {
  const { findings: [finding] } = await stale();
  const { history } = await scaler().replay(finding!.plan);
  assertEquals(finding!.record.history.hash(), history.hash());
});

Deno.test("Report.toHtml() is one file that needs no other, the same each time", async () => {
  const page = (await stale()).toHtml();
  assert(page === (await explore()).toHtml());
  assert(!/<link(?! rel="icon" href="data:)|@import|url\(|<script[^>]* src=/.test(page));
  assertStringIncludes(page, "default-src 'none'");
  const { mode, report } = dataOf(page);
  assertEquals([mode, report.title, report.findings.length], ["report", "scaler", 1]);
  const [, text = ""] = /<noscript>(.*?)<\/noscript>/s.exec(page) ?? [];
  assertStringIncludes(text, "Story:");
  assertStringIncludes(text, "&lt;== the wrong write");
  assert(!/ in \d+\.\d s/.test(text));
  assert(page.length < 250_000, `${page.length} characters`);
});

Deno.test("Report.toHtml() has names from outside as text", async () => {
  const evil = `</script></noscript><img src=x onerror="alert('1')">& $& $'`;
  const report = await dropper({ name: evil, always: [() => evil] }).explore();
  const page = report.toHtml();
  assert(!page.includes("<img"));
  assertEquals(page.match(/<\/noscript>/g)?.length, 1);
  assertEquals(dataOf(page).report.title, evil);
  assertStringIncludes(page, "<title>&lt;/script&gt;&lt;/noscript&gt;&lt;img");
});

Deno.test("Report.toHtml() of a report without findings says so", async () => {
  const report = await careful().explore({ budget: { plans: 2 } });
  const { coverage, findings, summary } = dataOf(report.toHtml()).report;
  assertEquals(findings, []);
  assertStringIncludes(summary, "2 plans");
  assertEquals(coverage.reduce((sum, { plans }) => sum + plans, 0), 2);
});

Deno.test("Simulation.check() finds nothing without the fault that is needed, and names faults without effect", async () => {
  const sim = scaler();
  const told = (
    { finding, misfits }: { finding: Finding | undefined; misfits: readonly string[] },
  ) => [
    finding?.wrong[0]?.oracle,
    misfits,
  ];
  assertEquals(told(await sim.check(STALE)), ["stale delete", []]);
  assertEquals(told(await sim.check({ ...STALE, faults: [] })), [undefined, []]);
  const lost: Plan = { seed: 1, faults: [{ fault: "lose", write: "operator create maps a #1" }] };
  assertEquals(told(await sim.check(lost)), [undefined, [
    '[operator create maps a #1] is carried out, but its answer is lost: write "operator create maps a #1" did not happen',
  ]]);
  await assertRejects(() => sim.check("{}"), SyntaxError, "A plan needs a seed");
});

testOn(
  ["deno"],
  "listens on a socket",
  "seeReport() serves the report, and runs plans again",
  async () => {
    const sim = leaker();
    const report = await sim.explore({
      plans: [{
        seed: 1,
        faults: [{
          fault: "crash",
          when: "before",
          write: "operator patch widgets.example.com/status default/w #1",
        }],
      }],
    });
    const stop = new AbortController();
    await using page = await seeReport(sim, report, { signal: stop.signal });
    const { origin, searchParams } = new URL(page.url);
    const token = searchParams.get("token");
    const send = async (path: string, init: RequestInit = {}, bearer = token) => {
      const headers = { "content-type": "application/json", authorization: `Bearer ${bearer}` };
      const response = await fetch(`${origin}${path}`, { ...init, headers });
      return { status: response.status, body: await response.json() };
    };
    const html = await (await fetch(page.url)).text();
    assertEquals(dataOf(html), { mode: "report" } as never);
    assertEquals((await send("/see/report", {}, "wrong-wrong-wrong-wrong")).status, 401);
    const { body } = await send("/see/report");
    assertEquals(body, JSON.parse(JSON.stringify(report.view())));
    const { plan } = body.findings[0];
    const run = (plan: unknown) =>
      send("/see/run", { method: "POST", body: JSON.stringify({ plan }) });
    assertEquals((await run({ ...plan, faults: [] })).body, { misfits: [] });
    const again = (await run(plan)).body;
    assertEquals(again.finding.wrong, body.findings[0].wrong);
    assertEquals((await run({ seed: 1, faults: [{ fault: "no such" }] })).status, 400);
    assertEquals((await run(7)).status, 400);
    const both = await Promise.all([run(plan), run(plan)]);
    assertEquals(both.map(({ status }) => status).sort(), [200, 429]);
    assertEquals((await send("/see/keys")).status, 404);
    stop.abort();
    await page.finished;
  },
);
