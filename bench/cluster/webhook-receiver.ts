/** Receives the webhooks of the cluster, and refuses some first attempts, which are sent again. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** Of how many events the first attempt of one is refused. */
const REFUSED_SHARE = 50;

interface Received {
  type: string;
  /** The message or file that the event is about. */
  recordId: number;
  /** Attempts that were answered with success. */
  accepted: number;
  bodies: Set<string>;
}

export interface WebhookReceiver {
  url: string;
  byEventId: Map<string, Received>;
  close(): void;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const byEventId = new Map<string, Received>();
  const server = createServer((request, response) => {
    const receive = async (): Promise<void> => {
      const body = await text(request);
      const id = String(request.headers["webhook-id"]);
      const isFirst = !byEventId.has(id);
      const { type, data } = JSON.parse(body) as { type: string; data: { id: number } };
      const received = byEventId.get(id) ?? { type, recordId: data.id, accepted: 0, bodies: new Set<string>() };
      byEventId.set(id, received);
      received.bodies.add(body);
      if (isFirst && byEventId.size % REFUSED_SHARE === 0) return void response.writeHead(503).end();
      received.accepted += 1;
      response.writeHead(200).end();
    };
    receive().catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    byEventId,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
