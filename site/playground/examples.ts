/** An example of the playground. Its files are in the folder `examples`. */
export interface Example {
  /** The name of its files, and in links. */
  readonly id: string;
  readonly title: string;
  /** The cause of the bug, and its repair. */
  readonly hint: string;
}

/** The texts of an example. */
export interface ExampleTexts extends Example {
  readonly program: string;
  /** The program without the bug. */
  readonly repaired: string;
  /** The objects that are applied at the start, in YAML. */
  readonly yaml: string;
}

/** The examples; the page begins with the first one. */
export const EXAMPLES: readonly Example[] = [
  {
    id: "widgets",
    title: "A Deployment for each Widget",
    hint:
      "The Deployment and the status are two writes. If the answer to the first is lost, or the process is killed before the second, the next reconcile does not know that there is a Deployment, and creates another. Derive the name of the Deployment from the Widget, and apply it: then there is nothing to remember.",
  },
  {
    id: "settings",
    title: "A copy of the settings for each Team",
    hint:
      "A change of a Team starts a reconcile, a change of the settings does not: the copy stays old until the operator is started again. Declare what the reconcile reads, with references() or watches(), and read it from the cache.",
  },
  {
    id: "heartbeat",
    title: "The time of the last check, in the status",
    hint:
      "The reconcile writes the time, each write is a change, and with anyChange each change starts the next reconcile. Leave the default, which ignores the status, and ask for a time with `every`.",
  },
  {
    id: "tickets",
    title: "The next number for each Ticket",
    hint:
      "The cache does not have the number yet that was written a moment ago. It is always a little late, so do not compute a value that must be unique from it. Let one worker ask the server, or use a value that cannot collide, such as the UID.",
  },
];
