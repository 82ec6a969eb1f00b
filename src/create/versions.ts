/** The version of all packages of kubeloop, which are released at once. */
export const KUBELOOP_VERSION = "0.1.0";

/** The ranges of other packages in a project. */
export const VERSIONS: Readonly<
  Record<"zod" | "typescript" | "oxlint" | "@types/node", string>
> = {
  zod: "^4.6.7",
  typescript: "^6.0.3",
  oxlint: "^1.0.0",
  "@types/node": "^22.19.1",
};
