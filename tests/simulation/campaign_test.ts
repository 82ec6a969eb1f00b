import {
  ConfigMaps,
  Controller,
  controllerReference,
  defineResource,
  type KubeObject,
  SharedInformerFactory,
} from "@kubeloop/controller";
import type { CustomResourceDefinition } from "@kubeloop/controller/types";
import {
  assertClean,
  campaign,
  type CampaignOptions,
  type Plan,
  type ProcessEnv,
  remove,
  type Report,
  settle,
  type Simulation,
  simulation,
  type SimulationOptions,
} from "@kubeloop/testing/simulation";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

interface Panel extends KubeObject {
  spec: Record<string, unknown>;
}

const Panels = defineResource<Panel>({
  group: "example.com",
  version: "v1",
  plural: "panels",
  kind: "Panel",
  namespaced: true,
});

type Schema = Record<string, unknown>;

const text = { type: "string" };
const map = { type: "object", additionalProperties: text };

function definition(properties: Schema, more: Schema = {}): CustomResourceDefinition {
  return {
    metadata: { name: "panels.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "panels", singular: "panel", kind: "Panel", listKind: "PanelList" },
      versions: [{
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", properties, ...more } },
          },
        },
      }],
    },
  } as CustomResourceDefinition;
}

/** Returns the data that a ConfigMap shall have for the spec of a Panel. */
type DataOf = (
  spec: Record<string, unknown>,
  has: Readonly<Record<string, string>>,
) => Record<string, string>;

const all: DataOf = (spec) =>
  Object.fromEntries(Object.entries(spec).map(([name, value]) => [name, JSON.stringify(value)]));

/** Writes what a Panel wants into a ConfigMap. */
function operator(dataOf: DataOf) {
  return async ({ client, signal }: ProcessEnv) => {
    const informers = new SharedInformerFactory(client);
    const panels = informers.informer(Panels);
    const maps = informers.informer(ConfigMaps, { namespace: "default" });
    const controller = new Controller({
      informer: panels,
      waitFor: [maps],
      async reconcile(key) {
        const panel = panels.indexer.getByKey(key);
        if (panel === undefined || panel.metadata.deletionTimestamp !== undefined) return;
        const { name, namespace = "" } = panel.metadata;
        const has = maps.indexer.getByKey(key)?.data ?? {};
        const data = dataOf(panel.spec as Record<string, unknown>, has);
        const metadata = { name, ownerReferences: [controllerReference(panel, Panels)] };
        await client.apply(ConfigMaps, { metadata, data }, { namespace, fieldManager: "panel" });
      },
    });
    maps.addEventHandler({
      onDelete: () => panels.indexer.listKeys().forEach((key) => controller.enqueue(key)),
    });
    await controller.run({ signal });
  };
}

function panels(
  dataOf: DataOf,
  properties: Schema,
  { object, ...rest }: {
    object?: CampaignOptions<Panel>;
    more?: Schema;
    options?: Partial<SimulationOptions>;
  } = {},
): Simulation {
  return simulation({
    name: "panels",
    process: operator(dataOf),
    workload: campaign(Panels, object),
    resources: [definition(properties, rest.more)],
    ...rest.options,
  });
}

async function changes(sim: Simulation): Promise<readonly Plan[]> {
  return (await sim.singles()).filter(({ faults }) => faults[0]?.fault === "change");
}

/** Runs only the plans that change something, without other faults. */
async function exploreChanges(sim: Simulation, findings = 1): Promise<Report> {
  const plans = (await changes(sim)).length;
  return await sim.explore({ budget: { plans, findings, ms: Infinity } });
}

/** Returns the properties that plans change. */
function pathsOf(plans: readonly Plan[]): string[] {
  return plans.flatMap(({ faults }) => faults)
    .flatMap((fault) => fault.fault === "change" ? fault.set : [])
    .map(({ path }) => path.join("."));
}

function changed({ findings }: Report): string[] {
  return pathsOf(findings.map(({ plan }) => plan));
}

Deno.test("a campaign finds nothing in a controller that follows each property", async () => {
  const sim = panels(all, { size: { type: "integer", minimum: 0, maximum: 9 }, text, map });
  assertClean(await sim.explore({ budget: { plans: 60, ms: Infinity } }));
});

