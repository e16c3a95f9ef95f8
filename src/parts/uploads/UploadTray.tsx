import { useEffect, useRef } from "react";
import { t } from "../../lib/messages/uploads.ts";
import type { Upload, UploadState } from "../../queries/uploads/upload.ts";
import { useUploadActions } from "../../queries/uploads/use-uploads.ts";
import { announce } from "../../ui/announce.ts";
import { UploadCard } from "./UploadCard.tsx";

/** Announces finished and failed uploads. */
function useUploadAnnouncements(uploads: readonly Upload[]): void {
  const previousStates = useRef(new Map<string, UploadState>());
  useEffect(() => {
    for (const { id, name, state } of uploads) {
      const previous = previousStates.current.get(id);
      if (previous === undefined || previous === state) continue;
      if (state === "done") announce(t("doneAnnouncement", { name }));
      else if (state === "failed" || state === "lost") announce(t("failedAnnouncement", { name }));
    }
    previousStates.current = new Map(uploads.map(({ id, state }) => [id, state]));
  }, [uploads]);
}

/** Shows the files that will be sent with the next message. */
export function UploadTray({ uploads }: { uploads: readonly Upload[] }) {
  const actions = useUploadActions();
  useUploadAnnouncements(uploads);
  if (uploads.length === 0) return null;
  return (
    <ul aria-label={t("attachedFiles")} className="grid max-h-56 grid-cols-[repeat(auto-fill,minmax(min(100%,260px),1fr))] gap-1.5 overflow-y-auto rounded-md">
      {uploads.map((upload) => (
        <li key={upload.id} className="flex min-w-0">
          <UploadCard upload={upload} actions={actions} removable />
        </li>
      ))}
    </ul>
  );
}
