/**
 * Returns a resource version as the value of a gauge: its last 15 digits, as in client-go, so that a double holds it
 * exactly. Returns undefined if the version is empty or not a number. Resource versions are opaque; that today's
 * servers use decimal numbers is not guaranteed.
 */
export function resourceVersionMetric(resourceVersion: string): number | undefined {
  const value = Number(resourceVersion.slice(-15));
  return resourceVersion === "" || Number.isNaN(value) ? undefined : value;
}
