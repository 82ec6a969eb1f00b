import type { Mark } from "./text_reader.ts";

/** The tokens that have nothing but a place. */
export type MarkerType =
  | "stream-end"
  | "document-start"
  | "document-end"
  | "block-sequence-start"
  | "block-mapping-start"
  | "block-end"
  | "flow-sequence-start"
  | "flow-sequence-end"
  | "flow-mapping-start"
  | "flow-mapping-end"
  | "block-entry"
  | "flow-entry"
  | "key"
  | "value";

/** What a token is, without its place. */
export type TokenBody =
  | { readonly type: MarkerType }
  | { readonly type: "alias" | "anchor"; readonly name: string }
  | { readonly type: "tag"; readonly handle: string; readonly suffix: string }
  | { readonly type: "scalar"; readonly value: string; readonly plain: boolean }
  | { readonly type: "version-directive"; readonly version: string }
  | { readonly type: "tag-directive"; readonly handle: string; readonly prefix: string };

/** A part of the text that has a meaning of its own. */
export type Token = TokenBody & {
  /** The place of its first character. */
  readonly start: Mark;
};
