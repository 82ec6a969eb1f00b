/**
 * APIServices.
 *
 * @module
 */

export { API_SERVICE } from "./api_service.ts";
