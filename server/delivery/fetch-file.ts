/** Fetches a file from a public address, for a person who named it. */
import type { Readable } from "node:stream";
import { Agent, errors, request } from "undici";
import { Fault, invalid } from "../lib/faults.ts";
import { GuardError, type Guard } from "./guard.ts";

const MAX_REDIRECTS = 5;
const IDLE_MS = 30_000;

export interface Fetched {
  body: Readable;
  /** From Content-Length; undefined where the other side does not say. */
  bytes: number | undefined;
  /** From the last address, decoded; "" where its path has no name. */
  fileName: string;
}

export interface FileFetcher {
  /** Follows up to five redirects, each checked anew. Throws a 400 with a class of failure, never with internals. */
  fetch(address: string): Promise<Fetched>;
  close(): Promise<void>;
}

function nameIn(url: URL): string {
  try {
    return decodeURIComponent(url.pathname.split("/").at(-1) ?? "");
  } catch {
    return "";
  }
}

function refusal(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof GuardError) return invalid("url", error.message);
  const { cause, code } = error as { cause?: unknown; code?: string };
  if (cause instanceof GuardError) return invalid("url", cause.message);
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.ConnectTimeoutError) return invalid("url", "did not answer in time");
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return invalid("url", "has a host name that is not known");
  if (code === "ECONNREFUSED" || code === "ECONNRESET" || code === "UND_ERR_SOCKET") return invalid("url", "refused the connection");
  if (/CERT|TLS|SSL|SELF_SIGNED/i.test(code ?? "")) return invalid("url", "has no valid certificate");
  return invalid("url", "could not be fetched");
}

export function createFileFetcher(guard: Guard): FileFetcher {
  const agent = new Agent({ connect: { lookup: guard.lookup, timeout: 10_000 }, headersTimeout: IDLE_MS, bodyTimeout: IDLE_MS, pipelining: 0 });
  return {
    async fetch(address) {
      try {
        let url = guard.demandUrl(address);
        for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
          const answer = await request(url, { dispatcher: agent, headers: { "accept-encoding": "identity", "user-agent": "Talkback" } });
          const { location } = answer.headers;
          if (answer.statusCode >= 300 && answer.statusCode < 400 && typeof location === "string") {
            answer.body.destroy();
            url = guard.demandUrl(new URL(location, url).href);
            continue;
          }
          if (answer.statusCode !== 200) {
            answer.body.destroy();
            throw invalid("url", `answered ${answer.statusCode}`);
          }
          const length = Number(answer.headers["content-length"]);
          return { body: answer.body, bytes: Number.isSafeInteger(length) && length >= 0 ? length : undefined, fileName: nameIn(url) };
        }
        throw invalid("url", "redirects too often");
      } catch (error) {
        throw refusal(error);
      }
    },
    close: () => agent.close(),
  };
}
