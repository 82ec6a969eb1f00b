import { assertEquals } from "@std/assert";
import { withoutGoTexts } from "../../../conformance/go_texts.ts";
import { Cluster } from "../cluster.ts";
import type { Loose } from "../support.ts";

/** A create with `dryRun=All`, as answered by a real server (1.35.4); its uid is replaced by `uid-1`. */
interface RecordedCreate {
  readonly path: string;
  readonly body: Loose;
  readonly code: number;
  readonly answer: Loose;
}

const text = await Deno.readTextFile(new URL("./recorded_creates.jsonl", import.meta.url));
const recorded: RecordedCreate[] = text.trim().split("\n").map((line) => JSON.parse(line));

for (const [path, creates] of Map.groupBy(recorded, (one) => one.path)) {
  Deno.test(`the server answers the recorded creates of ${path}`, async () => {
    await using cluster = new Cluster();
    const [, namespace] = /\/namespaces\/([^/]+)\//.exec(path) ?? [];
    if (namespace !== undefined && namespace !== "default") {
      await cluster.call("POST", "/api/v1/namespaces", { metadata: { name: namespace } });
    }
    for (const { body, code, answer } of creates) {
      const headers = { "user-agent": "test" };
      const reply = await cluster.call("POST", `${path}?dryRun=All`, body, headers);
      assertEquals(reply.status, code, JSON.stringify(body));
      const uid: string = reply.json.metadata.uid ?? "uid-1";
      assertEquals(
        JSON.parse(withoutGoTexts(reply.text.replaceAll(uid, "uid-1"))),
        JSON.parse(withoutGoTexts(JSON.stringify(answer))),
        JSON.stringify(body),
      );
    }
  });
}
