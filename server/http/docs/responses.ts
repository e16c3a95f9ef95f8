/** Describes the responses of operations in the OpenAPI document. */
import { sendsItsResponse, type Operation } from "../../../contract/define-operation.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { failureStatuses } from "../failure-statuses.ts";
import type { JsonSchema } from "./json-schema.ts";

export const BYTES = "application/octet-stream";
const PROBLEM = "application/problem+json";

const header = (description: string, schema: JsonSchema = { type: "string" }): JsonSchema => ({ description, schema });
const RETRY_AFTER = header("Seconds to wait before the next attempt.", { type: "integer", minimum: 1 });

/** Failures by their names in the document. `5XX` is any status from 500 on. */
const FAILURES: Record<string, { name: string; description: string; headers?: Record<string, JsonSchema> }> = {
  "400": { name: "BadRequest", description: "The request is not valid; `errors` names the members." },
  "401": {
    name: "Unauthorized",
    description: "No token, or one that is unknown, expired or revoked.",
    headers: { "WWW-Authenticate": header("How to authenticate (RFC 6750).") },
  },
  "403": {
    name: "Forbidden",
    description: "Signed in, but not allowed: the role or the token's scope is not enough, or another site's page sent the request.",
  },
  "404": { name: "NotFound", description: "Unknown, or not visible to you." },
  "408": {
    name: "RequestTimeout",
    description: "The headers did not arrive within 10 seconds, or a JSON body within 20 seconds after them; the connection is closed.",
  },
  "409": { name: "Conflict", description: "The `Idempotency-Key` was used for a different request." },
  "412": {
    name: "PreconditionFailed",
    description: "The session cookie belongs to another account than the header `Talkback-Account` names. Nothing was done.",
  },
  "413": { name: "ContentTooLarge", description: `The body is larger than ${LIMITS.json_bytes / 1024} KiB.` },
  "414": { name: "UriTooLong", description: "A segment of the path is longer than 200 characters." },
  "415": { name: "UnsupportedMediaType", description: `JSON is sent as application/json, the bytes of a file as ${BYTES}.` },
  "429": { name: "TooManyRequests", description: "Too many requests or failed attempts.", headers: { "Retry-After": RETRY_AFTER } },
  "431": { name: "HeadersTooLarge", description: "The headers are larger than 16 KiB; the connection is closed." },
  "5XX": {
    name: "ServerError",
    description: "500: an error of the service. 503: the database is unavailable or locked; try again. 507: the server's disk is full. Nothing was saved.",
    headers: { "Retry-After": RETRY_AFTER },
  },
};
const CROSS_SITE = "A page of another site sent the request.";

const problem = (description: string, headers?: Record<string, JsonSchema>): JsonSchema => ({
  description,
  ...(headers ? { headers } : {}),
  content: { [PROBLEM]: { schema: { $ref: "#/components/schemas/Error" } } },
});

/** The failures that several operations share, for `components.responses`. */
export const sharedFailures = (): Record<string, JsonSchema> =>
  Object.fromEntries(Object.values(FAILURES).map(({ name, description, headers }) => [name, problem(description, headers)]));

const shared = (status: string): JsonSchema => ({ $ref: `#/components/responses/${FAILURES[status]?.name ?? ""}` });

/** Describes the given failures; `descriptions` has those that differ from the shared ones. */
export const failures = (statuses: readonly number[], descriptions: Partial<Record<number, string>> = {}): Record<string, JsonSchema> => ({
  ...Object.fromEntries(
    statuses.map((status) => {
      const description = descriptions[status];
      return [status, description === undefined ? shared(String(status)) : problem(description, FAILURES[status]?.headers)];
    }),
  ),
  "5XX": shared("5XX"),
});

/** Texts for the statuses that `errors` of the operation explains, and for those that mean something else for it. */
function ownDescriptions({ errors = {}, idempotent, rule }: Operation): Partial<Record<number, string>> {
  const descriptions: Partial<Record<number, string>> = { ...errors };
  if (errors[409] && idempotent) descriptions[409] = `${errors[409]} Or: ${FAILURES["409"]?.description ?? ""}`;
  if (errors[403] || rule === "open")
    descriptions[403] = [errors[403], rule === "open" ? CROSS_SITE : FAILURES["403"]?.description].filter(Boolean).join(" Or: ");
  return descriptions;
}

