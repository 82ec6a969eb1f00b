/**
 * The operator toolkit: what controller-runtime adds to client-go.
 *
 * @module
 */

export {};
