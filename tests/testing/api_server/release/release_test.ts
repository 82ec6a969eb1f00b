import { assert, assertEquals, assertThrows } from "@std/assert";
import { MINOR_VERSIONS, Release } from "../../../../src/testing/api_server/release/mod.ts";
import { FEATURE_GATES } from "../../../../src/testing/api_server/schema/generated/mod.ts";

Deno.test("Release.has() compares the minor version with both ends of a span", () => {
  const inAll = (span: Parameters<Release["has"]>[0]) =>
    (["1.35", "1.36", "1.37"] as const).map((minor) => new Release(minor).has(span));
  assertEquals(inAll({}), [true, true, true]);
  assertEquals(inAll({ since: "1.36" }), [false, true, true]);
  assertEquals(inAll({ until: "1.36" }), [true, true, false]);
  assertEquals(inAll({ since: "1.36", until: "1.36" }), [false, true, false]);
});

Deno.test("Release.isOn() has the default of a feature gate in each minor version", () => {
  const inAll = (gate: string) =>
    (["1.35", "1.36", "1.37"] as const).map((minor) => new Release(minor).has({ gate }));
  assertEquals(inAll("RelaxedServiceNameValidation"), [false, true, true]);
  assertEquals(inAll("MaxUnavailableStatefulSet"), [false, false, true]);
  // Kubernetes 1.37 no longer has the gate: the feature is always on.
  assertEquals(inAll("RetryGenerateName"), [true, true, true]);
  // Kubernetes 1.35 does not have the gate yet.
  assertEquals(inAll("PLEGOnDemandRelist"), [false, true, true]);
  assertThrows(() => new Release("1.35").isOn("Teleport"), RangeError, "Teleport");
});

/** The gates of spans in the sources, with the minor version since which the span says to have them. */
async function* gatesIn(folder: URL): AsyncGenerator<readonly [gate: string, since: string]> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory && name !== "generated") yield* gatesIn(new URL(`${name}/`, folder));
    if (!name.endsWith(".ts")) continue;
    const text = await Deno.readTextFile(new URL(name, folder));
    for (const [, since, gate] of text.matchAll(/(?:since: "([\d.]+)",\s*)?gate: "(\w+)"/g)) {
      yield [gate!, since ?? MINOR_VERSIONS[0]!];
    }
  }
}

Deno.test("a span with a gate that older versions do not have says since when", async () => {
  const gates = await Array.fromAsync(
    gatesIn(new URL("../../../../src/testing/api_server/", import.meta.url)),
  );
  assert(gates.length > 10, `${gates.length} gates`);
  for (const [gate, since] of gates) {
    assertEquals([gate, since], [gate, FEATURE_GATES[gate]!.split(" ")[0]!]);
  }
});

Deno.test("Release takes feature gates, and all gates of a stage", () => {
  const release = new Release("1.35", { AllAlpha: true, AllBeta: false, HPAScaleToZero: false });
  assert(release.isOn("RelaxedServiceNameValidation"));
  assert(!release.isOn("HPAScaleToZero"));
  assert(!release.isOn("MutableCSINodeAllocatableCount"));
  assert(release.isOn("VolumeAttributesClass"));
});

Deno.test("Release refuses feature gates as a real server does", () => {
  const refused: readonly [Readonly<Record<string, unknown>>, string][] = [
    [{ Teleport: true }, "unrecognized feature gate: Teleport"],
    [{ RetryGenerateName: true }, "unrecognized feature gate: RetryGenerateName"],
    [
      { UserNamespacesSupport: false },
      "cannot set feature gate UserNamespacesSupport to false, feature is locked to true",
    ],
    [{ HPAScaleToZero: "true" }, 'the feature gate HPAScaleToZero is "true"'],
    [{ constructor: true }, "unrecognized feature gate: constructor"],
  ];
  for (const [gates, text] of refused) {
    assertThrows(
      () => new Release("1.37", gates as Readonly<Record<string, boolean>>),
      RangeError,
      text,
    );
  }
});
