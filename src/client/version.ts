/** The package's version; a test holds it to deno.json. */
export const VERSION = "0.1.0";
