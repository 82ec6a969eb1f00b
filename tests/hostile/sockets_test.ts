/** Answers that are broken below HTTP, over real sockets: the informer tries again, and gets the true list. */

import { assert, assertEquals } from "@std/assert";
import { SharedInformer, waitForCacheSync } from "../../src/cache/mod.ts";
import { Client } from "../../src/client/mod.ts";
import { ConfigMaps } from "../../src/types/mod.ts";
import { RecordingLogger } from "../support/recording_logger.ts";
import { RAW, RawServer } from "./raw_server.ts";

const BAD_ANSWERS = 2;

for (const keeps of ["parsed", "bytes"] as const) {
  for (const [what, behaviour] of Object.entries(RAW)) {
    Deno.test(`a ${keeps} informer over sockets outlives ${what}`, async () => {
      await using server = await RawServer.start(behaviour, BAD_ANSWERS);
      const logger = new RecordingLogger();
      await using client = new Client({
        server: server.url,
        token: "abcdef0123456789",
        logger,
        maxBodyBytes: 1_000_000,
      });
      const source = { ...client.listerWatcher(ConfigMaps), isWatchListSemanticsUnsupported: true };
      const informer = new SharedInformer(source, {
        resource: ConfigMaps,
        keepParsed: keeps === "parsed",
        listTimeoutMs: 300,
        backoff: { durationMs: 1, factor: 1, jitter: 0, steps: 1, capMs: 1 },
      });
      const stop = new AbortController();
      const running = informer.run({ signal: stop.signal });
      try {
        await waitForCacheSync({ timeoutMs: 30_000 }, informer);
        assertEquals(informer.indexer.listKeys(), ["default/a"]);
        assert(logger.lines.length > 0, "says nothing");
        assert(!logger.lines.join().includes("abcdef0123456789"));
        // The list that succeeded, and perhaps the watch. Runtimes may repeat a request on a new connection.
        assert(server.requests <= 2 * BAD_ANSWERS + 2, `${server.requests} requests`);
      } finally {
        stop.abort();
        await running;
      }
    });
  }
}
