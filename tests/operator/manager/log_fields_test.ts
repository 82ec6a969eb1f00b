/** The lines about a reconcile have fields, if the logger can have them. */

import { assertEquals } from "@std/assert";
import { jsonLogger } from "@kubeloop/controller/base";
import type { TracerLike } from "@kubeloop/controller/operator";
import { Widgets, widgetWorld } from "../_world.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

/** A tracer whose spans have one trace. */
const tracer: TracerLike = {
  startActiveSpan: (_name, _options, fn) =>
    fn({
      setAttributes() {},
      setStatus() {},
      recordException() {},
      end() {},
      spanContext: () => ({ traceId: TRACE }),
    }) as ReturnType<typeof fn>,
};

Deno.test("lines of a reconcile and about its failure have the controller, the key, the attempt and the trace", async () => {
  await using world = await widgetWorld();
  const lines: Record<string, unknown>[] = [];
  const { clock } = world;
  const logger = jsonLogger({ clock, write: (line) => lines.push(JSON.parse(line)) });
  for (const given of [tracer, undefined]) {
    const manager = world.manager({ logger, tracer: given });
    let attempts = 0;
    manager.controller(Widgets).reconcile(({ log }) => {
      log.info("begins", { size: 1 });
      if (attempts++ === 0) throw new Error("no disk");
    });
    world.start(manager);
    if (given !== undefined) await world.widget("a");
    await world.pass(1000);
    const about = { controller: "widget", key: "default/a" };
    const trace = given === undefined ? {} : { trace: TRACE };
    assertEquals(
      lines.splice(0).filter(({ key }) => key !== undefined)
        .map(({ time: _time, stack: _stack, ...line }) => line),
      [
        { level: "info", msg: "begins", ...about, attempt: 1, ...trace, args: [{ size: 1 }] },
        {
          level: "warn",
          msg: 'widget: reconcile of "default/a" failed, trying again (retry 1): no disk',
          ...about,
          attempt: 1,
          error: "no disk",
        },
        { level: "info", msg: "begins", ...about, attempt: 2, ...trace, args: [{ size: 1 }] },
      ],
    );
    await manager[Symbol.asyncDispose]();
  }
});
