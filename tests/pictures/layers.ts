/**
 * Places the nodes of a graph without circles in layers, so that all arrows point down and few of them cross.
 *
 * @module
 */

/** A graph: the targets of the arrows of each node. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** A place in a layer: a node, or a gap through which a long arrow passes. */
export interface Place {
  /** The name of the node; undefined for a gap. */
  readonly node: string | undefined;
  /** The places in the next layer that arrows lead to, by their index. */
  readonly down: readonly number[];
}

/** The rounds in which each layer is sorted by the places of its neighbours. */
const ROUNDS = 24;

/** Returns the graph without the arrows that follow from others: from a to c, if a leads to b and b to c. */
export function reduced(graph: Graph): Map<string, Set<string>> {
  const reach = new Map<string, Set<string>>();
  const below = (node: string): Set<string> => {
    let found = reach.get(node);
    if (found !== undefined) return found;
    reach.set(node, found = new Set());
    for (const target of graph.get(node) ?? []) {
      found.add(target);
      for (const further of below(target)) found.add(further);
    }
    return found;
  };
  return new Map([...graph].map(([node, targets]) => {
    const kept = [...targets].filter((target) =>
      ![...targets].some((other) => other !== target && below(other).has(target))
    );
    return [node, new Set(kept)];
  }));
}

/** Returns the layers of a graph, the highest first. */
export function layersOf(graph: Graph): Place[][] {
  const layerOf = layerNumbers(graph);
  const count = Math.max(...layerOf.values()) + 1;
  const layers: Mutable[][] = Array.from({ length: count }, () => []);
  const places = new Map([...graph.keys()].sort().map((node) => [node, newPlace(node)] as const));
  for (const [node, place] of places) layers[layerOf.get(node)!]!.push(place);
  for (const [node, place] of places) {
    for (const target of [...graph.get(node)!].sort()) {
      let from = place;
      for (let layer = layerOf.get(node)! + 1; layer < layerOf.get(target)!; layer++) {
        const gap = newPlace(undefined);
        layers[layer]!.push(gap);
        join(from, gap);
        from = gap;
      }
      join(from, places.get(target)!);
    }
  }
  sortLayers(layers);
  return layers.map((layer, index) =>
    layer.map(({ down, node }) => ({
      node,
      down: down.map((place) => layers[index + 1]!.indexOf(place)),
    }))
  );
}

/** Returns the number of crossings of the arrows between layers. */
export function crossings(layers: readonly (readonly Place[])[]): number {
  return layers.reduce((sum, layer) => {
    const arrows = layer.flatMap(({ down }, from) => down.map((to) => [from, to] as const));
    const crossing = arrows.flatMap(([a, b], index) =>
      arrows.slice(index + 1).filter(([c, d]) => (a - c) * (b - d) < 0)
    );
    return sum + crossing.length;
  }, 0);
}

interface Mutable {
  readonly node: string | undefined;
  readonly up: Mutable[];
  readonly down: Mutable[];
}

function newPlace(node: string | undefined): Mutable {
  return { node, up: [], down: [] };
}

function join(from: Mutable, to: Mutable): void {
  from.down.push(to);
  to.up.push(from);
}

/**
 * Returns the layer of each node, 0 for the highest. A node is directly above the highest node that it leads to, or, if
 * something leads to it, directly below the lowest of these.
 */
function layerNumbers(graph: Graph): Map<string, number> {
  const heights = new Map<string, number>();
  const height = (node: string): number => {
    let known = heights.get(node);
    if (known === undefined) {
      known = Math.max(-1, ...[...graph.get(node) ?? []].map(height)) + 1;
      heights.set(node, known);
    }
    return known;
  };
  const nodes = [...graph.keys()].sort((a, b) => height(b) - height(a));
  const top = Math.max(...nodes.map(height));
  const layers = new Map<string, number>();
  for (const node of nodes) {
    const above = nodes.filter((one) => graph.get(one)!.has(node)).map((one) => layers.get(one)!);
    layers.set(node, above.length === 0 ? top - height(node) : Math.max(...above) + 1);
  }
  return layers;
}

/** Sorts each layer by the mean place of the neighbours, down and up, and keeps the order with the fewest crossings. */
function sortLayers(layers: Mutable[][]): void {
  let best = layers.map((layer) => [...layer]);
  let fewest = crossingsOf(layers);
  const keep = () => {
    const now = crossingsOf(layers);
    if (now >= fewest) return;
    fewest = now;
    best = layers.map((layer) => [...layer]);
  };
  for (let round = 0; round < ROUNDS; round++) {
    const isDown = round % 2 === 0;
    const order = layers.keys().toArray();
    for (const index of isDown ? order.slice(1) : order.reverse().slice(1)) {
      const neighbours = layers[index + (isDown ? -1 : 1)]!;
      sortByNeighbours(layers[index]!, neighbours, isDown ? "up" : "down");
    }
    keep();
    swapNeighbours(layers);
    keep();
  }
  layers.splice(0, layers.length, ...best);
}

function sortByNeighbours(
  layer: Mutable[],
  neighbours: readonly Mutable[],
  side: "up" | "down",
): void {
  const mean = new Map(layer.map((place, index) => {
    const places = place[side].map((one) => (neighbours.indexOf(one) + 0.5) / neighbours.length);
    const own = (index + 0.5) / layer.length;
    return [place, places.length === 0 ? own : places.reduce((a, b) => a + b) / places.length];
  }));
  layer.sort((a, b) => mean.get(a)! - mean.get(b)!);
}

/** Swaps places beside each other while that removes crossings. */
function swapNeighbours(layers: Mutable[][]): void {
  for (const layer of layers) {
    for (let index = 1; index < layer.length; index++) {
      const before = crossingsOf(layers);
      const [left, right] = [layer[index - 1]!, layer[index]!];
      [layer[index - 1], layer[index]] = [right, left];
      if (crossingsOf(layers) >= before) [layer[index - 1], layer[index]] = [left, right];
    }
  }
}

function crossingsOf(layers: readonly (readonly Mutable[])[]): number {
  return crossings(
    layers.map((layer, index) =>
      layer.map(({ down, node }) => ({
        node,
        down: down.map((one) => layers[index + 1]!.indexOf(one)),
      }))
    ),
  );
}
