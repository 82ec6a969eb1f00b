/** Whatever of a request a server repeats, no credential gets into an error, a log line, a warning or a snapshot. */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { SharedInformer } from "../../../src/cache/mod.ts";
import {
  Client,
  type ClientOptions,
  complete,
  condition as conditionIs,
} from "../../../src/client/mod.ts";
import { Jobs } from "../../../src/kinds/batch/v1.ts";
import { VirtualClock } from "../../../src/testing/mod.ts";
import { explainError, Pods } from "../../../src/types/mod.ts";
import { RecordingLogger } from "../../support/recording_logger.ts";
import { isInShare } from "../../support/seeded_runs.ts";

/** The credentials of a client, and what must never be seen. */
const CREDENTIALS: Readonly<Record<string, { options: ClientOptions; secrets: string[] }>> = {
  "a token": {
    options: { token: "eyJhbGciOi.S3cr3t/To+ken=.x-y_z~42" },
    secrets: ["S3cr3t", "To+ken"],
  },
  "a short token": { options: { token: "q7Zk9#" }, secrets: ["q7Zk9"] },
  "a password": {
    options: { username: "admin-user", password: 'p&ss "w<rd> é/42' },
    secrets: ["p&ss", "w<rd>", "w\\u003crd"],
  },
};

/** The forms in which a server repeats a secret. */
const FORMS: Readonly<Record<string, (secret: string) => string>> = {
  raw: (secret) => secret,
  base64: base64,
  "base64 within other text": (secret) => base64(`x${secret}yz`),
  "base64 for URLs": (secret) =>
    base64(`ab${secret}`).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""),
  "URL-encoded": encodeURIComponent,
  "URL-encoded, in lower case": (secret) =>
    encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  "escaped for HTML": (secret) =>
    secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
      .replaceAll('"', "&#34;"),
};

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

const status = (fields: object) => ({
  kind: "Status",
  apiVersion: "v1",
  status: "Failure",
  ...fields,
});
const json = (code: number, body: unknown) => () =>
  new Response(JSON.stringify(body), {
    status: code,
    headers: { "content-type": "application/json" },
  });
const text = (code: number, body: string, headers: Record<string, string> = {}) => () =>
  new Response(body, { status: code, headers });

/** The answers with which a server may repeat `echo`. A header can hold only Latin-1. */
const WAYS: Readonly<Record<string, (echo: string) => () => Response>> = {
  "a web page": (echo) =>
    text(502, `<html>Bad gateway: ${echo}</html>`, { "content-type": "text/html" }),
  "a long web page": (echo) => text(502, `<html>${" ".repeat(65_520)}${echo}</html>`),
  "plain text of a 500": (echo) => text(500, echo),
  "the message of a Status": (echo) => json(403, status({ code: 403, message: `no ${echo}` })),
  "the reason of a Status": (echo) => json(403, status({ reason: echo })),
  "the details of a Status": (echo) =>
    json(
      422,
      status({ message: "m", details: { name: echo, kind: echo, group: echo, uid: echo } }),
    ),
  "the metadata of a Status": (echo) =>
    json(410, status({ reason: "Expired", metadata: { continue: echo, resourceVersion: echo } })),
  "the causes of a Status": (echo) =>
    json(422, status({ details: { causes: [{ message: echo, reason: echo, field: echo }] } })),
  "a Status with 200": (echo) => json(200, status({ message: echo })),
  "the body of a redirect": (echo) =>
    text(302, `moved ${echo}`, { location: "https://elsewhere.invalid/" }),
  "an answer that is no JSON": (echo) => text(200, `hello ${echo}`),
  "the kind of something that is no list": (echo) => json(200, { kind: echo }),
  "the content type": (echo) =>
    text(200, "nothing", { "content-type": latin1(`text/x; echo=${echo}`) }),
  "a warning": (echo) =>
    text(200, '{"metadata":{},"items":[]}', {
      warning: `299 - "${latin1(echo).replace(/["\\]/g, "\\$&")}"`,
    }),
  "a garbage line of a watch": (echo) => text(200, `${echo}\n`),
  "a line without an object": (echo) => text(200, `${JSON.stringify({ type: echo })}\n`),
  "an event of an unknown type": (echo) =>
    text(200, `${JSON.stringify({ type: echo, object: {} })}\n`),
  "an ERROR event": (echo) =>
    text(
      200,
      `${JSON.stringify({ type: "ERROR", object: status({ code: 500, message: echo }) })}\n`,
    ),
  "an ERROR event of another kind": (echo) =>
    text(200, `${JSON.stringify({ type: "ERROR", object: { kind: echo } })}\n`),
  "an event of another kind": (echo) =>
    text(
      200,
      `${JSON.stringify({ type: "ADDED", object: { kind: echo, metadata: { name: "a" } } })}\n`,
    ),
  "a resource version and a continue token": (echo) =>
    json(200, { metadata: { resourceVersion: echo, continue: echo }, items: [] }),
};

