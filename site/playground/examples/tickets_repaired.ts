import { defineResource, Manager } from "@kubeloop/controller";
import { create, type ProcessEnv, settle, simulation } from "@kubeloop/testing/simulation";

const Tickets = defineResource({
  group: "demo.dev",
  version: "v1",
  kind: "Ticket",
  spec: { type: "object", properties: { title: { type: "string" } } },
  status: { type: "object", properties: { number: { type: "integer" } } },
});

/** Gives each Ticket the next number: one worker, which asks the server, not the cache. */
export async function operator({ client, signal }: ProcessEnv) {
  const manager = new Manager(client, { name: "tickets", definitions: [Tickets] });
  manager.controller(Tickets, { workers: 1 })
    .reconcile(async ({ object, client, status }) => {
      if (object.status?.number !== undefined) return;
      const { items } = await client.list(Tickets);
      const taken = items.map((ticket) => ticket.status?.number ?? 0);
      status({ number: Math.max(0, ...taken) + 1 });
    });
  await manager.run({ signal });
}

export default simulation({
  process: operator,
  workload: [
    create(Tickets, "one", { spec: { title: "Paint the door" } }),
    create(Tickets, "two", { spec: { title: "Oil the hinge" } }),
    settle(),
  ],
  // Which Ticket gets which number does not matter.
  mask: (object) => object.kind === "Ticket" ? undefined : object,
  always: [({ server }) => {
    const numbers = server.objects(Tickets).flatMap(({ status }) => status?.number ?? []);
    return new Set(numbers).size === numbers.length || "two Tickets have the same number";
  }],
});
