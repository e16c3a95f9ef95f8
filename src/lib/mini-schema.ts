/**
 * The part of "zod/mini" that the contract uses, for the browser: the build puts this module in its place and saves 9 kB of the
 * first load. The service and the tests use the real one; `mini-schema.test.ts` holds both against each other over the whole contract.
 */

interface Issue {
  path: PropertyKey[];
  message: string;
}
type Path = readonly PropertyKey[];
/** Answers the output; faults go into `issues`. */
type Read = (input: unknown, path: Path, issues: Issue[]) => unknown;
type Check = (value: unknown, path: Path, issues: Issue[]) => void;
type Shape = Record<string, Schema>;

class Schema {
  readonly #read: Read;
  readonly shape: Shape | undefined;
  readonly loose: boolean;
  readonly mayMiss: boolean;

  constructor(read: Read, facts: { shape?: Shape; loose?: boolean; mayMiss?: boolean } = {}) {
    this.#read = read;
    this.shape = facts.shape;
    this.loose = facts.loose ?? false;
    this.mayMiss = facts.mayMiss ?? false;
  }

  read(input: unknown, path: Path, issues: Issue[]): unknown {
    return this.#read(input, path, issues);
  }

  /** Checks look only at values of the right type. */
  check(...checks: Check[]): Schema {
    return new Schema((input, path, issues) => {
      const before = issues.length;
      const value = this.#read(input, path, issues);
      if (issues.length === before) for (const one of checks) one(value, path, issues);
      return value;
    }, this);
  }

  safeParse(input: unknown): { success: true; data: unknown } | { success: false; error: { issues: Issue[] } } {
    const issues: Issue[] = [];
    const data = this.#read(input, [], issues);
    return issues.length === 0 ? { success: true, data } : { success: false, error: { issues } };
  }
}

const fail = (path: Path, issues: Issue[], message: string) => {
  issues.push({ path: [...path], message });
  return undefined;
};
const nameOf = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

const only = (expected: string, is: (value: unknown) => boolean) =>
  new Schema((input, path, issues) => (is(input) ? input : fail(path, issues, `expected ${expected}, received ${nameOf(input)}`)));

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

function objectOf(shape: Shape, loose: boolean): Schema {
  const entries = Object.entries(shape);
  return new Schema(
    (input, path, issues) => {
      if (!isRecord(input)) return fail(path, issues, `expected object, received ${nameOf(input)}`);
      const output: Record<string, unknown> = {};
      for (const [key, schema] of entries) {
        if (!(key in input) && schema.mayMiss) continue;
        output[key] = schema.read(input[key], [...path, key], issues);
      }
      // `__proto__` as a name from outside must not become a prototype.
      if (loose) for (const key of Object.keys(input)) if (!Object.hasOwn(shape, key) && key !== "__proto__") output[key] = input[key];
      return output;
    },
    { shape, loose },
  );
}

export const string = () => only("string", (value) => typeof value === "string");
export const boolean = () => only("boolean", (value) => typeof value === "boolean");
export const number = () => only("number", Number.isFinite);
export const int = () => only("int", Number.isSafeInteger);
export const literal = (value: unknown) => only(JSON.stringify(value), (input) => input === value);
const oneOf = (values: readonly unknown[]) => only("one of " + values.map((value) => JSON.stringify(value)).join("|"), (input) => values.includes(input));
export { oneOf as enum };

export const object = (shape: Shape) => objectOf(shape, false);
export const looseObject = (shape: Shape) => objectOf(shape, true);
export const omit = (schema: Schema, keys: Record<string, true>) =>
  objectOf(Object.fromEntries(Object.entries(schema.shape!).filter(([key]) => !(key in keys))), schema.loose);

export const array = (element: Schema) =>
  new Schema((input, path, issues) =>
    Array.isArray(input)
      ? Array.from(input, (one, index) => element.read(one, [...path, index], issues))
      : fail(path, issues, `expected array, received ${nameOf(input)}`),
  );
export const tuple = (elements: Schema[]) =>
  new Schema((input, path, issues) => {
    if (!Array.isArray(input) || input.length !== elements.length) return fail(path, issues, `expected ${elements.length} elements`);
    return elements.map((element, index) => element.read(input[index], [...path, index], issues));
  });
export const record = (_key: Schema, value: Schema) =>
  new Schema((input, path, issues) => {
    if (!isRecord(input)) return fail(path, issues, `expected record, received ${nameOf(input)}`);
    return Object.fromEntries(Object.entries(input).map(([key, one]) => [key, value.read(one, [...path, key], issues)]));
  });

export const optional = (schema: Schema) =>
  // oxlint-disable-next-line typescript/no-misused-spread -- a schema has no methods of its own to lose
  new Schema((input, path, issues) => (input === undefined ? undefined : schema.read(input, path, issues)), { ...schema, mayMiss: true });
export const nullable = (schema: Schema) => new Schema((input, path, issues) => (input === null ? null : schema.read(input, path, issues)), schema);

/** `instead` stands for whatever the schema does not take. */
const caught = (schema: Schema, instead: unknown) =>
  new Schema((input) => {
    const result = schema.safeParse(input);
    return result.success ? result.data : instead;
  });
export { caught as catch };

export const union = (choices: Schema[]) =>
  new Schema((input, path, issues) => {
    for (const choice of choices) {
      const own: Issue[] = [];
      const output = choice.read(input, path, own);
      if (own.length === 0) return output;
    }
    return fail(path, issues, "fits none of the forms");
  });

export const transform = (change: (value: never) => unknown) => new Schema((input) => change(input as never));
export const pipe = (first: Schema, second: Schema) =>
  new Schema((input, path, issues) => {
    const before = issues.length;
    const value = first.read(input, path, issues);
    return issues.length === before ? second.read(value, path, issues) : undefined;
  });

type Told = string | { message?: string } | undefined;
const holds =
  (is: (value: never) => boolean, message: string, told?: Told): Check =>
  (value, path, issues) => {
    if (!is(value as never)) fail(path, issues, (typeof told === "string" ? told : told?.message) ?? message);
  };

export const minLength = (least: number, told?: Told) => holds((value: { length: number }) => value.length >= least, `expected at least ${least}`, told);
export const maxLength = (most: number, told?: Told) => holds((value: { length: number }) => value.length <= most, `expected at most ${most}`, told);
export const regex = (pattern: RegExp, told?: Told) => holds((value: string) => value.search(pattern) >= 0, "has another form", told);
export const positive = (told?: Told) => holds((value: number) => value > 0, "expected number to be >0", told);
export const nonnegative = (told?: Told) => holds((value: number) => value >= 0, "expected number to be >=0", told);
export const minimum = (least: number, told?: Told) => holds((value: number) => value >= least, `expected number to be >=${least}`, told);
export const maximum = (most: number, told?: Told) => holds((value: number) => value <= most, `expected number to be <=${most}`, told);
export const refine = (is: (value: never) => boolean, told?: Told) => holds(is, "is not valid", told);
export const meta = (): Check => () => {};
export const describe = meta;
/** A check that reports by itself, as `z.check` of the original. */
export const check =
  (look: (context: { value: never; issues: { message?: string }[] }) => void): Check =>
  (value, path, issues) => {
    const own: { message?: string }[] = [];
    look({ value: value as never, issues: own });
    for (const { message } of own) fail(path, issues, message ?? "is not valid");
  };

const DATETIME = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;
export const iso = { datetime: () => string().check(regex(DATETIME, "expected ISO datetime")) };

/** Settings and languages of the original have no counterpart here. */
export const config = () => ({});
export default config;
