/** Definitions with several versions are installed with their conversion, and whatever single requests end with. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { silentLogger } from "../../src/base/mod.ts";
import { Client } from "../../src/client/mod.ts";
import {
  crd,
  type DefinitionConversion,
  installDefinitions,
  type InstallOptions,
} from "../../src/crd/mod.ts";
import { ApiServer, VirtualClock } from "../../src/testing/mod.ts";
import {
  type CustomResourceDefinition,
  CustomResourceDefinitions,
  defineResource,
} from "../../src/types/mod.ts";
import { RecordingLogger } from "../support/recording_logger.ts";

const names = { group: "acme.io", kind: "Widget" } as const;
const V1 = { type: "object", properties: { size: { type: "integer" } } };
const OLD = { type: "object", properties: { length: { type: "integer" } } };

const Single = defineResource({ ...names, version: "v1beta1", spec: OLD });
const Widgets = defineResource({
  ...names,
  version: "v1",
  spec: V1,
  versions: [{ name: "v1beta1", spec: OLD }],
});

const conversion = (target: object, ca = "CA"): DefinitionConversion => ({
  conversion: {
    strategy: "Webhook",
    webhook: {
      clientConfig: { ...target, caBundle: btoa(ca) },
      conversionReviewVersions: ["v1"],
    },
  },
});
const SERVICE = { service: { namespace: "acme", name: "widgets", path: "/convert", port: 443 } };
const URL_TARGET = { url: "https://10.0.0.1/convert" };

/** A server on a virtual clock, and a client whose requests a test disturbs. */
class World implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly logger = new RecordingLogger();
  readonly server = new ApiServer({ clock: this.clock, logger: silentLogger });
  readonly client: Client;
  /** The states of the definition after each write: the served versions and the strategy. */
  readonly states: string[] = [];
  requests = 0;
  writes = 0;
  /** Answers a request otherwise; undefined leaves it to the server. */
  disturb: (request: Request, next: () => Promise<Response>) => Promise<Response> | undefined =
    () => undefined;

  constructor() {
    this.client = new Client({
      ...this.server.clientOptions,
      logger: this.logger,
      random: { next: () => 0.5 },
      maxRetries: 0,
      fetch: async (request) => {
        this.requests++;
        if (request.method !== "GET") this.writes++;
        const next = () => this.server.fetch(request);
        const response = await (this.disturb(request, next) ?? next());
        await this.#look();
        return response;
      },
    });
  }

  async #look(): Promise<void> {
    const definition = await this.definition();
    if (definition === undefined) return;
    const { versions, conversion } = definition.spec;
    const served = versions.filter((one) => one.served).map(({ name }) => name).join("+");
    const state = `${served} ${conversion?.strategy}`;
    if (this.states.at(-1) !== state) this.states.push(state);
  }

  async definition(): Promise<CustomResourceDefinition | undefined> {
    const path =
      "http://server/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.acme.io";
    const response = await this.server.fetch(new Request(path));
    return response.ok ? await response.json() : void await response.body?.cancel();
  }

  install(
    resource: Parameters<typeof installDefinitions>[1][number],
    options: InstallOptions = {},
  ): Promise<unknown> {
    return this.clock.run(installDefinitions(this.client, [resource], options));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.server.close();
    assertEquals(this.clock.pendingTimers, 0);
  }
}