/** The failures of an operation of the OAuth protocol. The HTTP parser responds to what never becomes a request. */
const oauthFailures = (statuses: readonly number[], descriptions: Partial<Record<number, string>>): Record<string, JsonSchema> =>
  Object.fromEntries(
    [...statuses.map(String), "5XX"].map((status) => [
      status,
      {
        description: descriptions[Number(status)] ?? FAILURES[status]?.description,
        ...(FAILURES[status]?.headers ? { headers: FAILURES[status].headers } : {}),
        content: {
          "application/json": { schema: { $ref: "#/components/schemas/OAuthError" } },
          ...(status === "408" || status === "431" ? { [PROBLEM]: { schema: { $ref: "#/components/schemas/Error" } } } : {}),
        },
      },
    ]),
  );

/** Headers of stored bytes. */
const MEDIA_HEADERS = {
  ETag: header("Identifies these bytes, which never change."),
  "Accept-Ranges": header("`bytes`"),
  "Content-Disposition": header("The file's name; `attachment` for types that a browser must not show."),
};
const CONTENT_RANGE = { "Content-Range": header("Which bytes these are, and of how many.") };

/** Request headers of operations that respond with stored bytes. */
export const RANGE_PARAMETERS: JsonSchema[] = [
  { name: "Range", in: "header", required: false, schema: { type: "string" }, description: "One range, such as `bytes=0-65535`; several return everything." },
  { name: "If-Range", in: "header", required: false, schema: { type: "string" }, description: "An ETag; if it does not match, everything is returned." },
  { name: "If-None-Match", in: "header", required: false, schema: { type: "string" }, description: "An ETag; if it matches, the response is 304." },
];

/** Responses of operations that send bytes, also 416, which has no body. */
function bytesResponses({ bytes }: Operation): Record<string, JsonSchema> {
  if (bytes === "zip") {
    return {
      "200": {
        description: "The zip, of exactly `Content-Length` bytes.",
        headers: { "Content-Disposition": header("The zip's name.") },
        content: { "application/zip": {} },
      },
    };
  }
  if (bytes === "csv" || bytes === "tagged") {
    return {
      "200": {
        description: bytes === "csv" ? "The table." : "The copy, of exactly `Content-Length` bytes.",
        headers: { "Content-Disposition": header("The file's name.") },
        content: bytes === "csv" ? { "text/csv": {} } : { "audio/*": {}, [BYTES]: {} },
      },
    };
  }
  const types = bytes === "media" ? [BYTES, "audio/*", "video/*", "image/*"] : [BYTES];
  const content = Object.fromEntries(types.map((type) => [type, {}]));
  return {
    "200": { description: "The bytes.", headers: MEDIA_HEADERS, content },
    "206": { description: "The requested range of the bytes.", headers: { ...MEDIA_HEADERS, ...CONTENT_RANGE }, content },
    "302": {
      description: "Only for media elements and downloads of a browser, where the operator allows it: the bytes are at the store for some minutes.",
      headers: { Location: header("A URL that is signed for these bytes.") },
    },
    "304": { description: "Unchanged: `If-None-Match` has the ETag of these bytes.", headers: MEDIA_HEADERS },
    "416": { description: "The range is outside the bytes. The response has no body.", headers: { ...MEDIA_HEADERS, ...CONTENT_RANGE } },
  };
}

function successfulResponse(operation: Operation, success: JsonSchema | null): Record<string, JsonSchema> {
  if (operation.status === 302) return { "302": { description: "A redirect without a body.", headers: { Location: header("Where the browser goes next.") } } };
  if (sendsItsResponse(operation)) return bytesResponses(operation);
  return success
    ? { [operation.status ?? 200]: { description: "Success", content: { "application/json": success } } }
    : { "204": { description: "Done. The response has no body." } };
}

/** Returns the responses of an operation; `success` describes the JSON of a successful one. */
export function responses(operation: Operation, success: JsonSchema | null): Record<string, JsonSchema> {
  const successful = successfulResponse(operation, success);
  const failed = failureStatuses(operation).filter((status) => !(status in successful));
  return { ...successful, ...(operation.oauthErrors ? oauthFailures : failures)(failed, ownDescriptions(operation)) };
}
