/** The type of a value. Equal types with a name are the same node, so that they are declared once. */
export type TypeNode =
  | { readonly is: "plain"; readonly text: string }
  | { readonly is: "union"; readonly members: readonly TypeNode[] }
  | { readonly is: "array"; readonly item: TypeNode }
  | { readonly is: "record"; readonly value: TypeNode }
  | NamedNode;

/** A type that is declared by itself. */
export type NamedNode = ObjectNode | LiteralsNode;

/** An object with known fields: an interface. */
export interface ObjectNode {
  readonly is: "object";
  /** Distinguishes nodes. */
  readonly id: number;
  /** The field that has this type, in upper camel case and in the singular: a part of the name of the interface. */
  readonly segment: string;
  /** The description of the values themselves, rather than of a field. */
  readonly description: string | undefined;
  readonly members: readonly Member[];
  /** Whether there may be other fields. */
  readonly open: boolean;
  /** Whether the value is an object of the API, with `apiVersion`, `kind` and `metadata`. */
  readonly isKubeObject: boolean;
}

/** Literals that are too long for one line. */
export interface LiteralsNode {
  readonly is: "literals";
  readonly id: number;
  readonly segment: string;
  readonly literals: readonly string[];
}

/** A field of an object. */
export interface Member {
  readonly name: string;
  readonly optional: boolean;
  readonly description: string | undefined;
  readonly type: TypeNode;
}
