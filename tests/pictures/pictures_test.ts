import { assert, assertEquals } from "@std/assert";
import { PICTURES } from "./_commands.ts";
import { architectureSvg } from "./architecture_svg.ts";
import { FLOW_BOXES } from "./flow.ts";
import { crossings, layersOf, reduced } from "./layers.ts";
import { roomsOfPackages } from "./rooms.ts";
import { expectedLines, terminalSvg, textLines } from "./terminal_svg.ts";

const ROOT = new URL("../../", import.meta.url);
/** The maximum size of a picture, in bytes. */
const MAX_BYTES = 20_000;

for (const [path, draw] of Object.entries(PICTURES)) {
  Deno.test(`${path} has the lines that its command prints`, async () => {
    const svg = await Deno.readTextFile(new URL(path, ROOT));
    const hint = "deno task pictures draws them anew";
    assertEquals(textLines(svg), expectedLines(await draw()), hint);
  });
}

for (const path of [...Object.keys(PICTURES), "docs/architecture.svg"]) {
  Deno.test(`${path} is small, describes itself and refers to nothing outside`, async () => {
    const svg = await Deno.readTextFile(new URL(path, ROOT));
    assert(new TextEncoder().encode(svg).length <= MAX_BYTES, `${svg.length} characters`);
    const outside =
      /<script|<foreignObject|\bon\w+=|\bhref|url\((?!#)|@import|https?:\/\/(?!www\.w3\.org\/2000\/svg"|127\.0\.0\.1)/;
    assertEquals(outside.exec(svg)?.[0], undefined);
    const parts = ["<title id=", "<desc id=", "prefers-color-scheme"];
    if (path in PICTURES) parts.push("prefers-reduced-motion");
    for (const part of parts) assert(svg.includes(part), part);
  });
}

const PICTURE = { title: "<a> & b", description: "d", command: "echo '<b>'" };

Deno.test("terminalSvg() escapes markup, keeps colours and breaks long lines before a word", () => {
  const long = `  \u001b[1m${"word ".repeat(60)}\u001b[0m<img src=x onerror=alert(1)> &amp; ${
    "x".repeat(250)
  }`;
  const picture = { ...PICTURE, output: `${long}\n\n\u001b[31mError\u001b[0m: no\n` };
  const svg = terminalSvg(picture);
  assertEquals(textLines(svg), expectedLines(picture));
  assert(!svg.includes("<img") && !svg.includes("<b>"));
  assert(svg.includes('<tspan class="b">word ') && svg.includes('<tspan class="r">Error</tspan>'));
  const rows = [...svg.matchAll(/<tspan x="[^>]*>(.*?)<\/tspan>(?=<tspan x=|<\/text>)/g)];
  assert(rows.length >= 5);
  for (const [, row = ""] of rows) assert(row.replace(/<[^>]*>|&\w+;/g, "").length <= 105, row);
});

Deno.test("textLines() of a picture whose command prints something else differ", () => {
  const svg = terminalSvg({ ...PICTURE, output: "one\ntwo\n" });
  assert(textLines(svg).join() !== expectedLines({ ...PICTURE, output: "one\ntwo!\n" }).join());
});

Deno.test("docs/architecture.svg has the rooms and the imports of the code", async () => {
  const svg = await Deno.readTextFile(new URL("docs/architecture.svg", ROOT));
  const drawn = architectureSvg(await roomsOfPackages());
  assert(svg === drawn, "deno task pictures draws it anew");
});

Deno.test("roomsOfPackages() has the rooms on the way of a change", async () => {
  const { graph, inner } = (await roomsOfPackages()).get("controller")!;
  for (const { room } of FLOW_BOXES) {
    if (room === undefined) continue;
    const [outer = "", one] = room.split("/");
    assert(graph.has(outer) && (one === undefined || inner.get(outer)?.includes(one)), room);
  }
  assertEquals(graph.get("controller"), new Set(["cache", "workqueue"]));
});

function graphOf(arrows: Readonly<Record<string, string>>) {
  return new Map(Object.entries(arrows).map(([node, to]) => [node, new Set(to)]));
}

Deno.test("reduced() drops the arrows that follow from others", () => {
  assertEquals(
    reduced(graphOf({ a: "bcd", b: "c", c: "d", d: "" })),
    graphOf({ a: "b", b: "c", c: "d", d: "" }),
  );
});

Deno.test("layersOf() points all arrows down, passes layers by gaps and avoids crossings", () => {
  const graph = graphOf({ a: "bf", b: "c", c: "dg", d: "", f: "g", g: "", h: "b" });
  const layers = layersOf(graph);
  const names = (layer: typeof layers[number]) => layer.map(({ node }) => node ?? "").sort();
  assertEquals(layers.map(names), [["a", "h"], ["b", "f"], ["", "c"], ["d", "g"]]);
  assertEquals(crossings(layers), 0);
  assertEquals(layers, layersOf(graph));
});
