import { assertEquals } from "@std/assert";
import {
  canonicalIp,
  firstAddress,
  ipNumber,
  ipText,
  ipv4Parts,
  isInside,
  isIpAddress,
  isLegacyIpAddress,
  parseCidr,
} from "../../../src/testing/values/mod.ts";

Deno.test("parseCidr() parses blocks of both families, up to the length of an address", () => {
  assertEquals(parseCidr("10.1.2.3/8"), { address: 0x0a010203n, prefix: 8, bits: 32 });
  assertEquals(parseCidr("::1/128"), { address: 1n, prefix: 128, bits: 128 });
  assertEquals(parseCidr("0.0.0.0/32")?.prefix, 32);
  assertEquals(parseCidr("0.0.0.0/0")?.prefix, 0);
  for (
    const text of ["", "10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "::/129", "10.0.0.0/8/8", "10.0.0/8"]
      .concat("10.0.0.0/-1", "10.0.0.0/0008", "10.0.0.0/a", "/8", "10.0.0.256/8", "fe80::1%a/8")
  ) assertEquals(parseCidr(text), undefined, text);
});

Deno.test("isInside() tells a smaller block within another", () => {
  for (
    const [inner, outer, expected] of [
      ["10.1.0.0/16", "10.0.0.0/8", true],
      ["10.1.0.0/16", "10.1.2.3/16", false],
      ["10.0.0.0/8", "10.1.0.0/16", false],
      ["11.0.0.0/16", "10.0.0.0/8", false],
      ["10.255.255.255/32", "10.0.0.0/8", true],
      ["::/64", "0.0.0.0/0", false],
      ["2001:db8:1::/48", "2001:db8::/32", true],
      ["2001:db9::/48", "2001:db8::/32", false],
    ] as const
  ) assertEquals(isInside(parseCidr(inner)!, parseCidr(outer)!), expected, `${inner} ${outer}`);
});

Deno.test("firstAddress(), ipNumber() and ipText() convert between texts and numbers", () => {
  for (
    const [block, first] of [
      ["10.1.2.3/8", "10.0.0.0"],
      ["10.1.2.3/32", "10.1.2.3"],
      ["10.1.2.3/0", "0.0.0.0"],
      ["192.168.255.255/17", "192.168.128.0"],
      ["2001:db8::ffff/112", "2001:db8::"],
      ["1:2:3:4:5:6:7:8/128", "1:2:3:4:5:6:7:8"],
      ["ffff::/1", "8000::"],
    ] as const
  ) {
    const parsed = parseCidr(block)!;
    assertEquals(ipText(firstAddress(parsed), parsed.bits), first, block);
  }
  assertEquals(ipNumber("1::2:3"), (1n << 112n) + (2n << 16n) + 3n);
  assertEquals(ipNumber("::ffff:10.0.0.1"), (0xffffn << 32n) + 0x0a000001n);
  assertEquals(ipNumber("x"), undefined);
  assertEquals(canonicalIp("2001:DB8:0:0::1"), "2001:db8::1");
  assertEquals(canonicalIp("10.0.0.1"), "10.0.0.1");
  assertEquals(canonicalIp("10.0.0.01"), undefined);
});

Deno.test("isIpAddress() and isLegacyIpAddress() differ in leading zeros", () => {
  for (
    const [text, modern, legacy] of [
      ["1.2.3.4", true, true],
      ["255.255.255.255", true, true],
      ["256.1.1.1", false, false],
      ["01.2.3.4", false, true],
      ["00.0.0.000", false, true],
      ["010.256.0.1", false, false],
      ["1.2.3", false, false],
      ["1.2.3.4.5", false, false],
      ["1.2.3.", false, false],
      ["", false, false],
      ["::", true, true],
      ["::ffff:1.2.3.4", true, true],
      ["::ffff:1.2.3.04", false, false],
      ["fe80::1%eth0", false, false],
      ["1:2", false, false],
      ["12345::", false, false],
      ["abcd", false, false],
    ] as const
  ) assertEquals([isIpAddress(text), isLegacyIpAddress(text)], [modern, legacy], text);
  assertEquals(ipv4Parts("1.20.255.0"), [1, 20, 255, 0]);
});
