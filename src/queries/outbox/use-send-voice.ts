import { useQueryClient } from "@tanstack/react-query";
import type { Quote } from "../../../contract/records.ts";
import { randomId } from "../../lib/random-id.ts";
import { uploadsOf } from "../uploads/lazy-uploads.ts";
import type { Voice } from "./outbox.ts";
import { outboxOf } from "./outbox-of.ts";

interface VoiceNote {
  accountId: number;
  projectId: number;
  file: File;
  voice: Voice;
  /** What it answers. */
  quote: Quote | null;
}

/** Sends a recording like any message with one file. Answers when outbox and uploads hold it as safely as this browser can. */
export function useSendVoice() {
  const client = useQueryClient();
  return async ({ accountId, projectId, file, voice, quote }: VoiceNote): Promise<void> => {
    const uploads = [randomId()];
    uploadsOf(client).add({ accountId, projectId }, [{ file, target: null, id: uploads[0]! }]);
    // In the same breath: it never stands in the tray.
    const { clientId } = outboxOf(client).add({ accountId, projectId, body: "", uploads, voice, quote });
    await outboxOf(client).stored(clientId);
    await bytesKept(client, uploads);
  };

  /** Whoever cannot keep the bytes has sent them when the upload is done. */
  async function bytesKept(of: typeof client, ids: readonly string[]): Promise<void> {
    // What was put before is there when this answers: a database works in order.
    const store = await import("../uploads/upload-store.ts").then(({ createUploadStore }) => createUploadStore()).catch(() => null);
    const kept = await Promise.all(ids.map((id) => store?.read(id).catch(() => null) ?? null));
    if (kept.every((one) => one && (one.file !== null || one.upload.state === "done"))) return;
    const queue = uploadsOf(of);
    const isDone = () => ids.every((id) => (queue.uploads().find((upload) => upload.id === id)?.state ?? "done") === "done");
    await new Promise<void>((resolve) => {
      const look = () => {
        if (!isDone()) return;
        stop();
        resolve();
      };
      const stop = queue.onChange(look);
      look();
    });
  }
}
