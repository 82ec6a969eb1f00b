import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import fc from "fast-check";
import {
  assertProperty,
  countTried,
  forEachSeed,
  fuzz,
  isInShare,
  readSeededRuns,
  scaled,
  seededRuns,
} from "./seeded_runs.ts";

function never(): never {
  throw new Error("a random number was drawn");
}

Deno.test("readSeededRuns() has a fixed seed, which KUBELOOP_SEED changes", () => {
  const { seed, factor } = readSeededRuns({}, never);
  assertEquals([readSeededRuns({}, never).seed, factor], [seed, 1]);
  assertEquals(readSeededRuns({ KUBELOOP_SEED: "0" }, never), {
    seed: 0,
    factor: 1,
  });
});

Deno.test("readSeededRuns() draws the seed of a long run, unless KUBELOOP_SEED names it", () => {
  assertEquals(readSeededRuns({ KUBELOOP_LONG: "20" }, () => 0.5), { seed: 2 ** 30, factor: 20 });
  assertEquals(
    readSeededRuns({ KUBELOOP_LONG: "20", KUBELOOP_SEED: "7" }, never),
    { seed: 7, factor: 20 },
  );
});

Deno.test("readSeededRuns() gives each process that shares the inputs a part of them and a seed of its own", () => {
  const of = (share: string) =>
    readSeededRuns({ KUBELOOP_SEED: "7", KUBELOOP_SHARE: share }, never);
  const seeds = ["1/3", "2/3", "3/3"].map((share) => of(share).seed);
  assertEquals(new Set([7, ...seeds]).size, 4);
  assertEquals(of("2/3").factor, 1 / 3);
  assertEquals(scaled(100, of("2/3")), 34);
  assertEquals(scaled(1, of("2/3")), 1);
  const long = { KUBELOOP_LONG: "30", KUBELOOP_SEED: "2147483647", KUBELOOP_SHARE: "1/3" };
  assertEquals(readSeededRuns(long, never), { seed: 1_000_002, factor: 10 });
  for (const text of ["", "1", "0/3", "4/3", "1/0", "x/3", "1/3 ", "1.5/3"]) {
    assertThrows(() => of(text), RangeError, `KUBELOOP_SHARE "${text}"`);
  }
});

Deno.test("isInShare() gives each case to one of the processes that share a table, and all cases to a single process", () => {
  const cases = [0, 1, 2, 3, 4, 5, 6];
  const of = (number: number, of: number) => cases.filter((one) => isInShare(one, { number, of }));
  assertEquals([1, 2, 3].flatMap((number) => of(number, 3)).sort(), cases);
  assertEquals(of(0, 1), cases);
});

Deno.test("a failure in a share is repeated without the others", () => {
  const property = fc.property(fc.nat(), (n) => assert(n < 10));
  const share = { seed: 5, factor: 1 / 3 };
  const error = assertThrows(() => assertProperty(property, 300, share), Error, "KUBELOOP_SEED=5");
  assert(!error.message.includes("KUBELOOP_LONG"), error.message);
  assertThrows(() => assertProperty(property, 300, { seed: 5, factor: 1 }));
});

Deno.test("readSeededRuns() rejects values that are not whole numbers", () => {
  for (const text of ["", "x", "1.5", "-1", "1e3", " 1", "2147483648"]) {
    assertThrows(() => readSeededRuns({ KUBELOOP_SEED: text }, Math.random), RangeError, text);
  }
  assertThrows(() => readSeededRuns({ KUBELOOP_LONG: "0" }, Math.random), RangeError, "from 1");
});

const LONG = { seed: 5, factor: 3 };

Deno.test("assertProperty() gives the same inputs with the same seed, and more of them in long mode", async () => {
  const inputs = (settings: typeof LONG) => {
    const seen: number[] = [];
    const property = fc.property(fc.integer(), (n) => void seen.push(n));
    assertProperty(property, 10, settings);
    return seen;
  };
  assertEquals(inputs(LONG).length, 30);
  assertEquals(inputs(LONG), inputs(LONG));
  assertEquals(inputs({ seed: 5, factor: 1 }), inputs(LONG).slice(0, 10));
  assert(String(inputs({ seed: 6, factor: 3 })) !== String(inputs(LONG)));
  let asked = 0;
  await assertProperty(fc.asyncProperty(fc.integer(), async () => void await asked++), 10, LONG);
  assertEquals(asked, 30);
});

Deno.test("assertProperty() names the smallest input and the seed of a failure", async () => {
  const how = "KUBELOOP_SEED=5 KUBELOOP_LONG=3";
  const message = (n: number) => assert(n < 10, `${n} is too large`);
  const error = assertThrows(
    () => assertProperty(fc.property(fc.nat(), message), 100, LONG),
    Error,
    how,
  );
  assertStringIncludes(error.message, "Counterexample: [10]");
  assertStringIncludes(String((error.cause as Error).cause), "10 is too large");
  const property = fc.asyncProperty(fc.nat(), async (n) => message(await n));
  await assertRejects(() => assertProperty(property, 100, LONG), Error, how);
});

Deno.test("fuzz() and forEachSeed() name the seed of a failure", async () => {
  const fails = () => Promise.reject(new RangeError("too large"));
  const error = await assertRejects(() => fuzz(1, fails, LONG), Error, "KUBELOOP_SEED=5 KUBE");
  assertStringIncludes(error.message, "too large");
  let runs = 0;
  await assertRejects(
    () => forEachSeed(1, () => ++runs === 2 ? fails() : undefined, LONG),
    Error,
    "KUBELOOP_SEED=6",
  );
});

Deno.test("forEachSeed() begins with the chosen seed", async () => {
  const draws = async (seed: number) => {
    const seen: number[] = [];
    await forEachSeed(2, (random) => void seen.push(random.next()), { seed, factor: 1 });
    return seen;
  };
  const [, second] = await draws(5);
  assertEquals((await draws(6))[0], second);
  await draws(2 ** 31 - 1);
});

Deno.test("random tests append their counts to the file KUBELOOP_COUNTS", async () => {
  const file = await Deno.makeTempFile();
  const before = Deno.env.get("KUBELOOP_COUNTS");
  Deno.env.set("KUBELOOP_COUNTS", file);
  try {
    assertProperty(fc.property(fc.nat(), () => {}), 4, LONG);
    await fuzz(5, () => {}, LONG);
    await forEachSeed(6, () => {}, LONG);
    countTried({ faults: 7 });
    assertThrows(() => assertProperty(fc.property(fc.nat(), () => false), 4, LONG));
    const lines = (await Deno.readTextFile(file)).trim().split("\n").map((line) =>
      JSON.parse(line)
    );
    assertEquals(lines, [{ inputs: 12 }, { inputs: 15 }, { inputs: 18 }, { faults: 7 }]);
  } finally {
    if (before === undefined) Deno.env.delete("KUBELOOP_COUNTS");
    else Deno.env.set("KUBELOOP_COUNTS", before);
    await Deno.remove(file);
  }
  assert(seededRuns.factor > 0);
});
