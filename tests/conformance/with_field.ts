/** Returns a copy of a value in which the field at a path has another value; undefined removes it from the JSON. Numbers in the path are indices of lists. */
export function withField(value: unknown, path: string, field: unknown): object {
  const [head = "", ...rest] = path.split(".");
  const before = (value as Record<string, unknown> | undefined)?.[head];
  const next = rest.length === 0 ? field : withField(before, rest.join("."), field);
  if (!/^[0-9]+$/.test(head)) return { ...(value as object | undefined), [head]: next };
  const list = [...(value as unknown[] | undefined ?? [])];
  list[Number(head)] = next;
  return list;
}
