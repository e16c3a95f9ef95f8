import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import type { Quote } from "../../../contract/records.ts";
import { randomId } from "../../lib/random-id.ts";
import { uploadsOf } from "../uploads/lazy-uploads.ts";
import type { Voice } from "./outbox.ts";
import { outboxOf } from "./outbox-of.ts";

export interface VoiceNote {
  /** The recording's own: sent twice it is one message. */
  id: string;
  /** It was a message before: what that has uploaded is not its upload. */
  takenBack: boolean;
  accountId: number;
  projectId: number;
  file: File;
  voice: Voice;
  /** What it answers. */
  quote: Quote | null;
}

/** Sends a recording like any message with one file. Answers whether it may be forgotten: outbox and uploads hold it, or the service does. */
export async function sendVoice(client: QueryClient, note: VoiceNote): Promise<boolean> {
  const { id, takenBack, accountId, projectId, file, voice, quote } = note;
  const [outbox, uploads] = [outboxOf(client), uploadsOf(client)];
  const isKnown = outbox.entries().some(({ clientId }) => clientId === id);
  const upload = takenBack ? randomId() : id;
  if (!isKnown) uploads.add({ accountId, projectId }, [{ file, target: null, id: upload }]);
  // In the same breath: it never stands in the tray.
  outbox.add({ clientId: id, accountId, projectId, body: "", uploads: [upload], voice, quote });
  const ended = outbox.ended(id);
  await outbox.stored(id);
  const isKept = outbox.entries().some(({ clientId, kept }) => clientId === id && kept);
  if (isKept && !isKnown && (await uploads.keeps(upload))) return true;
  // Whoever cannot keep it has sent it when it is sent; one that is given up is its writer's again.
  return (await ended) === "sent";
}

export function useSendVoice() {
  const client = useQueryClient();
  return (note: VoiceNote) => sendVoice(client, note);
}