Deno.test("installDefinitions() refuses versions with different schemas and no conversion, before it writes anything", async () => {
  await using world = new World();
  for (const resource of [Widgets, crd(Widgets)]) {
    for (const webhooks of [undefined, { conversionFor: () => undefined }]) {
      await assertRejects(
        () => world.install(resource, { webhooks }),
        TypeError,
        "Cannot install the CustomResourceDefinition widgets.acme.io: its versions v1 and v1beta1 have different " +
          "schemas, and nothing converts objects between them",
      );
    }
  }
  assertEquals(world.requests, 0);
  // Versions that lose no fields.
  const described = { ...V1, description: "The same.", title: "Same" };
  const fine = [
    defineResource({
      ...names,
      version: "v1",
      spec: V1,
      versions: [{ name: "v2", spec: described }],
    }),
    defineResource({
      ...names,
      version: "v1",
      spec: V1,
      versions: [{ name: "v2", spec: OLD, served: false }],
    }),
    defineResource({ ...Widgets.definition, conversion: "None" }),
  ];
  for (const resource of fine) await world.install(resource);
  const field = { ...V1, properties: { description: { type: "string" } } };
  const named = defineResource({
    ...names,
    version: "v1",
    spec: field,
    versions: [{ name: "v2", spec: { ...V1, properties: {} } }],
  });
  await assertRejects(() => world.install(named), TypeError, "v1 and v2");
});

Deno.test("installDefinitions() never serves two versions without their conversion, and waits for its webhook", async () => {
  await using world = new World();
  await world.install(Single);
  let known: DefinitionConversion = { waitsFor: "the Secret cannot be written" };
  const webhooks = { conversionFor: () => known };
  await assertRejects(
    () => world.install(Widgets, { webhooks, timeoutMs: 5_000 }),
    DOMException,
    "The CustomResourceDefinition widgets.acme.io is not established within 5000 ms: " +
      "it waits for its conversion webhook: the Secret cannot be written",
  );
  assertEquals(world.logger.of("info").length, 1);
  assertEquals(world.states, ["v1beta1 None"]);
  world.clock.setTimer(() => known = conversion(SERVICE), 3_000);
  await world.install(Widgets, { webhooks });
  assertEquals(world.states, ["v1beta1 None", "v1+v1beta1 Webhook"]);
  const { spec } = (await world.definition())!;
  const { conversion: expected } = conversion(SERVICE) as { conversion: unknown };
  assertEquals(spec.conversion as unknown, expected);
  world.writes = 0;
  await world.install(Widgets, { webhooks });
  assertEquals(world.writes, 0);
});

Deno.test("installDefinitions() creates a definition with its conversion", async () => {
  await using world = new World();
  await world.install(Widgets, { webhooks: { conversionFor: () => conversion(SERVICE) } });
  assertEquals(world.states, ["v1+v1beta1 Webhook"]);
});

Deno.test("installDefinitions() replaces the conversion of another writer, and keeps an omitted one", async () => {
  await using world = new World();
  const of = (known: DefinitionConversion) => ({ webhooks: { conversionFor: () => known } });
  for (const isShared of [false, true]) {
    for (const target of [SERVICE, URL_TARGET, SERVICE]) {
      await world.install(Widgets, of(conversion(target)));
      const config = (await world.definition())!.spec.conversion?.webhook?.clientConfig;
      assertEquals(config, { ...target, caBundle: btoa("CA") });
      if (!isShared) continue;
      // As a webhook server that has rotated its certificates.
      const rotated = conversion(target, "other") as { conversion: object };
      await world.client.patch(
        CustomResourceDefinitions,
        "widgets.acme.io",
        [{ op: "replace", path: "/spec/conversion", value: rotated.conversion }],
        { type: "json", fieldManager: "others" },
      );
    }
  }
  // A program that no longer knows of the conversion.
  const v1 = defineResource({
    ...names,
    version: "v1",
    spec: V1,
    versions: [{ name: "v1beta1", served: false, spec: OLD }],
  });
  await world.install(v1);
  assertEquals((await world.definition())!.spec.conversion?.strategy, "Webhook");
  await world.install(defineResource({ ...v1.definition, conversion: "None" }));
  assertEquals((await world.definition())!.spec.conversion, { strategy: "None" });
});

