/** Certificates are renewed, and webhooks stay installed, whatever single requests end with and whatever the clock says. */

import { assert, assertEquals } from "@std/assert";
import { type Clock, silentLogger, type Timer } from "../../src/base/mod.ts";
import { Client } from "../../src/client/mod.ts";
import {
  admission,
  conversion,
  ValidatingWebhookConfigurations,
  type WebhookConfiguration,
  WebhookServer,
} from "../../src/webhooks/mod.ts";
import { readCertificate } from "../../src/serving/mod.ts";
import { ApiServer } from "../../src/testing/mod.ts";
import { CustomResourceDefinitions, Secrets } from "../../src/types/mod.ts";
import { RecordingLogger } from "../support/recording_logger.ts";
import { tlsFetch } from "../serving/_https_client.ts";
import { Widgets } from "./_reviews.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SERVICE = { namespace: "default", name: "widgets" };
const PLACE = { namespace: "default" };
const SECRET = "widgets-webhook-certificates";

/** A clock whose timers a test fires, with the time of the machine, as TLS has it, and a jump. */
class TestClock implements Clock {
  jumpMs = 0;
  readonly #timers = new Set<() => void>();
  #set = Promise.withResolvers<void>();

  /** The number of timers. */
  get size(): number {
    return this.#timers.size;
  }

  /** Resolves when there is a timer. */
  get waiting(): Promise<void> {
    return this.#timers.size > 0 ? Promise.resolve() : this.#set.promise;
  }

  now(): number {
    return 0;
  }

  wallNow(): number {
    return Date.now() + this.jumpMs;
  }

