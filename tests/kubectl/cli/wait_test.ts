import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Deployments, Jobs, Pods } from "@kubeloop/controller";
import { namespace, World } from "./_world.ts";

const READY = { status: { conditions: [{ type: "Ready", status: "True" as const }] } };

Deno.test("kubeloop wait --for rollout waits for a Deployment, and shows how far it is", async () => {
  await using world = new World();
  const { client, clock } = world;
  await world.deployment("web");
  const run = world.start(["wait", "--for", "rollout", "deploy/web"], { columns: 20 });
  const status = { observedGeneration: 1, replicas: 3, updatedReplicas: 1, availableReplicas: 0 };
  await clock.advance(1000);
  await world.until(client.patchStatus(Deployments, "web", { status }, { namespace }));
  await clock.advance(1000);
  assertEquals(run.stdout, "");
  const done = { ...status, updatedReplicas: 3, availableReplicas: 3, readyReplicas: 3 };
  await world.until(client.patchStatus(Deployments, "web", { status: done }, { namespace }));
  assertEquals(await world.until(run.ended), 0);
  assertEquals(run.stdout, "deployment.apps/web is rolled out\n");
  assertEquals(run.stderr, []);
  const pictures = run.drawn.split("\r\u001b[K");
  assert(pictures.includes("deployment.apps/we…"), run.drawn);
  assertEquals(pictures.at(-1), "");
});

Deno.test("kubeloop wait names the missing condition after its time limit, with exit code 124", async () => {
  await using world = new World();
  await world.deployment("web");
  const { code, stdout, stderr, drawn } = await world.run([
    "wait",
    "--for",
    "rollout",
    "--timeout",
    "1m30s",
    "deploy/web",
  ]);
  assertEquals([code, stdout, drawn], [124, "", ""]);
  assertEquals(stderr, [
    "error: Deployment default/web was not rolled out within 90000 ms: its controller has not yet " +
    "seen the last change",
  ]);
});

Deno.test("kubeloop wait waits for all objects of a selector, within one time", async () => {
  await using world = new World();
  const { client, clock } = world;
  const names = Array.from({ length: 60 }, (_, index) => `web-${index}`);
  for (const name of names) await world.pod(name, { app: "web" });
  await world.pod("other");
  const run = world.start(["wait", "--for", "condition=Ready", "pods", "-l", "app=web"]);
  await clock.advance(1000);
  for (const name of names.slice(0, 55)) {
    await world.until(client.patchStatus(Pods, name, READY, { namespace }));
  }
  const code = await world.until(run.ended);
  assertEquals(code, 124);
  assertEquals(run.stdout.split("\n").length, 56);
  assertEquals(run.stderr.length, 5);
  assert(clock.now() < 40_000, `${clock.now()}`);
});

Deno.test("kubeloop wait waits for objects to be created and deleted", async () => {
  await using world = new World();
  const { client, clock } = world;
  const coming = world.start(["wait", "--for", "create", "pods/web"]);
  await clock.advance(1000);
  await world.pod("web");
  assertEquals(await world.until(coming.ended), 0);
  const going = world.start(["wait", "--for", "delete", "pod", "web"]);
  await clock.advance(1000);
  assertEquals(going.stdout, "");
  await world.until(client.delete(Pods, "web", { namespace }));
  assertEquals(await world.until(going.ended), 0);
  assertEquals(going.stdout, "pod/web is deleted\n");
});

Deno.test("kubeloop wait ends at once if the goal cannot be reached, and stops on Ctrl-C", async () => {
  await using world = new World();
  await world.pod("web");
  const { code, stderr } = await world.run(["wait", "--for", "rollout", "pods/web"]);
  assertEquals(code, 1);
  assertStringIncludes(stderr[0] ?? "", "rolledOut is for Deployments");
  const run = world.start(["wait", "--for", "delete", "pods/web"]);
  await world.clock.advance(1000);
  run.interrupt();
  assertEquals(await world.until(run.ended), 130);
  assertEquals([run.stdout, run.stderr], ["", []]);
});

