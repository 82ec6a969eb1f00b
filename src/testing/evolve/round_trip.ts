import {
  checkedElsewhere,
  describeError,
  describeValue,
  ENVIRONMENT_CHECKS,
  isCount,
  isRecord,
  type OptionChecks,
  type Random,
  requireOptions,
  stringifyJson,
  visibleJson,
  visibleText,
} from "@kubeloop/controller/internal/base";
import { describeDiff } from "@kubeloop/controller/internal/fields";
import type { CustomResourceDefinition, KubeObject } from "@kubeloop/controller/types";
import type { ConversionHandler } from "@kubeloop/controller/webhooks";
import { ObjectGenerator, SchemaChecks, shrinking } from "../samples/mod.ts";
import { SeededRandom } from "../seeded_random.ts";
import { jsonEqual, type JsonObject } from "../values/mod.ts";
import { type DefinitionParts, readDefinition } from "./given_definition.ts";

/** The number of objects of each direction that are converted by default. */
const RUNS = 1000;
/** The longest object and difference in an error, in characters. */
const MAX_SHOWN = 5000;

/** Options of {@linkcode roundTrip}. */
export interface RoundTripOptions {
  /** The definition with the schemas of the versions. Default: that of the resource, if `defineResource` made it of schemas. */
  readonly definition?: CustomResourceDefinition | undefined;
  /** The number of objects of each version and direction. Default 1,000. */
  readonly runs?: number | undefined;
  /** The random source of the objects. Default: a seeded one, so that the result is always the same. */
  readonly random?: Random | undefined;
}

const CHECKS: OptionChecks<RoundTripOptions> = {
  definition: checkedElsewhere,
  runs: isCount(1),
  random: ENVIRONMENT_CHECKS.random,
};

/**
 * Converts objects from the hub to each other version and back, and from each other version to the hub and back: both must
 * give the same object.
 *
 * The objects are made of the schemas: with and without optional fields, with maps, unions and values at the limits of the
 * schemas, as long as the CEL rules allow them. Between the conversions, each version drops its unknown fields and sets its
 * defaults, as if a client read the object in that version and wrote it back. The error has the smallest object that loses or
 * changes something.
 *
 * @param handler The result of `conversion()`, as it is added to the webhooks.
 * @param options The definition, if the resource has no schemas, and the number of objects.
 * @returns A promise that resolves when all objects were converted.
 * @throws {Error} If an object comes back as another one, or cannot be converted, or no valid object was found.
 * @throws {TypeError} If there is no schema for a version.
 * @throws {RangeError} If an option cannot be used.
 *
 * @example
 * ```ts
 * import { defineResource } from "@kubeloop/controller/types";
 * import { conversion } from "@kubeloop/controller/webhooks";
 * import { roundTrip } from "@kubeloop/testing/evolve";
 * import { assertRejects } from "@std/assert";
 *
 * const number = { type: "integer" } as const;
 * const Widgets = defineResource({
 *   group: "acme.io",
 *   version: "v1",
 *   kind: "Widget",
 *   spec: { type: "object", properties: { size: number, weight: number }, required: ["size"] },
 *   versions: [{
 *     name: "v1beta1",
 *     spec: { type: "object", properties: { length: number }, required: ["length"] },
 *   }],
 * });
 * const widgets = conversion(Widgets, {
 *   v1beta1: {
 *     toHub: (old) => ({ ...old, spec: { size: old.spec.length } }),
 *     fromHub: (widget) => ({ ...widget, spec: { length: widget.spec.size } }),
 *   },
 * });
 * await assertRejects(() => roundTrip(widgets), Error, '"spec":{"size":0,"weight":0}');
 * ```
 */
export async function roundTrip(
  handler: Pick<ConversionHandler, "conversion">,
  options: RoundTripOptions = {},
): Promise<void> {
  requireOptions("roundTrip()", options, CHECKS);
  const { conversion } = (handler ?? {}) as Partial<ConversionHandler>;
  if (!isRecord(conversion) || typeof conversion.convert !== "function") {
    throw new TypeError(
      `roundTrip() takes the result of conversion(): received ${describeValue(handler)}`,
    );
  }
  const { random = new SeededRandom(1), runs = RUNS } = options;
  const { resource, versions } = conversion;
  const definition = definitionOf(conversion, options.definition);
  for (const version of versions) {
    for (const [from, to] of [[resource.version, version], [version, resource.version]] as const) {
      const trip = new Trip(conversion, definition, from, to);
      const fork = random.fork?.(`${from} to ${to}`) ?? random;
      await trip.run(runs, fork);
    }
  }
}

