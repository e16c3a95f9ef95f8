/** Parts of a view whose code loads on demand, and what is shown where it could not be loaded. */
import { type ComponentType, lazy } from "react";
import { t as tCommon } from "../lib/texts/common.ts";
import { t } from "../lib/texts/shell.ts";
import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";

/**
 * Like React's `lazy`, for a part without which the view around it works. If its code cannot be loaded, `Missing` takes its place, by default nothing,
 * until the page is loaded again, because browsers do not repeat a failed import.
 */
export const lazyPart = <P extends object>(load: () => Promise<ComponentType<P>>, Missing: ComponentType<P> = () => null) =>
  lazy(async () => ({ default: await load().catch(() => Missing) }));

export function PartNotLoaded({ onClose }: { onClose?: () => void }) {
  return (
    <EmptyState
      title={t("partFailed")}
      actions={
        <>
          <Button onClick={() => location.reload()}>{t("reload")}</Button>
          {onClose && <Button onClick={onClose}>{tCommon("close")}</Button>}
        </>
      }
    >
      {t("viewFailedHelp")}
    </EmptyState>
  );
}
