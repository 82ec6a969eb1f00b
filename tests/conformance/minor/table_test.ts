import { assertEquals, assertThrows } from "@std/assert";
import { newestOf } from "./newest_release.ts";
import { supportPage } from "./support_doc.ts";
import { nextMinor, withMinor, withoutMinor } from "./table.ts";

const TABLE = { default: "1.9", releases: { "1.9": "v1.9.2" } };

Deno.test("withMinor() makes the newest release the default, and no alpha", () => {
  assertEquals(withMinor(TABLE, "1.10", "v1.10.0"), {
    default: "1.10",
    releases: { "1.9": "v1.9.2", "1.10": "v1.10.0" },
  });
  assertEquals(withMinor(TABLE, "1.10", "v1.10.0-alpha.2").default, "1.9");
  assertThrows(() => withMinor(TABLE, "1.10", "v1.9.3"), RangeError, "must be one of 1.10");
});

Deno.test("withoutMinor() keeps a default, and at least one minor version", () => {
  const both = withMinor(TABLE, "1.10", "v1.10.0");
  assertEquals(withoutMinor(both, "1.10"), TABLE);
  assertThrows(() => withoutMinor(both, "1.8"), RangeError, "expected one of 1.9, 1.10");
  assertThrows(() => withoutMinor(TABLE, "1.9"), RangeError, "cannot be removed");
});

Deno.test("nextMinor() follows the newest minor version", () => {
  assertEquals(nextMinor(withMinor(TABLE, "1.10", "v1.10.0")), "1.11");
});

Deno.test("newestOf() prefers a release to an alpha or beta", () => {
  const versions = ["v1.9.0", "v1.9.1", "v1.9.2-rc.0", "v1.10.0-alpha.1", "v1.10.0-beta.0"];
  assertEquals(newestOf(versions, "1.9"), "v1.9.1");
  assertEquals(newestOf(versions, "1.10"), "v1.10.0-beta.0");
  assertEquals(newestOf(versions, "1.1"), undefined);
});

Deno.test("supportPage() writes the minor versions into the first row", () => {
  const page = "| kubeloop | Kubernetes |\n| -- | -- |\n| 0.1      | 1.8, 1.9   | x |\n";
  assertEquals(
    supportPage(page, ["1.9", "1.10"]),
    "| kubeloop | Kubernetes |\n| -- | -- |\n| 0.1      | 1.9, 1.10  | x |\n",
  );
});
