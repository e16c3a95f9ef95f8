import { CloudAlert } from "lucide-react";
import { t } from "../../../lib/messages/chat.ts";
import { describeError } from "../../../queries/problems.ts";
import { Button } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";

/** Replaces the messages after a failed load and offers a retry. */
export function LoadFailed({ error, onRetry }: { error: unknown; onRetry(): void }) {
  return (
    <div role="alert" className="flex h-full flex-1 items-center justify-center">
      <EmptyState icon={<CloudAlert size={22} aria-hidden />} title={t("loadFailed")} actions={<Button onClick={onRetry}>{t("retry")}</Button>}>
        {describeError(error).title}. {t("loadFailedHelp")}
      </EmptyState>
    </div>
  );
}
