/**
 * An informer with custom list and watch functions, here for Jobs of batch/v1. Use such functions for servers, filters
 * or transports that a client's `listerWatcher` does not support.
 *
 * The example prints `Job NAME added`, `Job NAME: N succeeded` and `Job NAME deleted`.
 *
 * On an in-process server, without any permission; or on the cluster of a kubeconfig, whose server is at HOST:PORT:
 *
 * ```sh
 * deno run examples/job_informer.ts
 * deno run --allow-net=HOST:PORT --allow-read=FILE examples/job_informer.ts --kubeconfig FILE --namespace default
 * ```
 *
 * @module
 */

import { DeletedFinalStateUnknown, type Job, Jobs } from "@kubeloop/controller";
import { newInformer } from "@kubeloop/controller/cache";
import type { ListerWatcher } from "@kubeloop/controller/types";
import { pause } from "./_pod_life.ts";
import { type Life, runExample, type Session } from "./_session.ts";

async function main({ client, namespace, signal, logger }: Session): Promise<void> {
  // `list` returns a list and `watch` returns an iterable of events. These two functions filter out suspended Jobs, so
  // a Job that becomes suspended must be deleted from the store.
  const jobs: ListerWatcher<Job> = {
    async list(options, call) {
      const list = await client.list(Jobs, { ...options, ...call, namespace });
      return { ...list, items: list.items.filter((job) => job.spec?.suspend !== true) };
    },
    async *watch(options, call) {
      for await (const event of await client.watch(Jobs, { ...options, ...call, namespace })) {
        const isSuspended = event.type !== "BOOKMARK" && event.object.spec?.suspend === true;
        yield isSuspended ? { type: "DELETED", object: event.object } : event;
      }
    },
  };
  const { informer, indexer } = newInformer<Job>({
    listerWatcher: jobs,
    resource: Jobs,
    logger,
    handler: {
      onAdd: (job) => console.log(`Job ${job.metadata.name} added`),
      onUpdate: (_old, job) =>
        console.log(`Job ${job.metadata.name}: ${job.status?.succeeded ?? 0} succeeded`),
      onDelete: (last) => {
        const job = DeletedFinalStateUnknown.lastKnownState(last);
        console.log(`Job ${job?.metadata.name} deleted`);
      },
    },
  });
  await informer.run({ signal });
  console.log(`${indexer.size} Jobs in the store at the end`);
}

const life: Life = {
  async during({ client, signal }) {
    const call = { namespace: "default", signal };
    const job = (name: string, suspend = false): Job => ({
      metadata: { name },
      spec: {
        suspend,
        template: {
          spec: { restartPolicy: "Never", containers: [{ name: "main", image: "busybox:1.37" }] },
        },
      },
    });
    await client.create(Jobs, job("backup"), call);
    await pause(200, signal);
    await client.create(Jobs, job("sleeping", true), call);
    await client.create(Jobs, job("report"), call);
    await pause(200, signal);
    await client.patchStatus(Jobs, "backup", { status: { succeeded: 1 } }, call);
    await pause(200, signal);
    await client.patch(Jobs, "backup", { spec: { suspend: true } }, call);
    await pause(200, signal);
    await client.delete(Jobs, "report", { ...call, propagationPolicy: "Background" });
    await pause(200, signal);
  },
};

await runExample("Prints what happens to Jobs.", life, main);
