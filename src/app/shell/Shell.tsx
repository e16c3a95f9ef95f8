import { lazy, Suspense } from "react";
import { Outlet, useMatch } from "react-router";
import { t } from "../../lib/messages/shell.ts";
import { useLiveUpdates } from "../../queries/live/connection.ts";
import { useLeaveWarning } from "../../queries/outbox/use-outbox.ts";
import { usePermissions } from "../../queries/session/use-rights.ts";
import { useSession } from "../../queries/session/use-session.ts";
import { NotificationAreaSlot } from "../../parts/corner/CornerSlot.tsx";
import { MiniPlayerSlot } from "../../parts/mini-player/MiniPlayerSlot.tsx";
import { setAnnouncer } from "../../ui/announce.ts";
import { PHONE, useMediaQuery } from "../../ui/use-media.ts";
import { Dialogs } from "../dialogs/Dialogs.tsx";
import { BottomBar } from "./BottomBar.tsx";
import { ConnectionLine } from "./ConnectionLine.tsx";
import { InsecureLine } from "./InsecureLine.tsx";
import { Rail } from "./Rail.tsx";
import { useFocusOnNavigation } from "./use-focus-on-navigation.ts";
import { useShortcuts } from "./use-shortcuts.ts";

const WebhooksLine = lazy(async () => ({ default: (await import("./WebhooksLine.tsx")).WebhooksLine }));

/** The frame around every view of a signed-in person. */
export function Shell() {
  const { account, organisation } = useSession();
  const { canManageWebhooks } = usePermissions();
  useLiveUpdates({ accountId: account.id, organisationId: organisation.id });
  useLeaveWarning();
  useFocusOnNavigation();
  useShortcuts();
  const atHome = useMatch("/") !== null;
  const phone = useMediaQuery(PHONE);
  return (
    <div className="group/shell flex h-full flex-col">
      <a
        href="#content"
        onClick={(event) => {
          // A plain jump would add "#content" to the history of every view.
          event.preventDefault();
          document.getElementById("content")?.focus();
        }}
        className="fixed top-2 left-2 z-10 -translate-y-16 rounded-md bg-accent px-3 py-2 font-semibold text-accent-ink focus:translate-y-0"
      >
        {t("skip")}
      </a>
      <InsecureLine />
      <ConnectionLine />
      <Suspense fallback={null}>{canManageWebhooks && <WebhooksLine />}</Suspense>
      <div className="flex min-h-0 flex-1">
        {/* On a phone the list of projects is the main view. */}
        <div role={atHome && phone ? "main" : undefined} className="contents">
          <Rail alone={atHome} />
        </div>
        <main id="content" tabIndex={-1} className={atHome ? "hidden min-w-0 flex-1 bg-surface tablet:block" : "min-w-0 flex-1 bg-surface"}>
          <Outlet />
        </main>
      </div>
      <NotificationAreaSlot />
      <MiniPlayerSlot />
      <BottomBar />
      <div ref={setAnnouncer} role="status" aria-live="polite" className="sr-only" />
      <Dialogs />
    </div>
  );
}
