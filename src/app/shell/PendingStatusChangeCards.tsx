import { useEffect, type ReactNode } from "react";
import { conflictMessage, Countdown, formatFiles, useHasInlineStatus } from "../../components/status/status-change.tsx";
import { StatusBadge } from "../../components/status/StatusBadge.tsx";
import { classNames } from "../../lib/class-names.ts";
import { t } from "../../lib/texts/status.ts";
import { latestUndoable, type PendingStatusChange } from "../../sync/statuses/pending-status-changes.ts";
import { usePendingStatusStore, usePendingStatusChanges } from "../../sync/statuses/use-pending-statuses.ts";
import { announce } from "../../ui/announce.ts";
import { Button } from "../../ui/Button.tsx";
import { CloseButton } from "../../ui/IconButton.tsx";
import { isUndoKey, useDocumentKeydown } from "../../ui/use-document-keydown.ts";

/** Returns the status changes that need a card: those of several files, those that the view does not show inline, and those that ended without effect. */
export function useFloatingStatusChanges(): readonly PendingStatusChange[] {
  const hasInlineStatus = useHasInlineStatus();
  const finalStates = new Set(["conflict", "refused", "interrupted"]);
  return usePendingStatusChanges().filter(({ files, state }) => finalStates.has(state.type) || files.length > 1 || !hasInlineStatus(files[0]!.id));
}

/** Announces applied status changes in every view; Ctrl+Z or Cmd+Z undoes the latest change that can still be undone. */
export function useStatusChangeAnnouncements(): void {
  const store = usePendingStatusStore();
  useEffect(() => store.onDone(({ files, status }) => announce(t("set", { what: formatFiles(files), status: status.title }))), [store]);
  useDocumentKeydown(
    (event) => {
      const pendingChange = isUndoKey(event) ? latestUndoable(store.get()) : undefined;
      if (!pendingChange) return;
      // Other undo handlers skip a prevented event, so one key press undoes only this change.
      event.preventDefault();
      store.cancel(pendingChange.id);
      announce(t("undone", { what: formatFiles(pendingChange.files) }));
    },
    { capture: true },
  );
}

export function PendingStatusChangeCards({ pendingChanges }: { pendingChanges: readonly PendingStatusChange[] }): ReactNode {
  return pendingChanges.map((pendingChange) => <StatusChangeCard key={pendingChange.id} pendingChange={pendingChange} />);
}

function StatusChangeCard({ pendingChange }: { pendingChange: PendingStatusChange }) {
  const { state } = pendingChange;
  const isPending = state.type === "counting" || state.type === "sending" || state.type === "waiting";
  return (
    <div
      data-status
      className={classNames(
        "pointer-events-auto flex min-h-11 max-w-160 flex-wrap items-center gap-x-2 gap-y-1 rounded-lg border bg-raised py-1.5 pr-2 pl-4 shadow-float",
        isPending ? "border-line" : "border-line-strong",
      )}
    >
      {isPending ? <PendingStatusChangeRow pendingChange={pendingChange} /> : <StatusChangeResult pendingChange={pendingChange} />}
    </div>
  );
}

function PendingStatusChangeRow({ pendingChange }: { pendingChange: PendingStatusChange }) {
  return (
    <>
      <bdi className="max-w-60 min-w-0 truncate">{formatFiles(pendingChange.files)}</bdi>
      <StatusBadge status={pendingChange.status} isPending />
      <Countdown pendingChange={pendingChange} />
    </>
  );
}

function resultMessage(pendingChange: PendingStatusChange): string {
  const { state, status, files } = pendingChange;
  const values = { status: status.title, what: formatFiles(files) };
  if (state.type === "conflict") return conflictMessage(pendingChange);
  return state.type === "refused" ? `${t("notSet", values)} ${state.reason}` : t("pageClosed", values);
}

/** Explains why a status change was not applied, and offers to apply it again unless the service refused it. */
function StatusChangeResult({ pendingChange }: { pendingChange: PendingStatusChange }) {
  const store = usePendingStatusStore();
  const message = resultMessage(pendingChange);
  useEffect(() => announce(message), [message]);
  const dismiss = () => store.cancel(pendingChange.id);
  if (pendingChange.state.type === "refused") {
    return (
      <>
        <span className="min-w-0 flex-1 wrap-anywhere">{message}</span>
        <CloseButton label={t("close")} onClick={dismiss} />
      </>
    );
  }
  const isConflict = pendingChange.state.type === "conflict";
  return (
    <>
      <span className="min-w-0 flex-1 basis-60 wrap-anywhere">{message}</span>
      <span className="ml-auto flex gap-1">
        <Button size="sm" variant="ghost" onClick={dismiss}>
          {t(isConflict ? "keepCurrent" : "discard")}
        </Button>
        <Button size="sm" onClick={() => store.sendNow(pendingChange.id)}>
          {isConflict ? t("setAnyway", { status: pendingChange.status.title }) : t("setNow")}
        </Button>
      </span>
    </>
  );
}
