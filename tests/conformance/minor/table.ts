/** The table of minor versions, `tools/minors.json`. */
export interface MinorTable {
  /** The minor version that the server serves by default. */
  readonly default: string;
  /** The release of each minor version. */
  readonly releases: Readonly<Record<string, string>>;
}

const FILE = new URL("../../../tools/minors.json", import.meta.url);

const numberOf = (minor: string) => Number(minor.slice("1.".length));

/** Reads the table. */
export async function readTable(): Promise<MinorTable> {
  return JSON.parse(await Deno.readTextFile(FILE));
}

/** Writes the table. */
export async function writeTable(table: MinorTable): Promise<void> {
  await Deno.writeTextFile(FILE, `${JSON.stringify(table, null, 2)}\n`);
}

/** Returns the table with a minor version, whose release must be one of it. The newest released version is the default. */
export function withMinor(table: MinorTable, minor: string, release: string): MinorTable {
  if (!release.startsWith(`v${minor}.`)) {
    throw new RangeError(
      `The release must be one of ${minor}, such as v${minor}.0: received "${release}"`,
    );
  }
  return tableOf({ ...table.releases, [minor]: release });
}

/** Returns the table without a minor version. */
export function withoutMinor(table: MinorTable, minor: string): MinorTable {
  const { [minor]: removed, ...releases } = table.releases;
  if (removed === undefined) {
    const known = Object.keys(table.releases).join(", ");
    throw new RangeError(`There is no ${minor} to remove: expected one of ${known}`);
  }
  if (Object.keys(releases).length === 0) {
    throw new RangeError(`${minor} is the last minor version, which cannot be removed`);
  }
  return tableOf(releases);
}

function tableOf(releases: Readonly<Record<string, string>>): MinorTable {
  const minors = Object.keys(releases).sort((a, b) => numberOf(a) - numberOf(b));
  const released = minors.filter((minor) => !releases[minor]!.includes("-"));
  return {
    default: (released.at(-1) ?? minors.at(-1))!,
    releases: Object.fromEntries(minors.map((minor) => [minor, releases[minor]!])),
  };
}

/** Returns the minor version after the newest of the table. */
export function nextMinor({ releases }: MinorTable): string {
  return `1.${Math.max(...Object.keys(releases).map(numberOf)) + 1}`;
}
