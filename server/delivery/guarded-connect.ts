/** Connector for an undici Agent: the guard checks the resolved addresses, then the peer of the established connection. */
import { buildConnector } from "undici";
import { GuardError, type Guard } from "./guard.ts";

export interface GuardedConnectOptions {
  timeoutMs: number;
  /** Additional trusted CA certificates, as PEM. */
  ca?: string | undefined;
}

export function guardedConnect(guard: Guard, { timeoutMs, ca }: GuardedConnectOptions): buildConnector.connector {
  const connect = buildConnector({ lookup: guard.lookup, timeout: timeoutMs, allowH2: false, ...(ca === undefined ? {} : { ca }) });
  return (options, callback) =>
    connect(options, (error, socket) => {
      if (error) return callback(error, null);
      // Node skips the lookup for literal IP addresses, so the check of the actual peer is the one that counts.
      if (guard.canReach(socket.remoteAddress ?? "")) return callback(null, socket);
      socket.destroy();
      return callback(new GuardError("address_not_allowed"), null);
    });
}
