/** The type of a value. Equal named types are the same node, so that each is declared once. */
export type TypeNode =
  | { readonly is: "plain"; readonly text: string }
  | { readonly is: "union"; readonly members: readonly TypeNode[] }
  | { readonly is: "array"; readonly item: TypeNode }
  | { readonly is: "record"; readonly value: TypeNode }
  | NamedNode;

/** A type with a declaration of its own. */
export type NamedNode = ObjectNode | LiteralsNode;

/** An object with known fields: an interface. */
export interface ObjectNode {
  readonly is: "object";
  /** The unique number of the node. */
  readonly id: number;
  /** The name of the field with this type, in upper camel case and singular: a part of the name of the interface. */
  readonly segment: string;
  /** The description of the type, which differs from the description of the field. */
  readonly description: string | undefined;
  readonly members: readonly Member[];
  /** Whether other fields are allowed. */
  readonly open: boolean;
  /** Whether the value is an API object with `apiVersion`, `kind` and `metadata`. */
  readonly isKubeObject: boolean;
}

/** A union of literals that is too long for one line. */
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
