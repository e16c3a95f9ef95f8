/** Generates the OpenAPI 3.1 document from the same schemas that validate requests. */
import * as z from "zod/mini";
import { SCOPES, type Operation } from "../../../contract/define-operation.ts";
import * as events from "../../../contract/events.ts";
import { operations } from "../../../contract/operations/all.ts";
import * as records from "../../../contract/records.ts";
import * as webhooks from "../../../contract/webhook-records.ts";
import { type Convert, createConverter, type JsonSchema } from "./json-schema.ts";
import { webhookDescriptions } from "./webhooks.ts";

const FAILURE_DESCRIPTIONS: Record<string, string> = {
  "400": "The request is not valid; `errors` names the members.",
  "401": "No token, or one that is unknown, expired or revoked.",
  "403": "Signed in, but not allowed: the role or the token's scope is not enough.",
  "404": "Unknown, or not visible to you.",
  "409": "The request conflicts with the current state of the resource.",
  "413": "The file is larger than is allowed, or exceeds the remaining storage quota.",
  "415": "The bytes are not sent as application/octet-stream.",
  "429": "Too many requests; `Retry-After` gives the time to wait.",
};

/**
 * Paths of operations that document 409 although they take no Idempotency-Key, because the state of the resource can forbid the change. The operations
 * table does not contain this: extend the pattern for a new operation whose service throws `conflict`. An idempotent operation documents 409 by itself.
 */
const CONFLICT_PATHS = /\/(redeliver|recover|restore|messages\/\{message_id\}|reactions\/\{emoji\})$/;

function toParameters(location: "path" | "query", schema: JsonSchema | undefined): JsonSchema[] {
  const required = new Set((schema?.required ?? []) as string[]);
  return Object.entries((schema?.properties ?? {}) as Record<string, JsonSchema>).map(([name, memberSchema]) => ({
    name,
    in: location,
    required: required.has(name),
    schema: memberSchema,
  }));
}

const problemResponse = (status: string) => ({
  description: FAILURE_DESCRIPTIONS[status],
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Error" } } },
});

/** Success responses of byte operations: the bytes themselves, or only headers when an upload is created. */
const bytesResponses = ({ method }: Operation) =>
  method === "POST"
    ? {
        "201": {
          description: "Created; continue at the URL in Location (PATCH, HEAD, DELETE as tus 1.0 defines)",
          headers: { Location: { schema: { type: "string" } } },
        },
      }
    : {
        "200": { description: "The bytes", content: { "application/octet-stream": {} } },
        "206": { description: "The requested range of the bytes" },
        "304": { description: "Unchanged since the version in If-None-Match" },
        "416": { description: "The range is outside the bytes" },
      };

function failureStatuses(operation: Operation): string[] {
  const statuses = ["429"];
  if (operation.body || operation.query || operation.params) statuses.push("400");
  if (operation.rule !== "open") statuses.push("401", "403", "412");
  if (operation.params || /project|team|group|account|invite|chat|file|task/.test(operation.rule)) statuses.push("404");
  if (operation.idempotent || CONFLICT_PATHS.test(operation.path)) statuses.push("409");
  if (operation.bytes !== undefined && operation.method !== "GET") statuses.push("413");
  if (operation.bytes === "body") statuses.push("415");
  return statuses.sort();
}

/** Returns the Operation Object of an operation. */
function describeOperation(name: string, operation: Operation, convert: Convert): JsonSchema {
  const parameters = [
    ...toParameters("path", operation.params && convert(operation.params, "input")),
    ...toParameters("query", operation.query && convert(operation.query, "input")),
  ];
  if (operation.idempotent) {
    parameters.push({
      name: "Idempotency-Key",
      in: "header",
      required: false,
      schema: { type: "string", maxLength: 128 },
      description: "The same key with the same body returns the first result.",
    });
  }
  const successResponses = operation.response
    ? { "200": { description: "Success", content: { "application/json": { schema: convert(operation.response, "output") } } } }
    : operation.bytes === "response"
      ? bytesResponses(operation)
      : { "204": { description: "Done; no body" } };
  return {
    operationId: name,
    summary: operation.summary,
    tags: [operation.group],
    "x-source": operation.source,
    "x-scope": operation.scope,
    "x-rule": operation.rule,
    security: operation.scope === null ? [] : operation.scope === "session" ? [{ session: [] }] : [{ bearer: [operation.scope] }, { session: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.bytes === "body" ? { requestBody: { required: true, content: { "application/octet-stream": {} } } } : {}),
    ...(operation.body
      ? {
          requestBody: {
            required: !z.safeParse(operation.body, undefined).success,
            content: { "application/json": { schema: convert(operation.body, "input") } },
          },
        }
      : {}),
    responses: { ...successResponses, ...Object.fromEntries(failureStatuses(operation).map((status) => [status, problemResponse(status)])) },
  };
}

/** The path of the live channel, which is not an operation. */
const LIVE_PATH = {
  get: {
    operationId: "live",
    summary: "The live channel: a WebSocket that carries events of the topics you subscribe to",
    tags: ["Live"],
    "x-source": "extension",
    "x-scope": "account:read",
    security: [{ bearer: ["account:read"] }, { session: [] }],
    parameters: [
      {
        name: "ticket",
        in: "query",
        required: false,
        schema: { type: "string" },
        description: "From POST /api/v2/live/ticket, for clients that can send neither cookie nor header.",
      },
    ],
    responses: {
      "101": { description: "Switching to WebSocket; frames are ClientFrame and ServerFrame." },
      "401": problemResponse("401"),
      "403": problemResponse("403"),
    },
  },
};

export function createOpenApiDocument(publicUrl: string, version: string): JsonSchema {
  const schemas: Record<string, JsonSchema> = {};
  const convert = createConverter(schemas);
  convert(records.problem, "output");
  const paths: Record<string, Record<string, JsonSchema>> = {};

  for (const [name, entry] of Object.entries(operations)) {
    (paths[entry.path] ??= {})[entry.method.toLowerCase()] = describeOperation(name, entry, convert);
  }
  paths["/api/v2/live"] = LIVE_PATH;
  schemas.ClientFrame = convert(events.clientFrame, "input");
  schemas.ServerFrame = convert(events.serverFrame, "output");
  convert(webhooks.webhookEvent, "output");

  return {
    openapi: "3.1.0",
    info: {
      title: "Talkback API",
      version,
      description:
        "v1 is stable, v2 is beta. `x-source` says what the service document defines (documented) and what was added (extension). Unknown members are ignored, in requests and by clients.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: publicUrl }],
    tags: [...new Set(Object.values(operations).map(({ group }) => group))].map((name) => ({ name })),
    paths,
    webhooks: webhookDescriptions(),
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: `An API token. Scopes: ${SCOPES.join(", ")}.` },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "talkback",
          description: "The cookie of a signed-in browser; `__Host-talkback` where the public address is https.",
        },
      },
    },
  };
}
