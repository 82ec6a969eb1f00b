import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ConfigMaps, CustomResourceDefinitions } from "@kubeloop/controller";
import { parse } from "@std/yaml/parse";
import { readYaml } from "../../../src/yaml/mod.ts";
import { cli, SERVER } from "./_cli.ts";
import { namespace, widgetsIn, World } from "./_world.ts";

Deno.test("kubeloop get prints the table of the server", async () => {
  await using world = new World();
  await world.pod("web");
  await world.pod("database-with-a-long-name");
  const { code, stdout, stderr } = await world.run(["get", "pods"]);
  assertEquals([code, stderr], [0, []]);
  assertEquals(
    stdout,
    `NAME                        READY   STATUS    RESTARTS   AGE
database-with-a-long-name   0/1     Pending   0          0s
web                         0/1     Pending   0          0s
`,
  );
  const wide = await world.run(["get", "po", "web", "-o", "wide"]);
  assertEquals(wide.stdout.split("\n")[0]?.split(/ {3,}/).at(-1), "READINESS GATES");
});

Deno.test("kubeloop get takes resources and names as kubectl does", async () => {
  await using world = new World();
  await world.pod("web", { app: "web" });
  await world.pod("db");
  await world.deployment("web");
  const names = async (...args: string[]) =>
    (await world.run(["get", ...args, "-o", "name"])).stdout.split("\n").slice(0, -1);
  assertEquals(await names("pods"), ["pod/db", "pod/web"]);
  assertEquals(await names("pod", "web"), ["pod/web"]);
  assertEquals(await names("po/web", "deploy/web"), ["pod/web", "deployment.apps/web"]);
  assertEquals(await names("po,deployments.apps"), ["pod/db", "pod/web", "deployment.apps/web"]);
  assertEquals(await names("pods", "-l", "app=web"), ["pod/web"]);
  assertEquals(await names("pods", "--field-selector", "metadata.name=db"), ["pod/db"]);
  assertEquals(await names("all"), [
    "pod/db",
    "pod/web",
    "service/kubernetes",
    "deployment.apps/web",
  ]);
  assertEquals(await names("ns", "default"), ["namespace/default"]);
});

Deno.test("kubeloop get -A has the namespaces, and several resources have the kinds in the names", async () => {
  await using world = new World();
  await world.pod("web");
  await world.deployment("web");
  const { stdout } = await world.run(["get", "pods,deploy", "-A"]);
  assertEquals(
    stdout.split("\n").map((line) => line.split(/ {3,}/).slice(0, 2)),
    [
      ["NAMESPACE", "NAME"],
      ["default", "pod/web"],
      [""],
      ["NAMESPACE", "NAME"],
      ["default", "deployment.apps/web"],
      [""],
    ],
  );
});

Deno.test("kubeloop get -o json and yaml print one object, or a List", async () => {
  await using world = new World();
  const data = { text: "a\u001b[2Jb\u202e", more: "😀\u{e0041}\u0000" };
  const create = (name: string) =>
    world.until(world.client.create(ConfigMaps, { metadata: { name }, data }, { namespace }));
  await create("a");
  await create("b");
  const one = JSON.parse((await world.run(["get", "cm/a", "-o", "json"])).stdout);
  assertEquals([one.kind, one.data], ["ConfigMap", data]);
  assertEquals(one.metadata.managedFields, undefined);
  const json = await world.run(["get", "cm", "-ojson"]);
  const list = JSON.parse(json.stdout);
  assertEquals([list.kind, list.items.length, list.items[1].data], ["List", 2, data]);
  // deno-lint-ignore no-control-regex
  assert(!/[\u0000-\u0009\u000b-\u001f\u202e]/.test(json.stdout));

  const yaml = (await world.run(["get", "cm", "a", "-o", "yaml"])).stdout;
  assertEquals((parse(yaml) as typeof one).data, data);
  const yamlList = parse((await world.run(["get", "cm", "-o", "yaml"])).stdout) as typeof list;
  assertEquals(yamlList.items.map((item: typeof one) => item.data), [data, data]);
  const shown = (await world.run(["get", "cm", "a", "-o", "yaml"], { columns: 80 })).stdout;
  assert(!shown.includes("\u001b") && !shown.includes("\u202e"), shown);

  // Texts that Kubernetes' parser would read as numbers and booleans.
  const odd = { a: "08", b: "0o7", c: "yes", d: "1_000", e: "0b1", f: "<<", g: ".5_0", h: "~" };
  await world.until(
    world.client.create(ConfigMaps, { metadata: { name: "odd" }, data: odd }, { namespace }),
  );
  const printed = (await world.run(["get", "cm", "odd", "-o", "yaml"])).stdout;
  assertEquals((await readYaml(printed) as typeof one).data, odd);
  for (const value of Object.values(odd)) assert(printed.includes(`: "${value}"\n`), printed);

  for (const form of ["json", "yaml"]) {
    const empty = parse((await world.run(["get", "secrets", "-o", form])).stdout);
    assertEquals(empty, { apiVersion: "v1", kind: "List", items: [] });
  }
});

