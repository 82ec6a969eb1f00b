/** Reports whether a value has no number such as `1e999` of JSON or `.inf` of YAML, which JSON cannot hold. */
export function hasFiniteNumbers(value: unknown): boolean {
  const rest = [value];
  while (rest.length > 0) {
    const one = rest.pop();
    if (typeof one === "number" && !Number.isFinite(one)) return false;
    if (typeof one === "object" && one !== null) {
      for (const member of Object.values(one)) rest.push(member);
    }
  }
  return true;
}