function latin1(value: string): string {
  return value.replace(/[^\x20-\xff]/g, "?");
}

let index = 0;
for (const [credential, { options, secrets }] of Object.entries(CREDENTIALS)) {
  for (const [form, encode] of Object.entries(FORMS)) {
    for (const [way, answer] of Object.entries(WAYS)) {
      // The runtimes share the table; the nightly run tries all of it on each.
      if (!isInShare(index++)) continue;
      Deno.test(`Client hides ${credential} that a server repeats (${form}) in ${way}`, async () => {
        const secret = options.token ?? options.password ?? "";
        const echo = encode(secret);
        const seen = await everythingShown(options, answer(echo));
        for (const hidden of [secret, echo, ...secrets]) {
          const at = seen.indexOf(hidden);
          assert(at < 0, `${hidden} in: ${seen.slice(Math.max(0, at - 60), at + 80)}`);
        }
      });
    }
  }
}

Deno.test("Client hides the header itself, and credentials that it had before", async () => {
  const tokens = ["first-token-1", "second-token-2"];
  const clock = new VirtualClock();
  let asked = 0;
  const client = new Client({
    server: "https://api.example",
    tokenFile: "/token",
    readFile: () => Promise.resolve(tokens[Math.min(asked, 1)]!),
    clock,
    fetch: () =>
      Promise.resolve(
        new Response(`${tokens[0]} ${tokens[1]}`, { status: asked++ === 0 ? 401 : 500 }),
      ),
  });
  const error = await client.get(Pods, "a", { namespace: "x" }).catch((error) => error);
  assertStringIncludes(error.message, '"(hidden) (hidden)"');
  const basic = new Client({
    username: "u",
    password: "pass-word",
    fetch: (request) =>
      Promise.resolve(
        new Response(`you sent ${request.headers.get("authorization")}`, { status: 500 }),
      ),
  });
  const refused = await basic.get(Pods, "a", { namespace: "x" }).catch((error) => error);
  assertStringIncludes(refused.message, '"you sent Basic (hidden)"');
});

Deno.test("no credential is in an error that repeats texts of objects or names of the discovery", async () => {
  const token = "eyJhbGciOi.S3cr3t.x-y_z~42";
  const condition = { type: "Failed", status: "True", reason: "Because", message: `no ${token}` };
  const job = {
    kind: "Job",
    metadata: { name: "j", namespace: "n", uid: "1", resourceVersion: "1" },
    status: { conditions: [condition, { ...condition, type: "Ready", status: "False" }] },
  };
  const clock = new VirtualClock();
  const fetch = (input: string | URL | Request, init?: RequestInit) => {
    const { pathname, searchParams } = new URL(new Request(input, init).url);
    if (searchParams.has("watch")) return new Promise<Response>(() => {});
    const resources = [{ name: `pods${token}`, shortNames: ["pod"], kind: token, verbs: ["get"] }];
    return Promise.resolve(Response.json(
      pathname === "/api"
        ? { kind: "APIVersions", versions: ["v1"] }
        : pathname === "/apis"
        ? { kind: "APIGroupList", groups: [] }
        : pathname === "/api/v1"
        ? { kind: "APIResourceList", groupVersion: "v1", resources }
        : { metadata: { resourceVersion: "1" }, items: [job] },
    ));
  };
  await using client = new Client({ fetch, token, clock });
  const call = { namespace: "n", timeoutMs: 1000 };
  const failures = [
    () => client.waitFor(Jobs, "j", complete, call),
    () => client.waitFor(Jobs, "j", conditionIs("Ready"), call),
    () => client.waitFor(Jobs, "j", () => `it waits for ${token}`, call),
    () => client.resourceFor("pos"),
    () => client.resourceFor({ apiVersion: "v2", kind: token }),
  ];
  for (const fail of failures) {
    const error = await clock.run(assertRejects(fail, Error));
    const said = `${error.message} ${error.stack} ${explainError(error)}`;
    assert(!said.includes("S3cr3t"), said);
    assertStringIncludes(said, "(hidden)");
  }
});

