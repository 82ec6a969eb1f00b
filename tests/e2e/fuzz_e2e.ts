/**
 * Sends the same random requests to our server and to the real one, which must answer with the same status and reason.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { silentLogger } from "../../src/base/mod.ts";
import { ApiServer } from "../../src/testing/api_server/mod.ts";
import { DEFINITION, type FuzzRequest, fuzzRequest, SEEDED } from "../support/fuzz_requests.ts";
import { countTried, sampleInputs, seededRuns } from "../support/seeded_runs.ts";
import { ADMIN_TOKEN, Cluster } from "./cluster.ts";

const ROUNDS = 60 * seededRuns.factor;
const REQUESTS_PER_ROUND = 8;

/** The allowed differences of our server, with the reason. */
const KNOWN: readonly {
  readonly reason: string;
  readonly applies: (request: FuzzRequest, ours: Outcome, real: Outcome) => boolean;
}[] = [
  {
    reason:
      "the real server takes an empty segment for an empty namespace, and an empty name from the field selector",
    applies: ({ path }) => path.split("?")[0]!.includes("//"),
  },
];

/** The compared parts of an answer. */
interface Outcome {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
  /** The body, with the parts that must differ replaced; only of answers that are not a Status. */
  readonly body: string;
}

/** The parts of an answer that must differ between two servers. */
const DIFFERENT: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<uid>"],
  [/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z/g, "<time>"],
  [/(resourceVersion"?: ?"?)[0-9]+/g, "$1<rv>"],
  [/\bg-[a-z0-9]{5}\b/g, "g-<name>"],
  [/10\.0\.0\.[0-9]+/g, "<ip>"],
  [/(in record \(|in object meta: )[0-9]+/g, "$1<rv>"],
  [/("continue": ?")[^"]+/g, "$1<token>"],
  [/"<invalid>"|"[0-9]+s"/g, "<age>"],
];

function replaced(text: string): string {
  return DIFFERENT.reduce((rest, [pattern, by]) => rest.replace(pattern, by), text);
}

type Send = (path: string, init: RequestInit) => Promise<Response>;

async function outcome(send: Send, request: FuzzRequest, namespace: string): Promise<Outcome> {
  const { method, path, headers, body } = request;
  const abort = new AbortController();
  const response = await send(path.replaceAll("{ns}", namespace), {
    method,
    headers,
    signal: abort.signal,
    ...(body === undefined ? {} : { body }),
  });
  const { status } = response;
  if (status === 200 && /[?&](watch|sendInitialEvents)=|\/watch\//.test(path)) {
    abort.abort();
    await response.body?.cancel().catch(() => {});
    return { status, reason: "", message: "", body: "" };
  }
  const text = await response.text();
  try {
    const { kind, reason = "", message = "" } = JSON.parse(text);
    if (kind === "Status") return { status, reason, message: replaced(message), body: "" };
  } catch {
    // The body is not JSON, so it cannot be a Status.
  }
  return { status, reason: "", message: "", body: replaced(text) };
}

async function post(send: Send, path: string, body: unknown): Promise<void> {
  // The first requests for a new definition may get 404 or 429.
  for (let tries = 0; tries < 50; tries++) {
    const headers = { "content-type": "application/json", "user-agent": "fuzz/1" };
    const response = await send(path, { method: "POST", headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (response.status === 201) return;
    if (response.status !== 404 && response.status !== 429) throw new Error(`${path}: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`Cannot create in ${path}`);
}

Deno.test("our server answers random requests like the real one", async () => {
  await using cluster = await Cluster.start();
  await using server = new ApiServer({ logger: silentLogger });
  using client = Deno.createHttpClient({ caCerts: [cluster.caData], http2: false });
  const real: Send = (path, init) => {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${ADMIN_TOKEN}`);
    return fetch(`${cluster.server}${path}`, { ...init, headers, client });
  };
  const ours: Send = (path, init) => server.fetch(`http://ours${path}`, init);
  for (const send of [real, ours]) {
    await post(send, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION);
  }
  const differences: string[] = [];
  let asked = 0;
  let literal = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const namespace = `fuzz-${round}`;
    for (const send of [real, ours]) {
      await post(send, "/api/v1/namespaces", { metadata: { name: namespace } });
      for (const [path, body] of SEEDED) await post(send, path.replace("{ns}", namespace), body);
    }
    const requests = sampleInputs(fuzzRequest, { count: REQUESTS_PER_ROUND, round });
    for (const request of requests) {
      const [actual, expected] = await Promise.all([
        outcome(ours, request, namespace),
        outcome(real, request, namespace),
      ]);
      asked++;
      if (JSON.stringify(actual) === JSON.stringify(expected)) literal++;
      const same = actual.status === expected.status && actual.reason === expected.reason;
      if (same || KNOWN.some(({ applies }) => applies(request, actual, expected))) continue;
      differences.push(JSON.stringify({ round, request, actual, expected }));
    }
  }
  countTried({ inputs: asked });
  console.log(`${literal} of ${asked} answers are the same to the letter`);
  const seed = `With KUBELOOP_SEED=${seededRuns.seed} KUBELOOP_LONG=${seededRuns.factor}`;
  assertEquals(differences.length, 0, `${seed}\n${differences.join("\n")}`);
});
