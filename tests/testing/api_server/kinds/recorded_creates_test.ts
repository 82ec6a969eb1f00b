import { ApiServer, VirtualClock } from "@kubeloop/testing";
import { assertEquals } from "@std/assert";
import { withoutGoTexts } from "../../../conformance/go_texts.ts";
import { type Loose, NOW } from "../support.ts";

/** A create with `dryRun=All`, as answered by a real server (1.35.4); uid and times have values of tests. */
interface RecordedCreate {
  readonly path: string;
  readonly body: Loose;
  readonly code: number;
  readonly answer: Loose;
}

const ADMIN = { user: "admin", uid: "1", groups: ["system:masters"] };
const UID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Returns the text of the answer to a create. */
async function write(server: ApiServer, path: string, body: Loose): Promise<string> {
  const headers = { "content-type": "application/json", authorization: "Bearer token" };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  const response = await server.fetch(new Request(`http://cluster${path}`, init));
  return await response.text();
}

/** Returns the answer of the server, without what differs between two servers. */
async function answer(server: ApiServer, { path, body }: RecordedCreate): Promise<unknown> {
  const text = await write(server, `${path}?dryRun=All&fieldManager=test`, body);
  return comparable(text.replaceAll(UID, "uid-1"));
}

function comparable(text: string): unknown {
  return JSON.parse(withoutGoTexts(text));
}

const text = await Deno.readTextFile(new URL("./recorded_creates.jsonl", import.meta.url));
const recorded: RecordedCreate[] = text.trim().split("\n").map((line) => JSON.parse(line));

for (const [path, creates] of Map.groupBy(recorded, (one) => one.path)) {
  Deno.test(`creates at ${path} are answered as recorded`, async () => {
    await using server = new ApiServer({
      tokens: { token: ADMIN },
      clock: new VirtualClock({ wallStartMs: Date.parse(NOW) }),
    });
    await write(server, "/api/v1/namespaces", { metadata: { name: "goldns" } });
    for (const one of creates) {
      assertEquals(
        await answer(server, one),
        comparable(JSON.stringify(one.answer)),
        JSON.stringify(one.body),
      );
    }
  });
}
