/**
 * The rooms of the code and their imports, as `docs/architecture.svg` shows them.
 *
 * @module
 */

import { importsOfRooms } from "../checks/architecture.ts";
import type { Graph } from "./layers.ts";

const SOURCES = new URL("../../src/", import.meta.url);
/** The rooms at the bottom, which nearly all others import, so that arrows to them would only hide the rest. */
export const GROUND: readonly string[] = ["base", "types", "kinds"];
const PACKAGES = ["controller", "kubectl", "testing", "create"] as const;

/** The name of a package without its scope. */
export type PackageName = typeof PACKAGES[number];

/** The rooms of one package. */
export interface PackageRooms {
  /** The imports of each room from rooms of the same package. */
  readonly graph: Graph;
  /** The rooms inside of each room. */
  readonly inner: ReadonlyMap<string, readonly string[]>;
  /**
   * The library's entry points that each room imports, except those of {@linkcode GROUND}. For rooms of the library: the inner
   * rooms of a room that imports it.
   */
  readonly library: ReadonlyMap<string, readonly string[]>;
}

/** Returns the rooms of all packages. */
export async function roomsOfPackages(): Promise<ReadonlyMap<PackageName, PackageRooms>> {
  const imports = await importsOfRooms(SOURCES);
  return new Map(PACKAGES.map((name) => [name, roomsOf(name, imports)]));
}

function roomsOf(
  name: PackageName,
  imports: ReadonlyMap<string, ReadonlySet<string>>,
): PackageRooms {
  const graph = new Map<string, Set<string>>();
  const toInner: [room: string, path: string][] = [];
  const inner = new Map<string, string[]>();
  const library = new Map<string, string[]>();
  for (const [path, targets] of imports) {
    const room = roomOf(path);
    if (packageOf(room) !== name || GROUND.includes(room)) continue;
    const arrows = graph.get(room) ?? new Set();
    graph.set(room, arrows);
    const [first, ...rest] = path.slice(room.length + 1).split("/");
    if (first !== "" && rest.length === 0) push(inner, room, first!);
    for (const target of targets) {
      const entry = /^@kubeloop\/controller(?:\/internal)?\/(\w+)/.exec(target)?.[1];
      if (entry !== undefined && !GROUND.includes(entry)) push(library, room, entry);
      const to = roomOf(target);
      if (to === room || packageOf(to) !== name || GROUND.includes(to)) continue;
      if (to === target) arrows.add(to);
      else toInner.push([room, target]);
    }
  }
  // `see` imports `operator/stories`, and `operator` imports `see`. Arrows in a circle have no layers, so one is text.
  for (const [room, path] of toInner) {
    if (reaches(graph, roomOf(path), room)) push(library, room, path);
    else graph.get(room)!.add(roomOf(path));
  }
  return { graph, inner, library };
}

function reaches(graph: Graph, from: string, to: string): boolean {
  return from === to || [...graph.get(from) ?? []].some((next) => reaches(graph, next, to));
}

function push(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  if (!list.includes(value)) list.push(value);
  list.sort();
}

/** Returns the drawn room of a path. In the testing package and in the command, it is one level deeper. */
function roomOf(path: string): string {
  const [first = "", second] = path.split("/");
  const isDeep = first === "testing" || (first === "kubectl" && second === "cli");
  return isDeep && second !== undefined ? `${first}/${second}` : first;
}

function packageOf(room: string): PackageName {
  return PACKAGES.find((name) => name === room.split("/")[0] && name !== "controller") ??
    "controller";
}
