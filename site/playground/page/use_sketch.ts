/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import type { ExampleTexts } from "../examples.ts";
import { exampleOf, linkOf, linkOfExample, type Sketch, sketchOf } from "./link.ts";

/** The time after the last key until the address has the program, in milliseconds. */
const LINK_MS = 400;

/** The texts of the editors. */
export interface SketchState extends Sketch {
  /** The example that was chosen; undefined for a program of a link. */
  readonly example: ExampleTexts | undefined;
  set(sketch: Partial<Sketch>): void;
  choose(example: ExampleTexts): void;
}

/**
 * Keeps the texts of the editors, and keeps the address of the page in step, so that a reload keeps the program. `onOpen` is
 * called when an address has replaced the program, or with the error of a damaged link.
 */
export function useSketch(
  examples: readonly ExampleTexts[],
  onOpen: (opened: "link" | "example" | Error) => void,
): SketchState {
  const [state, setState] = useState<Sketch & Pick<SketchState, "example">>(() =>
    ofExample(examples[0]!)
  );
  const { example, program, yaml } = state;

  const open = async () => {
    const { hash } = location;
    try {
      const sketch = await sketchOf(hash);
      const known = examples.find(({ id }) => id === exampleOf(hash));
      if (sketch === undefined && known === undefined) return;
      setState(sketch === undefined ? ofExample(known!) : { ...sketch, example: undefined });
      onOpen(sketch === undefined ? "example" : "link");
    } catch (error) {
      onOpen(error as Error);
    }
  };
  useEffect(() => {
    void open();
    const onHash = () => void open();
    addEventListener("hashchange", onHash);
    return () => removeEventListener("hashchange", onHash);
  }, []);

  useEffect(() => {
    if (
      example?.program === program && example.yaml === yaml && example === examples[0] &&
      location.hash === ""
    ) return;
    const timer = setTimeout(async () => {
      const same = examples.find((one) => one.program === program && one.yaml === yaml);
      const link = same === undefined ? await linkOf({ program, yaml }) : linkOfExample(same.id);
      if (link !== undefined) history.replaceState(null, "", link);
    }, LINK_MS);
    return () => clearTimeout(timer);
  }, [program, yaml]);

  return {
    ...state,
    set: (sketch) => setState((old) => ({ ...old, ...sketch })),
    choose: (chosen) => setState(ofExample(chosen)),
  };
}

function ofExample(example: ExampleTexts): Sketch & Pick<SketchState, "example"> {
  return { example, program: example.program, yaml: example.yaml };
}
