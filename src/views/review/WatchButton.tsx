import { Eye, EyeOff } from "lucide-react";
import { t } from "../../lib/texts/notifications.ts";
import { useFileWatch, useSetFileWatch } from "../../queries/notifications/use-settings.ts";
import { Button } from "../../ui/Button.tsx";
import { useToasts } from "../../ui/toast.ts";

/** Starts and stops watching a file, of which the person then gets notifications; nothing until it is known whether they do. */
export function WatchButton({ fileId }: { fileId: number }) {
  const isWatching = useFileWatch(fileId);
  const setWatch = useSetFileWatch(fileId);
  const toasts = useToasts();
  if (isWatching === undefined) return null;
  return (
    <Button
      variant="ghost"
      size="sm"
      icon={isWatching ? Eye : EyeOff}
      data-tooltip={t(isWatching ? "watchingHelp" : "watchHelp")}
      className="pointer-coarse:h-10"
      pending={setWatch.isPending}
      onClick={() => setWatch.mutate(!isWatching, { onError: () => toasts.showError(t("notSaved")) })}
    >
      <span className="max-tablet:sr-only">{t(isWatching ? "watching" : "watch")}</span>
    </Button>
  );
}
