/** x
 * @module
 */
export {};
