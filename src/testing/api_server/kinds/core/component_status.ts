import { getString, type JsonObject } from "../../../values/mod.ts";
import { column, NAME, objects } from "../shared/mod.ts";
import { defineKind, type KindRecord } from "../record/mod.ts";

/** ComponentStatuses. */
export const COMPONENT_STATUS: KindRecord = defineKind(
  "v1",
  "componentstatuses",
  "ComponentStatus",
  {
    namespaced: false,
    shortNames: ["cs"],
    verbs: ["get", "list"],
    deprecation: "v1 ComponentStatus is deprecated in v1.19+",
    computed: {
      errorName: "componentstatus",
      list: () => [
        unreachable("controller-manager", 10257),
        unreachable("scheduler", 10259),
        status("etcd-0", "True", "ok"),
      ],
    },
    table: {
      columns: [
        NAME,
        column("Status", "Status of the component conditions"),
        column("Message", "Message of the component conditions"),
        column("Error", "Error of the component conditions"),
      ],
      row: (component) => {
        const [healthy] = objects(component, "conditions");
        return [
          getString(component, "metadata", "name"),
          getString(healthy, "status") === "True" ? "Healthy" : "Unhealthy",
          getString(healthy, "message"),
          getString(healthy, "error"),
        ];
      },
    },
  },
);

function status(name: string, healthy: string, message: string): JsonObject {
  return {
    kind: "ComponentStatus",
    apiVersion: "v1",
    metadata: { name },
    conditions: [{ type: "Healthy", status: healthy, message }],
  };
}

/** Returns the status of a component that does not run, as a real server reports it. */
function unreachable(name: string, port: number): JsonObject {
  const address = `127.0.0.1:${port}`;
  const refused = `dial tcp ${address}: connect: connection refused`;
  return status(name, "False", `Get "https://${address}/healthz": ${refused}`);
}