Deno.test("kubeloop wait refuses wrong usage", async () => {
  await using world = new World();
  await world.pod("web");
  for (
    const args of [
      ["pods/web"],
      ["--for", "ready", "pods/web"],
      ["--for", "condition", "pods/web"],
      ["--for", "condition=", "pods/web"],
      ["--for", "condition=Ready=yes", "pods/web"],
      ["--for", "constructor", "pods/web"],
      ["--for", "delete=now", "pods/web"],
      ["--for", "condition=Ready=True=more", "pods/web"],
      ["--for", "jsonpath", "pods/web"],
      ["--for", "jsonpath=", "pods/web"],
      ["--for", "jsonpath={}", "pods/web"],
      ["--for", "jsonpath={.a}=", "pods/web"],
      ["--for", "jsonpath={.a}=''", "pods/web"],
      ["--for", "jsonpath={.a}x", "pods/web"],
      ["--for", "jsonpath={.a}{.b}", "pods/web"],
      ["--for", "jsonpath={range .a[*]}{.b}{end}", "pods/web"],
      ["--for", "jsonpath={.a[?(@.b==c)]}", "pods/web"],
      ["--for", "delete", "--timeout", "soon", "pods/web"],
      ["--for", "delete", "--timeout", "-1s", "pods/web"],
      ["--for", "delete", "--timeout", "30", "pods/web"],
      ["--for", "delete", "--timeout", "99999h", "pods/web"],
      ["--for", "delete", "pods/web", "-l", "a=b"],
      ["--for", "delete"],
    ]
  ) {
    const { code, stderr } = await world.run(["wait", ...args]);
    assertEquals([code, stderr.length], [2, 1], args.join(" "));
  }
  const none = await world.run(["wait", "--for", "condition=Ready", "pods", "-l", "a=b"]);
  assertEquals([none.code, none.stdout], [1, ""]);
});

Deno.test("kubeloop wait --for delete succeeds for a missing object", async () => {
  await using world = new World();
  const none = await world.run(["wait", "--for", "delete", "pods", "-l", "a=b"]);
  assertEquals([none.code, none.stdout, none.stderr], [0, "", []]);
  const gone = await world.run(["wait", "--for=delete", "pods/nothing"]);
  assertEquals([gone.code, gone.stderr], [0, []]);
});

Deno.test("kubeloop wait --for delete does not wait for a new object of the same name", async () => {
  for (const args of [["pods/web"], ["pods", "-l", "app=web"]]) {
    await using world = new World();
    const { client, clock } = world;
    const labels = { app: "web" };
    const metadata = { name: "web", labels, finalizers: ["example.com/hold"] };
    const containers = [{ name: "main", image: "nginx" }];
    await world.until(client.create(Pods, { metadata, spec: { containers } }, { namespace }));
    const run = world.start(["wait", "--for", "DELETE", ...args]);
    await clock.advance(1000);
    await world.until(client.delete(Pods, "web", { namespace, gracePeriodSeconds: 0 }));
    await world.until(
      client.patch(Pods, "web", { metadata: { finalizers: [] } }, { namespace }),
    );
    await world.pod("web", labels);
    assertEquals(await world.until(run.ended), 0);
    assertEquals(run.stdout, "pod/web is deleted\n");
  }
});

Deno.test("kubeloop wait --for condition takes types and statuses in any case", async () => {
  await using world = new World();
  await world.pod("web");
  await world.until(world.client.patchStatus(Pods, "web", READY, { namespace }));
  for (const what of ["condition=ready", "condition=READY=true", "condition=Ready=TRUE"]) {
    const { code, stderr } = await world.run(["wait", `--for=${what}`, "pod/web"]);
    assertEquals([code, stderr], [0, []], what);
  }
});

Deno.test("kubeloop wait --for jsonpath waits for a value, or for any", async () => {
  await using world = new World();
  const { client, clock } = world;
  await world.deployment("web");
  const run = world.start(["wait", "--for=jsonpath={.status.readyReplicas}=3", "deploy/web"]);
  const any = world.start(["wait", "--for=jsonpath={.status.readyReplicas}", "deploy/web"]);
  await clock.advance(1000);
  const status = (readyReplicas: number) => ({
    status: { observedGeneration: 1, replicas: 3, readyReplicas },
  });
  await world.until(client.patchStatus(Deployments, "web", status(1), { namespace }));
  assertEquals(await world.until(any.ended), 0);
  assertEquals(any.stdout, "deployment.apps/web has {.status.readyReplicas}\n");
  assertEquals(run.stdout, "");
  await world.until(client.patchStatus(Deployments, "web", status(3), { namespace }));
  assertEquals(await world.until(run.ended), 0);
  assertEquals(run.stdout, "deployment.apps/web has {.status.readyReplicas}=3\n");
});

