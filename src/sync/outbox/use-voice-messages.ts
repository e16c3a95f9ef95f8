import { useEffect } from "react";
import type { Quote } from "../../../contract/records.ts";
import { type Client, useClient } from "../../client/client.ts";
import { fetchBytes, getFileInfo } from "../../api/files.ts";
import { randomId } from "../../lib/random-id.ts";
import type { UploadQueue } from "../uploads/upload-queue.ts";
import type { Voice } from "./outbox-types.ts";

export interface VoiceNote {
  /** The recording's id, which makes sending it idempotent. */
  id: string;
  /** The recording was a message before, so that message's upload must not be reused. */
  isSendUndone: boolean;
  accountId: number;
  projectId: number;
  file: File;
  voice: Voice;
  /** Text beside the recording; may be empty. */
  body: string;
  /** The message that it replies to. */
  quote: Quote | null;
}

interface CanceledVoice extends Voice {
  id: string;
  accountId: number;
  projectId: number;
  type: string;
  /** Epoch milliseconds. */
  startedAt: number;
}

/**
 * Sends a recording as a message with one file. Returns whether the recording may be deleted, because outbox and uploads have persisted it or
 * the service has it.
 */
export async function sendVoice(client: Client, voiceNote: VoiceNote): Promise<boolean> {
  const { id, isSendUndone, accountId, projectId, file, voice, body, quote } = voiceNote;
  const { outbox, uploads } = client;
  const isKnown = outbox.entries().some(({ clientId }) => clientId === id);
  const uploadId = isSendUndone ? randomId() : id;
  if (!isKnown) uploads.add({ accountId, projectId }, [{ file, target: null, id: uploadId }]);
  // Adding the message synchronously keeps the upload out of the tray.
  outbox.add({ clientId: id, accountId, projectId, body, uploads: [uploadId], voice, quote });
  const settled = outbox.whenSettled(id);
  await outbox.whenStored(id);
  const isEntryPersisted = outbox.entries().some(({ clientId, isPersisted }) => clientId === id && isPersisted);
  if (isEntryPersisted && !isKnown && (await uploads.isPersisted(uploadId))) return true;
  // Without storage the recording stays until its message is sent; after a discard it belongs to its author again.
  return (await settled) === "sent";
}

/** A recording that this browser stores; its message has the same id. */
interface StoredRecording {
  metadata: { id: string };
  bytes: Blob;
}

/**
 * Provides the recording that this browser still stores to each upload of an unsent voice note whose bytes are lost: a page may close after it has
 * stored the message and before it has copied the bytes.
 */
export function restoreVoiceUploads(uploads: Pick<UploadQueue, "uploads" | "provideFile">, recordings: readonly StoredRecording[]): void {
  for (const { metadata, bytes } of recordings) {
    const lost = uploads.uploads().find(({ messageId, state }) => messageId === metadata.id && state === "lost");
    if (lost) uploads.provideFile(lost.id, new File([bytes], lost.name, { type: lost.type }));
  }
}

/** Calls `restoreVoiceUploads` now and after every change of the uploads. */
export function useRestoreVoiceUploads(recordings: readonly StoredRecording[]): void {
  const { uploads } = useClient();
  useEffect(() => {
    const restore = () => restoreVoiceUploads(uploads, recordings);
    restore();
    return uploads.onChange(restore);
  }, [uploads, recordings]);
}

/**
 * Discards an unsent message. The audio of a voice note goes to `saveVoice` first, since there may be no other copy. Returns the outcome of
 * the voice note; null for any other message. Rejects when the audio cannot be loaded, and the message then stays in the outbox.
 */
export async function cancelMessage(
  client: Client,
  clientId: string,
  saveVoice: (voice: CanceledVoice, bytes: Blob) => Promise<void>,
): Promise<"sent" | "discarded" | null> {
  const { outbox } = client;
  const entry = outbox.entries().find((candidate) => candidate.clientId === clientId);
  // Call `whenSettled` before anything is awaited, because the message may be sent meanwhile.
  const settled = entry?.voice ? outbox.whenSettled(clientId) : null;
  if (entry?.voice) {
    const bytes = await loadRecordedBytes(client, entry.uploads[0]!);
    const { accountId, projectId, writtenAt: startedAt, voice } = entry;
    // The recording is saved before its message is removed, which hides the recording until then.
    if (bytes) await saveVoice({ id: clientId, accountId, projectId, type: bytes.type, startedAt, ...voice }, bytes);
  }
  outbox.discard(clientId);
  return settled;
}

/**
 * Returns an upload's bytes from this page, this browser or the service; null when none of them has the bytes. Rejects when the service is
 * unreachable, or when another tab may have them.
 */
export async function loadRecordedBytes(client: Client, uploadId: string): Promise<Blob | null> {
  const { api, uploads } = client;
  const loaded = await uploads.load(uploadId);
  if (loaded?.file) return loaded.file;
  if (loaded && loaded.upload.fileId !== null) {
    const { common } = await getFileInfo(api, loaded.upload.fileId, null);
    return new Blob([await fetchBytes(api, common.url)], { type: loaded.upload.type });
  }
  const lostIds = await uploads.recover([uploadId]);
  const isHere = uploads.uploads().some(({ id }) => id === uploadId);
  if (!isHere && !lostIds.includes(uploadId)) throw new Error("Another tab may have the recording.");
  return null;
}
