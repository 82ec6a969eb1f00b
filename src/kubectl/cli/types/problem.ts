import { visibleText } from "@kubeloop/controller/internal/base";

/** The maximum length of a value in a message, in characters. */
const SHOWN = 80;

/** A position in a definition, for messages. */
export class Place {
  /** The file and the number of the document, and the name of the definition if known. */
  readonly where: string;
  /** The path within the document, such as `spec.versions[0]`; empty for the document. */
  readonly path: string;

  /** Creates a place. */
  constructor(where: string, path = "") {
    this.where = where;
    this.path = path;
  }

  /** Returns the place of a field or an item. */
  at(key: string | number): Place {
    const step = typeof key === "number"
      ? `[${key}]`
      : /^[\w-]+$/.test(key)
      ? this.path === "" ? key : `.${key}`
      : `[${visibleText(JSON.stringify(key), SHOWN)}]`;
    return new Place(this.where, this.path + step);
  }

  /** Returns an error about this place. */
  error(problem: string): TypeError {
    const path = this.path === "" ? "" : `: ${this.path}`;
    return new TypeError(`Cannot make types of ${this.where}${path}: ${problem}`);
  }
}

/** Returns a value for a message. */
export function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "a mapping";
  return visibleText(typeof value === "string" ? JSON.stringify(value) : String(value), SHOWN);
}
