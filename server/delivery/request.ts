/** Builds and signs webhook requests according to the Standard Webhooks specification 1.0. */
import { createHmac } from "node:crypto";
import type { Row } from "../db/schema.ts";
import { SECOND } from "../lib/clock.ts";

const SECRET_PREFIX = "whsec_";

interface SignedHeaders {
  "webhook-id": string;
  "webhook-timestamp": string;
  "webhook-signature": string;
}

/** Signs `id.timestamp.body` by HMAC-SHA256 with each of `secrets` (`whsec_…`): several after a rotation, the current one first. `now` is in milliseconds. */
export function sign(id: string, now: number, body: string, secrets: readonly string[]): SignedHeaders {
  const timestamp = String(Math.floor(now / SECOND));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret, "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}

/** Builds the body of a webhook. `data` is inserted as the text stored with the event, so that every attempt sends the same bytes. */
export const eventBody = ({ id, type, data }: Pick<Row<"outbound_events">, "id" | "type" | "data">): string =>
  `{"object":"event","id":${JSON.stringify(id)},"type":${JSON.stringify(type)},"data":${data}}`;
