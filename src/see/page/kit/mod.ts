/**
 * The components of pages that show a controller at work: the story of a key, the pipeline, tables, comparisons, and the style
 * of all.
 *
 * @module
 */

export { Chip, Result, resultTone, type Tone } from "./chip.tsx";
export { type DiffLine, diffLines, foldLines } from "./diff.ts";
export { DiffView, type DiffViewProps } from "./diff_view.tsx";
export { count, duration, plural, rate, relative, timeOfDay, visible } from "./format.ts";
export { fieldsOf, type Highlight, highlightOf } from "./highlight.ts";
export { handleKeys, type KeyboardOptions, KEYS } from "./keyboard.ts";
export { Pipeline, type PipelineProps, type Rates } from "./pipeline.tsx";
export { Spark, SPARK_VALUES, sparkPath } from "./spark.tsx";
export { StoryView, type StoryViewProps } from "./story_view.tsx";
export { STYLE } from "./style.ts";
export { type Column, Table, type TableProps } from "./table.tsx";
export { WaitBar } from "./wait_bar.tsx";
export { type Wait, waitsOf } from "./waits.ts";
