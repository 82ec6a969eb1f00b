import { metrics, trace } from "@opentelemetry/api";
import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import {
  meterMetrics,
  type SpanLike,
  traceReconcile,
  type TracerLike,
} from "../../../src/operator/mod.ts";

const reconcile = {
  controller: "widgets",
  key: "default/web",
  kind: "Widget",
  uid: "u1",
  attempt: 2,
  causes: [{ why: "retry" as const, count: 1, waitedMs: 0 }],
};

/** Returns a tracer that records its calls. */
function recordingTracer() {
  const lines: string[] = [];
  const span: SpanLike = {
    setAttributes: (attributes) => lines.push(JSON.stringify(attributes)),
    setStatus: (status) => lines.push(JSON.stringify(status)),
    recordException: (exception) => lines.push(`exception ${String(exception)}`),
    end: () => void lines.push("end"),
  };
  const tracer: TracerLike = {
    startActiveSpan(name, options, fn) {
      lines.push(`start ${name} ${JSON.stringify(options.attributes)}`);
      return fn(span) as ReturnType<typeof fn>;
    },
  };
  return { lines, tracer, span };
}

Deno.test("traceReconcile() makes a span with the object, the attempt and the causes", async () => {
  const { lines, tracer } = recordingTracer();
  const result = { requeueAfterMs: 5 };
  assertStrictEquals(traceReconcile(tracer, reconcile, () => result), result);
  const attributes = {
    "kubeloop.controller": "widgets",
    "kubeloop.attempt": 2,
    "kubeloop.causes": ["the reconcile before failed"],
    "k8s.namespace.name": "default",
    "k8s.object.name": "web",
    "k8s.object.kind": "Widget",
    "k8s.object.uid": "u1",
  };
  const start = `start reconcile widgets ${JSON.stringify(attributes)}`;
  assertEquals(lines, [start, '{"kubeloop.requeue_after_ms":5}', "end"]);
  lines.length = 0;
  const later = Promise.withResolvers<string>();
  const pending = traceReconcile(tracer, reconcile, () => later.promise);
  assertEquals(lines, [start], "it lasts as long as the reconcile");
  later.resolve("done");
  assertEquals([await pending, lines.length], ["done", 2]);
});

Deno.test("traceReconcile() records an error of the reconcile, and throws it", async () => {
  for (const isAsync of [false, true]) {
    const { lines, tracer } = recordingTracer();
    const error = new Error("no");
    const run = () =>
      traceReconcile(tracer, reconcile, () => {
        if (isAsync) return Promise.reject(error);
        throw error;
      });
    const thrown = isAsync ? await assertRejects(async () => await run()) : assertThrows(run);
    assertStrictEquals(thrown, error);
    assertEquals(lines.slice(1), ["exception Error: no", '{"code":2,"message":"no"}', "end"]);
  }
});

Deno.test("traceReconcile() sets a message of one visible line", () => {
  const { lines, tracer } = recordingTracer();
  const error = new Error(`a\nb\u001b[2J${"x".repeat(100_000)}`);
  assertThrows(() =>
    traceReconcile(tracer, reconcile, () => {
      throw error;
    })
  );
  const { message } = JSON.parse(lines[2] ?? "");
  assert(message.startsWith("a\\nb\\u001b[2Jx") && message.length < 1100, message);
});

Deno.test("traceReconcile() reconciles once with any broken tracer", async () => {
  const { span } = recordingTracer();
  const broken = () => {
    throw new Error("broken tracer");
  };
  const brokenSpan = {
    setAttributes: broken,
    setStatus: broken,
    recordException: broken,
    end: broken,
  };
  const tracers = [
    undefined,
    { startActiveSpan: broken },
    { startActiveSpan: () => undefined },
    {
      startActiveSpan: (
        _: string,
        __: unknown,
        fn: (span: SpanLike) => unknown,
      ) => [fn(span), fn(span)],
    },
    {
      startActiveSpan: (_: string, __: unknown, fn: (span: SpanLike) => unknown) => fn(brokenSpan),
    },
    {
      startActiveSpan: (
        _: string,
        __: unknown,
        fn: (span: SpanLike) => unknown,
      ) => [fn(span), broken()],
    },
  ] as unknown as (TracerLike | undefined)[];
  for (const tracer of tracers) {
    let calls = 0;
    assertEquals(traceReconcile(tracer, reconcile, () => ++calls), 1);
    assertEquals(await traceReconcile(tracer, reconcile, () => Promise.resolve(++calls)), 2);
    assertThrows(
      () =>
        traceReconcile(tracer, reconcile, () => {
          calls++;
          throw new TypeError("mine");
        }),
      TypeError,
      "mine",
    );
    assertEquals(calls, 3);
  }
});

Deno.test("the tracers and meters of @opentelemetry/api fit, and do nothing without an SDK", () => {
  assertEquals(traceReconcile(trace.getTracer("widgets"), reconcile, () => 7), 7);
  const provider = meterMetrics(metrics.getMeter("widgets"));
  provider.counter("a_total", { b: "c" }).inc();
  provider.gauge("a_now", {}).set(2);
  provider.histogram("a_seconds", {}, [1, 2]).observe(1);
});

Deno.test("meterMetrics() makes an instrument once, with description, unit and buckets", () => {
  const made: string[] = [];
  const told: string[] = [];
  const instrument = (name: string, options: unknown) => {
    made.push(`${name} ${JSON.stringify(options)}`);
    const tell = (value: number, labels?: unknown) =>
      void told.push(`${name} ${JSON.stringify(labels)} ${value}`);
    return { add: tell, record: tell };
  };
  const provider = meterMetrics({
    createCounter: instrument,
    createGauge: instrument,
    createHistogram: instrument,
  });
  const labels = { name: "w" };
  for (let i = 0; i < 2; i++) {
    provider.counter("workqueue_adds_total", labels).inc();
    provider.gauge("workqueue_depth", labels).inc(2);
    provider.histogram("my_seconds", labels, [1, 2, Infinity]).observe(0.5);
  }
  provider.gauge("workqueue_depth", labels).dec();
  assertEquals(made, [
    'workqueue_adds_total {"description":"Number of keys that were added to the queue."}',
    'workqueue_depth {"description":"Number of keys that wait in the queue."}',
    'my_seconds {"unit":"s","advice":{"explicitBucketBoundaries":[1,2]}}',
  ]);
  assertEquals(told.filter((line) => line.includes("depth")), [
    'workqueue_depth {"name":"w"} 2',
    'workqueue_depth {"name":"w"} 4',
    'workqueue_depth {"name":"w"} 3',
  ]);
  assert(told.includes('my_seconds {"name":"w"} 0.5'));
});
