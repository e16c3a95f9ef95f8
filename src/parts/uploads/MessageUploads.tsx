import { t } from "../../lib/messages/uploads.ts";
import { useMessageUploads, useUploadActions } from "../../queries/uploads/use-uploads.ts";
import { Button } from "../../ui/Button.tsx";
import { UploadCard } from "./UploadCard.tsx";

interface Props {
  clientId: string;
  /** True while the message waits for the uploads; the number of open ones is then shown. */
  waiting: boolean;
  onDiscard(clientId: string): void;
}

/** Shows the uploads of a message that has not reached the service. */
export function MessageUploads({ clientId, waiting, onDiscard }: Props) {
  const uploads = useMessageUploads(clientId);
  const actions = useUploadActions();
  const openCount = uploads.filter(({ state }) => state !== "done").length;
  if (uploads.length === 0) return null;
  return (
    <>
      <ul className="mt-1 mb-1 grid max-w-105 gap-1.5">
        {uploads.map((upload) => (
          <li key={upload.id} className="flex min-w-0">
            <UploadCard upload={upload} actions={actions} removable={false} />
          </li>
        ))}
      </ul>
      {waiting && openCount > 0 && (
        <div className="flex items-center gap-2 text-xs text-text-3">
          <span>{t("waitingFor", { count: openCount })}</span>
          <Button size="sm" variant="ghost" onClick={() => onDiscard(clientId)}>
            {t("discardMessage")}
          </Button>
        </div>
      )}
    </>
  );
}
