import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import type { Quote } from "../../../contract/records.ts";
import { randomId } from "../../lib/random-id.ts";
import { getUploadQueue } from "../uploads/lazy-uploads.ts";
import type { Voice } from "./outbox.ts";
import { getOutbox } from "./outbox-of.ts";

export interface VoiceNote {
  /** The recording's own: sent twice it is one message. */
  id: string;
  /** It was a message before: what that has uploaded is not its upload. */
  wasCanceled: boolean;
  accountId: number;
  projectId: number;
  file: File;
  voice: Voice;
  /** What it answers. */
  quote: Quote | null;
}

/** Sends a recording like any message with one file. Answers whether it may be forgotten: outbox and uploads hold it, or the service does. */
export async function sendVoice(client: QueryClient, voiceNote: VoiceNote): Promise<boolean> {
  const { id, wasCanceled, accountId, projectId, file, voice, quote } = voiceNote;
  const [outbox, uploads] = [getOutbox(client), getUploadQueue(client)];
  const isKnown = outbox.entries().some(({ clientId }) => clientId === id);
  const uploadId = wasCanceled ? randomId() : id;
  if (!isKnown) uploads.add({ accountId, projectId }, [{ file, target: null, id: uploadId }]);
  // In the same breath: it never stands in the tray.
  outbox.add({ clientId: id, accountId, projectId, body: "", uploads: [uploadId], voice, quote });
  const settled = outbox.whenSettled(id);
  await outbox.whenStored(id);
  const isEntryPersisted = outbox.entries().some(({ clientId, kept }) => clientId === id && kept);
  if (isEntryPersisted && !isKnown && (await uploads.isPersisted(uploadId))) return true;
  // Whoever cannot keep it has sent it when it is sent; one that is given up is its writer's again.
  return (await settled) === "sent";
}

export function useSendVoice() {
  const client = useQueryClient();
  return (voiceNote: VoiceNote) => sendVoice(client, voiceNote);
}
