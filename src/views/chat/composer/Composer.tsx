import { useEffect, useId, useRef, type ClipboardEvent, type KeyboardEvent, type MouseEvent, type ReactNode } from "react";
import { FieldHint, formatRemaining, handleFieldKey, MessageField } from "../../../components/message-text/MessageField.tsx";
import { readPaste } from "../../../components/uploads/use-file-drop.ts";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/chat.ts";
import { checkText, type Mention } from "../../../sync/drafts/draft-text.ts";
import type { Draft } from "../../../sync/drafts/use-message-draft.ts";
import type { Upload } from "../../../sync/uploads/upload.ts";
import { isModalOpen } from "../../../ui/use-document-keydown.ts";
import type { VoiceControls } from "../voice/use-voice.tsx";
import { InsertEmoji, SendButton } from "./ComposerButtons.tsx";
import { checkUploads, UploadTray } from "./MessageUploads.tsx";
import { useSuggestions } from "./Suggestions.tsx";
import { AttachButton } from "./use-chat-files.tsx";
import type { Mentionable } from "./use-completion.ts";

interface Props {
  projectName: string;
  draft: Draft;
  people: readonly Mentionable[];
  /** The quoted message that the draft replies to, shown above the text. */
  replyBar: ReactNode;
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

export function Composer({ projectName, draft, people, replyBar, uploads, rejectionReason, uploadsDisabledReason, voice, ...handlers }: Props) {
  const { onDraft, onFiles, onSend } = handlers;
  const { text } = draft;
  const input = useRef<HTMLTextAreaElement>(null);
  const [hintId, trayHintId] = [useId(), useId()];
  const { body, canSend, isTooLong, remainingCharacters, trayMessage } = checkMessage(draft, uploads, rejectionReason);
  const describedBy = [remainingCharacters === null ? null : hintId, trayMessage === null ? null : trayHintId].filter((id) => id !== null).join(" ");
  const { fieldProps, onKey, list, moveCaret } = useSuggestions({ field: input, text, mentions: draft.mentions, people, onChange: onDraft });
  const isRecording = voice.strip !== null;

  // Focus the field only with a fine pointer, because on a phone the on-screen keyboard would cover the messages.
  useEffect(() => {
    if (matchMedia("(pointer: fine)").matches && !isModalOpen()) input.current?.focus({ preventScroll: true });
  }, []);

  const insertEmoji = (emoji: string) => {
    const { selectionStart, selectionEnd } = input.current!;
    onDraft(`${text.slice(0, selectionStart)}${emoji}${text.slice(selectionEnd)}`);
    moveCaret(selectionStart + emoji.length);
  };
  const send = () => {
    if (!canSend) return;
    onSend(body);
    input.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) =>
    handleFieldKey(event, {
      onKey: () => onKey(event) || (event.key === "ArrowUp" && text === "" && uploads.length === 0 && handlers.onEditLast()),
      onEscape: handlers.onCancelReply,
      onSubmit: send,
    });

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
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the handler only prevents a blur
    <form
      onMouseDown={preventBlur}
      className="px-5 pt-1 pb-4 max-tablet:px-2.5 max-tablet:pb-[max(10px,env(safe-area-inset-bottom))]"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className="relative rounded-lg border border-field-line bg-bg focus-within:border-text-3 max-tablet:rounded-[26px]">
        {replyBar}
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
            <MessageField
              {...fieldProps}
              field={input}
              label={t("compose", { project: projectName })}
              text={text}
              maxHeight={MAX_HEIGHT_PX}
              isInvalid={isTooLong}
              onChange={(event) => {
                fieldProps.onChange(event);
                if (event.target.value !== "") handlers.onTyping();
              }}
              onKeyDown={onKeyDown}
              onPaste={onPaste}
              aria-describedby={describedBy || undefined}
              placeholder={t("compose", { project: projectName })}
              enterKeyHint="send"
              autoComplete="off"
            />
            <InsertEmoji onPick={insertEmoji} />
          </span>
          {voice.button}
          {/* Hides the button but keeps its space, so that nothing moves under the pointer. */}
          <span inert={isRecording} className={classNames("contents", isRecording && "invisible")}>
            <SendButton canSend={canSend} />
          </span>
        </div>
        {list}
      </div>
      <FieldHint id={hintId} message={formatRemaining(remainingCharacters)} isError={isTooLong} className="px-3.5" />
    </form>
  );
}

/** Checks whether the text and its uploads can be sent as a message; `trayMessage` explains problems with the uploads. */
function checkMessage(draft: Draft, uploads: readonly Upload[], rejectionReason: string | null) {
  const { body, isReady, isTooLong, remainingCharacters } = checkText(draft, uploads.length > 0);
  const checkedUploads = checkUploads(uploads);
  return { body, canSend: isReady && checkedUploads.canSend, isTooLong, remainingCharacters, trayMessage: checkedUploads.hint ?? rejectionReason };
}
