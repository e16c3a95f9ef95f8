/** Fetches bytes from URLs that the service returned in a record. */
import { offlineError, toApiError, timeoutError } from "./api-error.ts";
import { defaultConnection, type CallOptions } from "./http.ts";

const TIMEOUT_MS = 30_000;
/** HTTP status "206 Partial Content". */
const PARTIAL = 206;

/** Fetches all bytes at `url`. Throws `ApiError`, or the abort reason of `signal`. */
export const fetchBytes = async (url: string, options: CallOptions = {}): Promise<ArrayBuffer> => (await requestBytes(url, {}, options)).bytes;

/** Fetches the bytes from `from` up to `to` (exclusive) at `url`, or as many as exist; also works if the service ignores ranges. */
export async function fetchRange(url: string, from: number, to: number, options: CallOptions = {}): Promise<ArrayBuffer> {
  const { status, bytes } = await requestBytes(url, { range: `bytes=${from}-${to - 1}` }, options);
  return status === PARTIAL ? bytes : bytes.slice(from, to);
}

async function requestBytes(url: string, headers: Record<string, string>, options: CallOptions): Promise<{ status: number; bytes: ArrayBuffer }> {
  const { connection = defaultConnection, signal, timeoutMs = TIMEOUT_MS } = options;
  const timeoutSignal = AbortSignal.timeout(timeoutMs);
  let response: Response;
  try {
    response = await fetch(new URL(url, connection.base || location.origin), {
      headers: connection.token ? { ...headers, authorization: `Bearer ${connection.token}` } : headers,
      signal: signal ? AbortSignal.any([signal, timeoutSignal]) : timeoutSignal,
      credentials: connection.token ? "omit" : "same-origin",
    });
    if (response.ok) return { status: response.status, bytes: await response.arrayBuffer() };
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw timeoutSignal.aborted ? timeoutError(timeoutMs, cause) : offlineError(cause);
  }
  throw toApiError(response, await response.text().catch(() => ""));
}
