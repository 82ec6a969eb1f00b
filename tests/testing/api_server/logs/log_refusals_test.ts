import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Cluster } from "../cluster.ts";

const WEB = "default/web";
const LOG = Cluster.path("pods", "web/log");

/** A server with a Pod of one container, which a kubelet has. */
async function withPod(status: Record<string, unknown> = {}): Promise<Cluster> {
  const cluster = new Cluster();
  await cluster.pod("web", { nodeName: "n" });
  cluster.server.logs.admit(WEB);
  if (Object.keys(status).length > 0) {
    await cluster.merge(Cluster.path("pods", "web/status"), {
      status: { containerStatuses: [{ name: "c", ready: false, restartCount: 0, ...status }] },
    });
  }
  return cluster;
}

Deno.test("a container without a log is refused by its state, in the words of a kubelet", async () => {
  const which = 'container "c" in pod "web"';
  const waiting = (reason?: string) => ({
    state: { waiting: reason === undefined ? {} : { reason } },
  });
  for (
    const [status, query, message] of [
      [{}, "", `${which} is not available`],
      [{}, "?previous=true", `${which} is not available`],
      [waiting(), "", `${which} is waiting to start - no logs yet`],
      [waiting("ErrImagePull"), "", `${which} is waiting to start: image can't be pulled`],
      [
        waiting("ImagePullBackOff"),
        "",
        `${which} is waiting to start: trying and failing to pull image`,
      ],
      [waiting("CrashLoopBackOff"), "", `${which} is waiting to start: CrashLoopBackOff`],
      [waiting("x"), "?previous=true", `previous terminated ${which} not found`],
      [{ state: { terminated: { exitCode: 0 } } }, "", `${which} is terminated`],
      [{ state: { running: {} } }, "", `${which} is waiting to start - no logs yet`],
    ] as const
  ) {
    await using cluster = await withPod(status);
    const { status: code, json } = await cluster.get(`${LOG}${query}`);
    assertEquals([code, json.reason, json.message], [400, "BadRequest", message]);
  }
});

Deno.test("endStreams() ends or breaks the requests that follow a log", async () => {
  await using cluster = await withPod();
  cluster.server.logs.write(WEB, { text: "one\n" });
  const follow = () => cluster.clock.run(cluster.fetch(`${LOG}?follow=true`));
  const ended = await follow();
  cluster.server.logs.endStreams();
  assertEquals(await cluster.clock.run(ended.text()), "one\n");
  const broken = await follow();
  cluster.server.logs.endStreams({ broken: true });
  const error = await assertRejects(() => cluster.clock.run(broken.text()), TypeError);
  assertEquals(error.message, "Connection reset: the server went away");
});

Deno.test("PodLogs takes texts and bytes only", async () => {
  await using cluster = await withPod();
  assertThrows(
    () => cluster.server.logs.write(WEB, { text: 5 as unknown as string }),
    TypeError,
    'Cannot write a log: "text" must be a string or bytes: received 5',
  );
  cluster.server.logs.write(WEB, { text: new Uint8Array([0x61, 0x0a]) });
  assertEquals((await cluster.get(LOG)).text, "a\n");
  assertThrows(
    () => cluster.server.logs.admit("default/none"),
    RangeError,
    'No Pod "default/none": expected the key of a Pod that exists, such as "default/web"',
  );
});
