import { ArrowUp, Plus } from "lucide-react";
import { useEffect, useId, useLayoutEffect, useRef, type ClipboardEvent, type KeyboardEvent } from "react";
import { classes } from "../../../lib/classes.ts";
import { t } from "../../../lib/messages/chat.ts";
import { t as uploadText } from "../../../lib/messages/uploads.ts";
import { pastedIn } from "../../../parts/uploads/dropped.ts";
import { UploadTray } from "../../../parts/uploads/UploadTray.tsx";
import type { Upload } from "../../../queries/uploads/upload.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { charactersLeft, cleanDraft } from "../model/draft.ts";
import { readinessOf } from "../model/tray.ts";

interface Props {
  projectName: string;
  draft: string;
  /** The files that stand ready. */
  uploads: readonly Upload[];
  /** Why what was brought last was not taken. */
  refused: string | null;
  /** Why no files can be brought here; null where they can. */
  filesOff: string | null;
  onDraft(text: string): void;
  onFiles(files: readonly File[]): void;
  onSend(body: string): void;
}

/** Pixels; beyond this the text scrolls inside. */
const TALLEST = 240;
/** What browsers report for a key that belongs to an input method. */
const COMPOSING_KEY = 229;

export function Composer({ projectName, draft, uploads, refused, filesOff, onDraft, onFiles, onSend }: Props) {
  const input = useRef<HTMLTextAreaElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const hint = useId();
  const trayHint = useId();
  const left = charactersLeft(draft);
  const tooLong = left !== null && left < 0;
  const body = cleanDraft(draft);
  const tray = readinessOf(uploads);
  const ready = (body !== "" || uploads.length > 0) && !tooLong && tray.ready;
  const trayWords = tray.hint ?? refused;
  const described = [left === null ? null : hint, trayWords === null ? null : trayHint].filter((id) => id !== null).join(" ");

  useLayoutEffect(() => {
    const element = input.current!;
    const frame = element.parentElement!;
    // Held open while measuring: else the timeline above would grow for a moment and lose its place.
    frame.style.minHeight = `${frame.offsetHeight}px`;
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight, TALLEST)}px`;
    element.style.overflowY = element.scrollHeight > TALLEST ? "auto" : "hidden";
    frame.style.minHeight = "";
  }, [draft]);

  // With a keyboard at hand one writes at once; on a phone the keyboard would cover what one came to read.
  useEffect(() => {
    if (matchMedia("(pointer: fine)").matches && !document.querySelector("dialog[open]")) input.current?.focus({ preventScroll: true });
  }, []);

  const send = () => {
    if (!ready) return;
    onSend(body);
    onDraft("");
    input.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === COMPOSING_KEY) return;
    event.preventDefault();
    send();
  };

  const onPaste = (event: ClipboardEvent) => {
    const files = pastedIn(event.clipboardData);
    if (files.length === 0) return;
    event.preventDefault();
    onFiles(files);
  };

  return (
    <form
      className="px-5 pt-1 pb-4 max-tablet:px-2.5 max-tablet:pb-[max(10px,env(safe-area-inset-bottom))]"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <UploadTray uploads={uploads} />
      {trayWords !== null && (
        <p id={trayHint} role="status" className="px-1 pb-1.5 text-sm text-danger">
          {trayWords}
        </p>
      )}
      <div className="flex items-end gap-2 rounded-lg border border-field-line bg-bg px-2 py-2 focus-within:border-text-3 max-tablet:rounded-[26px]">
        <IconButton
          label={filesOff === null ? uploadText("attach") : uploadText("attachOff", { reason: filesOff })}
          aria-disabled={filesOff !== null || undefined}
          className={classes("max-tablet:size-9 max-tablet:rounded-full", filesOff !== null && "cursor-not-allowed text-text-3")}
          // Where nothing can be brought it says why, as a drop does.
          onClick={() => (filesOff === null ? chooser.current?.click() : onFiles([]))}
        >
          <Plus size={20} aria-hidden />
        </IconButton>
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            const files = [...(event.target.files ?? [])];
            // So that the same file can be chosen again.
            event.target.value = "";
            if (files.length > 0) onFiles(files);
            input.current?.focus();
          }}
        />
        <textarea
          ref={input}
          rows={1}
          value={draft}
          onChange={(event) => onDraft(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          aria-label={t("compose", { project: projectName })}
          aria-describedby={described || undefined}
          aria-invalid={tooLong || undefined}
          placeholder={t("compose", { project: projectName })}
          dir="auto"
          enterKeyHint="send"
          autoComplete="off"
          className="min-w-0 flex-1 resize-none bg-transparent py-1.5 outline-none placeholder:truncate max-tablet:text-lg"
        />
        <button
          type="submit"
          aria-label={t("send")}
          title={t("send")}
          aria-disabled={!ready}
          className={classes(
            "flex size-8 shrink-0 items-center justify-center rounded-md transition-colors max-tablet:size-9 max-tablet:rounded-full",
            ready ? "bg-accent text-accent-ink hover:brightness-105" : "bg-hover text-text-3",
          )}
        >
          <ArrowUp size={18} aria-hidden />
        </button>
      </div>
      {left !== null && (
        <p id={hint} role="status" className={classes("px-3.5 pt-1 text-xs", tooLong ? "text-danger" : "text-text-3")}>
          {tooLong ? t("tooLong", { count: -left }) : t("charactersLeft", { count: left })}
        </p>
      )}
    </form>
  );
}