Deno.test("installDefinitions() does not write a definition that another program installed equally", async () => {
  await using world = new World();
  await world.client.create(CustomResourceDefinitions, crd(Single));
  world.writes = 0;
  await world.install(Single);
  // With values that the server stores in another form.
  const written = structuredClone(crd(Single)) as CustomResourceDefinition;
  written.spec.preserveUnknownFields = false;
  Object.assign(written.spec.versions[0]!.schema!.openAPIV3Schema!, { description: "" });
  await world.install(written);
  assertEquals(world.writes, 0);
  // Once it has applied the definition, what it no longer wants goes away.
  const short = defineResource({ ...Single.definition, shortNames: ["wd"] });
  await world.install(short);
  await world.install(Single);
  assertEquals((await world.definition())!.spec.names.shortNames, undefined);
});

const FAULTS = ["hang", "lost", "refused", 500, 503, 429, 409] as const;

for (const fault of FAULTS) {
  Deno.test(`installDefinitions() succeeds in spite of a request that ends with ${fault}`, async () => {
    for (let disturbed = 1, isDone = false; !isDone; disturbed++) {
      await using world = new World();
      await world.install(Single);
      world.requests = 0;
      world.disturb = (_, next) => {
        if (world.requests !== disturbed) return undefined;
        if (fault === "refused") return Promise.reject(new TypeError("Connection refused"));
        if (fault === "hang") return new Promise(() => {});
        if (fault === "lost") return next().then(() => new Promise(() => {}));
        const reason = fault === 409 ? "Conflict" : "InternalError";
        const status = { kind: "Status", status: "Failure", code: fault, reason, message: "no" };
        return Promise.resolve(Response.json(status, { status: fault }));
      };
      await world.install(Widgets, { webhooks: { conversionFor: () => conversion(SERVICE) } });
      isDone = world.requests < disturbed;
      const story = `${fault} for request ${disturbed}`;
      assertEquals(world.states, ["v1beta1 None", "v1+v1beta1 Webhook"], story);
      assertEquals(world.logger.of("warn").length, isDone ? 0 : 1, story);
      assert(disturbed < 20, "no end");
    }
  });
}

Deno.test("installDefinitions() gives up at its time limit with what the server says, and stops at any request", async () => {
  await using world = new World();
  world.disturb = () => Promise.resolve(new Response("no", { status: 503 }));
  const error = await assertRejects(() => world.install(Single), DOMException);
  assertEquals(error.message.includes("is not established within 60000 ms: "), true);
  assertEquals(error.message.includes("503"), true, error.message);
  assert(world.requests < 20, String(world.requests));
  world.disturb = () => undefined;
  for (let disturbed = 1, isDone = false; !isDone; disturbed++) {
    const stop = new AbortController();
    world.requests = 0;
    world.disturb = () => {
      if (world.requests !== disturbed) return undefined;
      world.clock.setTimer(() => stop.abort(new Error("stopped")), 1);
      return new Promise(() => {});
    };
    const { signal } = stop;
    const result = await world.install(Single, { signal }).then(() => "done", (e) => e.message);
    isDone = world.requests < disturbed;
    assertEquals(result, isDone ? "done" : "stopped");
  }
});

Deno.test("installDefinitions() ends at once if the server refuses the definition, or an option is unknown", async () => {
  await using world = new World();
  for (const [code, reason] of [[403, "Forbidden"], [400, "BadRequest"], [413, ""]] as const) {
    const status = { kind: "Status", status: "Failure", code, reason, message: "quota exceeded" };
    world.disturb = ({ method }) =>
      method === "GET" ? undefined : Promise.resolve(Response.json(status, { status: code }));
    const error = await assertRejects(() => world.install(Single), Error);
    // It is not known that a right is missing.
    const verdict = `${code} ${reason}`.trim();
    assertEquals(
      error.message,
      `Cannot install the CustomResourceDefinition widgets.acme.io: quota exceeded (${verdict})`,
    );
  }
  for (
    const [options, message] of [
      [{ timeout: 5 }, 'did you mean "timeoutMs"?'],
      [{ webhooks: {} }, "webhooks that convert"],
      [{ timeoutMs: 0 }, "timeoutMs"],
      [{ fieldManager: "" }, "fieldManager must be"],
    ] as const
  ) await assertRejects(() => world.install(Single, options as never), Error, message);
});
