import { useEffect, useState } from "react";
import { Outlet, useMatch, useNavigate } from "react-router";
import { useClient } from "../../client/client.ts";
import { isChunkLoadError } from "../../lib/page-scripts.ts";
import { t } from "../../lib/texts/shell.ts";
import { useCan } from "../../queries/permissions.ts";
import { useSession } from "../../queries/session.ts";
import { useLiveUpdates } from "../../sync/live/use-connection.ts";
import { useLeaveWarning } from "../../sync/outbox/use-outbox.ts";
import { ANNOUNCER_ID } from "../../ui/announce.ts";
import { Logo } from "../../ui/Logo.tsx";
import { PHONE, useMediaQuery } from "../../ui/responsive.ts";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { createToasts, ToastsContext } from "../../ui/toast.ts";
import { isOverlayOpen, isShortcutAllowed, NON_TEXT_INPUTS, useDocumentKeydown } from "../../ui/use-document-keydown.ts";
import { type OpenDialog, OpenDialogContext } from "../dialogs/dialog-context.ts";
import { PaletteDialog } from "../palette/PaletteDialog.tsx";
import { useReloadWhenReachable } from "../use-reload-when-reachable.ts";
import { BottomBar } from "./BottomBar.tsx";
import { ConnectionBanner, InsecureConnectionBanner } from "./ConnectionBanner.tsx";
import { Rail } from "./Rail.tsx";
import { RailSkeleton } from "./RailList.tsx";
import { useFocusOnNavigation } from "./use-focus-on-navigation.ts";
import { adjacentProject, useRailSections } from "./use-rail-sections.ts";

type AfterFirstPaint = typeof import("../after-first-paint.tsx");

/** The frame around every view of a signed-in person. */
export function Shell() {
  const { account, organisation } = useSession();
  const { api } = useClient();
  const canManageWebhooks = useCan("webhook.manage");
  useLiveUpdates({ accountId: account.id, organisationId: organisation.id });
  useFocusOnNavigation();
  // Toasts, their undo actions and the dialog belong to one account; the shell unmounts on sign-out.
  const [openedDialog, setOpenedDialog] = useState<OpenDialog | null>(null);
  const closeDialog = () => setOpenedDialog(null);
  const { late, hasPlayer, isIncomplete } = useAfterFirstPaint(openedDialog);
  const [toasts] = useState(createToasts);
  const isAtHome = useMatch("/") !== null;
  const isPhone = useMediaQuery(PHONE);
  return (
    <ToastsContext value={toasts}>
      <OpenDialogContext value={setOpenedDialog}>
        <div className="group/shell flex h-full flex-col">
          <SkipLink />
          <InsecureConnectionBanner />
          <ConnectionBanner />
          <PageGuard isIncomplete={isIncomplete} />
          {late && !api.usesSession && <late.TokenNotice />}
          {late && canManageWebhooks && <late.WebhooksBanner />}
          {late && <late.PushPrompt />}
          <div className="flex min-h-0 flex-1">
            {/* On a phone the list of projects is the main view. */}
            <div role={isAtHome && isPhone ? "main" : undefined} className="contents">
              <Rail
                isAlone={isAtHome}
                AccountMenu={late?.AccountMenu}
                CreateMenu={late?.CreateMenu}
                NotificationCount={late?.NotificationCount}
                Favorites={hasPlayer ? late?.RailFavorites : undefined}
                Scroll={late?.RailScroll}
              />
            </div>
            <main id="content" tabIndex={-1} className={isAtHome ? "hidden min-w-0 flex-1 bg-surface tablet:block" : "min-w-0 flex-1 bg-surface"}>
              <Outlet />
            </main>
          </div>
          {late && <late.NotificationArea />}
          {late && hasPlayer && <late.MiniPlayer />}
          {late && hasPlayer && <late.QueueUpdates />}
          {late && <late.PushConnection />}
          {late && <late.TabIcon />}
          {late && <late.Tooltips />}
          <BottomBar NotificationCount={late?.NotificationCount} />
          <div id="hidden-media" hidden />
          <div id={ANNOUNCER_ID} role="status" aria-live="polite" className="sr-only" />
          {openedDialog?.kind === "palette" ? (
            <PaletteDialog Results={late?.PaletteResults} onClose={closeDialog} />
          ) : (
            late && openedDialog && <late.Dialogs open={openedDialog} onClose={closeDialog} />
          )}
          <Shortcuts openDialog={setOpenedDialog} />
        </div>
      </OpenDialogContext>
    </ToastsContext>
  );
}

