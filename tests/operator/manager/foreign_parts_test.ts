import { assertEquals } from "@std/assert";
import type { MetricsProvider } from "@kubeloop/controller/base";
import { namespace, Widgets, widgetWorld } from "../_world.ts";

/** A provider that throws in one method after `isBroken` is set. */
class BrokenMetrics implements MetricsProvider {
  isBroken = false;
  readonly #part: string;

  constructor(part: string) {
    this.#part = part;
  }

  #use(part: string): void {
    if (this.isBroken && part === this.#part) throw new Error("no meter");
  }

  counter() {
    this.#use("factory");
    return { inc: () => this.#use("counter") };
  }

  gauge() {
    this.#use("factory");
    const use = () => this.#use("gauge");
    return { set: use, inc: use, dec: use };
  }

  histogram() {
    this.#use("factory");
    return { observe: () => this.#use("histogram") };
  }
}

for (const part of ["factory", "counter", "gauge", "histogram"]) {
  Deno.test(`Metrics of the user whose ${part} throws are lost, and nothing else`, async () => {
    await using world = await widgetWorld();
    const metrics = new BrokenMetrics(part);
    metrics.isBroken = part === "factory";
    const manager = world.manager({ metrics });
    let reconciles = 0;
    manager.controller(Widgets).reconcile(({ event }) => {
      reconciles++;
      event("Normal", "Seen", "It is there");
    });
    const running = world.start(manager);
    await world.pass(100);
    metrics.isBroken = true;
    await world.widget("a");
    await world.pass(1000);
    await world.do(world.client.patch(Widgets, "a", { spec: { size: 5 } }, { namespace }));
    await world.pass(1000);
    assertEquals(reconciles, 2);
    assertEquals(
      world.lines.filter((line) => !line.startsWith("info")),
      ["error Metrics are lost (logged once): no meter"],
    );
    await world.do(manager[Symbol.asyncDispose]());
    await world.do(running);
  });
}
