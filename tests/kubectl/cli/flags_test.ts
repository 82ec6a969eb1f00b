import { assertEquals, assertThrows } from "@std/assert";
import { COMMANDS } from "../../../src/kubectl/cli/commands.ts";
import { UsageError } from "../../../src/kubectl/cli/exits.ts";
import { helpOf, parseFlags } from "../../../src/kubectl/cli/flags.ts";
import { cli } from "./_cli.ts";

const SET = {
  namespace: { short: "n", value: "NAME", help: "the namespace" },
  output: { short: "o", value: "FORM", values: ["json", "yaml"], help: "the form" },
  filename: { short: "f", value: "FILE", isRepeated: true, help: "a file" },
  all: { short: "A", help: "all" },
} as const;

Deno.test("parseFlags() reads all spellings of kubectl", () => {
  for (
    const args of [
      ["--namespace", "x"],
      ["--namespace=x"],
      ["-n", "x"],
      ["-nx"],
      ["-n=x"],
    ]
  ) {
    const flags = parseFlags(["pods", ...args, "web"], SET, "get");
    assertEquals([flags.text("namespace"), flags.rest], ["x", ["pods", "web"]], args.join(" "));
  }
  const flags = parseFlags(["-Aojson", "-f", "a", "-f", "b", "--", "--all", "-x"], SET, "get");
  assertEquals(flags.has("all"), true);
  assertEquals(flags.text("output"), "json");
  assertEquals(flags.all("filename"), ["a", "b"]);
  assertEquals(flags.rest, ["--all", "-x"]);
});

Deno.test("parseFlags() says what is wrong with a flag, and shows nothing that may be a token", () => {
  const cases: [string[], string][] = [
    [["--namespace"], "--namespace has no value: give --namespace=NAME"],
    [["-n"], "--namespace has no value: give --namespace=NAME"],
    [["-n", "-A"], "--namespace has no value: give --namespace=NAME"],
    [["-n", ""], "--namespace is empty: give --namespace=NAME, or leave it away"],
    [["--namespace="], "--namespace is empty: give --namespace=NAME, or leave it away"],
    [["-n", "a", "-n", "b"], "--namespace is given twice: give it once"],
    [["-o", "xml"], "--output takes json, yaml"],
    [["--all=yes"], "--all takes no value: give it as it is, or leave it away"],
    [["--sever=s3cr3t"], "Unknown flag --sever: see kubeloop get --help"],
    [["-x"], "Unknown flag -x: see kubeloop get --help"],
    [["--constructor"], "Unknown flag --constructor: see kubeloop get --help"],
    [["--__proto__", "x"], "Unknown flag --__proto__: see kubeloop get --help"],
    [
      ["--token", "s3cr3t"],
      "There is no flag --token, because others can see the arguments of a process: set " +
      "KUBE_TOKEN, or use --token-file",
    ],
  ];
  for (const [args, message] of cases) {
    const error = assertThrows(() => parseFlags(args, SET, "get"), UsageError);
    assertEquals(error.message, message, args.join(" "));
  }
});

Deno.test("helpOf() aligns the flags", () => {
  assertEquals(
    helpOf(SET),
    `  -n, --namespace NAME    the namespace
  -o, --output json|yaml  the form
  -f, --filename FILE     a file
  -A, --all               all
`,
  );
});

Deno.test("every command refuses flags that it does not know, and says where to read about those it knows", async () => {
  for (const name of COMMANDS.keys()) {
    for (const flag of ["--bogus", "--bogus=x", "-Z", "--no-color", "--Namespace"]) {
      for (const args of [[flag], ["pods", flag], [flag, "pods"]]) {
        const { code, stderr, stdout } = await cli([name, ...args]);
        assertEquals([code, stdout, stderr.length], [2, "", 1], [name, ...args].join(" "));
        const [shown] = flag.split("=");
        assertEquals(stderr[0], `error: Unknown flag ${shown}: see kubeloop ${name} --help`);
      }
    }
  }
});
