/** Describes the resumable uploads, which follow the tus protocol 1.0: the requests of an upload's own URL, and what creating one returns. */
import { uploadResponse } from "../../../contract/file-records.ts";
import { createUpload } from "../../../contract/operations/files.ts";
import { failureStatuses } from "../failure-statuses.ts";
import type { Convert, JsonSchema } from "./json-schema.ts";
import { failures } from "./responses.ts";

const CHUNK = "application/offset+octet-stream";
const LENGTH = { type: "integer", minimum: 0 };

const parameter = (name: string, description: string, schema: JsonSchema = { type: "string" }, required = true): JsonSchema => ({
  name,
  in: "header",
  required,
  description,
  schema,
});
const TUS_RESUMABLE = parameter("Tus-Resumable", "The version of the protocol.", { const: "1.0.0" });
const UPLOAD_OFFSET = parameter("Upload-Offset", "Where these bytes begin: the number of bytes that the service has.", LENGTH);
const HEADERS = {
  "Tus-Resumable": { description: "The version of the protocol.", schema: { const: "1.0.0" } },
  "Upload-Offset": { description: "The number of bytes that the service has.", schema: LENGTH },
  "Upload-Length": { description: "The size of the file in bytes.", schema: LENGTH },
  "Upload-Metadata": { description: "As it was sent when the upload was created; absent once all bytes have arrived.", schema: { type: "string" } },
  "Upload-Expires": { description: "Until when the upload can be continued, as an HTTP date.", schema: { type: "string" } },
  Location: { description: "The upload's own URL, relative to this one.", schema: { type: "string" } },
};
const headers = (...names: (keyof typeof HEADERS)[]): JsonSchema => Object.fromEntries(names.map((name) => [name, HEADERS[name]]));

const WRONG_ACCOUNT_OR_VERSION = "`Tus-Resumable` is missing, or the session cookie belongs to another account than the header `Talkback-Account` names.";
const UNKNOWN = "No such upload of yours, or it has expired.";

/** The last byte turns the upload into a file. */
const finished = (convert: Convert): JsonSchema => ({
  description: "All bytes have arrived, and the file exists.",
  headers: headers("Tus-Resumable", "Upload-Offset"),
  content: { "application/json": { schema: convert(uploadResponse, "output") } },
});

/** What the Operation Object of `createUpload` has in addition to that of other operations. */
export function describeCreation(convert: Convert): { parameters: JsonSchema[]; requestBody: JsonSchema; responses: JsonSchema } {
  return {
    parameters: [
      TUS_RESUMABLE,
      parameter("Upload-Length", "The size of the file in bytes; it cannot be declared later.", LENGTH),
      parameter(
        "Upload-Metadata",
        "Pairs of a key and its value in base64, separated by commas: `name`, and `project_id`, `parent_id` or `version_of`; with `parent_id` also `path`.",
      ),
    ],
    requestBody: { required: false, description: "The first bytes, or all of them; usually none.", content: { [CHUNK]: {} } },
    responses: {
      "201": { description: "Created. Continue at the URL in `Location`.", headers: headers("Tus-Resumable", "Location", "Upload-Expires", "Upload-Offset") },
      "200": { ...finished(convert), headers: headers("Tus-Resumable", "Upload-Offset", "Location") },
      ...failures(failureStatuses(createUpload), { ...createUpload.errors, 412: WRONG_ACCOUNT_OR_VERSION }),
    },
  };
}

/** Path of one upload. `common`: what these operations have in common with `createUpload`. */
export function describeUpload(convert: Convert, common: JsonSchema): JsonSchema {
  const read = [400, 401, 403, 404, 408, 412, 414, 429, 431];
  const write = [...read, 413, 415];
  const text = { 404: UNKNOWN, 412: WRONG_ACCOUNT_OR_VERSION };
  return {
    parameters: [{ name: "upload_id", in: "path", required: true, schema: { type: "string", pattern: "^[0-9a-f]{32}$" } }],
    patch: {
      ...common,
      operationId: "continueUpload",
      summary: "Send bytes of a resumable upload, from the offset the service has",
      parameters: [TUS_RESUMABLE, UPLOAD_OFFSET],
      requestBody: { required: true, content: { [CHUNK]: {} } },
      responses: {
        "200": finished(convert),
        "204": { description: "The bytes are stored; more are to come.", headers: headers("Tus-Resumable", "Upload-Offset", "Upload-Expires") },
        ...failures([...write, 409], {
          ...text,
          409: "The upload is at a different offset: ask for it with HEAD. On the last bytes also: the project has no folder, or is archived.",
          413: "More bytes than the upload declared, or more than the storage that is left.",
          415: `The bytes are not sent as ${CHUNK}.`,
        }),
      },
    },
    head: {
      ...common,
      operationId: "getUploadOffset",
      summary: "How many bytes of a resumable upload the service has",
      parameters: [TUS_RESUMABLE],
      responses: {
        "200": { description: "The upload's state.", headers: headers("Tus-Resumable", "Upload-Offset", "Upload-Length", "Upload-Metadata") },
        ...failures([...read, 409], {
          ...text,
          409: "All bytes are there, but the project has no folder, or is archived; the bytes stay until the upload expires.",
        }),
      },
    },
    delete: {
      ...common,
      operationId: "cancelUpload",
      summary: "Cancel a resumable upload and delete its bytes",
      parameters: [TUS_RESUMABLE],
      responses: { "204": { description: "Canceled.", headers: headers("Tus-Resumable") }, ...failures(write, text) },
    },
  };
}
