/** Starts and describes status changes, shows the time left to undo one, and tracks which files show theirs inline. */
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { FileStatus } from "../../../contract/records.ts";
import { useStore } from "../../lib/store.ts";
import { useClient } from "../../client/client.ts";
import { commandKeys } from "../../lib/browser.ts";
import { t } from "../../lib/texts/status.ts";
import { secondsUntil, type PendingStatusChange, type StatusChangeFile } from "../../sync/statuses/pending-status-changes.ts";
import { usePendingStatusStore } from "../../sync/statuses/use-pending-statuses.ts";
import { announce } from "../../ui/announce.ts";
import { Button } from "../../ui/Button.tsx";

/** Returns a function that sets a status for files of a team and announces that it can be undone. */
export function useChangeStatus(teamId: number): (files: readonly StatusChangeFile[], status: FileStatus, note?: string) => void {
  const store = usePendingStatusStore();
  return (files, status, note) => {
    const pendingChange = store.add(teamId, files, status, note);
    const filesLabel = formatFiles(pendingChange?.files ?? files);
    announce(pendingChange ? t("scheduled", { what: filesLabel, status: status.title, keys: commandKeys("Z") }) : t("undone", { what: filesLabel }));
  };
}

/** Returns the file's name, or the number of files. */
export const formatFiles = (files: readonly StatusChangeFile[]): string => (files.length === 1 ? files[0]!.name : t("files", { count: files.length }));

/** Returns the message for a status change whose files got another status meanwhile. */
export function conflictMessage({ files }: PendingStatusChange): string {
  const [first] = files;
  return files.length === 1 && first
    ? t("changedByOther", { what: first.name, now: first.before?.title ?? t("none") })
    : t("changedByOtherSeveral", { count: files.length });
}

/** Returns the whole seconds until `due` and renders when they change. */
function useSecondsUntil(due: number): number {
  const [seconds, setSeconds] = useState(() => secondsUntil(due, Date.now()));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      const now = Date.now();
      const left = secondsUntil(due, now);
      setSeconds(left);
      if (due - now > 1_000) timer = setTimeout(tick, due - now - (left - 1) * 1_000 + 5);
    };
    tick();
    return () => clearTimeout(timer);
  }, [due]);
  return seconds;
}

interface Props {
  pendingChange: PendingStatusChange;
  /** Undoes only this file; without it, all files of the change. */
  fileId?: number;
  /** `tabIndex` of the button; -1 where the surrounding widget moves the focus to it. */
  tabIndex?: number | undefined;
  /** Shows only the number of seconds, where space is limited. */
  isShort?: boolean;
}

/** Shows the time left to undo a status change, with the undo button. The countdown is not announced, because the change itself was. */
export function Countdown({ pendingChange, fileId, tabIndex, isShort = false }: Props) {
  const { state } = pendingChange;
  if (state.type === "counting") {
    return (
      <>
        <Seconds due={state.dueAt} isShort={isShort} />
        <UndoButton {...{ pendingChange, fileId, tabIndex }} />
      </>
    );
  }
  if (state.type === "sending") return <span className="text-sm whitespace-nowrap text-text-2">{t("saving")}</span>;
  return (
    <>
      <span className="min-w-0 truncate text-sm text-text-2" title={t("waitingForConnection")}>
        {t("waitingForConnection")}
      </span>
      <UndoButton {...{ pendingChange, fileId, tabIndex }} />
    </>
  );
}

function Seconds({ due, isShort }: { due: number; isShort: boolean }) {
  const seconds = useSecondsUntil(due);
  return (
    <span role="timer" aria-live="off" className="tabular shrink-0 text-sm whitespace-nowrap text-text-2">
      {isShort ? t("seconds", { seconds }) : t("inSeconds", { seconds })}
    </span>
  );
}

function UndoButton({ pendingChange, fileId, tabIndex }: Pick<Props, "pendingChange" | "fileId" | "tabIndex">) {
  const store = usePendingStatusStore();
  const button = useRef<HTMLButtonElement>(null);
  // If the button disappears while it has the focus, the focus moves to a nearby button or the content, not to the start of the page.
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      if (!element || element !== document.activeElement) return;
      const focusTarget = element.closest<HTMLElement>("[data-status]")?.querySelector("button") ?? document.getElementById("content");
      focusTarget?.focus({ preventScroll: true });
    };
  }, []);
  const files = pendingChange.files.filter(({ id }) => fileId === undefined || id === fileId);
  const counting = pendingChange.state.type === "counting";
  const filesLabel = formatFiles(files);
  return (
    <Button
      ref={button}
      size="sm"
      variant="text"
      tabIndex={tabIndex}
      aria-label={t(counting ? "undoOf" : "cancelOf", { status: pendingChange.status.title, what: filesLabel })}
      className="px-1.5!"
      onClick={() => {
        store.cancel(pendingChange.id, fileId);
        announce(t("undone", { what: filesLabel }));
      }}
    >
      {t(counting ? "undo" : "cancel")}
    </Button>
  );
}

/** Marks a file's pending status change as shown inline with an undo button, so that it needs no card at the page's edge. */
export function useInlineStatus(fileId: number, isShown: boolean): void {
  const { inlineCounts } = useClient().statusChanges;
  useLayoutEffect(() => {
    if (!isShown) return;
    const count = (by: 1 | -1) => inlineCounts.set(new Map(inlineCounts.get()).set(fileId, (inlineCounts.get().get(fileId) ?? 0) + by));
    count(1);
    return () => count(-1);
  }, [inlineCounts, fileId, isShown]);
}

/** Returns a function that checks whether a file's change is shown inline now. */
export function useHasInlineStatus(): (fileId: number) => boolean {
  const counts = useStore(useClient().statusChanges.inlineCounts);
  return (fileId) => (counts.get(fileId) ?? 0) > 0;
}
