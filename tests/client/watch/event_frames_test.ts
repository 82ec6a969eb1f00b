import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { assertProperty } from "../../support/seeded_runs.ts";
import { Client } from "../../../src/client/mod.ts";
import { SharedInformer } from "../../../src/cache/mod.ts";
import { decodeStatus } from "../../../src/protobuf/mod.ts";
import { envelope, event, field } from "../../protobuf/_message.ts";
import { Pods, StatusError } from "../../../src/types/mod.ts";
import { ApiServer, VirtualClock } from "@kubeloop/testing";

const PROTOBUF = "application/vnd.kubernetes.protobuf";
const namespace = "default";

/** Returns the frames that a server sends of three Pods, each frame by itself. */
async function frames(): Promise<Uint8Array[]> {
  await using server = new ApiServer();
  await using client = new Client({ fetch: server.fetch });
  for (const name of ["a", "b", "c"]) {
    await client.create(Pods, {
      metadata: { name, namespace, labels: { name } },
      spec: { containers: [{ name: "c", image: `image-${"ü".repeat(30)}` }] },
    });
  }
  const response = await server.fetch(
    new Request("http://kubernetes/api/v1/pods?watch=true&timeoutSeconds=1&resourceVersion=0", {
      headers: { accept: PROTOBUF },
    }),
  );
  const reader = response.body!.getReader();
  const bytes: number[] = [];
  while (framesIn(bytes).length < 3) bytes.push(...(await reader.read()).value!);
  await reader.cancel();
  return framesIn(bytes).slice(0, 3);
}

function framesIn(bytes: readonly number[]): Uint8Array[] {
  const all: Uint8Array[] = [];
  for (let at = 0; at + 4 <= bytes.length;) {
    const end = at + 4 + new DataView(Uint8Array.from(bytes.slice(at, at + 4)).buffer).getUint32(0);
    if (end > bytes.length) break;
    all.push(Uint8Array.from(bytes.slice(at, end)));
    at = end;
  }
  return all;
}

