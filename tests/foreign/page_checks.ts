/**
 * Assertions about every page: contrast, headings, names and width.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { AxNode, Page } from "./page.ts";

/** A script that returns texts with a contrast below 4.5, or below 3 if they are large. */
const LOW_CONTRAST = `(() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const parse = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((value, at) => value * a + below[at] * (1 - a));
  const behind = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) {
      layers.push(parse(getComputedStyle(one).backgroundColor));
    }
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const light = (color) => {
    const [r, g, b] = color.map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const low = new Map();
  let count = 0;
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || element.matches("script,style,.vh,option")) continue;
    count++;
    const back = behind(element);
    const ink = over(parse(getComputedStyle(element).color), back);
    const [one, other] = [light(ink), light(back)].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (other + 0.05);
    if (ratio < 4.5) low.set(element.className + ": " + walker.currentNode.data, ratio.toFixed(2));
  }
  return { count, low: [...low].map(([text, ratio]) => ratio + " " + text) };
})()`;

/** Asserts that each text can be read. */
export async function assertContrast(page: Page, where: string): Promise<void> {
  const { count, low } = await page.evaluate<{ count: number; low: string[] }>(LOW_CONTRAST);
  assert(count > 20, `${where}: only ${count} texts`);
  assertEquals(low, [], where);
}

/** Asserts that headings begin with one of level 1, and that no level is left out. */
export function assertHeadings(tree: readonly AxNode[]): void {
  const levels = tree.filter(({ role }) => role === "heading").map(({ level }) => level!);
  assertEquals(levels.filter((level) => level === 1).length, 1);
  assertEquals(levels[0], 1);
  for (const [index, level] of levels.entries()) {
    assert(index === 0 || level - levels[index - 1]! <= 1, `levels ${levels.join(" ")}`);
  }
}

/** Asserts that each element for a person has a name. */
export function assertNames(tree: readonly AxNode[]): void {
  const roles = [
    "link",
    "button",
    "searchbox",
    "textbox",
    "combobox",
    "table",
    "region",
    "heading",
  ];
  for (const { name, role } of tree) {
    assert(!roles.includes(role) || name.trim() !== "", `a ${role} without a name`);
  }
}

/** Asserts that the page is not wider than its window. */
export async function assertNoSideScroll(page: Page, where: string): Promise<void> {
  const [content, width] = await page.evaluate<number[]>(
    "[document.documentElement.scrollWidth, document.documentElement.clientWidth]",
  );
  assert(content! <= width!, `${where}: ${content} px of content in ${width} px`);
}
