/** Sends one attempt of a webhook delivery, signed. */
import { emptyResult, type AttemptResult, createGuardedPost, type GuardedPostOptions } from "./guarded-post.ts";
import type { Guard } from "./guard.ts";
import { sign } from "./request.ts";

export interface DeliveryRequest {
  url: string;
  /** The event's id. */
  id: string;
  body: string;
  /** The current secret first. Nothing is sent when the list is empty. */
  secrets: readonly string[];
}

export interface Sender {
  /** Never throws. Aborting `signal` ends the attempt with the outcome `interrupted`. */
  send(deliveryRequest: DeliveryRequest, signal: AbortSignal): Promise<AttemptResult>;
  close(): Promise<void>;
}

/** Creates a sender with one connection pool for all endpoints. */
export function createSender(guard: Guard, options: GuardedPostOptions): Sender {
  const { post, close } = createGuardedPost(guard, options);
  return {
    async send({ url, id, body, secrets }, signal) {
      const startedAt = options.clock.now();
      if (secrets.length === 0) return { ...emptyResult(startedAt), outcome: "unsigned", requestHeaders: {} };
      const headers = {
        "content-type": "application/json",
        "user-agent": "Talkback-Webhooks",
        "accept-encoding": "identity",
        ...sign(id, startedAt, body, secrets),
      };
      return post({ url, headers, body }, signal);
    },
    close,
  };
}
