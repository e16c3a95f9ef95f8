/** Derives a function for each operation of the contract: its input is one flat object, whatever of it goes into path, query or body. */
import type * as z from "zod/mini";
import type { Input, Operation, ResponseOf } from "../../../contract/define-operation.ts";
import { operations, type OperationName } from "../../../contract/operations/all.ts";
import type { CallInput } from "../http.ts";

type Operations = typeof operations;
/** Operations that a program calls with its token: those of a session do not accept one, those of OAuth issue it, and bytes have functions of their own. */
export type CallableName = {
  [N in OperationName]: Operations[N] extends { bytes: string } | { scope: "session" } | { group: "OAuth" } ? never : N;
}[OperationName];

/** Shows a type's members instead of how it was made. */
type Simplify<T> = { [K in keyof T]: T[K] } & {};
/** An object without members has the type of one that may have any. */
type Named<T> = string extends keyof T ? unknown : T;
type Part<O extends Operation, K extends "params" | "query" | "body"> = O[K] extends z.ZodMiniType ? Named<NonNullable<Input<O>[K]>> : unknown;
/** Values in a path or query may be numbers. */
type UrlPart<T> = { [K in keyof T]: T[K] extends string | undefined ? T[K] | number : T[K] };
/** What an operation takes, as one object. No operation has a name twice. */
export type FlatInput<O extends Operation> = Simplify<UrlPart<Part<O, "params">> & UrlPart<Part<O, "query">> & Part<O, "body">>;

export interface ProgramCallOptions {
  signal?: AbortSignal;
  /** Milliseconds until the whole response of one attempt must have arrived. Default 15,000. */
  timeoutMs?: number;
  /** Generated for each call by default, so that a repeated attempt of the same call cannot do anything twice. */
  idempotencyKey?: string;
}

type Arguments<O extends Operation> =
  Partial<FlatInput<O>> extends FlatInput<O> ? [input?: FlatInput<O>, options?: ProgramCallOptions] : [input: FlatInput<O>, options?: ProgramCallOptions];
/** `talkback.chatHistory({ project_id: 1 })`, and so on for every operation. */
export type NamedOperations = { [N in CallableName]: (...args: Arguments<Operations[N]>) => Promise<ResponseOf<Operations[N]>> };

const isCallable = ({ bytes, scope, group }: Operation): boolean => bytes === undefined && scope !== "session" && group !== "OAuth";

/** Returns the functions, which all call `call`. */
export function nameOperations(
  call: (operation: Operation, input: Record<string, unknown>, options?: ProgramCallOptions) => Promise<unknown>,
): NamedOperations {
  const entries = Object.entries<Operation>(operations)
    .filter(([, operation]) => isCallable(operation))
    .map(([name, operation]) => [name, (input: Record<string, unknown> = {}, options?: ProgramCallOptions) => call(operation, input, options)]);
  return Object.fromEntries(entries) as NamedOperations;
}

/** Returns the names of a schema's members. */
function memberNames(schema: z.ZodMiniType | undefined): string[] {
  const definition = schema?._zod.def as { shape?: object; innerType?: z.ZodMiniType } | undefined;
  return definition?.innerType ? memberNames(definition.innerType) : Object.keys(definition?.shape ?? {});
}

/** Distributes flat input to path, query and body. Throws a `TypeError` for a name that the operation does not have, since the service would ignore it. */
export function splitInput<O extends Operation>(operation: O, input: Record<string, unknown>): CallInput<O> {
  const parts: Record<"params" | "query" | "body", Record<string, unknown>> = { params: {}, query: {}, body: {} };
  const partOf = new Map((["params", "query", "body"] as const).flatMap((part) => memberNames(operation[part]).map((name) => [name, part])));
  for (const [name, value] of Object.entries(input)) {
    const part = partOf.get(name);
    if (!part) throw new TypeError(`${operation.method} ${operation.path} has no input "${name}". It has: ${[...partOf.keys()].join(", ") || "none"}.`);
    parts[part][name] = value;
  }
  const { params, query, body } = parts;
  return { params, query, ...(operation.body ? { body } : {}) } as unknown as CallInput<O>;
}
