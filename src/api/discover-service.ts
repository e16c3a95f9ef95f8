/** Finds out what a service offers: by `GET /api/v2/service`, or else no more than the service document. */
import { getService } from "../../contract/operations/session.ts";
import type { service } from "../../contract/records.ts";
import type * as z from "zod/mini";
import { parseJson } from "../lib/parse-json.ts";
import { ApiError, toApiError } from "./api-error.ts";
import { sendRequest } from "./send-request.ts";

export type Service = z.infer<typeof service>;

/** `documented`: the service does not describe itself. `unreadable`: a server responds, but does not let this page read this response. */
export type Discovery = { kind: "described"; service: Service } | { kind: "documented" | "unreadable" };

const TIMEOUT_MS = 15_000;
/** Service document 4.2; the operation itself loads with the views that call it. */
const getFileInfoPath = "/v1/files/get_info";

/**
 * Requests the description of the service at `baseUrl` (no trailing slash; "" is the origin of this page). Throws `ApiError` if the service is
 * unreachable or failed temporarily, or the abort reason of `signal`.
 */
export async function discoverService(baseUrl: string, token: string | undefined, signal: AbortSignal | null = null): Promise<Discovery> {
  const url = baseUrl + getService.path;
  const send = (init: RequestInit) => sendRequest(url, (response) => response.text(), TIMEOUT_MS, { ...init, credentials: "omit", cache: "no-store", signal });
  try {
    const accept = { accept: "application/json" };
    // Without the token, so that the browser needs no preflight, which a service may refuse for a path that it does not have.
    const [response, text] = await send({ headers: accept });
    if ((response.status !== 401 && response.status !== 403) || !token) return toDiscovery(response, text);
    return toDiscovery(...(await send({ headers: { ...accept, authorization: `Bearer ${token}` } })));
  } catch (error) {
    const isOwnOrigin = new URL(url, location.href).origin === location.origin;
    if (isOwnOrigin || !(error instanceof ApiError) || error.kind !== "offline") throw error;
    // This response cannot be read, but it arrives only from a server that is there.
    await send({ mode: "no-cors" });
    return { kind: "unreadable" };
  }
}

/** An id that no file has, so that a probe reads nobody's data. */
const NO_FILE_ID = 0;

/**
 * Calls a documented operation to find out whether the service has it: `offered`, `refused` (401), `possible` if many servers without it respond like
 * this, or `unknown` if nothing speaks for it. Throws `ApiError` after a failure of the service and without a readable response, or the abort reason of `signal`.
 */
export async function probeDocumented(
  baseUrl: string,
  token: string | undefined,
  signal: AbortSignal | null = null,
): Promise<"offered" | "possible" | "refused" | "unknown"> {
  const [response, text] = await sendRequest(baseUrl + getFileInfoPath, (received) => received.text(), TIMEOUT_MS, {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify({ file_id: NO_FILE_ID }),
    credentials: "omit",
    signal,
  });
  if (response.status === 401) return "refused";
  if (response.status >= 500) throw toApiError(response, text);
  const type = response.headers.get("content-type") ?? "";
  if (response.status === 405 || /\bhtml\b/i.test(type)) return "unknown";
  return response.status === 404 && !/\bjson\b/i.test(type) ? "possible" : "offered";
}

function toDiscovery(response: Response, text: string): Discovery {
  const { ok, status } = response;
  if (status === 408 || status === 429 || (status >= 500 && status !== 501)) throw toApiError(response, text);
  const result = ok ? getService.response.safeParse(parseJson(text)) : null;
  return result?.success ? { kind: "described", service: result.data.data } : { kind: "documented" };
}