/** Moves the focus past the navigation; visible only with the focus. */
export const SkipLink = () => (
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
);

/**
 * Warns before unsent content is lost, and has the page loaded again when parts of it are missing. A component of its own, because every message changes what
 * is unsent and must not render the whole shell.
 */
function PageGuard({ isIncomplete }: { isIncomplete: boolean }) {
  const hasUnsaved = useLeaveWarning();
  return useReloadWhenReachable(isIncomplete, { hasUnsaved }) ? <ReloadNotice /> : null;
}

/** Offers to load the page again, since parts of it are missing. */
const ReloadNotice = () => (
  <section aria-label={t("partsMissing")} className="flex min-h-8 shrink-0 flex-wrap items-center justify-center gap-x-3 bg-hover px-4 py-1 text-sm">
    <p role="alert">{t("partsMissing")}</p>
    <button type="button" className="font-semibold underline underline-offset-2" onClick={() => location.reload()}>
      {t("reload")}
    </button>
  </section>
);

/**
 * Loads the rest of the shell and the player after the first paint. The shell works without those that cannot be loaded until the service responds again:
 * then the page has to be reloaded, because Chromium never repeats a failed import. Browsers that do repeat it when a dialog is opened.
 */
function useAfterFirstPaint(openedDialog: OpenDialog | null) {
  const { audio } = useClient();
  const [late, setLate] = useState<AfterFirstPaint | null>(null);
  const [hasPlayer, setHasPlayer] = useState(false);
  const [isChunkMissing, setIsChunkMissing] = useState(false);
  useEffect(() => {
    const onError = (error: unknown) => {
      if (!isChunkLoadError(error)) throw error;
      setIsChunkMissing(true);
    };
    if (!late) import("../after-first-paint.tsx").then((loaded) => setLate(loaded), onError);
    if (!hasPlayer) audio.load().then(() => setHasPlayer(true), onError);
  }, [late, hasPlayer, openedDialog, audio]);
  return { late, hasPlayer, isIncomplete: isChunkMissing && !(late && hasPlayer) };
}

/** Handles the keys that work in every view; `ShortcutsDialog` lists them. A component of its own, because the projects change with every message. */
function Shortcuts({ openDialog }: { openDialog(dialog: OpenDialog): void }) {
  const navigate = useNavigate();
  const { sections } = useRailSections();
  const current = useMatch("/projects/:projectId/*")?.params.projectId;

  useDocumentKeydown((event) => {
    if (event.defaultPrevented || isOverlayOpen()) return;
    if ((event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      openDialog({ kind: "palette" });
    } else if (event.key === "?" && isShortcutAllowed(event, NON_TEXT_INPUTS)) {
      event.preventDefault();
      openDialog({ kind: "shortcuts" });
    } else if (event.altKey && !event.metaKey && !event.ctrlKey && !event.shiftKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      const next = adjacentProject(sections, current === undefined ? undefined : Number(current), event.key === "ArrowUp" ? -1 : 1);
      if (!next) return;
      event.preventDefault();
      void navigate(`/projects/${next.id}/chat`);
    }
  });
  return null;
}

/** Placeholder in the final layout of the shell, before any data has loaded. */
export function ShellSkeleton() {
  return (
    <div role="status" aria-label={t("loading")} className="flex h-full">
      <div className="w-full shrink-0 border-line bg-bg px-2 pt-3 tablet:w-62 tablet:border-r narrow:w-15">
        <div className="mb-16 flex h-9 items-center gap-3 px-2">
          <Logo />
          <Skeleton className="h-3.5 w-28 narrow:hidden" />
        </div>
        <RailSkeleton />
      </div>
      <div className="hidden flex-1 bg-surface tablet:block">
        <div className="h-14 border-b border-line" />
      </div>
    </div>
  );
}