Deno.test("kubeloop wait --for jsonpath takes the forms that kubectl takes", async () => {
  await using world = new World();
  await world.pod("web", { "example.com/a": "b" });
  await world.until(world.client.patchStatus(Pods, "web", READY, { namespace }));
  for (
    const path of [
      "{.metadata.name}=web",
      "{metadata.name}=web",
      ".metadata.name=web",
      "metadata.name=web",
      "{.metadata.name}='web'",
      '{.metadata.name}=" web "',
      '{.status.conditions[?(@.type=="Ready")].status}=True',
      "{.status.conditions[?(@.type=='Ready')].status}=True",
      '{.status.conditions[?(@.type!="Other")].status}=True',
      ".status.conditions[?(@.type=='Ready')].status=True",
      "{.metadata.labels.example\\.com/a}=b",
      "{.metadata.labels['example\\.com/a']}=b",
      "{.metadata.labels}",
    ]
  ) {
    const { code, stderr } = await world.run(["wait", `--for=jsonpath=${path}`, "pod/web"]);
    assertEquals([code, stderr], [0, []], path);
  }
  for (
    const [path, exit, message] of [
      [
        "{.metadata.name}=other",
        124,
        "did not have {.metadata.name}=other within 30000 ms: its value there is web",
      ],
      ["{.metadata.nothing}", 124, "it has no value there"],
      ["{.status.conditions[5].status}=True", 124, "it has no value there"],
      ["{.metadata.labels}=x", 1, "the JSONPath selects an object"],
      ["{.metadata.*}", 1, "values: it must select one"],
    ] as const
  ) {
    const { code, stderr } = await world.run(["wait", `--for=jsonpath=${path}`, "pod/web"]);
    assertEquals(code, exit, path);
    assertStringIncludes(stderr[0] ?? "", message);
  }
});

Deno.test("kubeloop wait --timeout 0s checks once", async () => {
  await using world = new World();
  await world.pod("web");
  const args = ["wait", "--timeout", "0s", "pod/web", "--for"];
  const start = world.clock.now();
  const no = await world.run([...args, "condition=Ready"]);
  assertEquals([no.code, no.stderr], [124, [
    "error: pod/web did not have the condition Ready=True: it has no condition Ready",
  ]]);
  assertEquals((await world.run([...args, "create"])).code, 0);
  assertEquals(world.clock.now(), start);
});

Deno.test("kubeloop wait reports the last state of a deleted object", async () => {
  await using world = new World();
  const { client, clock } = world;
  await world.pod("web");
  const run = world.start(["wait", "--for", "condition=Ready", "pod/web"]);
  await clock.advance(1000);
  await world.until(client.delete(Pods, "web", { namespace, gracePeriodSeconds: 0 }));
  assertEquals(await world.until(run.ended), 124);
  assertStringIncludes(run.stderr[0]!, "it was deleted; before that, it has no condition Ready");
});

Deno.test("kubeloop wait ends when a Job that has finished is deleted", async () => {
  await using world = new World();
  const { client, clock } = world;
  const template = {
    spec: { restartPolicy: "Never" as const, containers: [{ name: "main", image: "perl" }] },
  };
  await world.until(
    client.create(Jobs, { metadata: { name: "pi" }, spec: { template } }, { namespace }),
  );
  const run = world.start(["wait", "--for", "condition=Failed", "--timeout", "1h", "jobs", "pi"]);
  await clock.advance(1000);
  const conditions = [
    { type: "SuccessCriteriaMet", status: "True" as const },
    { type: "Complete", status: "True" as const },
  ];
  const times = { startTime: "2026-01-01T00:00:00Z", completionTime: "2026-01-01T00:00:01Z" };
  await world.until(
    client.patchStatus(Jobs, "pi", { status: { ...times, conditions } as never }, { namespace }),
  );
  await clock.advance(1000);
  await world.until(
    client.delete(Jobs, "pi", { namespace, propagationPolicy: "Background" }),
  );
  await clock.advance(1000);
  assertEquals(await world.until(run.ended), 1);
  assertEquals(clock.now() < 60_000, true);
  assertStringIncludes(run.stderr[0]!, "A Job that has finished does not come back");
});

Deno.test("kubeloop wait escapes the names of a lying server", async () => {
  await using world = new World();
  const name = "a\u001b[2J\nb";
  const metadata = { name, namespace, uid: "u", resourceVersion: "1" };
  const status = { conditions: [{ type: "Ready", status: "True" }] };
  const { code, stdout } = await world.run([
    "wait",
    "--for",
    "condition=Ready",
    "pods",
    "-l",
    "a=b",
  ], {
    fetch: (request) =>
      new URL(request.url).pathname.endsWith("/pods")
        ? Promise.resolve(Response.json({
          kind: "PodList",
          metadata: { resourceVersion: "1" },
          items: [{ metadata, status }],
        }))
        : world.server.fetch(request),
  });
  assertEquals([code, stdout], [0, "pod/a\\u001b[2J\\nb has the condition Ready=True\n"]);
});