Deno.test("kubeloop get prints the existing objects, and an error for each missing object", async () => {
  await using world = new World();
  await world.pod("web");
  const { code, stdout, stderr } = await world.run(["get", "pods", "a", "web", "b", "-o", "name"]);
  assertEquals([code, stdout], [1, "pod/web\n"]);
  assertEquals(stderr, [
    'error: pods "a" not found (404 NotFound)',
    'error: pods "b" not found (404 NotFound)',
  ]);
  const none = await world.run(["get", "secrets"]);
  assertEquals([none.code, none.stdout], [0, ""]);
  assertEquals(none.stderr, ["There are no such objects in the namespace default"]);
});

Deno.test("kubeloop get refuses wrong usage with exit code 2, before any request", async () => {
  const cases: [string[], string][] = [
    [["get"], "Nothing to get: give a resource, as in kubeloop get pods"],
    [["get", "pods", "-n", ""], "--namespace is empty"],
    [["get", ""], "An argument is empty"],
    [["get", "pods/a", "b"], "Give RESOURCE/NAME for each object"],
    [["get", "pods/a/b"], "Give RESOURCE/NAME for each object"],
    [["get", "pods", "-A", "-n", "x"], "--namespace and --all-namespaces exclude each other"],
    [["get", "pods", "--kubeconfig", "x"], "--server and --kubeconfig exclude each other"],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await cli([...args, ...SERVER]);
    assertEquals([code, stderr.length], [2, 1], args.join(" "));
    assertStringIncludes(stderr[0] ?? "", message);
  }
  await using world = new World();
  await world.pod("web");
  for (
    const [args, message] of [
      [["pods", "web", "-l", "a=b"], "Names and selectors exclude each other"],
      [["pods", "web", "-A"], "Names need one namespace"],
      [["pods,svc", "web"], "Names need one resource"],
    ] as const
  ) {
    const { code, stderr } = await world.run(["get", ...args]);
    assertEquals(code, 2);
    assertStringIncludes(stderr[0] ?? "", message);
  }
});

Deno.test("kubeloop get explains a kind that does not exist, and two of one name", async () => {
  await using world = new World();
  const unknown = await world.run(["get", "podz"]);
  assertEquals(unknown.code, 1);
  assertStringIncludes(unknown.stderr[0] ?? "", 'The server has no resource "podz": it has pods');
  for (const group of ["acme.io", "b.example.com"]) {
    await world.until(world.client.create(CustomResourceDefinitions, widgetsIn(group)));
  }
  await world.clock.advance(5000);
  const { code, stderr } = await world.run(["get", "widgets"]);
  assertEquals(code, 0);
  assertEquals(stderr, [
    "note: widgets is taken as widgets.acme.io; there is widgets.b.example.com, too",
    "There are no such objects in the namespace default",
  ]);
  assertEquals((await world.run(["get", "widgets.b.example.com"])).stderr.length, 1);
});

Deno.test("kubeloop get explains what is wrong with the cluster, in one line", async () => {
  const forbidden = () =>
    Promise.resolve(Response.json({
      kind: "Status",
      status: "Failure",
      code: 403,
      reason: "Forbidden",
      message: 'pods is forbidden: User "nobody" cannot list\u001b[2J resource "pods"',
    }, { status: 403 }));
  const denied = await cli(["get", "pods", ...SERVER], { fetch: forbidden });
  assertEquals(denied.code, 1);
  assertEquals(denied.stderr, [
    'error: pods is forbidden: User "nobody" cannot list\\u001b[2J resource "pods" (403 Forbidden): ' +
    "grant the right with a Role and a RoleBinding (or a ClusterRole and a ClusterRoleBinding)",
  ]);
  const none = await cli(["get", "pods"], { env: {} });
  assertEquals([none.code, none.stderr.length], [1, 1]);
  assertStringIncludes(none.stderr[0] ?? "", "kubeconfig");
  const page = () =>
    Promise.resolve(
      new Response("<html>log in</html>", { headers: { "content-type": "text/html" } }),
    );
  const html = await cli(["get", "pods", ...SERVER], { fetch: page });
  assertEquals([html.code, html.stderr.length], [1, 1]);
});