Deno.test("Client shows what a server says otherwise, on one line", async () => {
  const shown = await everythingShown(
    { token: "abcdef" },
    json(403, status({ code: 403, reason: "Forbidden", message: "no\nlevel=info \x1b[2J" })),
  );
  assertStringIncludes(shown, "no\\nlevel=info \\u001b[2J");
  assertEquals(/\p{Cc}/u.test(shown.replaceAll("\n", "")), false);
});

/** Makes all kinds of requests, which are answered by `answer`, and returns everything that a person could see. */
async function everythingShown(options: ClientOptions, answer: () => Response): Promise<string> {
  const clock = new VirtualClock();
  const logger = new RecordingLogger();
  const seen: string[] = [];
  const show = (error: unknown) => {
    for (let at: unknown = error; at instanceof Error; at = at.cause) {
      seen.push(at.message, JSON.stringify({ ...at }));
    }
    seen.push(explainError(error));
  };
  const client = new Client({
    ...options,
    server: "https://api.example",
    clock,
    logger,
    maxRetries: 0,
    warningHandler: (warning) => seen.push(JSON.stringify(warning)),
    fetch: () => Promise.resolve(answer()),
  });
  await client.get(Pods, "a", { namespace: "x" }).catch(show);
  await client.list(Pods, { namespace: "x" }).catch(show);
  try {
    for await (const _event of await client.watch(Pods, { namespace: "x" }));
  } catch (error) {
    show(error);
  }
  for (const own of [undefined, logger]) {
    for (const streams of [true, false]) {
      const stop = new AbortController();
      const informer = new SharedInformer(
        { ...client.listerWatcher(Pods), isWatchListSemanticsUnsupported: !streams },
        { resource: Pods, ...(own && { logger: own }) },
      );
      const running = informer.run({ signal: stop.signal });
      await clock.advance(60_000);
      const { informer: inner, ...snapshot } = informer.snapshot();
      const { lastError, ...state } = inner!;
      seen.push(JSON.stringify([snapshot, state]));
      if (lastError !== undefined) show(lastError);
      stop.abort();
      await clock.run(running, 2_000);
    }
  }
  for (const line of logger.lines) assert(!/\p{Cc}/u.test(line), line);
  return [...seen, ...logger.lines].join("\n");
}

Deno.test("a server cannot fill the log with warnings, nor with events", async () => {
  const logger = new RecordingLogger();
  const clock = new VirtualClock();
  let asked = 0;
  const warning = () => Array.from({ length: 50 }, (_, i) => `299 - "w${asked}-${i}"`).join(", ");
  const event = JSON.stringify({ type: "ADDED", object: { kind: "Other", metadata: {} } });
  const client = new Client({
    clock,
    logger,
    fetch: ({ url }) => {
      asked++;
      const body = url.includes("watch=")
        ? `${event}\n`.repeat(10_000)
        : '{"metadata":{},"items":[]}';
      return Promise.resolve(new Response(body, { headers: { warning: warning() } }));
    },
  });
  for (let i = 0; i < 100; i++) await client.list(Pods, { namespace: "x" });
  assertEquals(logger.lines.length, 10);
  const informer = new SharedInformer(client.listerWatcher(Pods), { resource: Pods });
  const stop = new AbortController();
  const running = informer.run({ signal: stop.signal });
  await clock.advance(60_000);
  stop.abort();
  await clock.run(running, 2_000);
  assert(informer.snapshot().informer!.skipped > 10_000);
  assert(logger.lines.length < 200, `${logger.lines.length} lines`);
});
