/** Sends requests with undici to addresses that a guard checks: first the resolved ones, then the peer of the established connection. */
import type { Agent, buildConnector, Dispatcher } from "undici";
import { GuardError, type Guard } from "./guard.ts";

export interface GuardedAgentOptions extends Omit<Agent.Options, "connect"> {
  connectTimeoutMs: number;
  /** Additional trusted CA certificates, as PEM. */
  ca?: string | undefined;
}

type RequestOptions = Pick<Dispatcher.RequestOptions, "headers" | "body" | "signal"> & { method?: Dispatcher.HttpMethod };

export interface GuardedAgent {
  /** Does not follow redirects. Rejects with a `GuardError` if the address is not allowed, and after `close`. */
  request(url: string | URL, options: RequestOptions): Promise<Dispatcher.ResponseData>;
  close(): Promise<void>;
}

/** Creates one connection pool for all addresses. undici, which takes some megabytes of memory, is loaded for the first request. */
export function createGuardedAgent(guard: Guard, { connectTimeoutMs, ca, ...options }: GuardedAgentOptions): GuardedAgent {
  const load = async () => {
    const undici = await import("undici");
    const connect = undici.buildConnector({ lookup: guard.lookup, timeout: connectTimeoutMs, allowH2: false, ...(ca === undefined ? {} : { ca }) });
    return { request: undici.request, dispatcher: new undici.Agent({ ...options, connect: guardConnections(guard, connect) }) };
  };
  let loaded: ReturnType<typeof load> | null = null;
  let isClosed = false;
  return {
    async request(url, requestOptions) {
      if (isClosed) throw new Error("The connections are closed");
      const { request, dispatcher } = await (loaded ??= load());
      return request(url, { ...requestOptions, dispatcher });
    },
    async close() {
      isClosed = true;
      await (await loaded)?.dispatcher.destroy();
    },
  };
}

const guardConnections =
  (guard: Guard, connect: buildConnector.connector): buildConnector.connector =>
  (options, callback) =>
    connect(options, (error, socket) => {
      if (error) return callback(error, null);
      // Node skips the lookup for literal IP addresses, so the check of the actual peer is the one that counts.
      if (guard.canReach(socket.remoteAddress ?? "")) return callback(null, socket);
      socket.destroy();
      return callback(new GuardError("address_not_allowed"), null);
    });
