/** Reads a response that is not known to fit its operation's schema. */
import type * as z from "zod/mini";
import type { Operation } from "../../contract/define-operation.ts";
import { hasDocumentedPath } from "../../contract/offered-operations.ts";
import { ApiError, offlineError } from "./api-error.ts";

interface RecordContext {
  /** Body of the request. */
  body: unknown;
  /** Address against which relative URLs in documented records are resolved; "" leaves them as they are. */
  base: string;
  toOwnUrls(json: unknown): unknown;
}

/** Reads a response: of documented operations, which other services offer too, as well as possible; of others only if it fits the schema. */
export async function parseResponse(
  operation: Operation,
  schema: z.ZodMiniType,
  response: Response,
  json: unknown,
  { body, base, toOwnUrls }: RecordContext,
): Promise<unknown> {
  const malformedError = (detail: string, cause?: unknown) =>
    new ApiError(
      {
        kind: "malformed",
        status: response.status,
        title: "The service's response is invalid",
        detail: `${operation.method} ${operation.path}: ${detail}`,
      },
      cause,
    );
  if (json === undefined) throw malformedError("no JSON");
  if (hasDocumentedPath(operation)) {
    const { readDocumentedResponse } = await import("./documented/responses.ts").catch((cause: unknown) => {
      throw offlineError(cause);
    });
    const documented = readDocumentedResponse(operation, json, body, base);
    if (documented === null) throw malformedError("another shape");
    if (documented !== undefined) return toOwnUrls(documented);
  }
  const result = schema.safeParse(toOwnUrls(json));
  if (!result.success) {
    const issue = result.error.issues[0];
    throw malformedError(issue ? `${issue.path.join(".")}: ${issue.message}` : "another shape", result.error);
  }
  return result.data;
}
