/** Sends one HTTP request and turns every way in which it gets no response into an `ApiError`. */
import { offlineError, timeoutError } from "./api-error.ts";

/** Fetches a URL and reads the whole response with `read`. Throws `ApiError` if there is none, or the abort reason of the signal. */
export async function sendRequest<T>(
  url: string | URL,
  read: (response: Response) => Promise<T>,
  timeoutMs: number,
  init: RequestInit,
): Promise<[Response, T]> {
  const { signal } = init;
  const timeoutSignal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, timeoutSignal]) : timeoutSignal });
    return [response, await read(response)];
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw timeoutSignal.aborted ? timeoutError(timeoutMs, cause) : offlineError(cause);
  }
}
