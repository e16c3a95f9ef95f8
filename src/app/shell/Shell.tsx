import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { Outlet, useLocation, useMatch, useNavigate } from "react-router";
import { useClient } from "../../client/client.ts";
import { t } from "../../lib/texts/shell.ts";
import { useCan } from "../../queries/permissions.ts";
import { useSession } from "../../queries/session.ts";
import { useLiveUpdates } from "../../sync/live/use-connection.ts";
import { useLeaveWarning } from "../../sync/outbox/use-outbox.ts";
import { ANNOUNCER_ID } from "../../ui/announce.ts";
import { PHONE, useMediaQuery } from "../../ui/responsive.ts";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { createToasts, ToastsContext } from "../../ui/toast.ts";
import { isModalOpen, isOverlayOpen, isShortcutAllowed, NON_TEXT_INPUTS, useDocumentKeydown } from "../../ui/use-document-keydown.ts";
import { type OpenDialog, OpenDialogContext } from "../dialogs/dialog-context.ts";
import { PaletteDialog } from "../palette/PaletteDialog.tsx";
import { useReloadWhenReachable } from "../use-reload-when-reachable.ts";
import { BottomBar } from "./BottomBar.tsx";
import { ConnectionBanner, InsecureConnectionBanner } from "./ConnectionBanner.tsx";
import { Rail } from "./Rail.tsx";
import { RailSkeleton } from "./RailList.tsx";
import { adjacentProject, useRailSections } from "./use-rail-sections.ts";

type AfterFirstPaint = typeof import("../after-first-paint.tsx");

/** The frame around every view of a signed-in person. */
export function Shell() {
  const { account, organisation } = useSession();
  const { api } = useClient();
  const canManageWebhooks = useCan("webhook.manage");
  useLiveUpdates({ accountId: account.id, organisationId: organisation.id });
  const hasUnsaved = useLeaveWarning();
  useFocusOnNavigation();
  // Toasts, their undo actions and the dialog belong to one account; the shell unmounts on sign-out.
  const [openedDialog, setOpenedDialog] = useState<OpenDialog | null>(null);
  const closeDialog = () => setOpenedDialog(null);
  useShortcuts(setOpenedDialog);
  const late = useAfterFirstPaint(openedDialog, hasUnsaved);
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
                Favorites={late?.RailFavorites}
                Scroll={late?.RailScroll}
              />
            </div>
            <main id="content" tabIndex={-1} className={isAtHome ? "hidden min-w-0 flex-1 bg-surface tablet:block" : "min-w-0 flex-1 bg-surface"}>
              <Outlet />
            </main>
          </div>
          {late && <late.NotificationArea />}
          {late && <late.MiniPlayer />}
          {late && <late.QueueUpdates />}
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
 * Loads the rest of the shell after the first paint, and returns null until then. If it cannot be loaded, the shell works without it until the service
 * responds again: then the page is reloaded, because Chromium never repeats a failed import. Browsers that do repeat it when a dialog is opened.
 */
function useAfterFirstPaint(openedDialog: OpenDialog | null, hasUnsaved: boolean): AfterFirstPaint | null {
  const { audio } = useClient();
  const [module, setModule] = useState<AfterFirstPaint | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  useReloadWhenReachable(hasFailed && !module && !hasUnsaved);
  useEffect(() => {
    if (module) return;
    // The mini player is part of it, and cannot render before the player is there.
    Promise.all([import("../after-first-paint.tsx"), audio.load()]).then(
      ([loaded]) => setModule(loaded),
      () => setHasFailed(true),
    );
  }, [module, openedDialog, audio]);
  return module;
}

/** Handles the keys that work in every view; `ShortcutsDialog` lists them. */
function useShortcuts(openDialog: (dialog: OpenDialog) => void): void {
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
}

/** Returns the part of a path that identifies the view. Messages, folders, endpoints and deliveries open within a view; all but messages set the focus. */
const viewOf = (pathname: string) => pathname.replace(/^(\/projects\/\d+\/(?:chat|files)|\/settings\/webhooks)\/.*$/, "$1");

/** Moves the focus to the heading of a newly opened view, unless the view or the user has set the focus meanwhile. */
export function useFocusOnNavigation(): void {
  const view = viewOf(useLocation().pathname);
  const previousView = useRef(view);
  const focusedAtCommit = useRef<Element>(null);
  useLayoutEffect(() => {
    focusedAtCommit.current = document.activeElement;
  }, [view]);
  useEffect(() => {
    if (previousView.current === view) return;
    previousView.current = view;
    // Wait one frame for the view's own effects, which may set the focus.
    const frame = requestAnimationFrame(() => {
      const main = document.getElementById("content");
      const focused = document.activeElement;
      const isFocusTaken =
        main?.contains(focused) && (focused !== focusedAtCommit.current || focused?.matches("input, textarea, [aria-haspopup=listbox], [data-entry]"));
      if (!main || isFocusTaken || isModalOpen()) return;
      // On a phone the list of projects is a view with a heading outside `main`.
      const heading = [...document.querySelectorAll<HTMLElement>("h1")].find((element) => element.checkVisibility());
      (heading ?? main).focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [view]);
}

/** Placeholder in the final layout of the shell, before any data has loaded. */
export function ShellSkeleton() {
  return (
    <div role="status" aria-label={t("loading")} className="flex h-full">
      <div className="w-full shrink-0 border-line bg-bg px-2 pt-3 tablet:w-62 tablet:border-r narrow:w-15">
        <div className="mb-16 flex h-9 items-center gap-3 px-2">
          <Skeleton className="size-7 rounded-md" />
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
