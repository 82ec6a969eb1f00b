import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { type Logger, silentLogger } from "../../../src/base/mod.ts";
import { readProtobuf } from "../../../src/testing/api_server/schema/mod.ts";
import { DEFINITION, type FuzzRequest, fuzzRequest, SEEDED } from "../../support/fuzz_requests.ts";
import { Cluster } from "./cluster.ts";
import { assertProperty } from "../../support/seeded_runs.ts";

const PROTOBUF = "application/vnd.kubernetes.protobuf";
const RUNS = 80;
const REQUESTS_PER_RUN = 8;

/** A logger that keeps the errors: the server logs an error for each of its own bugs. */
function errorLog(): { logger: Logger; errors: unknown[][] } {
  const errors: unknown[][] = [];
  return { errors, logger: { ...silentLogger, error: (...args) => errors.push(args) } };
}

async function seed(cluster: Cluster): Promise<void> {
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  assertEquals((await cluster.call("POST", definitions, DEFINITION)).status, 201);
  for (const [path, body] of SEEDED) {
    const reply = await cluster.call("POST", path.replace("{ns}", "default"), body);
    assertEquals(reply.status, 201, reply.text);
  }
}

/** Sends the request and reads the response; a watch is closed. Returns the status. */
async function send(cluster: Cluster, request: FuzzRequest): Promise<{ status: number }> {
  const { method, path, headers, body } = request;
  const url = path.replaceAll("{ns}", "default");
  const init = { method, headers, ...(body === undefined ? {} : { body }) };
  const response = await cluster.clock.run(cluster.fetch(url, init));
  if (/[?&](watch|sendInitialEvents)=|\/watch\//.test(path)) await response.body?.cancel();
  else await cluster.clock.run(response.text());
  return { status: response.status };
}

/** Reads a path in JSON and in protobuf, where the server has it: both must be the same. */
async function compareEncodings(cluster: Cluster, path: string): Promise<void> {
  const read = async (accept: string) => {
    const url = path.replaceAll("{ns}", "default");
    const response = await cluster.clock.run(cluster.fetch(url, { headers: { accept } }));
    const bytes = await cluster.clock.run(response.bytes());
    return { bytes, response };
  };
  const { bytes, response } = await read(PROTOBUF);
  if (response.headers.get("content-type") !== PROTOBUF || response.status === 406) return;
  const json = await read("application/json");
  assertEquals(response.status, json.response.status, path);
  const expected = JSON.parse(new TextDecoder().decode(json.bytes));
  assertEquals(readProtobuf(bytes), expected, path);
}

function textOf({ server }: Cluster): string {
  return JSON.stringify(server.state());
}

Deno.test("ApiServer answers random requests without internal errors; rejected requests leave no trace", async () => {
  const prototype = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));
  await assertProperty(
    fc.asyncProperty(
      fc.array(fuzzRequest, { minLength: 1, maxLength: REQUESTS_PER_RUN }),
      async (requests) => {
        const { errors, logger } = errorLog();
        await using cluster = new Cluster({ logger });
        await seed(cluster);
        for (const request of requests) {
          const before = textOf(cluster);
          const { status } = await send(cluster, request);
          assertEquals(errors, [], JSON.stringify(request));
          assert(status >= 200 && status < 600, `${status}`);
          const isWatch = /[?&](watch|sendInitialEvents)=|\/watch\//.test(request.path);
          if (request.method === "GET" && !isWatch) await compareEncodings(cluster, request.path);
          const reads = request.method === "GET" || request.method === "HEAD" ||
            request.method === "OPTIONS";
          // Like the real server, which deletes a collection before it finds that it cannot show a list as one object.
          const isDone = status === 406 && request.method === "DELETE";
          if (reads || (status >= 400 && !isDone)) {
            assert(textOf(cluster) === before, JSON.stringify(request));
          }
          // deno-lint-ignore no-explicit-any
          assertEquals(({} as any).polluted, undefined);
          assertEquals(JSON.stringify(Object.getOwnPropertyNames(Object.prototype)), prototype);
        }
        // Accepted objects can be read back, and the state can start another server.
        await using again = new Cluster({ state: cluster.server.state() });
        assert(textOf(again) === textOf(cluster), "a restart changes the state");
      },
    ),
    RUNS,
  );
});
