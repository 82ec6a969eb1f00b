/** Texts of files, by their paths below a folder. */
export type Files = ReadonlyMap<string, string>;

/** The runtimes that an operator may run on in its container. */
export type ContainerRuntime = "node" | "deno" | "bun";

/** A variable of the environment of a container. */
export interface Variable {
  readonly name: string;
  readonly value: string;
}
