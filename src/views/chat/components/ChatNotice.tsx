import { CircleAlert, X } from "lucide-react";
import { t } from "../../../lib/messages/chat.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import type { Notice } from "./use-notice.ts";

/** Floats a notice above the composer; the live region stays mounted so that screen readers announce new content. */
export function ChatNotice({ notice, onClose }: { notice: Notice | null; onClose(): void }) {
  return (
    <div role="status" className="pointer-events-none absolute inset-x-0 bottom-3 z-3 flex justify-center px-16 max-tablet:bottom-13">
      {notice && (
        <p className="pointer-events-auto flex min-h-8 max-w-full items-center gap-2 rounded-lg bg-raised py-1 pr-1 pl-3 text-sm shadow-float">
          {notice.isError && <CircleAlert size={15} aria-hidden className="shrink-0 text-danger" />}
          <span className="min-w-0 wrap-anywhere">{notice.text}</span>
          <IconButton label={t("dismiss")} className="size-6" onClick={onClose}>
            <X size={14} aria-hidden />
          </IconButton>
        </p>
      )}
    </div>
  );
}
