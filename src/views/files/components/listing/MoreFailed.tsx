import { t } from "../../../../lib/messages/files.ts";
import { Button } from "../../../../ui/Button.tsx";

/** Shows below a list that the rest failed to load. */
export function LoadMoreError({ onRetry }: { onRetry(): void }) {
  return (
    <div role="alert" className="sticky bottom-0 flex items-center justify-center gap-3 border-t border-line bg-surface p-3 text-text-2">
      {t("moreFailed")}
      <Button size="sm" onClick={onRetry}>
        {t("retry")}
      </Button>
    </div>
  );
}
