/**
 * Returns the lines of a text in UTF-8 of any size. An empty last line is left out.
 *
 * @throws {RangeError} When a line is longer than `maxLength` characters: the message begins with `name`.
 */
export async function* textLines(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  maxLength: number,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    for (const [at, part] of decoder.decode(chunk, { stream: true }).split("\n").entries()) {
      if (at > 0) {
        yield rest;
        rest = "";
      }
      rest += part;
    }
    if (rest.length > maxLength) {
      throw new RangeError(`${name} has a line of more than ${maxLength} characters`);
    }
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}
