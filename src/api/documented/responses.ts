/**
 * The operations of the service document whose responses are read tolerantly, since other services send them too. The names of the operations stand here
 * instead of the operations, which load with the views that call them.
 */
import type { Operation } from "../../../contract/define-operation.ts";
import { type ObjectSchema, readChatHistory, readCreatedWebhookEndpoint, readFileInfo } from "./records.ts";
import { type JsonRecord, toId, toRecord } from "./values.ts";

interface Request {
  /** Schema of the operation's response. */
  schema: ObjectSchema;
  body: JsonRecord;
  /** Address against which relative URLs are resolved; "" leaves them as they are. */
  base: string;
}

const READERS: Readonly<Record<string, (json: unknown, request: Request) => unknown>> = {
  "POST /v1/account/projects/chat_history": (json, { schema, body, base }) => readChatHistory(json, schema, toId(body["project_id"]) ?? 0, base),
  "POST /v1/files/get_info": (json, { body, base }) => readFileInfo(json, toId(body["file_id"]) ?? 0, base),
  "POST /api/v2/webhook-endpoints": (json, { schema, body }) =>
    readCreatedWebhookEndpoint(json, schema.shape["data"] as unknown as ObjectSchema, body, new Date().toISOString()),
};

/** Operations whose responses are read tolerantly, as method and path. */
export const TOLERANT_OPERATIONS: readonly string[] = Object.keys(READERS);

/** Returns the response of a documented operation in its documented shape, null if nothing in it can be used, and undefined for other operations. */
export function readDocumentedResponse({ method, path, response }: Operation, json: unknown, body: unknown, base: string): unknown {
  const read = READERS[`${method} ${path}`];
  return read?.(json, { schema: response as unknown as ObjectSchema, body: toRecord(body) ?? {}, base });
}
