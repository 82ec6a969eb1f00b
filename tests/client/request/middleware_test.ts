import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  Client,
  type ClientOptions,
  type Middleware,
  type MiddlewareNext,
  type MiddlewareRequest,
} from "@kubeloop/controller/client";
import { isForbidden, Pods } from "@kubeloop/controller/types";
import { ApiServer, VirtualClock } from "@kubeloop/testing";
import { CALLS } from "../_calls.ts";
import { bodyOf, networkError, ScriptedFetch, statusAnswer } from "../_scripted_fetch.ts";

const list = () => Response.json({ metadata: { resourceVersion: "1" }, items: [] });

function scripted(
  middleware: readonly Middleware[],
  ...answers: ConstructorParameters<typeof ScriptedFetch>
) {
  const script = new ScriptedFetch(...answers);
  const options: ClientOptions = { fetch: script.fetch, token: "top-secret", middleware };
  return { script, client: new Client(options) };
}

for (const [name, call] of Object.entries(CALLS)) {
  Deno.test(`middleware sees the request of ${name}, without its credentials`, async () => {
    const seen: MiddlewareRequest[] = [];
    const note: Middleware = (request, next) => (seen.push(request), next(request));
    const answer = () => statusAnswer(403, "Forbidden");
    const { client, script } = scripted([note], answer, answer);
    await call(client).catch(() => {});
    assertEquals(
      seen.map(({ method, url }) => `${method} ${url}`),
      script.requests.map(({ method, url }) => `${method} ${url}`),
    );
    assert(seen.length > 0);
    for (const { headers } of seen) assertEquals(headers.get("authorization"), null);
    assertEquals(script.requests[0]?.headers.get("authorization"), "Bearer top-secret");
  });
}

Deno.test("middleware is called in its order, around each other, and may change the request and the response", async () => {
  const steps: string[] = [];
  const step = (name: string): Middleware => async (request, next) => {
    steps.push(`> ${name} ${request.headers.get("x-by") ?? "-"}`);
    request.headers.set("x-by", name);
    const response = await next({ ...request, url: `${request.url}&${name}=1` });
    steps.push(`< ${name} ${response.status}`);
    return response;
  };
  const { client, script } = scripted([step("a"), step("b")], list());
  const { items } = await client.use(step("c")).use(step("d"), step("e")).list(Pods, { limit: 5 });
  assertEquals(items, []);
  assertEquals(steps, [
    "> a -",
    "> b a",
    "> c b",
    "> d c",
    "> e d",
    "< e 200",
    "< d 200",
    "< c 200",
    "< b 200",
    "< a 200",
  ]);
  assertEquals(script.request.headers.get("x-by"), "e");
  assert(script.request.url.endsWith("limit=5&a=1&b=1&c=1&d=1&e=1"));
});

Deno.test("Client.use() changes no other client, and closes nothing", async () => {
  const { client, script } = scripted([], list(), list(), list());
  let calls = 0;
  const counted = client.use((request, next) => (calls++, next(request)));
  await client.list(Pods, { limit: 1 });
  assertEquals(calls, 0);
  await counted.observed({}).list(Pods, { limit: 1 });
  assertEquals(calls, 1);
  await counted.close();
  await client.list(Pods, { limit: 1 });
  assertEquals(script.requests.length, 3);
  await client.close();
  await assertRejects(() => counted.list(Pods), Error, "Client is closed");
});

Deno.test("each try passes through the middleware, and the client makes the retries", async () => {
  const statuses: (number | string)[] = [];
  const note: Middleware = async (request, next) => {
    try {
      const response = await next(request);
      statuses.push(response.status);
      return response;
    } catch (error) {
      statuses.push((error as Error).message);
      throw error;
    }
  };
  const clock = new VirtualClock();
  const script = new ScriptedFetch(
    statusAnswer(429, "TooManyRequests", { "retry-after": "1" }),
    networkError("connection reset"),
    list(),
  );
  const client = new Client({ fetch: script.fetch, clock, middleware: [note] });
  await clock.run(client.list(Pods, { limit: 1 }));
  assertEquals(statuses, [429, "fetch failed", 200]);
});

Deno.test("middleware may answer by itself, and what it answers is treated as an answer of the server", async () => {
  const { client, script } = scripted([() => statusAnswer(403, "Forbidden")]);
  assert(isForbidden(await client.get(Pods, "p", { namespace: "n" }).catch((error) => error)));
  const unauthorized = scripted([() => statusAnswer(401, "Unauthorized")]);
  await assertRejects(() => unauthorized.client.list(Pods), Error, "Unauthorized");
  assertEquals(script.requests.length, 0);
});

Deno.test("middleware may retry, and the response before is discarded", async () => {
  const cancelled: unknown[] = [];
  const broken = new Response(bodyOf(["{"], "open", () => void cancelled.push("first")), {
    status: 500,
  });
  const retry: Middleware = async (request, next) => {
    const response = await next(request);
    return response.status === 500 ? await next(request) : response;
  };
  const { client, script } = scripted([retry], broken, list());
  await client.list(Pods, { limit: 1 });
  assertEquals([script.requests.length, cancelled], [2, ["first"]]);
});

