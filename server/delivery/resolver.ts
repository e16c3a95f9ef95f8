/**
 * Resolves host names with our own DNS queries: `dns.lookup` waits on two threads for the whole process,
 * so a few dead name servers would stall every delivery.
 */
import { lookup, promises as dns, type LookupAddress, type LookupAllOptions } from "node:dns";
import { callbackify } from "node:util";
import { SECOND } from "../lib/clock.ts";

const DNS_TIMEOUT_MS = 3 * SECOND;
const DNS_TRIES = 2;
/** Total limit per lookup, well within the deadline of an attempt. */
const MAX_LOOKUP_MS = 10 * SECOND;
/** Only a "not found" faster than this falls back to the system resolver, since a slow name would occupy its threads. */
const MAX_FALLBACK_DELAY_MS = SECOND;
/** Error codes for an unknown name or an unreachable name server, after which the system resolver may still know the name. */
const NOT_FOUND = /^(ENOTFOUND|ENODATA|ECONNREFUSED)$/;

export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface ResolverOptions {
  /** Name servers as `address:port`; defaults to the system's. */
  servers?: string[];
  timeoutMs?: number;
}

const createLookupError = (hostname: string, code: string): NodeJS.ErrnoException => Object.assign(new Error(`${hostname}: ${code}`), { code });

async function resolveWithSystem(hostname: string): Promise<LookupAddress[]> {
  const result = Promise.withResolvers<LookupAddress[]>();
  lookup(hostname, { all: true }, (error, addresses) => (error ? result.reject(error) : result.resolve(addresses)));
  return result.promise;
}

async function resolveWithDns(resolver: dns.Resolver, hostname: string): Promise<LookupAddress[]> {
  const results = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = results.flatMap((settled, index) =>
    settled.status === "fulfilled" ? settled.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  );
  if (addresses.length > 0) return addresses;
  const codes = results.map((settled) => (settled.status === "rejected" ? String((settled.reason as NodeJS.ErrnoException).code) : "ENODATA"));
  throw createLookupError(hostname, codes.every((code) => NOT_FOUND.test(code)) ? "ENOTFOUND" : "EAI_AGAIN");
}

/** Creates the resolver for `createGuard`. Each lookup has its own sockets and never outlives the limit. */
export function createResolver({ servers, timeoutMs = MAX_LOOKUP_MS }: ResolverOptions = {}): Resolve {
  /** Serializes system lookups of dotted names, which anyone can supply, so that they never occupy both system threads. */
  let systemQueue: Promise<unknown> = Promise.resolve();

  async function resolveHostname(hostname: string, resolver: dns.Resolver, signal: AbortSignal): Promise<LookupAddress[]> {
    if (!hostname.replace(/\.$/, "").includes(".") || /(^|\.)localhost\.?$/i.test(hostname)) return resolveWithSystem(hostname);
    const since = performance.now();
    try {
      return await resolveWithDns(resolver, hostname);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOTFOUND" || performance.now() - since > MAX_FALLBACK_DELAY_MS) throw error;
    }
    const systemLookup = systemQueue.then(() => (signal.aborted ? [] : resolveWithSystem(hostname)));
    systemQueue = systemLookup.catch(() => {});
    return systemLookup;
  }

  return (hostname, options, callback) => {
    const resolver = new dns.Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
    if (servers) resolver.setServers(servers);
    const abortController = new AbortController();
    const timeout = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      timeout.reject(createLookupError(hostname, "EAI_AGAIN"));
      abortController.abort();
      resolver.cancel();
    }, timeoutMs);
    const result = Promise.race([resolveHostname(hostname, resolver, abortController.signal), timeout.promise]).finally(() => clearTimeout(timer));
    callbackify(() => result)((error, addresses) => {
      const matching = (addresses ?? []).filter(({ family }) => !options.family || options.family === family || options.family === `IPv${family}`);
      callback(error ?? (matching.length > 0 ? null : createLookupError(hostname, "ENOTFOUND")), matching);
    });
  };
}
