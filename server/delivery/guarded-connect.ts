/** Connections for an undici Agent: resolved and checked by the guard, and checked once more when they stand. */
import { buildConnector } from "undici";
import { GuardError, type Guard } from "./guard.ts";

export interface GuardedConnectOptions {
  timeoutMs: number;
  /** Certificates to trust besides the usual ones, as PEM. */
  ca?: string | undefined;
}

export function guardedConnect(guard: Guard, { timeoutMs, ca }: GuardedConnectOptions): buildConnector.connector {
  const connect = buildConnector({ lookup: guard.lookup, timeout: timeoutMs, allowH2: false, ...(ca === undefined ? {} : { ca }) });
  return (options, callback) =>
    connect(options, (error, socket) => {
      if (error) return callback(error, null);
      // Node asks no lookup about an address that is written out, so who answers is what counts.
      if (guard.canReach(socket.remoteAddress ?? "")) return callback(null, socket);
      socket.destroy();
      return callback(new GuardError("address_not_allowed"), null);
    });
}
