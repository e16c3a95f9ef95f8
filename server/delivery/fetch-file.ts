/** Fetches a file from a public URL that a user supplied. */
import { HttpError, invalid } from "../lib/errors.ts";
import { createGuard, GuardError, type Guard } from "./guard.ts";
import { createGuardedAgent } from "./guarded-agent.ts";

const MAX_REDIRECTS = 5;
const CONNECT_MS = 10_000;
const IDLE_MS = 30_000;
/** Limit for the whole transfer, even if data keeps trickling in: enough for 2 GB at 10 Mbit/s. */
const TOTAL_MS = 30 * 60_000;

export interface FetchedFile {
  /** Throws a 400 when the transfer breaks off. */
  body: AsyncIterable<Uint8Array>;
  /** The Content-Length; undefined if the server does not send one. */
  bytes: number | undefined;
  /** The decoded last path segment of the final URL, or "" if it has none. Untrusted input. */
  fileName: string;
  /** Closes the connection. The caller must always call it. */
  end(): void;
}

export interface FileFetcher {
  /** Follows up to five redirects and checks each one. Throws a 400 that names only a class of failure, never internal details. */
  fetch(address: string): Promise<FetchedFile>;
  close(): Promise<void>;
}

export interface FetcherOptions {
  idleMs?: number;
  totalMs?: number;
  /** Additional trusted CA certificates, as PEM. */
  ca?: string;
}

function fileNameFrom(url: URL): string {
  try {
    return decodeURIComponent(url.pathname.split("/").at(-1) ?? "");
  } catch {
    return "";
  }
}

function toFetchError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  const { cause, code, name } = error as { cause?: unknown; code?: string; name?: string };
  for (const candidate of [error, cause]) if (candidate instanceof GuardError) return invalid("url", candidate.message);
  if (code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_CONNECT_TIMEOUT") return invalid("url", "did not respond in time");
  if (code === "UND_ERR_BODY_TIMEOUT" || name === "TimeoutError") return invalid("url", "took too long to send the file");
  if (code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH") return invalid("url", "sent a different size than it declared");
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return invalid("url", "has an unknown host name");
  if (code === "ECONNREFUSED") return invalid("url", "refused the connection");
  if (code === "ECONNRESET" || code === "UND_ERR_SOCKET" || code === "UND_ERR_ABORTED")
    return invalid("url", "closed the connection before the file was complete");
  if (/CERT|TLS|SSL|SELF_SIGNED/i.test(code ?? "")) return invalid("url", "has no valid certificate");
  return invalid("url", "could not be fetched");
}

/** Returns the absolute target of a redirect without its fragment, which only concerns browsers. */
function resolveRedirect(location: string, from: URL): string {
  if (!URL.canParse(location, from.href)) throw invalid("url", "redirects to an invalid address");
  const url = new URL(location, from);
  url.hash = "";
  return url.href;
}

async function* readBytes(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw toFetchError(error);
  }
}

/** Creates a fetcher that reaches public https addresses only. */
export const createPublicFetcher = (): FileFetcher => createFileFetcher(createGuard({ allowHttp: false, allowCidrs: [] }));

export function createFileFetcher(guard: Guard, { idleMs = IDLE_MS, totalMs = TOTAL_MS, ca }: FetcherOptions = {}): FileFetcher {
  const agent = createGuardedAgent(guard, {
    connectTimeoutMs: Math.min(CONNECT_MS, idleMs),
    ca,
    headersTimeout: idleMs,
    bodyTimeout: idleMs,
    pipelining: 0,
  });

  async function followRedirects(address: string, signal: AbortSignal): Promise<Omit<FetchedFile, "end">> {
    let url = guard.assertUrlAllowed(address);
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const { statusCode, headers, body } = await agent.request(url, {
        signal,
        headers: { "accept-encoding": "identity", "user-agent": "Talkback" },
      });
      if (statusCode >= 300 && statusCode < 400 && typeof headers["location"] === "string") {
        url = guard.assertUrlAllowed(resolveRedirect(headers["location"], url));
        await body.dump({ limit: 0 }).catch(() => {});
        continue;
      }
      if (statusCode !== 200) throw invalid("url", `responded with status ${statusCode}`);
      if ((headers["content-encoding"] ?? "identity") !== "identity") throw invalid("url", "sends the file compressed, which is not supported");
      const length = Number(headers["content-length"] ?? Number.NaN);
      return { body: readBytes(body), bytes: Number.isSafeInteger(length) && length >= 0 ? length : undefined, fileName: fileNameFrom(url) };
    }
    throw invalid("url", "redirects too often");
  }

  return {
    async fetch(address) {
      const abortController = new AbortController();
      const end = () => abortController.abort();
      try {
        return { ...(await followRedirects(address, AbortSignal.any([abortController.signal, AbortSignal.timeout(totalMs)]))), end };
      } catch (error) {
        end();
        throw toFetchError(error);
      }
    },
    close: agent.close,
  };
}
