/** Bytes by the address that the service gave in a record. */
import { offline, problemFrom, timedOut } from "./api-error.ts";
import { here, type CallOptions } from "./http.ts";

const TIMEOUT_MS = 30_000;

/** Everything at `url`. Throws `ApiError`, or what `signal` was aborted with. */
export async function fetchBytes(url: string, options: CallOptions = {}): Promise<ArrayBuffer> {
  const { connection = here, signal, timeoutMs = TIMEOUT_MS } = options;
  const limit = AbortSignal.timeout(timeoutMs);
  let response: Response;
  try {
    response = await fetch(new URL(url, connection.base || location.origin), {
      headers: connection.token ? { authorization: `Bearer ${connection.token}` } : {},
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      credentials: connection.token ? "omit" : "same-origin",
    });
    if (response.ok) return await response.arrayBuffer();
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw limit.aborted ? timedOut(timeoutMs, cause) : offline(cause);
  }
  throw problemFrom(response, await response.text().catch(() => ""));
}
