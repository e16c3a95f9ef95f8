import { useEffect, useId, useRef, type ClipboardEvent, type KeyboardEvent, type MouseEvent, type ReactNode } from "react";
import { readPaste } from "../../../components/uploads/use-file-drop.ts";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/chat.ts";
import type { Draft, Mention } from "../../../sync/drafts/message-drafts.ts";
import type { Upload } from "../../../sync/uploads/upload.ts";
import { isComposing, useAutoHeight } from "../../../ui/text-input.ts";
import type { VoiceControls } from "../voice/use-voice.tsx";
import { InsertEmoji, SendButton } from "./ComposerButtons.tsx";
import { UploadTray } from "./MessageUploads.tsx";
import { computeSendState } from "./send-state.ts";
import { optionId, Suggestions } from "./Suggestions.tsx";
import { AttachButton } from "./use-chat-files.tsx";
import { type Mentionable, useCaret, useCompletion } from "./use-completion.ts";

interface Props {
  projectName: string;
  draft: Draft;
  people: readonly Mentionable[];
  /** The quoted message that the draft replies to, shown above the text. */
  reply: ReactNode;
  /** Files attached to the next message. */
  uploads: readonly Upload[];
  /** Why the last added files were rejected. */
  rejectionReason: string | null;
  /** Why files cannot be attached; null if they can. */
  uploadsDisabledReason: string | null;
  voice: VoiceControls;
  onDraft(text: string, mentions?: readonly Mention[]): void;
  /** Called on input, to send the typing signal. */
  onTyping(): void;
  /** Cancels the reply and returns whether there was one. */
  onCancelReply(): boolean;
  /** Edits the user's last message and returns whether there is one. */
  onEditLast(): boolean;
  onFiles(files: readonly File[]): void;
  onSend(body: string): void;
}

/** Pixels; taller text scrolls inside the field. */
const MAX_HEIGHT_PX = 240;

export function Composer({ projectName, draft, people, reply, uploads, rejectionReason, uploadsDisabledReason, voice, ...handlers }: Props) {
  const { onDraft, onFiles, onSend } = handlers;
  const { text } = draft;
  const input = useRef<HTMLTextAreaElement>(null);
  const [hintId, trayHintId, listId] = [useId(), useId(), useId()];
  const { body, ready, remainingCharacters, tooLong, filesHint } = computeSendState(draft, uploads);
  const trayMessage = filesHint ?? rejectionReason;
  const describedBy = [remainingCharacters === null ? null : hintId, trayMessage === null ? null : trayHintId].filter((id) => id !== null).join(" ");
  useAutoHeight(input, text, MAX_HEIGHT_PX);
  const { caret, trackCaret, moveCaret } = useCaret(input, text);
  const completion = useCompletion({
    text,
    caret,
    mentions: draft.named,
    people,
    onSelect(result) {
      onDraft(result.text, result.mentions);
      moveCaret(result.caret);
    },
  });
  const { suggestions, active } = completion;
  const isRecording = voice.strip !== null;

  // Focus the field only with a fine pointer, because on a phone the on-screen keyboard would cover the messages.
  useEffect(() => {
    if (matchMedia("(pointer: fine)").matches && !document.querySelector("dialog[open]")) input.current?.focus({ preventScroll: true });
  }, []);

  const insert = (emoji: string) => {
    const { selectionStart, selectionEnd } = input.current!;
    onDraft(`${text.slice(0, selectionStart)}${emoji}${text.slice(selectionEnd)}`);
    moveCaret(selectionStart + emoji.length);
  };
  const send = () => {
    if (!ready) return;
    onSend(body);
    input.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    let handled = completion.onKeyDown(event);
    if (!handled && event.key === "Escape") handled = handlers.onCancelReply();
    if (!handled && event.key === "ArrowUp" && text === "" && uploads.length === 0) handled = handlers.onEditLast();
    if (!handled && event.key === "Enter" && !event.shiftKey) {
      handled = true;
      send();
    }
    if (handled) event.preventDefault();
  };

  const onPaste = (event: ClipboardEvent) => {
    const files = readPaste(event.clipboardData);
    if (files.length === 0) return;
    event.preventDefault();
    onFiles(files);
  };

  // Keeps the focus while a button is pressed: if a phone's on-screen keyboard closed, the page would grow and the press would miss the button.
  const preventBlur = (event: MouseEvent) => {
    if (document.activeElement === input.current && (event.target as Element).closest("button")) event.preventDefault();
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only keeps the focus where it is
    <form
      onMouseDown={preventBlur}
      className="px-5 pt-1 pb-4 max-tablet:px-2.5 max-tablet:pb-[max(10px,env(safe-area-inset-bottom))]"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className="relative rounded-lg border border-field-line bg-bg focus-within:border-text-3 max-tablet:rounded-[26px]">
        {reply}
        {uploads.length > 0 && (
          <div className="px-2 pt-2 max-tablet:px-3 max-tablet:pt-3">
            <UploadTray uploads={uploads} />
          </div>
        )}
        {trayMessage !== null && (
          <p id={trayHintId} role="status" className="px-3 pt-2 text-sm text-danger max-tablet:px-4">
            {trayMessage}
          </p>
        )}
        {voice.tray}
        <div className="flex items-end gap-2 px-2 py-2">
          {voice.strip}
          <span className={isRecording ? "hidden" : "contents"}>
            <AttachButton disabledReason={uploadsDisabledReason} onFiles={onFiles} onDone={() => input.current?.focus()} />
            <textarea
              ref={input}
              rows={1}
              value={text}
              onChange={({ target }) => {
                onDraft(target.value);
                trackCaret(target.selectionEnd);
                if (target.value !== "") handlers.onTyping();
              }}
              onSelect={({ currentTarget }) => trackCaret(currentTarget.selectionEnd)}
              aria-autocomplete="list"
              aria-haspopup="listbox"
              aria-controls={suggestions.length > 0 ? listId : undefined}
              aria-activedescendant={suggestions.length > 0 ? optionId(listId, active) : undefined}
              onKeyDown={onKeyDown}
              onPaste={onPaste}
              aria-label={t("compose", { project: projectName })}
              aria-describedby={describedBy || undefined}
              aria-invalid={tooLong || undefined}
              placeholder={t("compose", { project: projectName })}
              dir="auto"
              enterKeyHint="send"
              autoComplete="off"
              className="min-w-0 flex-1 resize-none bg-transparent py-1.5 outline-none placeholder:truncate max-tablet:text-lg"
            />
            <InsertEmoji onPick={insert} />
          </span>
          {voice.button}
          {/* Hides the button but keeps its space, so that nothing moves under the pointer. */}
          <span inert={isRecording} className={classNames("contents", isRecording && "invisible")}>
            <SendButton ready={ready} />
          </span>
        </div>
        {suggestions.length > 0 && <Suggestions id={listId} suggestions={suggestions} active={active} onSelect={completion.choose} />}
      </div>
      {remainingCharacters !== null && (
        <p id={hintId} role="status" className={classNames("px-3.5 pt-1 text-xs", tooLong ? "text-danger" : "text-text-3")}>
          {tooLong ? t("tooLong", { count: -remainingCharacters }) : t("charactersLeft", { count: remainingCharacters })}
        </p>
      )}
    </form>
  );
}