Deno.test("kubeloop get gives up on a server that hangs", async () => {
  await using world = new World();
  const hang = () => new Promise<Response>(() => {});
  const { code, stderr } = await world.run(["get", "pods"], { fetch: hang });
  assertEquals([code, stderr.length], [1, 1]);
  assertStringIncludes(stderr[0] ?? "", "timed out");
});

Deno.test("kubeloop get reads KUBE_TOKEN for --server, and shows it nowhere", async () => {
  const tokens: (string | null)[] = [];
  const fetch = (input: string | URL | Request, init?: RequestInit) => {
    tokens.push(new Request(input, init).headers.get("authorization"));
    return Promise.resolve(new Response("s3cr3t is wrong", { status: 500 }));
  };
  const server = ["--server", "https://127.0.0.1:6443"];
  const { stderr } = await cli(["get", "pods", ...server], {
    fetch,
    env: { KUBE_TOKEN: "s3cr3t" },
  });
  assertEquals(new Set(tokens), new Set(["Bearer s3cr3t"]));
  assert(!stderr.join("\n").includes("s3cr3t"), stderr.join("\n"));
});

Deno.test("kubeloop get holds one page of 100,000 objects at a time, and stops with its reader", async () => {
  await using world = new World();
  const total = 100_000;
  let pages = 0;
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const { pathname, searchParams } = new URL(new Request(input, init).url);
    if (!pathname.endsWith("/pods")) return await world.server.fetch(input, init);
    pages++;
    const start = Number(searchParams.get("continue") ?? "0");
    const limit = Number(searchParams.get("limit"));
    assertEquals(limit, 500);
    const end = Math.min(total, start + limit);
    const rows = Array.from({ length: end - start }, (_, index) => ({
      cells: [`pod-${start + index}`],
      object: { metadata: { name: `pod-${start + index}` } },
    }));
    const metadata = { resourceVersion: "1", ...(end < total ? { continue: `${end}` } : {}) };
    const columnDefinitions = [{ name: "Name", priority: 0 }];
    return Response.json({ kind: "Table", metadata, columnDefinitions, rows });
  };
  let largest = 0;
  const all = await world.run(["get", "pods"], {
    fetch,
    onPrint: (text) => void (largest = Math.max(largest, text.length)),
  });
  assertEquals([all.code, pages], [0, 200]);
  assertEquals(all.stdout.split("\n").length, total + 2);
  assert(largest < 20_000, `${largest}`);
  pages = 0;
  const head = await world.run(["get", "pods"], { fetch, onPrint: (_, run) => run.closePipe() });
  assertEquals([head.code, head.stderr, pages], [0, [], 1]);
});

Deno.test("kubeloop get ends a list that does not end", async () => {
  for (const form of [[], ["-o", "wide"], ["-o", "name"], ["-o", "json"], ["-o", "yaml"]]) {
    for (const isStuck of [true, false]) {
      await using world = new World();
      let pages = 0;
      const { code, stderr } = await world.run(["get", "pods", ...form], {
        fetch: (request) => {
          const { pathname } = new URL(request.url);
          if (!pathname.endsWith("/pods")) return world.server.fetch(request);
          pages++;
          const metadata = { resourceVersion: "1", continue: isStuck ? "again" : `token-${pages}` };
          const isTable = request.headers.get("accept")?.includes("as=Table");
          return Promise.resolve(Response.json(
            isTable
              ? { kind: "Table", metadata, columnDefinitions: [], rows: [] }
              : { kind: "PodList", metadata, items: [] },
          ));
        },
      });
      assertEquals(code, 1, form.join(" "));
      assertStringIncludes(stderr.join(), "List does not end");
      assert(pages <= 12, `${pages} pages`);
    }
  }
});

Deno.test("kubeloop get -o name prints one line for each object, whatever its name", async () => {
  await using world = new World();
  const { stdout } = await world.run(["get", "pods", "-o", "name"], {
    fetch: (request) =>
      new URL(request.url).pathname.endsWith("/pods")
        ? Promise.resolve(Response.json({
          kind: "PodList",
          metadata: {},
          items: ["a\n--all\u001b[2J", "b", "x".repeat(2000)].map((name) => ({
            metadata: { name },
          })),
        }))
        : world.server.fetch(request),
  });
  const long = `pod/${"x".repeat(996)}… (1004 more characters)`;
  assertEquals(stdout, `pod/a\\n--all\\u001b[2J\npod/b\n${long}\n`);
});
