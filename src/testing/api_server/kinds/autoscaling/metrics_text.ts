import {
  getArray,
  getObject,
  getOwn,
  getString,
  type Json,
  type JsonObject,
} from "../../../values/mod.ts";
import { objects } from "../shared/mod.ts";

/** The number of metrics that a row shows. */
const MAX_SHOWN = 2;

/** Returns the metrics of an autoscaling/v2 autoscaler as a table shows them, as in `cpu: 20%/80%`. */
export function metricsText(autoscaler: JsonObject): string {
  const specs = objects(autoscaler, "spec", "metrics");
  if (specs.length === 0) return "<none>";
  const statuses = getArray(autoscaler, "status", "currentMetrics");
  const all = specs.map((spec, index) => metricText(spec, statuses[index]));
  const shown = all.slice(0, MAX_SHOWN).join(", ");
  return all.length > MAX_SHOWN ? `${shown} + ${all.length - MAX_SHOWN} more...` : shown;
}

function metricText(spec: JsonObject, status: Json | undefined): string {
  const type = getString(spec, "type");
  const source =
    { ContainerResource: "containerResource", External: "external", Object: "object" }[type] ??
      type.toLowerCase();
  const own = getObject(spec, source);
  if (Object.keys(own).length === 0) return "<unknown type>";
  const target = getObject(own, "target");
  const current = getObject(status, source, "current");
  const average = getString(target, "averageValue");
  const named = type === "Resource" || type === "ContainerResource"
    ? `${getString(own, "name")}: `
    : "";
  if (named !== "") {
    if (average !== "") {
      return `${named}${getString(current, "averageValue") || "<unknown>"}/${average}`;
    }
    const share = (from: JsonObject, none: string) => {
      const percent = getOwn(from, "averageUtilization");
      return percent === undefined ? none : `${percent}%`;
    };
    return `${named}${share(current, "<unknown>")}/${share(target, "<auto>")}`;
  }
  if (average !== "") {
    const text = `${getString(current, "averageValue") || "<unknown>"}/${average}`;
    return type === "Pods" ? text : `${text} (avg)`;
  }
  return `${getString(current, "value") || "<unknown>"}/${getString(target, "value")}`;
}
