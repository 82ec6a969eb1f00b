/**
 * The controllers of kube-controller-manager that keep the endpoints of Services.
 *
 * @module
 */

export { EndpointSliceController } from "./endpoint_slice_controller.ts";
export { EndpointsController } from "./endpoints_controller.ts";
