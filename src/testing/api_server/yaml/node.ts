/** What a node of a document has, whatever its kind. */
interface NodePlace {
  /** The number of the line that it begins on; the first is 1. */
  readonly line: number;
}

/** A text, of which the type is not known yet. */
export interface ScalarNode extends NodePlace {
  /** The discriminator of {@linkcode YamlNode}. */
  readonly kind: "scalar";
  /** The text. */
  readonly value: string;
  /** The tag, such as `tag:yaml.org,2002:str`; empty without one. */
  readonly tag: string;
  /** Whether the text tells the type: it has neither quotes nor a tag. */
  readonly implicit: boolean;
}

/** A list. */
export interface SequenceNode extends NodePlace {
  /** The discriminator of {@linkcode YamlNode}. */
  readonly kind: "sequence";
  /** The items. */
  readonly items: YamlNode[];
}

/** An object, with keys of any type. */
export interface MappingNode extends NodePlace {
  /** The discriminator of {@linkcode YamlNode}. */
  readonly kind: "mapping";
  /** The keys and their values. */
  readonly entries: [YamlNode, YamlNode][];
}

/** A reference to an earlier node. */
export interface AliasNode extends NodePlace {
  /** The discriminator of {@linkcode YamlNode}. */
  readonly kind: "alias";
  /** The name of the anchor. */
  readonly name: string;
  /** The node that the anchor names. */
  readonly target: YamlNode;
}

/** A part of a YAML document. */
export type YamlNode = ScalarNode | SequenceNode | MappingNode | AliasNode;
