import { assertEquals, assertStringIncludes } from "@std/assert";
import { ConfigMaps } from "@kubeloop/controller";
import { cli, SERVER } from "./_cli.ts";
import { namespace, World } from "./_world.ts";

const map = (name: string, color = "red") =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata: { color: ${color} }\n`;

Deno.test("kubeloop apply applies files, folders and standard input, and prints the results", async () => {
  await using world = new World();
  const files = {
    "dir/a.yaml": `${map("a")}---\n${map("b")}`,
    "dir/more/c.json": JSON.stringify({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "c" },
    }),
    "dir/README.md": "no manifest",
    "-": map("d"),
  };
  const first = await world.run(["apply", "-f", "dir", "-f", "-"], { files });
  assertEquals([first.code, first.stderr], [0, []]);
  assertEquals(first.stdout.split("\n").slice(0, -1).sort(), [
    "configmap/a created",
    "configmap/b created",
    "configmap/c created",
    "configmap/d created",
  ]);
  const changed = { "a.yaml": `${map("a", "blue")}---\n${map("b")}` };
  const diff = await world.run(["apply", "-f", "a.yaml", "--diff"], { files: changed });
  assertStringIncludes(diff.stdout, "-  color: red\n+  color: blue\n");
  const dry = await world.run(["apply", "-f", "a.yaml", "--dry-run"], { files: changed });
  assertStringIncludes(dry.stdout, "configmap/a configured (dry run)\n");
  const { data } = await world.until(world.client.get(ConfigMaps, "a", { namespace }));
  assertEquals(data, { color: "red" });
  const second = await world.run(["apply", "a.yaml"], { files: changed, columns: 40 });
  assertEquals(second.stdout.split("\n").slice(0, -1).sort(), [
    "configmap/a configured",
    "configmap/b unchanged",
  ]);
  assertEquals(second.drawn.endsWith("\r\u001b[K"), true);
  assertStringIncludes(second.drawn, " of 2");
});

Deno.test("kubeloop apply --prune deletes former members of the apply set", async () => {
  await using world = new World();
  const apply = (text: string) =>
    world.run(["apply", "-f", "a.yaml", "--apply-set", "web", "--prune"], {
      files: { "a.yaml": text },
    });
  await apply(`${map("a")}---\n${map("b")}`);
  const { code, stdout } = await apply(map("a"));
  assertEquals(code, 0);
  assertEquals(stdout, "configmap/a unchanged\nconfigmap/b pruned\n");
});

Deno.test("kubeloop apply reports each failure, and applies the rest", async () => {
  await using world = new World();
  const files = { "a.yaml": `${map("Bad_Name")}---\n${map("good")}---\n${map("Worse_Name")}` };
  const { code, stdout, stderr } = await world.run(["apply", "-f", "a.yaml"], { files });
  assertEquals([code, stdout], [1, "configmap/good created\n"]);
  assertEquals(stderr.length, 2);
  assertStringIncludes(stderr[0] ?? "", "error: ConfigMap default/Bad_Name: ");
});

Deno.test("kubeloop apply --wait ends with 124 after its time", async () => {
  await using world = new World();
  const text = JSON.stringify(await world.deployment("old")).replace(
    '"name":"old"',
    '"name":"new"',
  );
  const files = { "a.json": text };
  const args = ["apply", "-f", "a.json", "--wait", "--timeout", "5s"];
  const { code, stdout, stderr } = await world.run(args, { files });
  assertEquals([code, stdout], [124, "deployment.apps/new created\n"]);
  assertEquals(stderr.length, 1);
});

Deno.test("kubeloop apply names the file that is wrong, and applies nothing then", async () => {
  await using world = new World();
  const files = { "dir/a.yaml": map("a"), "dir/b.yaml": "kind: ConfigMap\n" };
  const { code, stdout, stderr } = await world.run(["apply", "-f", "dir"], { files });
  assertEquals([code, stdout, stderr.length], [1, "", 1]);
  assertStringIncludes(stderr[0] ?? "", "dir/b.yaml");
  for (
    const args of [
      [],
      ["-f", "-", "-f", "-"],
      ["-f", "x", "--prune"],
      ["-f", "x", "--timeout", "x"],
    ]
  ) {
    assertEquals((await cli(["apply", ...args, ...SERVER])).code, 2, args.join(" "));
  }
  assertEquals((await cli(["apply", "-f", "missing", ...SERVER])).code, 1);
});

Deno.test("kubeloop apply stops on Ctrl-C and with its reader", async () => {
  await using world = new World();
  const files = { "a.yaml": Array.from({ length: 50 }, (_, n) => map(`m${n}`)).join("---\n") };
  const { code, stderr } = await world.run(["apply", "-f", "a.yaml"], {
    files,
    onPrint: (_, run) => run.interrupt(),
  });
  assertEquals([code, stderr], [130, []]);
});
