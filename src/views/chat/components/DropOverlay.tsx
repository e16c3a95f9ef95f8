import { Upload } from "lucide-react";
import { t } from "../../../lib/messages/uploads.ts";

/** Shown while files are held over the chat. */
export function DropOverlay({ projectName }: { projectName: string }) {
  return (
    <div aria-hidden className="pointer-events-none absolute inset-0 z-10 flex bg-surface/85 p-4">
      <div className="flex flex-1 flex-col items-center justify-center gap-1 rounded-lg border-2 border-dashed border-accent text-center">
        <Upload size={28} className="text-accent-text" />
        <span className="mt-2 text-lg font-semibold">{t("dropTitle")}</span>
        <span className="text-text-2">{t("dropHelp", { project: projectName })}</span>
      </div>
    </div>
  );
}
