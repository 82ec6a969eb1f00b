// @ts-types="./parse.d.ts"
export { parse, parseAll } from "npm:deno-std@1.4.0/yaml/parse.js";
