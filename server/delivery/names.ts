/** Names to addresses by questions of our own: `dns.lookup` waits on two threads for all, so a few dead name servers would stop every delivery. */
import { lookup, promises as dns, type LookupAddress, type LookupAllOptions } from "node:dns";
import { callbackify } from "node:util";
import { SECOND } from "../lib/clock.ts";

const TIMEOUT_MS = 3 * SECOND;
const TRIES = 2;
/** A name takes no longer than this in all, well within a try's own deadline. */
const LIMIT_MS = 10 * SECOND;
/** "Not found" counts as quick, so that the system may be asked as well, whose threads a slow name would occupy. */
const QUICK_MS = SECOND;
/** Not there, or nobody to ask: the system may know the name from elsewhere. */
const NOT_FOUND = /^(ENOTFOUND|ENODATA|ECONNREFUSED)$/;

export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface NamesOptions {
  /** Name servers as `address:port`; default: the system's. */
  servers?: string[];
  limitMs?: number;
}

const failure = (hostname: string, code: string): NodeJS.ErrnoException => Object.assign(new Error(`${hostname}: ${code}`), { code });

async function bySystem(hostname: string): Promise<LookupAddress[]> {
  const found = Promise.withResolvers<LookupAddress[]>();
  lookup(hostname, { all: true }, (error, addresses) => (error ? found.reject(error) : found.resolve(addresses)));
  return found.promise;
}

async function byResolver(resolver: dns.Resolver, hostname: string): Promise<LookupAddress[]> {
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((one, index) => (one.status === "fulfilled" ? one.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : []));
  if (addresses.length > 0) return addresses;
  const codes = answers.map((one) => (one.status === "rejected" ? String((one.reason as NodeJS.ErrnoException).code) : "ENODATA"));
  throw failure(hostname, codes.every((code) => NOT_FOUND.test(code)) ? "ENOTFOUND" : "EAI_AGAIN");
}

/** For `createGuard`. Each name has sockets of its own; nothing outlives the limit. */
export function createNames({ servers, limitMs = LIMIT_MS }: NamesOptions = {}): Resolve {
  /** Names with a dot are anybody's: one at a time, so that they never take both of the system's threads. */
  let turn: Promise<unknown> = Promise.resolve();

  async function find(hostname: string, resolver: dns.Resolver, ended: AbortSignal): Promise<LookupAddress[]> {
    if (!hostname.replace(/\.$/, "").includes(".") || /(^|\.)localhost\.?$/i.test(hostname)) return bySystem(hostname);
    const since = performance.now();
    try {
      return await byResolver(resolver, hostname);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOTFOUND" || performance.now() - since > QUICK_MS) throw error;
    }
    const mine = turn.then(() => (ended.aborted ? [] : bySystem(hostname)));
    turn = mine.catch(() => {});
    return mine;
  }

  return (hostname, options, callback) => {
    const resolver = new dns.Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const ended = new AbortController();
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      late.reject(failure(hostname, "EAI_AGAIN"));
      ended.abort();
      resolver.cancel();
    }, limitMs);
    const found = Promise.race([find(hostname, resolver, ended.signal), late.promise]).finally(() => clearTimeout(timer));
    callbackify(() => found)((error, addresses) => {
      const wanted = (addresses ?? []).filter(({ family }) => !options.family || options.family === family || options.family === `IPv${family}`);
      callback(error ?? (wanted.length > 0 ? null : failure(hostname, "ENOTFOUND")), wanted);
    });
  };
}
