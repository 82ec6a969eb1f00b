/**
 * EndpointSlices.
 *
 * @module
 */

export { ENDPOINT_SLICE } from "./endpoint_slice.ts";
