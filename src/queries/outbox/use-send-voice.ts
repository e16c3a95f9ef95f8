import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import type { Quote } from "../../../contract/records.ts";
import { randomId } from "../../lib/random-id.ts";
import { getUploadQueue } from "../uploads/lazy-uploads.ts";
import type { Voice } from "./outbox.ts";
import { getOutbox } from "./outbox-of.ts";

export interface VoiceNote {
  /** The recording's id, which makes sending it idempotent. */
  id: string;
  /** The recording was a message before, so that message's upload must not be reused. */
  wasCanceled: boolean;
  accountId: number;
  projectId: number;
  file: File;
  voice: Voice;
  /** The message that it replies to. */
  quote: Quote | null;
}

/**
 * Sends a recording as a message with one file. Returns whether the recording may be deleted, because outbox and uploads have persisted it or
 * the service has it.
 */
export async function sendVoice(client: QueryClient, voiceNote: VoiceNote): Promise<boolean> {
  const { id, wasCanceled, accountId, projectId, file, voice, quote } = voiceNote;
  const [outbox, uploads] = [getOutbox(client), getUploadQueue(client)];
  const isKnown = outbox.entries().some(({ clientId }) => clientId === id);
  const uploadId = wasCanceled ? randomId() : id;
  if (!isKnown) uploads.add({ accountId, projectId }, [{ file, target: null, id: uploadId }]);
  // Adding the message synchronously keeps the upload out of the tray.
  outbox.add({ clientId: id, accountId, projectId, body: "", uploads: [uploadId], voice, quote });
  const settled = outbox.whenSettled(id);
  await outbox.whenStored(id);
  const isEntryPersisted = outbox.entries().some(({ clientId, kept }) => clientId === id && kept);
  if (isEntryPersisted && !isKnown && (await uploads.isPersisted(uploadId))) return true;
  // Without storage the recording stays until its message is sent; after a discard it belongs to its author again.
  return (await settled) === "sent";
}

export function useSendVoice() {
  const client = useQueryClient();
  return (voiceNote: VoiceNote) => sendVoice(client, voiceNote);
}
