/** A line, as text or as a protobuf message, in which only the digits of a number change. */
export class NumberedLine {
  readonly #line: Uint8Array;
  readonly #at: number;

  /** Creates a line from `encode`, which returns it for a number of so many digits. */
  constructor(digits: number, encode: (number: string) => Uint8Array) {
    this.#line = encode("1".repeat(digits));
    const other = encode("2".repeat(digits));
    this.#at = this.#line.findIndex((byte, i) => byte !== other[i]);
  }

  /** Returns the line with a number, which must have as many digits. */
  with(number: string): Uint8Array {
    const line = this.#line.slice();
    for (let i = 0; i < number.length; i++) line[this.#at + i] = number.charCodeAt(i);
    return line;
  }
}
