import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import type { Clock, Timer } from "../../src/base/mod.ts";
import {
  admission,
  admissionConfigurations,
  conversion,
  ValidatingWebhookConfigurations,
  type WebhookConfiguration,
  WebhookServer,
  type WebhookServerOptions,
} from "../../src/webhooks/mod.ts";
import {
  type CustomResourceDefinition,
  CustomResourceDefinitions,
  Secrets,
} from "../../src/types/mod.ts";
import { RecordingLogger } from "../support/recording_logger.ts";
import { tlsFetch } from "../serving/_https_client.ts";
import { Cluster } from "./_configurations.ts";
import { admissionReview, post, review, widget, Widgets } from "./_reviews.ts";

const SERVICE = { namespace: "default", name: "widgets" };
const widgets = admission(Widgets, {
  validate: ({ object }) => object.spec.size > 9 ? "too big" : undefined,
  mutate: ({ object }) => {
    object.spec.image ??= "default";
  },
});
const conversions = conversion(Widgets, {
  v1beta1: { toHub: (object) => object as never, fromHub: (object) => object },
});

/** A clock with the time of the machine, as TLS has it, whose one timer a test fires. */
class CheckClock implements Clock {
  #callback: (() => void) | undefined;
  #set = Promise.withResolvers<void>();

  /** Whether the timer has no callback. */
  get isQuiet(): boolean {
    return this.#callback === undefined;
  }

  /** Resolves when the server waits. */
  get waiting(): Promise<void> {
    return this.#set.promise;
  }

  now(): number {
    return 0;
  }

  wallNow(): number {
    return Date.now();
  }

  setTimer(callback: () => void): Timer {
    this.#callback = callback;
    this.#set.resolve();
    return { cancel: () => this.#callback = undefined };
  }

  fire(): void {
    const callback = this.#callback;
    this.#callback = undefined;
    this.#set = Promise.withResolvers();
    callback?.();
  }
}

/** A WebhookServer that runs on a cluster, and its steps. */
class Running implements AsyncDisposable {
  readonly clock = new CheckClock();
  readonly cluster: Cluster = new Cluster();
  readonly logger: RecordingLogger = new RecordingLogger();
  readonly webhooks: WebhookServer;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: Partial<WebhookServerOptions> = {}) {
    const { logger } = this;
    this.webhooks = new WebhookServer(this.cluster.client, {
      service: SERVICE,
      port: 0,
      hostname: "127.0.0.1",
      clock: this.clock,
      logger,
      ...options,
    });
  }

  start(): void {
    this.#running = this.webhooks.run({ signal: this.#stop.signal });
    this.#running.catch(() => {});
  }

  /** Resolves when the server has checked everything. */
  async checked(): Promise<void> {
    await this.clock.waiting;
  }

  async nextCheck(): Promise<void> {
    this.clock.fire();
    await this.checked();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.cluster[Symbol.asyncDispose]();
  }
}

function bundleOf(configuration: WebhookConfiguration | undefined): string {
  return atob(configuration?.webhooks[0]?.clientConfig.caBundle ?? "");
}

const DEFINITION: CustomResourceDefinition = {
  metadata: { name: "widgets.acme.io" },
  spec: {
    group: "acme.io",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: [{
      name: "v1",
      served: true,
      storage: true,
      schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    }],
  },
};

Deno.test("handler routes by path, without a socket", async () => {
  await using running = new Running();
  const { handler, paths } = running.webhooks.add(widgets).add(conversions);
  assertEquals([...paths, ...running.webhooks.paths].length, 6);
  const { status } = await review(handler, { object: widget(10) }, "/validate-acme-io-v1-widget");
  assertEquals(status?.message, "too big");
  assertEquals((await handler(post({}, "/convert-acme-io-v1-widget"))).status, 400);
  assertEquals((await handler(post({}, "/"))).status, 404);
});

