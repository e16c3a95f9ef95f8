import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { t } from "../../lib/texts/status.ts";
import { secondsUntil, type PendingStatusChange } from "../../sync/statuses/pending-status-changes.ts";
import { usePendingStatusStore } from "../../sync/statuses/use-pending-statuses.ts";
import { announce } from "../../ui/announce.ts";
import { Button } from "../../ui/Button.tsx";
import { formatFiles } from "./status-change.ts";

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
  short?: boolean;
}

/** Shows the time left to undo a status change, with the undo button. The countdown is not announced, because the change itself was. */
export function Countdown({ pendingChange, fileId, tabIndex, short = false }: Props) {
  const { state } = pendingChange;
  if (state.type === "counting") {
    return (
      <>
        <Seconds due={state.dueAt} short={short} />
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

function Seconds({ due, short }: { due: number; short: boolean }) {
  const seconds = useSecondsUntil(due);
  return (
    <span role="timer" aria-live="off" className="tabular shrink-0 text-sm whitespace-nowrap text-text-2">
      {short ? t("seconds", { seconds }) : t("inSeconds", { seconds })}
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
      variant="ghost"
      tabIndex={tabIndex}
      aria-label={t(counting ? "undoOf" : "cancelOf", { status: pendingChange.status.title, what: filesLabel })}
      className="px-1.5! font-semibold text-accent-text!"
      onClick={() => {
        store.cancel(pendingChange.id, fileId);
        announce(t("undone", { what: filesLabel }));
      }}
    >
      {t(counting ? "undo" : "cancel")}
    </Button>
  );
}
