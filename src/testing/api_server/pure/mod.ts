/**
 * What the API server does to objects, without any state: reading, patching, defaulting, checking, owning, printing.
 *
 * @module
 */

export * from "./api_error.ts";
export * from "./apply.ts";
export * from "./custom_version.ts";
export * from "./decode.ts";
export * from "./encode.ts";
export * from "./field_error.ts";
export * from "./json.ts";
export * from "./json_parser.ts";
export * from "./json_patch.ts";
export * from "./kind.ts";
export * from "./merge_patch.ts";
export * from "./patch.ts";
export * from "./schema/builtin.ts";
export * from "./scale.ts";
export * from "./selectors.ts";
export * from "./strategic_merge.ts";
export * from "./defaults.ts";
export * from "./event_view.ts";
export * from "./strategy.ts";
export * from "./table.ts";
export * from "./typed.ts";
export * from "./validation.ts";
export * from "./write_options.ts";
export * from "./strategy/service.ts";
export { objects } from "./defaults/pod_defaults.ts";
export { ipv4Parts, isIpAddress, NO_IP_ADDRESS } from "./validation/ip_address.ts";
export { celRulesIn } from "./structural/crd_validation.ts";