function definitionOf(
  { resource }: ConversionHandler["conversion"],
  given: CustomResourceDefinition | undefined,
): DefinitionParts {
  if (given !== undefined) return readDefinition(given, "definition");
  if (!("definition" in resource)) {
    throw new TypeError(
      `roundTrip() needs the schemas of ${resource.kind}: give defineResource() schemas, or give the option ` +
        '"definition" its CustomResourceDefinition',
    );
  }
  return readDefinition(resource, "the resource");
}

/** The problem of one object. */
interface Problem {
  readonly why: string;
  /** The object in the other version; undefined if it could not be converted. */
  readonly between?: JsonObject;
}

/** Conversions from one version to another and back. */
class Trip {
  readonly #conversion: ConversionHandler["conversion"];
  readonly #definition: DefinitionParts;
  readonly #from: string;
  readonly #to: string;
  readonly #checks: { readonly from: SchemaChecks; readonly to: SchemaChecks };

  constructor(
    conversion: ConversionHandler["conversion"],
    definition: DefinitionParts,
    from: string,
    to: string,
  ) {
    this.#conversion = conversion;
    this.#definition = definition;
    this.#from = from;
    this.#to = to;
    const checks = (version: string) => new SchemaChecks(this.#schemaOf(version));
    this.#checks = { from: checks(from), to: checks(to) };
  }

  /** @throws {Error} If an object does not come back as it was. */
  async run(runs: number, random: Random): Promise<void> {
    const { group, kind, scope } = this.#definition;
    const generator = new ObjectGenerator(this.#schemaOf(this.#from), {
      type: { apiVersion: `${group}/${this.#from}`, kind },
      namespaced: scope !== "Cluster",
      random,
      other: this.#schemaOf(this.#to),
    });
    for (let run = 0; run < runs; run++) {
      const object = generator.next();
      if (object === undefined) {
        throw new Error(
          `roundTrip() found no valid object of ${kind} ${this.#from}, so it proves nothing: its rules allow ` +
            "too few objects to be found by chance. Test an object of your own",
        );
      }
      if (await this.#problemOf(object) !== undefined) throw await this.#failure(object);
    }
  }

  #schemaOf(version: string): JsonObject {
    const { name, versions } = this.#definition;
    const found = versions.find((one) => one.name === version);
    if (found !== undefined) return found.schema;
    const known = versions.map((one) => one.name).join(", ");
    throw new TypeError(`${name} has no schema of ${version}: it has ${known}`);
  }

  async #problemOf(object: JsonObject): Promise<Problem | undefined> {
    const { from, to } = this.#checks;
    const source = from.stored(object);
    let between: JsonObject | undefined;
    try {
      between = to.stored(await this.#convert(source, this.#to));
      const back = from.stored(await this.#convert(between, this.#from));
      if (jsonEqual(source, back)) return undefined;
      const diff = describeDiff(source as unknown as KubeObject, back as unknown as KubeObject);
      return { why: visibleLines(diff), between };
    } catch (error) {
      const why = `cannot convert it: ${visibleText(describeError(error), MAX_SHOWN)}`;
      return between === undefined ? { why } : { why, between };
    }
  }

  async #convert(object: JsonObject, version: string): Promise<JsonObject> {
    const converted = await this.#conversion.convert(object as unknown as KubeObject, version);
    return converted as unknown as JsonObject;
  }

  /** Returns the error with the smallest object that has a problem. */
  async #failure(object: JsonObject): Promise<Error> {
    const steps = shrinking(object);
    let step = steps.next();
    while (!step.done) {
      const isValid = this.#checks.from.errorsOf(step.value).length === 0;
      step = steps.next(isValid && await this.#problemOf(step.value) !== undefined);
    }
    const { between, why } = (await this.#problemOf(step.value))!;
    const { name } = this.#definition;
    return new Error([
      `${name} loses something from ${this.#from} to ${this.#to} and back:`,
      why,
      `The object in ${this.#from}: ${shown(step.value)}`,
      ...(between === undefined ? [] : [`and in ${this.#to}: ${shown(between)}`]),
    ].join("\n"));
  }
}

function visibleLines(text: string): string {
  return text.split("\n").map((line) => visibleText(line, MAX_SHOWN)).join("\n");
}

function shown(object: JsonObject): string {
  return visibleText(visibleJson(stringifyJson(object)), MAX_SHOWN);
}
