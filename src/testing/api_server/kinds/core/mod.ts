/**
 * The small kinds of the core group: ConfigMaps, Secrets, Namespaces, Nodes, Endpoints and others. The large ones have
 * rooms below: Pods, Services, volumes, limits and quotas.
 *
 * @module
 */

export { BINDING } from "./binding.ts";
export { COMPONENT_STATUS } from "./component_status.ts";
export { CONFIG_MAP } from "./config_map.ts";
export { ENDPOINTS } from "./endpoints.ts";
export { CORE_EVENT } from "./event.ts";
export { NAMESPACE } from "./namespace.ts";
export { NODE } from "./node.ts";
export { POD_TEMPLATE } from "./pod_template.ts";
export { REPLICATION_CONTROLLER } from "./replication_controller.ts";
export { SECRET } from "./secret.ts";
export { SERVICE_ACCOUNT } from "./service_account.ts";
