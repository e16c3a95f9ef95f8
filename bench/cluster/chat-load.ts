/** People who write messages: each is sent again under the same `client_id` until it is acknowledged. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isFinal, isOk, parseData, type Headers, type Send } from "./requests.ts";

const PAUSE_MS = 150;
const RETRY_MS = 200;

export interface Sent {
  id: number;
  clientId: string;
  /** Index of the service that acknowledged it. */
  service: number | undefined;
}

export interface ChatLoad {
  acknowledged: Sent[];
  refusals: string[];
  /** Requests that were repeated. */
  retries: number;
  /** Resolves once every writer has stopped, and each of their messages is acknowledged. */
  done: Promise<void>;
}

/** Starts a writer for each of `people`, who write until `isOver`. */
export function startChatLoad(send: Send, { project, people, isOver }: { project: number; people: readonly Headers[]; isOver: () => boolean }): ChatLoad {
  const load: Omit<ChatLoad, "done"> = { acknowledged: [], refusals: [], retries: 0 };

  async function write(headers: Headers, text: string): Promise<void> {
    const clientId = randomUUID();
    for (;;) {
      const answer = await send("POST", "/v1/account/projects/chat_message", headers, { project_id: project, body: text, client_id: clientId });
      if (isOk(answer)) return void load.acknowledged.push({ id: (parseData(answer) as { id: number }).id, clientId, service: answer.service });
      if (isFinal(answer)) return void load.refusals.push(`${answer.status} ${answer.body.toString().slice(0, 200)}`);
      load.retries += 1;
      await sleep(RETRY_MS);
    }
  }
  const writers = people.map(async (headers, writer) => {
    for (let count = 1; !isOver(); count += 1) {
      await write(headers, `Take ${count} of writer ${writer + 1}`);
      await sleep(PAUSE_MS);
    }
  });
  return Object.assign(load, { done: Promise.all(writers).then(() => {}) });
}