Deno.test("a property that stays when it is removed is found, and named by the report and its replay", async () => {
  const merges: DataOf = (spec, has) => ({ ...has, ...all(spec, has) });
  const sim = panels(merges, { text });
  const report = await exploreChanges(sim);
  const [finding] = report.findings;
  assert(finding !== undefined, String(report));
  assertStringIncludes(String(report), "Fault: a user changes spec.text: a → removed → a");
  assertStringIncludes(finding.wrong[0]!.message, 'data should be absent and is {"text":');
  assertStringIncludes(
    finding.cause.join(" "),
    "Nobody wrote to configmaps default/campaign after the change of panels default/campaign",
  );
  const again = await sim.replay(JSON.stringify(finding.plan));
  assertEquals(again.history.hash(), finding.record.history.hash());
});

Deno.test("the report says when a property counts only at creation", async () => {
  const once: DataOf = ({ class: of }, has) => ({ class: has.class ?? String(of) });
  const sim = panels(once, { class: { type: "string", enum: ["slow", "fast"] } });
  const [finding] = (await exploreChanges(sim)).findings;
  const { message = "" } = finding?.wrong[0] ?? {};
  assertStringIncludes(
    message,
    "has no effect on an object that exists, and one on an object that",
  );
  assertStringIncludes(message, "If a property counts only at creation, name it in `except`");
  const except = { object: { except: ["spec.class"] } };
  assertClean(await exploreChanges(panels(once, { class: text, size: text }, except)));
});

Deno.test("a property that is not restored is found", async () => {
  // The first text that was ever wanted after the creation stays for ever.
  const sticks: DataOf = (spec, has) =>
    has.text !== undefined && has.text !== '"a"' ? { ...has } : all(spec, has);
  const { findings: [finding] } = await exploreChanges(panels(sticks, { text }));
  assertEquals(finding?.wrong[0]?.oracle, "end state");
  assertStringIncludes(
    finding!.wrong[0]!.message,
    "the state after [spec.text: a → b → a] is not the one of the run without faults: " +
      'configmaps default/campaign: data.text should be "\\"a\\""',
  );
});

Deno.test("a value that a new object does not settle with is a mistake, from which the controller recovers", async () => {
  const fails: DataOf = (spec, has) => {
    if (spec.text === "") throw new Error("no text");
    return all(spec, has);
  };
  const object = { object: { spec: { text: "a" } } };
  assertClean(await exploreChanges(panels(fails, { text }, { object })));
});

Deno.test("a new object that a controller silently ignores is a mistake, too", async () => {
  const process = async (env: ProcessEnv) => {
    const informer = new SharedInformerFactory(env.client).informer(Panels);
    const controller = new Controller({
      informer,
      async reconcile(key) {
        const { metadata, spec } = informer.indexer.getByKey(key) ?? {};
        if (metadata === undefined || metadata.deletionTimestamp !== undefined) return;
        if (!/^[a-z]$/.test(String(spec?.["text"]))) return;
        const { name, namespace = "", uid } = metadata;
        const owner = { apiVersion: "example.com/v1", kind: "Panel", name, uid };
        const map = { metadata: { name, ownerReferences: [owner] }, data: { text: spec!["text"] } };
        await env.client.apply(ConfigMaps, map as never, { namespace, fieldManager: "panel" });
      },
    });
    await controller.run({ signal: env.signal });
  };
  const object = { object: { spec: { text: "a" } } };
  const sim = panels(all, { text }, {
    object,
    more: { required: ["text"] },
    options: { process },
  });
  assertClean(await exploreChanges(sim));
});

Deno.test("a controller that never recovers from a mistake is found", async () => {
  const gives: DataOf = (spec, has) => {
    if (spec.text === "") return { ...has, failed: "yes" };
    return has.failed === "yes" ? { ...has } : all(spec, has);
  };
  const report = await exploreChanges(
    panels(gives, { text }, { object: { object: { spec: { text: "a" } } } }),
  );
  assertStringIncludes(String(report), 'a user changes spec.text: a → "" → a');
});

