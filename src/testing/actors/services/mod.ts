/**
 * The controllers of kube-controller-manager that keep the endpoints of Services. In come the options of an actor; out go
 * actors.
 *
 * @module
 */

export { EndpointSliceController } from "./endpoint_slice_controller.ts";
export { EndpointsController } from "./endpoints_controller.ts";