  setTimer(callback: () => void): Timer {
    this.#timers.add(callback);
    this.#set.resolve();
    return { cancel: () => void this.#timers.delete(callback) };
  }

  fire(): void {
    const timers = [...this.#timers];
    this.#timers.clear();
    this.#set = Promise.withResolvers();
    for (const timer of timers) timer();
  }
}

/** The fault of a request. With `lost`, the server carried the request out. */
const FAULTS = ["hang", "lost", "refused", 500, 503, 409, 403, 422] as const;
type Fault = typeof FAULTS[number];

/** A webhook server that runs, and whose requests a test disturbs. */
class Renewal implements AsyncDisposable {
  /** The clock of the checks. */
  readonly clock = new TestClock();
  /** The clock of the requests. */
  readonly requestClock = new TestClock();
  readonly logger = new RecordingLogger();
  readonly server: ApiServer = new ApiServer({ logger: silentLogger });
  readonly client: Client;
  readonly webhooks: WebhookServer;
  readonly stop = new AbortController();
  running: Promise<void> = Promise.resolve();
  /** The number of requests of the server since the last check. */
  requests = 0;
  /** The request that is disturbed, from 1 on; 0 for none. */
  disturbed = 0;
  fault: Fault = "hang";
  /** Called when a request begins that gets no answer. */
  onHang: () => void = () => this.requestClock.fire();

  constructor() {
    this.client = new Client({ fetch: this.server.fetch, logger: silentLogger });
    const disturbed = new Client({
      fetch: (request) => this.#fetch(request),
      clock: this.requestClock,
      logger: silentLogger,
      maxRetries: 0,
    });
    this.webhooks = new WebhookServer(disturbed, {
      service: SERVICE,
      port: 0,
      hostname: "127.0.0.1",
      clock: this.clock,
      logger: this.logger,
    });
    this.webhooks.add(admission(Widgets, { validate: () => {} }));
    this.webhooks.add(conversion(Widgets, {
      v1beta1: { toHub: (object) => object as never, fromHub: (object) => object },
    }));
  }

  static async start(): Promise<Renewal> {
    const renewal = new Renewal();
    const { client } = renewal;
    const schema = {
      openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    };
    await client.create(CustomResourceDefinitions, {
      metadata: { name: "widgets.acme.io" },
      spec: {
        group: "acme.io",
        scope: "Namespaced",
        names: { plural: "widgets", kind: "Widget" },
        versions: [{ name: "v1", served: true, storage: true, schema }],
      },
    });
    renewal.run();
    await renewal.checked();
    return renewal;
  }

  run(): void {
    this.running = this.webhooks.run({ signal: this.stop.signal });
    this.running.catch(() => {});
  }

  async #fetch(request: Request): Promise<Response> {
    if (++this.requests !== this.disturbed) return await this.server.fetch(request);
    const { fault } = this;
    switch (fault) {
      case "refused":
        throw new TypeError("Connection refused");
      case "hang":
      case "lost":
        if (fault === "lost") await this.server.fetch(request);
        queueMicrotask(() => setTimeout(this.onHang, 0));
        return await new Promise(() => {});
      default: {
        const reason = fault === 409 ? "Conflict" : fault === 403 ? "Forbidden" : "InternalError";
        const status = { kind: "Status", status: "Failure", code: fault, reason, message: "no" };
        return Response.json(status, { status: fault });
      }
    }
  }

  /** Resolves when a check has ended. */
  async checked(): Promise<void> {
    await this.clock.waiting;
  }

  /** Runs a check. Its request of this number, from 1 on, ends in a fault. */
  async check(disturbed = 0, fault: Fault = "hang"): Promise<void> {
    this.requests = 0;
    this.disturbed = disturbed;
    this.fault = fault;
    this.clock.fire();
    await this.checked();
    this.disturbed = 0;
  }

  /** Asserts that all parts have the same certificates, that they are valid, and that they are served. */
  async assertGood(story: string): Promise<void> {
    const { data = {} } = await this.client.get(Secrets, SECRET, PLACE);
    const text = (key: string) => atob(data[key] ?? "");
    const ca = text("ca.crt");
    const serving = readCertificate(text("tls.crt"));
    const { jumpMs } = this.clock;
    for (const nowMs of [Date.now(), Date.now() + jumpMs]) {
      assert(serving.notBeforeMs <= nowMs && nowMs < serving.notAfterMs, `${story}: not valid`);
    }
    const configuration = await this.client.get(ValidatingWebhookConfigurations, "widgets");
    const [webhook] = (configuration as WebhookConfiguration).webhooks;
    assertEquals(atob(webhook?.clientConfig.caBundle ?? ""), ca, story);
    const { spec } = await this.client.get(CustomResourceDefinitions, "widgets.acme.io");
    assertEquals(atob(spec.conversion?.webhook?.clientConfig?.caBundle ?? ""), ca, story);
    const { status } = await tlsFetch(this.webhooks.port!, {
      ca,
      servername: "widgets.default.svc",
    });
    assertEquals(status, 404, story);
    assertEquals(this.webhooks.isReady, true, story);
  }

  async serial(): Promise<string> {
    const { data = {} } = await this.client.get(Secrets, SECRET, PLACE);
    const ca = atob(data["ca.crt"] ?? "");
    return (await tlsFetch(this.webhooks.port!, { ca, servername: "widgets.default.svc" })).serial;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop.abort();
    await this.running;
    assertEquals([this.clock.size, this.requestClock.size], [0, 0], "timers are left");
    await this.client.close();
    await this.server.close();
  }
}

for (const fault of FAULTS) {
  Deno.test(`a certificate is renewed in spite of a request that ends with ${fault}`, async () => {
    await using renewal = await Renewal.start();
    renewal.clock.jumpMs = 0;
    for (let disturbed = 1, isDone = false; !isDone; disturbed++) {
      const before = await renewal.serial();
      renewal.clock.jumpMs += 9 * 30 * DAY_MS;
      renewal.logger.lines.length = 0;
      await renewal.check(disturbed, fault);
      isDone = renewal.requests < disturbed;
      const story = `${fault} for request ${disturbed}`;
      // A conflict is tried again at once, where that is enough.
      const isLogged = renewal.logger.lines.some((line) => /^(warn|error) /.test(line));
      assert(isDone || isLogged || fault === 409, `${story}: not a line`);
      await renewal.check();
      await renewal.assertGood(story);
      assert(await renewal.serial() !== before, `${story}: not renewed`);
      assert(disturbed < 20, "no end");
    }
  });
}

Deno.test("certificates stay valid and served while the clock jumps, and requests end in faults", async () => {
  await using renewal = await Renewal.start();
  for (
    const jumpMs of [HOUR_MS, -2 * HOUR_MS, 2 * 365 * DAY_MS, -2 * 365 * DAY_MS, 8 * 365 * DAY_MS]
  ) {
    for (const fault of FAULTS) {
      for (let disturbed = 0; disturbed < 6; disturbed++) {
        renewal.clock.jumpMs = jumpMs;
        await renewal.check(disturbed, fault);
        await renewal.check();
        await renewal.assertGood(`${jumpMs / DAY_MS} days, ${fault} for request ${disturbed}`);
        renewal.clock.jumpMs = 0;
        await renewal.check();
        await renewal.assertGood(`${jumpMs / DAY_MS} days and back, ${fault} for ${disturbed}`);
      }
    }
  }
});

Deno.test("run() ends at its stop, whichever request is running", async () => {
  for (const isFirst of [true, false]) {
    for (let disturbed = 1, isDone = false; !isDone; disturbed++) {
      const renewal = isFirst ? new Renewal() : await Renewal.start();
      renewal.requests = 0;
      renewal.disturbed = disturbed;
      renewal.onHang = () => renewal.stop.abort();
      if (isFirst) renewal.run();
      else renewal.clock.fire();
      await Promise.any([renewal.running, renewal.checked()]);
      isDone = renewal.requests < disturbed;
      await renewal[Symbol.asyncDispose]();
      assert(disturbed < 20, "no end");
    }
  }
});

Deno.test("isReady is false when a certificate has expired that could not be renewed, and the log says how long is left", async () => {
  await using renewal = await Renewal.start();
  const { clock, logger, webhooks } = renewal;
  for (
    const [days, isReady, line] of [
      [
        300,
        true,
        /^warn The webhook certificates could not be checked: .*valid for 6[45] more days$/,
      ],
      [360, true, /^error .* is valid for [45] more days$/],
      [370, false, /^error .* is valid for 0 more days$/],
    ] as const
  ) {
    clock.jumpMs = days * DAY_MS;
    logger.lines.length = 0;
    await renewal.check(1, 500);
    assertEquals(webhooks.isReady, isReady, `${days} days`);
    assert(logger.lines.some((one) => line.test(one)), logger.lines.join("\n"));
  }
  await renewal.check();
  await renewal.assertGood("after the outage");
});

Deno.test("a new authority is trusted before its certificate is served", async () => {
  await using renewal = await Renewal.start();
  const before = await renewal.serial();
  renewal.clock.jumpMs = 7 * 365 * DAY_MS;
  // The Secret has new certificates, and the configuration cannot be written.
  await renewal.check(4, 500);
  const { data = {} } = await renewal.client.get(Secrets, SECRET, PLACE);
  const bundle = atob(data["ca.crt"] ?? "");
  assertEquals(bundle.split("BEGIN").length, 3);
  const [, ca = ""] = bundle.split(/(?<=-----END CERTIFICATE-----\n)/);
  const trust = { ca, servername: "widgets.default.svc" };
  assertEquals((await tlsFetch(renewal.webhooks.port!, trust)).serial, before);
  await renewal.check();
  await renewal.assertGood("afterwards");
});
