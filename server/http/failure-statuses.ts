/** The statuses with which an operation can fail. The published document lists them, and tests reject a response with any other. */
import type { Operation } from "../../contract/define-operation.ts";

const RECORD_ID_MEMBER = /(^|_)ids?$/;

/** The members of an object schema, also of an optional one. */
function memberNames(schema: Operation["body"]): string[] {
  const { def } = (schema as { _zod: { def: { shape?: object; innerType?: Operation["body"] } } } | undefined)?._zod ?? { def: {} };
  return def.innerType ? memberNames(def.innerType) : Object.keys(def.shape ?? {});
}

/** True if a request names a record, which the caller may not see. */
const namesRecord = ({ params, query, body }: Operation): boolean =>
  params !== undefined || [query, body].some((schema) => memberNames(schema).some((name) => RECORD_ID_MEMBER.test(name)));

/** True if the operation may change something in a project, which is refused while the project is archived. */
const canBeInArchive = (operation: Operation): boolean =>
  operation.method !== "GET" && namesRecord(operation) && !operation.rule.endsWith(".read") && operation.rule !== "self" && operation.rule !== "open";

/** Returns the statuses below 500 in ascending order. Everything from 500 on can happen to every operation. */
export function failureStatuses(operation: Operation): number[] {
  // The HTTP parser rejects malformed, slow and oversized requests to every operation.
  const statuses = new Set([400, 408, 429, 431]);
  const add = (...more: number[]) => more.forEach((status) => statuses.add(status));
  if (operation.rule !== "open") add(401, 403, 412);
  // Writes must come from our own page, and their bodies are parsed.
  if (operation.method !== "GET") add(403, 413, 415);
  if (operation.params) add(414);
  if (operation.bytes === "media" || operation.bytes === "peaks") add(416);
  if (namesRecord(operation)) add(404);
  if (operation.idempotent || canBeInArchive(operation)) add(409);
  add(...Object.keys(operation.errors ?? {}).map(Number));
  return [...statuses].sort((a, b) => a - b);
}
