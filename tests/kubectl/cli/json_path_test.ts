import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  evaluateJsonPath,
  JsonPathSyntaxError,
  parseJsonPath,
} from "../../../src/kubectl/cli/json_path/mod.ts";
import { assertProperty } from "../../support/seeded_runs.ts";

const OBJECT = {
  metadata: {
    name: "web",
    labels: { app: "web", "example.com/tier": "front", "it's": "odd" },
    "": "empty",
  },
  spec: {
    replicas: 3,
    ratio: 0.5,
    paused: false,
    nothing: null,
    containers: [
      { name: "a", ports: [{ port: 80 }, { port: 443 }], image: "x" },
      { name: "b", ports: [], image: "y" },
      { name: "c) d", image: 'z "q"' },
    ],
  },
};

function select(path: string, object: unknown = OBJECT): unknown[] {
  return evaluateJsonPath(parseJsonPath(path), object);
}

Deno.test("evaluateJsonPath() selects what kubectl selects", () => {
  for (
    const [path, values] of [
      ["{.metadata.name}", ["web"]],
      ["{metadata.name}", ["web"]],
      [".metadata.name", ["web"]],
      ["metadata.name", ["web"]],
      ["{$.metadata.name}", ["web"]],
      ["{@.metadata.name}", ["web"]],
      ["{.metadata.labels.example\\.com/tier}", ["front"]],
      ["{.metadata.labels['example.com/tier']}", ["front"]],
      ["{.metadata.labels['example\\.com/tier']}", ["front"]],
      ['{.metadata.labels["it\'s"]}', ["odd"]],
      ["{.metadata.labels['it\\'s']}", ["odd"]],
      ["{.metadata.labels['app','it\\'s']}", ["web", "odd"]],
      ["{.spec.replicas}", [3]],
      ["{.spec.paused}", [false]],
      ["{.spec.nothing}", [null]],
      ["{.spec.nothing.more}", []],
      ["{.spec.missing.more[0].x}", []],
      ["{.spec.replicas.more}", []],
      ["{.spec.containers[0].name}", ["a"]],
      ["{.spec.containers[-1].name}", ["c) d"]],
      ["{.spec.containers[3].name}", []],
      ["{.spec.containers[-4].name}", []],
      ["{.spec.containers[*].name}", ["a", "b", "c) d"]],
      ["{.spec.containers.*.name}", ["a", "b", "c) d"]],
      ["{.spec.containers[0:2].name}", ["a", "b"]],
      ["{.spec.containers[1:].name}", ["b", "c) d"]],
      ["{.spec.containers[:-1].name}", ["a", "b"]],
      ["{.spec.containers[:].name}", ["a", "b", "c) d"]],
      ["{.spec.containers[::2].name}", ["a", "c) d"]],
      ["{.spec.containers[2:1].name}", []],
      ["{.spec.containers[0,2].name}", ["a", "c) d"]],
      ["{.spec.containers[0].ports[*].port}", [80, 443]],
      ["{.spec.containers[*].ports[*].port}", [80, 443]],
      ["{..port}", [80, 443]],
      ["{.spec..port}", [80, 443]],
      ["{..name}", ["web", "a", "b", "c) d"]],
      ['{.spec.containers[?(@.name=="b")].image}', ["y"]],
      ["{.spec.containers[?(@.name=='b')].image}", ["y"]],
      ["{.spec.containers[?( @.name == 'b' )].image}", ["y"]],
      ["{.spec.containers[?(@.name=='c) d')].image}", ['z "q"']],
      ["{.spec.containers[?('b'==@.name)].image}", ["y"]],
      ["{.spec.containers[?(@.name!='b')].image}", ["x", 'z "q"']],
      ["{.spec.containers[?(@.name>='b')].image}", ["y", 'z "q"']],
      ["{.spec.containers[?(@.ports)].name}", ["a", "b"]],
      ["{.spec.containers[?(@.ports[0])].name}", ["a"]],
      ["{.spec.containers[0].ports[?(@.port>80)].port}", [443]],
      ["{.spec.containers[0].ports[?(@.port<=80.0)].port}", [80]],
      // Values of different types do not compare.
      ["{.spec.containers[0].ports[?(@.port=='80')].port}", []],
      ["{.spec.containers[0].ports[?(@.port!='80')].port}", []],
      ["{.metadata[0]}", []],
      ["{.metadata[?(@.a)]}", []],
      // Inherited properties are not selected.
      ["{.constructor}", []],
      ["{.metadata.__proto__}", []],
      ["{.metadata.labels.toString}", []],
    ] as const
  ) assertEquals(select(path), [...values] as unknown[], path);
  assertEquals(select("{[0].a}", [{ a: 1 }]), [1]);
  assertEquals(select("{[?(@==2)]}", [1, 2, 3]), [2]);
  assertEquals(select("{[?(@==true)]}", [1, true, "true"]), [true]);
  assertEquals(select("{[?(@!=true)]}", [1, false, "true"]), [false]);
});

