/** Generates the OpenAPI 3.1 document from the operations and the schemas that validate requests. */
import * as z from "zod/mini";
import { SCOPES, type Operation, type Scope } from "../../../contract/define-operation.ts";
import { oauthError } from "../../../contract/oauth-records.ts";
import { createUpload } from "../../../contract/operations/files.ts";
import { authorize, issueToken } from "../../../contract/operations/oauth.ts";
import { operations } from "../../../contract/operations/all.ts";
import * as records from "../../../contract/records.ts";
import { createExample } from "./example.ts";
import { describeFrames, describeScopes, LIVE_CHANNEL } from "./events.ts";
import { createGroupGuides, introduction } from "./guides.ts";
import { type Convert, createConverter, type JsonSchema } from "./json-schema.ts";
import { BYTES, RANGE_PARAMETERS, responses, sharedFailures } from "./responses.ts";
import { describeCreation, describeUpload } from "./tus.ts";
import { describeWebhooks } from "./webhooks.ts";

function toParameters(location: "path" | "query", schema: JsonSchema | undefined): JsonSchema[] {
  const required = new Set((schema?.required ?? []) as string[]);
  return Object.entries((schema?.properties ?? {}) as Record<string, JsonSchema>).map(([name, { description, ...memberSchema }]) => ({
    name,
    in: location,
    required: required.has(name),
    ...(description === undefined ? {} : { description }),
    schema: memberSchema,
  }));
}

const SCOPE_TEXTS: Record<Scope, string> = {
  "account:read": "Read people, teams, groups and projects",
  "account:write": "Change your profile, favorites and notifications",
  "chat:read": "Read messages",
  "chat:write": "Write and change messages",
  "files:read": "Read files, comments and tasks",
  "files:write": "Upload and change files, comments and tasks",
  webhooks: "Manage webhook endpoints",
  admin: "Manage people, projects, groups and statuses",
};

const IDEMPOTENCY_KEY = { $ref: "#/components/parameters/IdempotencyKey" };

const scopesOf = ({ scope, furtherScopes = [] }: Operation): Scope[] => (scope === null || scope === "session" ? [] : [scope, ...furtherScopes]);
const accessText = (operation: Operation): string => {
  if (operation.scope === null) return "Needs no sign-in.";
  return operation.scope === "session" ? "Needs a signed-in browser; tokens are not accepted." : describeScopes(scopesOf(operation));
};

/** Splits an operation's text into a title for lists and the sentences that explain it. */
function splitSummary(text: string): { summary: string; details: string } {
  const [, summary, details = ""] = /^(.*?)(?:[;:.] (.*))?$/s.exec(text)!;
  return { summary: summary!, details: details && `${details.charAt(0).toUpperCase()}${details.slice(1)}. ` };
}

/** What the document says of an operation beside its parameters, bodies and responses. */
const describeAccess = (operation: Operation, details = ""): JsonSchema => ({
  tags: [operation.group],
  description: `${details}${operation.source === "documented" ? "Documented" : "Extension"}. ${accessText(operation)}`,
  "x-source": operation.source,
  "x-scope": operation.scope,
  ...(operation.furtherScopes ? { "x-further-scopes": operation.furtherScopes } : {}),
  "x-rule": operation.rule,
  ...(operation.furtherRules ? { "x-further-rules": operation.furtherRules } : {}),
  "x-cost": operation.cost ?? 1,
  security:
    operation.scope === null
      ? []
      : operation.scope === "session"
        ? [{ session: [] }]
        : [{ bearer: scopesOf(operation) }, { oauth2: scopesOf(operation) }, { session: [] }],
});

/** Returns the Operation Object of an operation. `components`: the schemas that `convert` has named so far. */
function describeOperation(name: string, operation: Operation, convert: Convert, components: Record<string, JsonSchema>): JsonSchema {
  const { summary, details } = splitSummary(operation.summary);
  const head = { operationId: name, summary, ...describeAccess(operation, details) };
  if (operation.bytes === "tus") return { ...head, ...describeCreation(convert) };
  const parameters = [
    ...toParameters("path", operation.params && convert(operation.params, "input")),
    ...toParameters("query", operation.query && convert(operation.query, "input")),
    ...(operation.idempotent ? [IDEMPOTENCY_KEY] : []),
    ...(operation.bytes === "media" || operation.bytes === "peaks" ? RANGE_PARAMETERS : []),
  ];
  const withExample = (schema: JsonSchema, isRequest: boolean) => ({ schema, example: createExample(schema, components, { request: isRequest }) });
  return {
    ...head,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.bytes === "body" ? { requestBody: { required: true, content: { [operation.mediaType ?? BYTES]: {} } } } : {}),
    ...(operation.body
      ? {
          requestBody: {
            required: !z.safeParse(operation.body, undefined).success,
            content: { [operation.form ? "application/x-www-form-urlencoded" : "application/json"]: withExample(convert(operation.body, "input"), true) },
          },
        }
      : {}),
    responses: responses(operation, operation.response && withExample(convert(operation.response, "output"), false)),
  };
}

/** `publicUrl`: the address of the service. */
export function createOpenApiDocument(publicUrl: string, version: string): JsonSchema {
  const schemas: Record<string, JsonSchema> = {};
  const convert = createConverter(schemas);
  convert(records.problem, "output");
  convert(oauthError, "output");
  const paths: Record<string, JsonSchema> = {};

  for (const [name, entry] of Object.entries(operations)) {
    (paths[entry.path] ??= {})[entry.method.toLowerCase()] = describeOperation(name, entry, convert, schemas);
  }
  paths[`${createUpload.path}/{upload_id}`] = describeUpload(convert, describeAccess(createUpload));
  paths["/api/v2/live"] = LIVE_CHANNEL;
  Object.assign(schemas, describeFrames(convert));
  const { webhooks, schemas: webhookSchemas } = describeWebhooks(convert);
  Object.assign(schemas, webhookSchemas);

  return {
    openapi: "3.1.0",
    info: { title: "Talkback API", version, description: introduction(publicUrl), license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    servers: [{ url: publicUrl }],
    tags: Object.entries(createGroupGuides(publicUrl)).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      schemas,
      responses: sharedFailures(),
      parameters: {
        IdempotencyKey: {
          name: "Idempotency-Key",
          in: "header",
          required: false,
          schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,128}$" },
          description: "The same key with the same body returns the first result.",
        },
      },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: `An API token. Scopes: ${SCOPES.join(", ")}.` },
        oauth2: {
          type: "oauth2",
          description: "The access token of a connected app, by the authorization code with PKCE.",
          flows: {
            authorizationCode: {
              authorizationUrl: `${publicUrl}${authorize.path}`,
              tokenUrl: `${publicUrl}${issueToken.path}`,
              refreshUrl: `${publicUrl}${issueToken.path}`,
              scopes: Object.fromEntries(SCOPES.map((scope) => [scope, SCOPE_TEXTS[scope]])),
            },
          },
        },
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