Deno.test("run() serves with certificates that the configurations trust", async () => {
  await using running = new Running();
  running.webhooks.add(widgets);
  running.start();
  await running.checked();
  const { client, writes } = running.cluster;
  const bundle = async (mode: "mutating" | "validating") =>
    bundleOf(await running.cluster.configuration(mode));
  const ca = await bundle("validating");
  assertEquals(await bundle("mutating"), ca);
  const answer = await tlsFetch(running.webhooks.port!, {
    ca,
    servername: "widgets.default.svc",
    path: "/validate-acme-io-v1-widget?timeout=10s",
    body: JSON.stringify(admissionReview({ object: widget(10) })),
  });
  assertEquals(JSON.parse(answer.body).response.status.message, "too big");

  const before = writes.length;
  await running.nextCheck();
  assertEquals(writes.length, before, "a settled check writes nothing");
  // Removed fields come back.
  await client.delete(ValidatingWebhookConfigurations, "widgets");
  await running.nextCheck();
  assertEquals(await bundle("validating"), ca);
  await running.stop();
  assertEquals([running.webhooks.isReady, running.webhooks.port], [false, undefined]);
  assert(running.clock.isQuiet);
});

Deno.test("run() serves with the new certificate of a Secret, over the same port", async () => {
  await using running = new Running();
  running.webhooks.add(widgets);
  running.start();
  await running.checked();
  const { client } = running.cluster;
  const { port } = running.webhooks;
  const call = { namespace: "default" };
  const secret = await client.get(Secrets, "widgets-webhook-certificates", call);
  const ask = async () => {
    const ca = bundleOf(await running.cluster.configuration("validating"));
    return await tlsFetch(port!, { ca, servername: "widgets.default.svc" });
  };
  const first = await ask();
  assertEquals(first.status, 404);
  // Another replica, whose time has come.
  const data = { "tls.crt": "", "tls.key": "", "ca.crt": "", "ca.key": "" };
  await using other = new Running();
  other.webhooks.add(widgets);
  other.start();
  await other.checked();
  const made = await other.cluster.client.get(Secrets, "widgets-webhook-certificates", call);
  await client.patch(Secrets, secret.metadata.name!, { data: { ...data, ...made.data } }, call);
  await running.nextCheck();
  const second = await ask();
  assertEquals(second.status, 404);
  assert(second.serial !== first.serial);
  assertEquals(running.webhooks.port, port);
});

Deno.test("run() with install: false writes its certificates only, and reports what is missing", async () => {
  await using running = new Running({ install: false });
  const decides = admission(Widgets, { validate: () => {} });
  running.webhooks.add(decides).add(conversions);
  running.start();
  await running.checked();
  const { client, writes } = running.cluster;
  assertEquals(running.logger.of("warn"), [
    "Webhooks are not installed: ValidatingWebhookConfiguration widgets does not exist, so the API server calls no webhook: apply admissionConfigurations()",
  ]);
  const target = { url: "https://own.example" };
  const { validating } = admissionConfigurations([decides], { name: "widgets", target });
  const [own] = validating!.webhooks;
  const other = { ...own!, name: "other.acme.io", clientConfig: { url: "https://other.example" } };
  await client.create(ValidatingWebhookConfigurations, {
    metadata: { name: "widgets" },
    webhooks: [other, own!],
  });
  await client.create(CustomResourceDefinitions, DEFINITION);
  await running.nextCheck();
  const stored = await running.cluster.configuration("validating");
  const ca = atob(stored?.webhooks[1]?.clientConfig.caBundle ?? "");
  assert(ca.includes("BEGIN CERTIFICATE"));
  assertEquals(stored?.webhooks.map(({ clientConfig: { url } }) => url), [
    "https://other.example",
    "https://own.example/validate-acme-io-v1-widget",
  ]);
  assertEquals(stored?.webhooks[0]?.clientConfig.caBundle, undefined);
  const { spec } = await client.get(CustomResourceDefinitions, "widgets.acme.io");
  assertEquals(spec.conversion?.strategy, "Webhook");
  assertEquals(atob(spec.conversion?.webhook?.clientConfig?.caBundle ?? ""), ca);
  const count = writes.length;
  await running.nextCheck();
  assertEquals(writes.length, count);
});