Deno.test("middleware sees watches and logs, whose bodies it passes on as they arrive", async () => {
  const clock = new VirtualClock();
  await using server = new ApiServer({ clock });
  let bytes = 0;
  const count: Middleware = async (request, next) => {
    const response = await next(request);
    const body = response.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.length;
          controller.enqueue(chunk);
        },
      }),
    );
    return new Response(body ?? null, { status: response.status, headers: response.headers });
  };
  await using client = new Client({ ...server.clientOptions, middleware: [count] });
  const pod = await clock.run(client.create(Pods, {
    metadata: { name: "p", namespace: "default" },
    spec: { containers: [{ name: "main", image: "i" }] },
  }));
  server.logs.write("default/p", { text: "hello\n" });
  bytes = 0;
  const log = client.logs(pod, { follow: true });
  assertEquals((await clock.run(log.next())).value, "hello");
  assertEquals(bytes, 6);
  await log.close();
  await clock.advance(10);
  assertEquals(server.logs.openStreams, 0);
  const watch = await clock.run(client.watch(Pods));
  for await (const event of watch) {
    assertEquals(event.type, "ADDED");
    break;
  }
});

Deno.test("an abort ends a call whose middleware waits for ever", async () => {
  const stop = new AbortController();
  let signal: AbortSignal | undefined;
  const { client } = scripted([(request) => {
    signal = request.signal;
    return new Promise(() => {});
  }]);
  const listing = client.list(Pods, { signal: stop.signal, limit: 1 });
  const late = listing.catch((error) => error.message);
  while (signal === undefined) await Promise.resolve();
  stop.abort(new Error("enough"));
  assertEquals(await late, "enough");
  assert(signal.aborted);
});

const BAD: Readonly<Record<string, readonly [Middleware, string]>> = {
  "throws": [function broken() {
    throw new Error("boom");
  }, "GET https://kubeloop.invalid/api/v1/pods failed: boom"],
  "returns nothing": [
    (async function quiet(request: MiddlewareRequest, next: MiddlewareNext) {
      await next(request);
    }) as never,
    "Middleware quiet returned no Response: received undefined; return what next() resolves with",
  ],
  "returns something else": [
    (() => ({ items: [] })) as never,
    "Middleware 1 returned no Response: received an object",
  ],
  "consumes the body": [
    async function reader(request, next) {
      const response = await next(request);
      await response.text();
      return response;
    },
    "Middleware reader returned a Response whose body was read: return a new one, or read a clone",
  ],
  "calls next twice at once": [function twice(request, next) {
    next(request).catch(() => {});
    return next(request);
  }, "Middleware twice called next() twice: await the call before the next one"],
  "passes on nothing": [function lost(_request, next) {
    return next(undefined as never);
  }, "Middleware lost called next() with something that is no request"],
  "passes on headers that are none": [function plain(request, next) {
    return next({ ...request, headers: { a: "b" } as never });
  }, "Middleware plain called next() with something that is no request"],
  ...Object.fromEntries(
    ([
      ["method", 5],
      ["url", new URL("https://kubeloop.invalid/")],
      ["body", new Uint8Array()],
      ["signal", undefined],
    ] as const).map(([part, wrong]) =>
      [
        `passes on a wrong ${part}`,
        [
          function changesAPart(request, next) {
            return next({ ...request, [part]: wrong } as never);
          },
          "Middleware changesAPart called next() with something that is no request",
        ],
      ] satisfies [string, readonly [Middleware, string]]
    ),
  ),
  "sends to another server": [function astray(request, next) {
    return next({ ...request, url: "https://example.com/api" });
  }, "Middleware astray changed the server of a request"],
  "sets a token": [function token(request, next) {
    request.headers.set("Authorization", "Bearer other");
    return next(request);
  }, "Middleware token set the header authorization: give credentials to the client"],
  "impersonates": [function other(request, next) {
    request.headers.set("Impersonate-User", "admin");
    return next(request);
  }, "Middleware other set the header impersonate-user"],
};

for (const [what, [middleware, message]] of Object.entries(BAD)) {
  Deno.test(`middleware that ${what} fails the call with an error that says so`, async () => {
    const cancelled: unknown[] = [];
    const answer = () => new Response(bodyOf(["{}"], "open", () => void cancelled.push(1)));
    const { client } = scripted(
      [middleware],
      what === "consumes the body" ? list() : answer,
      answer,
    );
    const error = await assertRejects(() => client.list(Pods, { limit: 1 }), Error, message);
    assert(!error.message.includes("top-secret"));
  });
}

Deno.test("next() is refused after the middleware has returned", async () => {
  let late: Promise<Response> | undefined;
  const { client } = scripted([function early(request, next) {
    late = Promise.resolve().then(() => Promise.resolve()).then(() =>
      new Promise((resolve) => setTimeout(resolve))
    ).then(() => next(request));
    return list();
  }]);
  await client.list(Pods, { limit: 1 });
  await assertRejects(
    () => late!,
    TypeError,
    "Middleware early called next() after it had returned",
  );
});

Deno.test("a response that arrives after the middleware has returned is discarded", async () => {
  const cancelled: unknown[] = [];
  const answer = () => new Response(bodyOf(["{}"], "open", () => void cancelled.push(1)));
  const { client } = scripted([(request, next) => {
    next(request).catch(() => {});
    return list();
  }], answer);
  await client.list(Pods, { limit: 1 });
  for (let turn = 0; turn < 100 && cancelled.length === 0; turn++) {
    await new Promise((resolve) => setTimeout(resolve));
  }
  assertEquals(cancelled, [1]);
});

Deno.test("middleware in the options must be functions, and later changes of the array mean nothing", async () => {
  const wrong = (middleware: unknown, received: string) =>
    assertThrows(
      () => new Client({ fetch: () => Promise.reject(), middleware: middleware as never }),
      TypeError,
      `Invalid middleware: expected functions (request, next) => Response, received ${received}`,
    );
  wrong(() => {}, "a function");
  wrong([7], "7");
  wrong(null, "null");
  const middleware: Middleware[] = [];
  const { client } = scripted(middleware, list());
  middleware.push(() => list());
  await client.list(Pods, { limit: 1 });
  assertThrows(() => client.use({} as never), TypeError, "received an object");
});
