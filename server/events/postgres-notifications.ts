/** Receives commits of other processes on the same PostgreSQL database by LISTEN, and reconnects whenever the connection breaks. */
import type { Client } from "pg";
import type { Database } from "../db/database.ts";
import { SECOND } from "../lib/clock.ts";
import type { NotificationHandlers, NotificationSource } from "./hub.ts";
import { EVENTS_CHANNEL } from "./log.ts";

const MIN_RETRY_MS = 100;
const MAX_RETRY_MS = 5 * SECOND;
/** A connection that a firewall has dropped silently just looks idle, so a query probes it periodically. */
const PROBE_INTERVAL_MS = 30 * SECOND;
const PROBE_TIMEOUT_MS = 10 * SECOND;
/** This process publishes its own commits directly. Their announcements are handled after this delay, for a commit whose confirmation was lost. */
const OWN_ANNOUNCEMENT_DELAY_MS = 250;

export interface PostgresNotificationOptions {
  database: Pick<Database, "createListenClient">;
  /** Marks announcements of this process. */
  origin: string;
  /** Further channels to listen to, each with a handler of its payloads, which come from any process including this one. */
  channels?: Record<string, (payload: string | undefined) => void>;
  warn(error: unknown, message: string): void;
}

export function listenToPostgres({ database, origin, channels = {}, warn }: PostgresNotificationOptions, handlers: NotificationHandlers): NotificationSource {
  let isStopped = false;
  let client: Client | null = null;
  let listening: { promise: Promise<void>; resolve(): void } | null = null;
  let failureCount = 0;
  let timer: NodeJS.Timeout | undefined;
  const ownAnnouncedSeqs = new Map<string, number>();
  let ownAnnouncementTimer: NodeJS.Timeout | undefined;

  function handleAnnouncement(payload: string | undefined): void {
    const [topic, seq, announcedOrigin] = (payload ?? "").split(" ");
    if (!topic || !Number.isSafeInteger(Number(seq))) return;
    if (announcedOrigin !== origin) return handlers.onEventWritten(topic, Number(seq));
    ownAnnouncedSeqs.set(topic, Number(seq));
    ownAnnouncementTimer ??= setTimeout(() => {
      ownAnnouncementTimer = undefined;
      const announcedSeqs = [...ownAnnouncedSeqs];
      ownAnnouncedSeqs.clear();
      for (const [name, announcedSeq] of announcedSeqs) handlers.onEventWritten(name, announcedSeq);
    }, OWN_ANNOUNCEMENT_DELAY_MS).unref();
  }

  function handleDisconnect(brokenClient: Client, error: unknown): void {
    if (client !== brokenClient || isStopped) return;
    client = null;
    clearTimeout(timer);
    failureCount += 1;
    if (failureCount === 1) warn(error, "the connection that listens for events was lost; reconnecting");
    brokenClient.end().catch(() => {});
    timer = setTimeout(() => void connect(), Math.min(MIN_RETRY_MS * 2 ** Math.min(failureCount - 1, 10), MAX_RETRY_MS));
  }

  async function probe(probedClient: Client): Promise<void> {
    const timeout = setTimeout(() => handleDisconnect(probedClient, new Error("no response to a probe")), PROBE_TIMEOUT_MS);
    try {
      await probedClient.query("select 1");
      if (client === probedClient) timer = setTimeout(() => void probe(probedClient), PROBE_INTERVAL_MS).unref();
    } catch (error) {
      handleDisconnect(probedClient, error);
    } finally {
      clearTimeout(timeout);
    }
  }

  async function connect(): Promise<void> {
    if (isStopped) return;
    const nextClient = database.createListenClient();
    client = nextClient;
    nextClient.on("error", (error) => handleDisconnect(nextClient, error));
    nextClient.on("end", () => handleDisconnect(nextClient, new Error("closed by the server")));
    nextClient.on("notification", ({ channel, payload }) => (channel === EVENTS_CHANNEL ? handleAnnouncement(payload) : channels[channel]?.(payload)));
    try {
      await nextClient.connect();
      await nextClient.query([EVENTS_CHANNEL, ...Object.keys(channels)].map((channel) => `listen ${channel}`).join("; "));
    } catch (error) {
      return handleDisconnect(nextClient, error);
    }
    if (client !== nextClient) return;
    failureCount = 0;
    listening?.resolve();
    // Events committed while the connection was down were not announced, but are in the log.
    handlers.onMissed();
    timer = setTimeout(() => void probe(nextClient), PROBE_INTERVAL_MS).unref();
  }

  return {
    ready() {
      if (!listening) {
        listening = Promise.withResolvers<void>();
        void connect();
      }
      return listening.promise;
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      clearTimeout(ownAnnouncementTimer);
      listening?.resolve();
      await client?.end().catch(() => {});
    },
  };
}
