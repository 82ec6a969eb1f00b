import { assertEquals } from "@std/assert";
import { formatQuantity, parseQuantity, storedQuantity } from "../../src/base/mod.ts";

/** Texts, and what `resource.ParseQuantity` of apimachinery 0.35.4 makes of them; undefined if it refuses them. */
const RECORDED: readonly (readonly [text: string, canonical: string | undefined])[] = [
  ["0", "0"],
  ["1", "1"],
  ["00", "0"],
  ["-0", "0"],
  ["+0", "0"],
  ["000k", "0"],
  ["+1", "+1"],
  ["-1", "-1"],
  ["+1Gi", "+1Gi"],
  ["00100m", "00100m"],
  ["100m", "100m"],
  ["0100m", "0100m"],
  ["1.", "1."],
  ["1.5", "1500m"],
  [".5", "500m"],
  ["+.5", "500m"],
  ["-.5Gi", "-512Mi"],
  ["0.5Gi", "512Mi"],
  ["1.5Gi", "1536Mi"],
  ["0.1Ki", "102400m"],
  ["1000Mi", "1000Mi"],
  ["1024Mi", "1Gi"],
  ["1Gi", "1Gi"],
  ["8Gi", "8Gi"],
  ["9Gi", "9Gi"],
  ["1024", "1024"],
  ["1000", "1k"],
  ["1001", "1001"],
  ["1000m", "1"],
  ["1500m", "1500m"],
  ["1k", "1k"],
  ["1000k", "1M"],
  ["1E3", "1E3"],
  ["1e3", "1e3"],
  ["1e4", "10e3"],
  ["1e-3", "1e-3"],
  ["1E", "1E"],
  ["1e", undefined],
  ["E", "0"],
  ["k", "0"],
  ["Gi", "0"],
  ["Ei", undefined],
  [".", "0"],
  ["+", "0"],
  ["-", "0"],
  ["e3", "0"],
  ["-Ki", "0"],
  ["7Ei", "7Ei"],
  ["8Ei", "9223372036854775807"],
  ["-8Ei", "-9223372036854775807"],
  ["9Ei", "9223372036854775807"],
  ["16Ei", "9223372036854775807"],
  ["8191Pi", "8191Pi"],
  ["8192Pi", "9223372036854775807"],
  ["8193Pi", "9223372036854775807"],
  ["9223372036854775807", "9223372036854775807"],
  ["9223372036854775807Ki", "9223372036854775807"],
  ["9223372036854775808", "9223372036854775808"],
  ["12345678901234567890", "12345678901234567890"],
  ["12345678901234567890m", "12345678901234567890m"],
  ["999999999999999999", "999999999999999999"],
  ["1000000000000000000", "1E"],
  ["0.0000000001", "1n"],
  ["-0.0000000001", "-1n"],
  ["1n", "1n"],
  ["0.5n", "1n"],
  ["1.1n", "2n"],
  ["1u", "1u"],
  ["1e-9", "1e-9"],
  ["1e-10", "1e-9"],
  ["-1e-10", "-1e-9"],
  ["1e-1000", "1e-9"],
  ["1e1000", "10e999"],
  ["12e1001", "1200e999"],
  ["1e19", "10e18"],
  ["1000E", "1"],
  ["1001E", "1001E"],
  ["8000000000P", "8"],
  ["1e0", "1e0"],
  ["0e5", "0"],
  ["e", undefined],
  ["1e+5", "100e3"],
  ["1e-5", "10e-6"],
  ["", undefined],
  ["Ki1", undefined],
  ["1 ", undefined],
  ["1k ", undefined],
  [" 1", undefined],
  ["1_000", undefined],
  ["0x10", undefined],
  ["1B", undefined],
  ["1mi", undefined],
  ["1K", undefined],
  ["1e3m", undefined],
  ["1ei3", undefined],
  ["1-5", undefined],
  ["1-", undefined],
  ["--1", undefined],
  ["1.2.3", undefined],
  ["١", undefined],
  ["1e9223372036854775808", undefined],
];

Deno.test("storedQuantity() agrees with apimachinery", () => {
  for (const [text, stored] of RECORDED) {
    assertEquals(storedQuantity(text), stored, JSON.stringify(text));
    assertEquals(parseQuantity(text) === undefined, stored === undefined, JSON.stringify(text));
  }
});

Deno.test("parseQuantity() returns the value in billionths and the family of the suffix", () => {
  assertEquals(parseQuantity("1.5Gi"), {
    nano: 1_610_612_736_000_000_000n,
    format: "binary",
  });
  assertEquals(parseQuantity("0.0001Ki"), {
    nano: 102_400_000n,
    format: "decimal",
  });
  assertEquals(parseQuantity("1e3"), { nano: 10n ** 12n, format: "exponent" });
  assertEquals(parseQuantity("-2k")?.nano, -2_000_000_000_000n);
});

Deno.test("parseQuantity() refuses what would take long: thousands of digits, and exponents beyond 10,000", () => {
  assertEquals(parseQuantity("9".repeat(1_001)), undefined);
  assertEquals(parseQuantity("1e10001"), undefined);
  assertEquals(parseQuantity(`1e${"9".repeat(900)}`), undefined);
  assertEquals(parseQuantity("1e-10001"), undefined);
  assertEquals(formatQuantity(parseQuantity("1e9999")!), "1e9999");
  assertEquals(parseQuantity("9".repeat(1_000))?.nano, BigInt("9".repeat(1_000)) * 10n ** 9n);
});

Deno.test("formatQuantity() writes calculated quantities in their canonical form", () => {
  assertEquals(formatQuantity({ nano: 10n ** 9n, format: "decimal" }), "1");
  assertEquals(formatQuantity({ nano: 2n ** 40n * 10n ** 9n, format: "binary" }), "1Ti");
  assertEquals(formatQuantity({ nano: -(10n ** 12n), format: "exponent" }), "-1e3");
});
