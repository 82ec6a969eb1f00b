import { assertEquals } from "@std/assert";
import { PacedLogger } from "../../src/base/mod.ts";
import { VirtualClock } from "../../src/testing/mod.ts";
import { RecordingLogger } from "../support/recording_logger.ts";

Deno.test("PacedLogger writes ten lines in ten seconds, and says how many it has left out", async () => {
  const clock = new VirtualClock();
  const logger = new RecordingLogger();
  const paced = new PacedLogger(logger, clock);
  for (let i = 1; i <= 1_000_000; i++) paced.warn(`event ${i}`);
  assertEquals(logger.lines, Array.from({ length: 10 }, (_, i) => `warn event ${i + 1}`));
  await clock.advance(9_999);
  paced.error("still too soon");
  assertEquals(logger.lines.length, 10);
  await clock.advance(1);
  paced.error("later");
  paced.info("last");
  assertEquals(logger.lines.slice(10), [
    "error later (999991 lines were left out before)",
    "info last",
  ]);
});