Deno.test("parseJsonPath() refuses what does not select values, and says where", () => {
  for (
    const [path, problem] of [
      ["", "must be one expression"],
      ["{}", "must be one expression"],
      ["{.a}{.b}", "must be one expression"],
      ["{{.a}}", "must be one expression"],
      ["{.a", "must be one expression"],
      ["{.}", "the name of a field is empty"],
      ["{.a.}", "the name of a field is empty"],
      ["{.....a}", "two recursive steps"],
      ["{....a}", "two recursive steps"],
      ["{.a[}", "expected an index or a slice"],
      ["{.a[]}", "expected an index or a slice"],
      ["{.a[x]}", "expected an index or a slice"],
      ["{.a[1}", 'expected "]"'],
      ["{.a[1:2:3:4]}", "expected an index or a slice"],
      ["{.a[1:2:0]}", "must be above 0"],
      ["{.a[1:2:-1]}", "must be above 0"],
      ["{.a[--1]}", "is not an index"],
      ["{.a[99999999999]}", "is not an index"],
      ["{.a['b]}", "lacks its second '"],
      ["{.a[?(@.b=='c']}", 'expected ")"'],
      ["{.a[?(@.b=='c')}", 'expected ")]"'],
      ["{.a[?(@.b=c)]}", "does not compare"],
      ["{.a[?(@.b=~'c')]}", "does not compare"],
      ["{.a[?(@.b===1)]}", "does not compare"],
      ["{.a[?(@.b==c)]}", "texts need quotes"],
      ["{.a[?(@.b=='c' d)]}", "unexpected text after"],
      ["{.a[?()]}", "the name of a field is empty"],
      ["{ }", "selects nothing"],
      ["{.a]}", 'unexpected "]"'],
      [`{.${"a".repeat(10_001)}}`, "longer than 10000 characters"],
    ] as const
  ) assertThrows(() => parseJsonPath(path), JsonPathSyntaxError, problem, path);
});

Deno.test("parseJsonPath() fails with nothing but a syntax error, in any text", async () => {
  const part = fc.constantFrom(..."{}[]().,:*'\"\\@$?=!<> -0a1..".split(""), "[?(", ")]", "..");
  await assertProperty(fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
    try {
      select(`{.${parts.join("")}}`);
    } catch (error) {
      if (error instanceof JsonPathSyntaxError || /more than one value/.test(`${error}`)) return;
      throw error;
    }
  }));
});

Deno.test("evaluateJsonPath() passes a bounded number of values", () => {
  let nested: unknown = "x";
  for (let depth = 0; depth < 5_000; depth++) nested = { a: nested };
  assertEquals(select("{..a}", nested).length, 5_000);
  const wide = { items: Array.from({ length: 1_000 }, () => ({ a: [{ a: 1 }] })) };
  assertEquals(select("{..a}", wide).length, 2_000);
  assertThrows(() => select("{..a..a..a}", nested), RangeError, "more than 200000 values");
});

Deno.test("evaluateJsonPath() compares integers beyond 2^53 exactly, also with numbers", () => {
  const object = { list: [5, 9007199254740991, 9007199254740993n, -9007199254740993n] };
  for (
    const [filter, values] of [
      ["@ == 9007199254740993", [9007199254740993n]],
      ["@ == 9007199254740992", []],
      ["@ == +9007199254740993", [9007199254740993n]],
      ["@ != 9007199254740993", [5, 9007199254740991, -9007199254740993n]],
      ["@ > 9007199254740991", [9007199254740993n]],
      ["@ < 5.5", [5, -9007199254740993n]],
      ["@ <= -9007199254740993", [-9007199254740993n]],
      ["@ >= 9007199254740992.0", [9007199254740993n]],
      ["@ == '9007199254740993'", []],
    ] as const
  ) {
    assertEquals(select(`{.list[?(${filter})]}`, object), [...values], filter);
  }
});