/** Runs an informer on a list without items and a watch with the given chunks, and returns what it has cached. */
async function informed(
  chunks: readonly Uint8Array[],
  { fails = false, maxWatchLineBytes }: { fails?: boolean; maxWatchLineBytes?: number } = {},
): Promise<{ names: string[]; images: unknown[]; errors: string[] }> {
  const clock = new VirtualClock();
  const errors: string[] = [];
  const left = chunks.filter(({ length }) => length > 0);
  const line = (message: string) => void errors.push(message);
  const logger = { debug: () => {}, info: line, warn: line, error: line };
  let watches = 0;
  const fetch = (request: Request): Promise<Response> => {
    if (!new URL(request.url).searchParams.has("watch")) {
      return Promise.resolve(
        Response.json({
          kind: "PodList",
          apiVersion: "v1",
          metadata: { resourceVersion: "1" },
          items: [],
        }),
      );
    }
    watches++;
    // A stream of bytes, as a body of the network is: Deno reads it into buffers of the client's.
    const body = new ReadableStream({
      type: "bytes",
      pull(controller: ReadableByteStreamController) {
        const chunk = left.shift();
        if (chunk !== undefined) return controller.enqueue(Uint8Array.from(chunk));
        if (watches === 1 && fails) return controller.error(new Error("connection reset"));
        controller.close();
        controller.byobRequest?.respond(0);
      },
    });
    const headers = { "content-type": `${PROTOBUF};stream=watch` };
    return Promise.resolve(new Response(body, { headers }));
  };
  const client = new Client({
    fetch,
    clock,
    logger,
    ...(maxWatchLineBytes && { maxWatchLineBytes }),
  });
  const informer = new SharedInformer(client.listerWatcher(Pods), {
    resource: Pods,
    useWatchList: false,
    clock,
  });
  const stop = new AbortController();
  const running = informer.run({ signal: stop.signal });
  await clock.advance(500);
  const pods = informer.indexer.list();
  stop.abort();
  await clock.run(running);
  await client.close();
  return {
    names: pods.map(({ metadata }) => metadata.name),
    images: pods.map(({ spec }) => spec?.containers?.[0]?.image),
    errors,
  };
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function frame(...content: number[]): Uint8Array {
  const bytes = new Uint8Array(4 + content.length);
  new DataView(bytes.buffer).setUint32(0, content.length);
  bytes.set(content, 4);
  return bytes;
}

Deno.test("A watch in protobuf delivers the same events, wherever its frames are cut", async () => {
  const all = concat(await frames());
  const cut = fc.array(fc.nat(all.length), { maxLength: 12 });
  await assertProperty(
    fc.asyncProperty(cut, async (places) => {
      const cuts = [0, ...places.toSorted((a, b) => a - b), all.length];
      const chunks = cuts.slice(1).map((end, i) => all.subarray(cuts[i], end));
      const { names, images } = await informed(chunks);
      assertEquals(names, ["a", "b", "c"]);
      assertEquals(new Set(images), new Set([`image-${"ü".repeat(30)}`]));
    }),
    60,
  );
  const single = Array.from(all, (byte) => Uint8Array.of(byte));
  assertEquals((await informed(single)).names, ["a", "b", "c"]);
});

Deno.test("A watch in protobuf drops a frame that is incomplete when the connection ends or breaks", async () => {
  const [a, b] = await frames();
  for (const left of [1, 3, 4, 10, b!.length - 1]) {
    for (const fails of [false, true]) {
      const { names } = await informed([a!, b!.subarray(0, left)], { fails });
      assertEquals(names, ["a"], `${left} bytes, ${fails ? "broken" : "ended"}`);
    }
  }
});

Deno.test("A watch in protobuf keeps the events before a frame that is not an event, and reports the frame", async () => {
  const [a, b] = await frames();
  const [size] = [a!.length - 4];
  for (
    const bad of [
      frame(),
      frame(0xff),
      frame(...new Array(200).fill(0x80)),
      frame(0x0a, 0x05, 0x41, 0x44, 0x44, 0x45, 0x44),
      frame(...a!.subarray(4, a!.length - 1)),
      Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0a),
    ]
  ) {
    const { names, errors } = await informed([concat([a!, bad, b!])]);
    assertEquals(names, ["a"]);
    assert(errors.some((error) => error.includes("Cannot decode the watch")), String(errors));
  }
  const { errors } = await informed([a!], { maxWatchLineBytes: size - 1 });
  assert(errors.some((error) => error.includes("longer than the maximum")), String(errors));
});

Deno.test("An informer in protobuf skips an event of another kind, and keeps the watch", async () => {
  const [a, b] = await frames();
  const other = event(
    "ADDED",
    envelope("v1", "Secret", [field(1, [field(1, "x"), field(6, "9")])]),
  );
  const { names, errors } = await informed([a!, frame(...other), b!]);
  assertEquals(names, ["a", "b"]);
  assert(errors.some((error) => error.includes("its kind is Secret, must be Pod")), String(errors));
});

Deno.test("A client reads the errors of a request for protobuf, which a server answers in protobuf", async () => {
  await using server = new ApiServer();
  await using client = new Client({ fetch: server.fetch });
  const reader = {
    readList: () => undefined,
    readEvent: () => undefined,
    protobuf: () =>
      Promise.resolve({
        readList: () => undefined,
        readEvent: () => undefined,
        readStatus: decodeStatus,
      }),
  };
  const source = client.listerWatcher(Pods).readBy!(reader);
  const expired = { continue: "not a token" };
  const error = await assertRejects(() => source.list(expired, {}), StatusError);
  assertEquals([error.code, error.reason], [400, "BadRequest"]);
  await assertRejects(
    () => source.list({}, {}),
    SyntaxError,
    "answered something that is not a list in Kubernetes' protobuf",
  );
});
