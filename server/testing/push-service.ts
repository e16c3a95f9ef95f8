/** A local push service with one browser: receives push messages, verifies the sender's signature (RFC 8292) and decrypts them (RFC 8291) without the library that encrypts. */
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify, type ECDH } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { PushTarget } from "../delivery/send-push.ts";

export interface ReceivedPush {
  headers: Record<string, string>;
  /** The decrypted message. */
  text: string;
  /** The claims of the sender's token. */
  claims: { aud: string; exp: number; sub: string };
  /** The sender's public key, base64url. */
  senderKey: string;
}

export interface PushService {
  base: string;
  /** What the browser gives to services. */
  target: PushTarget;
  /** Messages in the order of their arrival, also those that got an error. */
  received: ReceivedPush[];
  /** Status of the next responses; 201 by default. null: no response. */
  respondWith: { status: number | null; headers?: Record<string, string> };
  /** Called when a message has arrived, before the response. */
  onArrival: (() => void) | null;
  waitForPushes(count: number, timeoutMs?: number): Promise<void>;
  close(): Promise<void>;
}

const derive = (key: Buffer, salt: Buffer, info: Buffer | string, length: number): Buffer => Buffer.from(hkdfSync("sha256", key, salt, info, length));

/** Decrypts a message of one record with the encoding `aes128gcm`. */
export function decryptPush(body: Buffer, browser: ECDH, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const senderPublic = body.subarray(21, 21 + keyLength);
  const record = body.subarray(21 + keyLength);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), browser.getPublicKey(), senderPublic]);
  const key = derive(browser.computeSecret(senderPublic), auth, info, 32);
  const decipher = createDecipheriv("aes-128-gcm", derive(key, salt, "Content-Encoding: aes128gcm\0", 16), derive(key, salt, "Content-Encoding: nonce\0", 12));
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  // The last record ends with the delimiter 2 and zeros.
  const end = padded.lastIndexOf(2);
  if (padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error("The record is not padded as the last one");
  return padded.subarray(0, end).toString("utf8");
}

/** Returns the claims of `vapid t=<token>, k=<key>`; throws if the token was not signed with the key. */
export function verifyVapid(authorization: string): Pick<ReceivedPush, "claims" | "senderKey"> {
  const [, header = "", claims = "", signature = "", senderKey = ""] = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const point = Buffer.from(senderKey, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString("base64url"));
  const key = createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x: x!, y: y! } });
  if (!verify("sha256", Buffer.from(`${header}.${claims}`), { key, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url")))
    throw new Error("The signature is wrong");
  return { claims: JSON.parse(Buffer.from(claims, "base64url").toString()) as ReceivedPush["claims"], senderKey };
}

export async function startPushService(): Promise<PushService> {
  const browser = createECDH("prime256v1");
  browser.generateKeys();
  const auth = randomBytes(16);
  const received: ReceivedPush[] = [];
  const server = createServer((request, response) => {
    const handle = async (): Promise<void> => {
      const body = await buffer(request);
      const headers = request.headers as Record<string, string>;
      received.push({ headers, text: decryptPush(body, browser, auth), ...verifyVapid(headers["authorization"] ?? "") });
      service.onArrival?.();
      const { status, headers: responseHeaders } = service.respondWith;
      if (status !== null) response.writeHead(status, responseHeaders).end();
    };
    handle().catch((error: unknown) => response.writeHead(400).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service: PushService = {
    base,
    target: {
      endpoint: `${base}/push/${randomBytes(12).toString("hex")}`,
      keys: { p256dh: browser.getPublicKey("base64url"), auth: auth.toString("base64url") },
    },
    received,
    respondWith: { status: 201 },
    onArrival: null,
    async waitForPushes(count, timeoutMs = 15_000) {
      const deadline = performance.now() + timeoutMs;
      while (received.length < count) {
        if (performance.now() > deadline) throw new Error(`Only ${received.length} of ${count} push messages came`);
        await sleep(10);
      }
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return service;
}