Deno.test("the report lists the properties that change nothing, over all their values", async () => {
  const reads: DataOf = ({ size, map }) => ({ size: String(size), map: JSON.stringify(map) });
  const sim = panels(reads, { size: { type: "integer" }, text, map, flag: { type: "boolean" } });
  const report = await exploreChanges(sim);
  assertEquals(report.coverage.unread, ["spec.flag", "spec.text"]);
  assertEquals(report.toJSON().unread, ["spec.flag", "spec.text"]);
  assertStringIncludes(String(report), "Properties that changed nothing: spec.flag, spec.text");
});

Deno.test("changes that the server refuses, or whose restoration it refuses, are left out", async () => {
  const more = {
    "x-kubernetes-validations": [
      { rule: "self.fixed == oldSelf.fixed", message: "cannot change" },
      { rule: "self.size >= oldSelf.size", message: "cannot shrink" },
    ],
    required: ["fixed", "size"],
  };
  const size = { type: "integer", minimum: 1, maximum: 9 };
  const plans = await changes(panels(all, { fixed: text, size, text }, { more }));
  assertEquals([...new Set(pathsOf(plans))], ["spec.text"]);
});

Deno.test("a flaw that only two properties together show is found", async () => {
  // The data stays when nothing is wanted any more.
  const swaps: DataOf = (spec, has) =>
    spec.tlsCert === undefined && spec.tlsKey === undefined && has.tlsKey !== undefined
      ? { ...has }
      : all(spec, has);
  const report = await exploreChanges(panels(swaps, { tlsCert: text, tlsKey: text }));
  assertEquals(changed(report), ["spec.tlsCert", "spec.tlsKey"]);
});

Deno.test("crashes, lost answers and stale replicas disturb the changes and their restoration", async () => {
  const sim = panels(all, { text });
  const seen = new Set<string>();
  const plans: Plan[] = [];
  for await (const plan of sim.plans()) {
    const [first, second] = plan.faults;
    if (first?.fault !== "change" || second === undefined) {
      if (plans.length > 0) break;
      continue;
    }
    plans.push(plan);
    seen.add(second.fault);
  }
  assertEquals(seen, new Set(["crash", "lose", "stale"]));
  const report = await sim.explore({ plans, budget: { ms: Infinity } });
  assertClean(report);
  assert(report.noEffect < plans.length / 4, String(report));
});

Deno.test("a campaign is a part of a workload, and leaves properties alone", async () => {
  const object: CampaignOptions<Panel> = {
    key: "p",
    object: { spec: { text: "x", flag: true } },
    except: ["spec.text"],
  };
  const workload = [...campaign(Panels, object), remove(Panels, "p"), settle()];
  const sim = panels(all, { text, flag: { type: "boolean" } }, { object, options: { workload } });
  assertClean(await exploreChanges(sim));
  assertEquals(
    (await changes(sim)).map(({ faults }) => faults),
    [
      [{ fault: "change", step: 2, set: [{ path: ["spec", "flag"], from: true }] }],
      [{ fault: "change", step: 2, set: [{ path: ["spec", "flag"], from: true, to: false }] }],
    ],
  );
});

Deno.test("a campaign without a schema, or with an object that does not fit it, is an error", async () => {
  const process = operator(all);
  await assertRejects(
    () => simulation({ process, workload: campaign(Panels) }).explore(),
    RangeError,
    "A campaign needs the schema of panels.example.com",
  );
  const object = { object: { spec: { size: "x" } } };
  await assertRejects(
    () => panels(all, { size: { type: "integer" } }, { object }).explore(),
    RangeError,
    "A campaign cannot begin, because its step [create Panel default/campaign] fails",
  );
});

Deno.test("the replay of a change at another step than that of a campaign is an error", async () => {
  const set = [{ path: ["spec", "text"], to: "x" }];
  const plan: Plan = { seed: 1, faults: [{ fault: "change", step: 1, set }] };
  await assertRejects(
    () => panels(all, { text }).replay(plan),
    RangeError,
    "a user changes spec.text: absent → x → absent: step 2 is no campaign",
  );
});

Deno.test("a plan with a change that is none is an error", async () => {
  const sim = panels(all, { text });
  for (
    const set of [[], [{ path: [] }], [{ path: ["spec", "__proto__"] }], [{ path: "spec.text" }]]
  ) {
    const plan = { seed: 1, faults: [{ fault: "change", step: 2, set }] };
    await assertRejects(() => sim.replay(JSON.stringify(plan)), SyntaxError, "set must be a list");
  }
});
