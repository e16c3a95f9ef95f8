/**
 * Implements the part of "zod/mini" that the contract uses. The client build substitutes this module and saves 9 kB of the first load; the service
 * and the tests use the original, and `mini-schema.test.ts` compares both over the whole contract.
 */

interface Issue {
  path: PropertyKey[];
  message: string;
}
type Path = readonly PropertyKey[];
/** Returns the output and adds validation errors to `issues`. */
type Read = (input: unknown, path: Path, issues: Issue[]) => unknown;
type Check = (value: unknown, path: Path, issues: Issue[]) => void;
type Shape = Record<string, Schema>;

class Schema {
  readonly #read: Read;
  readonly shape: Shape | undefined;
  readonly loose: boolean;
  readonly isOptional: boolean;

  constructor(read: Read, options: { shape?: Shape; loose?: boolean; isOptional?: boolean } = {}) {
    this.#read = read;
    this.shape = options.shape;
    this.loose = options.loose ?? false;
    this.isOptional = options.isOptional ?? false;
  }

  read(input: unknown, path: Path, issues: Issue[]): unknown {
    return this.#read(input, path, issues);
  }

  /** Runs the checks only if the value has no issues yet. */
  check(...checks: Check[]): Schema {
    return new Schema((input, path, issues) => {
      const before = issues.length;
      const value = this.#read(input, path, issues);
      if (issues.length === before) for (const runCheck of checks) runCheck(value, path, issues);
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
const typeName = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

const primitive = (expected: string, isValid: (value: unknown) => boolean) =>
  new Schema((input, path, issues) => (isValid(input) ? input : fail(path, issues, `expected ${expected}, received ${typeName(input)}`)));

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

function objectSchema(shape: Shape, loose: boolean): Schema {
  const entries = Object.entries(shape);
  return new Schema(
    (input, path, issues) => {
      if (!isRecord(input)) return fail(path, issues, `expected object, received ${typeName(input)}`);
      const output: Record<string, unknown> = {};
      for (const [key, schema] of entries) {
        if (!(key in input) && schema.isOptional) continue;
        output[key] = schema.read(input[key], [...path, key], issues);
      }
      // A `__proto__` key in the input must not set the prototype.
      if (loose) for (const key of Object.keys(input)) if (!Object.hasOwn(shape, key) && key !== "__proto__") output[key] = input[key];
      return output;
    },
    { shape, loose },
  );
}

export const string = () => primitive("string", (value) => typeof value === "string");
export const boolean = () => primitive("boolean", (value) => typeof value === "boolean");
export const number = () => primitive("number", Number.isFinite);
export const int = () => primitive("int", Number.isSafeInteger);
export const literal = (value: unknown) => primitive(JSON.stringify(value), (input) => input === value);
const oneOf = (values: readonly unknown[]) => primitive("one of " + values.map((value) => JSON.stringify(value)).join("|"), (input) => values.includes(input));
export { oneOf as enum };

export const object = (shape: Shape) => objectSchema(shape, false);
export const looseObject = (shape: Shape) => objectSchema(shape, true);
export const omit = (schema: Schema, keys: Record<string, true>) =>
  objectSchema(Object.fromEntries(Object.entries(schema.shape!).filter(([key]) => !(key in keys))), schema.loose);

export const array = (element: Schema) =>
  new Schema((input, path, issues) =>
    Array.isArray(input)
      ? Array.from(input, (item, index) => element.read(item, [...path, index], issues))
      : fail(path, issues, `expected array, received ${typeName(input)}`),
  );
export const tuple = (elements: Schema[]) =>
  new Schema((input, path, issues) => {
    if (!Array.isArray(input) || input.length !== elements.length) return fail(path, issues, `expected ${elements.length} elements`);
    return elements.map((element, index) => element.read(input[index], [...path, index], issues));
  });
export const record = (_key: Schema, value: Schema) =>
  new Schema((input, path, issues) => {
    if (!isRecord(input)) return fail(path, issues, `expected record, received ${typeName(input)}`);
    return Object.fromEntries(Object.entries(input).map(([key, item]) => [key, value.read(item, [...path, key], issues)]));
  });

export const optional = (schema: Schema) =>
  // oxlint-disable-next-line typescript/no-misused-spread -- a schema has no methods of its own to lose
  new Schema((input, path, issues) => (input === undefined ? undefined : schema.read(input, path, issues)), { ...schema, isOptional: true });
export const nullable = (schema: Schema) => new Schema((input, path, issues) => (input === null ? null : schema.read(input, path, issues)), schema);

/** Returns `fallback` for any input that the schema rejects. */
const withFallback = (schema: Schema, fallback: unknown) =>
  new Schema((input) => {
    const result = schema.safeParse(input);
    return result.success ? result.data : fallback;
  });
export { withFallback as catch };

export const union = (options: Schema[]) =>
  new Schema((input, path, issues) => {
    for (const option of options) {
      const optionIssues: Issue[] = [];
      const output = option.read(input, path, optionIssues);
      if (optionIssues.length === 0) return output;
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

type ErrorMessage = string | { message?: string } | undefined;
const createCheck =
  (isValid: (value: never) => boolean, message: string, customMessage?: ErrorMessage): Check =>
  (value, path, issues) => {
    if (!isValid(value as never)) fail(path, issues, (typeof customMessage === "string" ? customMessage : customMessage?.message) ?? message);
  };

export const minLength = (min: number, customMessage?: ErrorMessage) =>
  createCheck((value: { length: number }) => value.length >= min, `expected at least ${min}`, customMessage);
export const maxLength = (max: number, customMessage?: ErrorMessage) =>
  createCheck((value: { length: number }) => value.length <= max, `expected at most ${max}`, customMessage);
export const regex = (pattern: RegExp, customMessage?: ErrorMessage) =>
  createCheck((value: string) => value.search(pattern) >= 0, "has another form", customMessage);
export const positive = (customMessage?: ErrorMessage) => createCheck((value: number) => value > 0, "expected number to be >0", customMessage);
export const nonnegative = (customMessage?: ErrorMessage) => createCheck((value: number) => value >= 0, "expected number to be >=0", customMessage);
export const minimum = (min: number, customMessage?: ErrorMessage) =>
  createCheck((value: number) => value >= min, `expected number to be >=${min}`, customMessage);
export const maximum = (max: number, customMessage?: ErrorMessage) =>
  createCheck((value: number) => value <= max, `expected number to be <=${max}`, customMessage);
export const refine = (isValid: (value: never) => boolean, customMessage?: ErrorMessage) => createCheck(isValid, "is not valid", customMessage);
export const meta = (): Check => () => {};
export const describe = meta;
/** Adds a check that reports its own issues, like `z.check` of the original. */
export const check =
  (callback: (context: { value: never; issues: { message?: string }[] }) => void): Check =>
  (value, path, issues) => {
    const reported: { message?: string }[] = [];
    callback({ value: value as never, issues: reported });
    for (const { message } of reported) fail(path, issues, message ?? "is not valid");
  };

const DATETIME = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;
export const iso = { datetime: () => string().check(regex(DATETIME, "expected ISO datetime")) };

/** The original's configuration and locales have no counterpart here. */
export const config = () => ({});
export default config;