const refusals: [string, string][] = [
  [
    "/secrets/",
    "Cannot keep the webhook certificates in Secret default/widgets-webhook-certificates: ",
  ],
  ["/mutatingwebhookconfigurations/", "Webhooks are not installed: "],
];
for (const [path, message] of refusals) {
  Deno.test(`run() ends with an error that says what to do without a right to ${path}`, async () => {
    await using running = new Running();
    running.webhooks.add(widgets);
    running.cluster.forbidden.push(path);
    const error = await assertRejects(() => running.webhooks.run(), Error, message);
    assertStringIncludes(error.message, "(403 Forbidden): grant the right");
    assert(!running.webhooks.isReady);
  });
}

Deno.test("run() continues when a right or the server is lost later, and reports it", async () => {
  await using running = new Running();
  running.webhooks.add(widgets);
  running.start();
  await running.checked();
  running.cluster.forbidden.push("/secrets/", "/mutatingwebhookconfigurations/");
  await running.nextCheck();
  assertEquals(running.logger.of("warn").map((line) => line.split(":")[0]), [
    "The webhook certificates could not be checked",
    "Webhooks are not installed",
  ]);
  assert(running.webhooks.isReady);
});

Deno.test("WebhookServer refuses invalid options and webhooks", async () => {
  await using running = new Running();
  const { client } = running.cluster;
  const of = (options: WebhookServerOptions) => () => new WebhookServer(client, options);
  assertThrows(of({}), TypeError, "needs either service or url");
  assertThrows(of({ url: "https://a", service: SERVICE }), TypeError, "needs either");
  assertThrows(of({ url: "https://a" }), TypeError, "needs name and secret");
  const secret = { namespace: "a", name: "b" };
  assertThrows(of({ url: "a", name: "a", secret }), TypeError, "it is no URL");
  for (
    const [options, message] of [
      [{ service: SERVICE, instal: false }, 'did you mean "install"?'],
      [{ service: SERVICE, install: "no" }, "install must be true or false"],
      [{ service: SERVICE, port: "9443" }, "port must be a whole number"],
      [{ service: { name: "a" } }, "service.namespace must be"],
      [{ service: { ...SERVICE, prt: 1 } }, 'did you mean "port"?'],
      [{ service: { ...SERVICE, port: 0.5 } }, "port must be a whole number"],
      [{ url: "https://a", name: "a", secret: { name: "b" } }, "secret.namespace must be"],
      [undefined, "takes an object with options"],
    ] as const
  ) assertThrows(of(options as never), Error, message);
  running.webhooks.add(widgets);
  assertThrows(() => running.webhooks.add(widgets), TypeError, "Two webhooks have the path");
  assertThrows(() => running.webhooks.add((() => {}) as never), TypeError, "result of admission()");
  running.start();
  assertThrows(() => running.webhooks.add(conversions), Error, "the server runs");
  await assertRejects(() => running.webhooks.run(), Error, "runs already");
});

Deno.test("permissions() lists the rights that run() needs", async () => {
  await using running = new Running();
  running.webhooks.add(admission(Widgets, { validate: () => {} })).add(conversions);
  const admissionregistration = {
    apiGroups: ["admissionregistration.k8s.io"],
    resources: ["validatingwebhookconfigurations"],
  };
  const secrets = { namespace: "default", apiGroups: [""], resources: ["secrets"] };
  assertEquals(running.webhooks.permissions(), [
    { ...secrets, verbs: ["create"] },
    { ...secrets, resourceNames: ["widgets-webhook-certificates"], verbs: ["get", "update"] },
    { ...admissionregistration, verbs: ["create"] },
    { ...admissionregistration, resourceNames: ["widgets"], verbs: ["get", "patch"] },
    {
      apiGroups: ["apiextensions.k8s.io"],
      resources: ["customresourcedefinitions"],
      resourceNames: ["widgets.acme.io"],
      verbs: ["get", "patch"],
    },
  ]);
});
