/**
 * A resource version as a number for a gauge: its last 15 digits, as client-go shows it, so that a double holds it exactly.
 * Undefined when it is no decimal number, which only today's servers make it.
 */
export function resourceVersionMetric(resourceVersion: string): number | undefined {
  const value = Number(resourceVersion.slice(-15));
  return resourceVersion === "" || Number.isNaN(value) ? undefined : value;
}
