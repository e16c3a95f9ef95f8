import { ArrowUp, Plus } from "lucide-react";
import { useEffect, useId, useLayoutEffect, useRef, useState, type ClipboardEvent, type KeyboardEvent, type ReactNode } from "react";
import { classes } from "../../../lib/classes.ts";
import { t } from "../../../lib/messages/chat.ts";
import { t as uploadText } from "../../../lib/messages/uploads.ts";
import { pastedIn } from "../../../parts/uploads/dropped.ts";
import { UploadTray } from "../../../parts/uploads/UploadTray.tsx";
import { bodyOf, type Draft, type Named } from "../../../queries/drafts/drafts.ts";
import type { Upload } from "../../../queries/uploads/upload.ts";
import { isComposing } from "../../../ui/composing.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { charactersLeft, cleanDraft } from "../model/draft.ts";
import { readinessOf } from "../model/tray.ts";
import { optionId, Suggestions } from "./Suggestions.tsx";
import { useCompletion, type Mentionable } from "./use-completion.ts";

interface Props {
  projectName: string;
  draft: Draft;
  /** Who can be mentioned. */
  people: readonly Mentionable[];
  /** What is being answered, above the text. */
  reply: ReactNode;
  /** The files that stand ready. */
  uploads: readonly Upload[];
  /** Why what was brought last was not taken. */
  refused: string | null;
  /** Why no files can be brought here; null where they can. */
  filesOff: string | null;
  onDraft(text: string, named?: readonly Named[]): void;
  /** Somebody is writing. */
  onTyping(): void;
  /** Leaves the reply; answers whether there was one. */
  onLeaveReply(): boolean;
  /** Changes the last message of one's own; answers whether there is one. */
  onEditLast(): boolean;
  onFiles(files: readonly File[]): void;
  onSend(body: string): void;
}

/** Pixels; beyond this the text scrolls inside. */
const TALLEST = 240;

export function Composer({ projectName, draft, people, reply, uploads, refused, filesOff, ...on }: Props) {
  const { onDraft, onFiles, onSend } = on;
  const { text } = draft;
  const input = useRef<HTMLTextAreaElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const hint = useId();
  const trayHint = useId();
  const whole = bodyOf(text, draft.named);
  const left = charactersLeft(whole);
  const tooLong = left !== null && left < 0;
  const body = cleanDraft(whole);
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
  }, [text]);

  /** Where the caret stands in the text, and where it goes after a choice. */
  const [caret, setCaret] = useState(text.length);
  const [put, setPut] = useState<number | null>(null);
  useLayoutEffect(() => {
    if (put === null) return;
    input.current!.setSelectionRange(put, put);
    setPut(null);
  }, [put]);
  const list = useId();
  const completion = useCompletion({
    text,
    caret,
    named: draft.named,
    people,
    onChoose(changed, at, named) {
      onDraft(changed, named);
      setCaret(at);
      setPut(at);
      input.current?.focus();
    },
  });
  const { suggestions, active } = completion;

  // With a keyboard at hand one writes at once; on a phone the keyboard would cover what one came to read.
  useEffect(() => {
    if (matchMedia("(pointer: fine)").matches && !document.querySelector("dialog[open]")) input.current?.focus({ preventScroll: true });
  }, []);

  const send = () => {
    if (!ready) return;
    onSend(body);
    input.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    let taken = completion.onKeyDown(event);
    if (!taken && event.key === "Escape") taken = on.onLeaveReply();
    if (!taken && event.key === "ArrowUp" && text === "" && uploads.length === 0) taken = on.onEditLast();
    if (!taken && event.key === "Enter" && !event.shiftKey) {
      taken = true;
      send();
    }
    if (taken) event.preventDefault();
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
      {reply}
      <UploadTray uploads={uploads} />
      {trayWords !== null && (
        <p id={trayHint} role="status" className="px-1 pb-1.5 text-sm text-danger">
          {trayWords}
        </p>
      )}
      <div className="relative flex items-end gap-2 rounded-lg border border-field-line bg-bg px-2 py-2 focus-within:border-text-3 max-tablet:rounded-[26px]">
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
          value={text}
          onChange={({ target }) => {
            onDraft(target.value);
            setCaret(target.selectionEnd);
            if (target.value !== "") on.onTyping();
          }}
          onSelect={({ currentTarget }) => setCaret(currentTarget.selectionEnd)}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={suggestions.length > 0 ? list : undefined}
          aria-activedescendant={suggestions.length > 0 ? optionId(list, active) : undefined}
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
        {suggestions.length > 0 && <Suggestions id={list} suggestions={suggestions} active={active} onChoose={completion.choose} />}
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
