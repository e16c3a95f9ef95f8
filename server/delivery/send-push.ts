/** Sends one attempt of a push message: encrypted for the browser (RFC 8291), with our key's signature (RFC 8292), to the address that the browser named. */
import { createGuardedPost, type AttemptResult, type GuardedPostOptions } from "./guarded-post.ts";
import type { Guard } from "./guard.ts";

/** What a browser gives to those who may send it push messages. Its keys are base64url. */
export interface PushTarget {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** The key pair by which push services recognize this service, base64url. */
export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

export interface PushRequest {
  target: PushTarget;
  /** Only the browser can read it. At most about 3,900 bytes. */
  payload: string;
  /** How long the push service keeps it for a browser that is not running. */
  ttlSeconds: number;
}

export interface PushSender {
  /** Never throws. Aborting `signal` ends the attempt with the outcome `interrupted`. */
  send(pushRequest: PushRequest, signal: AbortSignal): Promise<AttemptResult>;
  close(): Promise<void>;
}

const ENCODING = "aes128gcm";

/** `subject`: how push services reach the operator, an https or mailto URL. */
export function createPushSender(guard: Guard, keys: PushKeys, subject: string, options: GuardedPostOptions): PushSender {
  const { post, close } = createGuardedPost(guard, options);
  return {
    async send({ target, payload, ttlSeconds }, signal) {
      // Loaded by the first message, because many services never send one.
      const { default: webPush } = await import("web-push");
      const { body, headers } = webPush.generateRequestDetails(target, payload, { TTL: ttlSeconds, contentEncoding: ENCODING, urgency: "high" });
      const { Authorization } = webPush.getVapidHeaders(new URL(target.endpoint).origin, subject, keys.publicKey, keys.privateKey, ENCODING);
      const values: Record<string, string | number> = { ...headers, Authorization };
      const texts = Object.fromEntries(Object.entries(values).map(([name, value]) => [name.toLowerCase(), String(value)]));
      return post({ url: target.endpoint, headers: texts, body }, signal);
    },
    close,
  };
}
