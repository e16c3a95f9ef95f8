import { type ClipboardEvent, type KeyboardEvent, type MouseEvent, useEffect, useId, useRef } from "react";
import { useClient } from "../../../client/client.ts";
import { InsertEmoji } from "../../../components/emoji/InsertEmoji.tsx";
import { FieldHint, formatRemaining, handleFieldKey, MessageField } from "../../../components/message-text/MessageField.tsx";
import { useSuggestions } from "../../../components/message-text/Suggestions.tsx";
import { checkUploads, UploadTray } from "../../../components/uploads/MessageUploads.tsx";
import { readPaste } from "../../../components/uploads/use-file-drop.ts";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/chat.ts";
import { t as tVoice } from "../../../lib/texts/voice.ts";
import { useMentionable } from "../../../queries/members.ts";
import { checkText } from "../../../sync/drafts/draft-text.ts";
import { useDraft } from "../../../sync/drafts/use-message-draft.ts";
import { useTypingSignal } from "../../../sync/live/use-connection.ts";
import { submitTo } from "../../../ui/text-input.ts";
import { isModalOpen, isOverlayOpen, isShortcutAllowed, useDocumentKeydown } from "../../../ui/use-document-keydown.ts";
import { useChatUser } from "../chat-context.ts";
import type { SentRecordings } from "../voice/sent-recordings.ts";
import { type SendVoice, useVoice } from "../voice/use-voice.tsx";
import { AttachButtons } from "./AttachButtons.tsx";
import { SendButton } from "./ComposerButtons.tsx";
import { OffHoursHint } from "./OffHoursHint.tsx";
import { AttachedPlaylistChip, type PlaylistAttachment } from "./playlist-attachment.tsx";
import { ReplyBar, type useReplyTarget } from "./reply.tsx";
import type { useChatFiles } from "./use-chat-files.tsx";

interface Props {
  projectId: number;
  projectName: string;
  reply: ReturnType<typeof useReplyTarget>;
  files: ReturnType<typeof useChatFiles>;
  playlist: PlaylistAttachment;
  /** Recordings that have already been sent as messages. */
  sentRecordings: SentRecordings;
  /** Edits the user's last message and returns whether there is one. */
  onEditLast(): boolean;
  /** Resolves once the message is persisted. */
  onSend(body: string): Promise<unknown>;
  /** Resolves to true once the recording is persisted in the outbox and upload queue or stored by the service, so that its draft can be deleted. */
  onSendVoice: SendVoice;
}

/** Pixels; taller text scrolls inside the field. */
const MAX_HEIGHT_PX = 240;

/** Writes a message into the project's draft, with files, voice notes and a quoted message, and sends it. */
export function Composer({ projectId, projectName, reply, files, playlist, sentRecordings, onEditLast, onSend, onSendVoice }: Props) {
  const { accountId } = useChatUser();
  const { drafts } = useClient();
  const [draft, setDraft] = useDraft(projectId);
  const { text } = draft;
  const { uploads, disabledReason, add: addFiles } = files;
  const typingSignal = useTypingSignal(projectId);
  const input = useRef<HTMLTextAreaElement>(null);
  const sendButton = useRef<HTMLButtonElement>(null);
  const voice = useVoice({ accountId, projectId, disabledReason, sentRecordings, focusSend: () => sendButton.current?.focus({ preventScroll: true }) });
  const hasVoice = voice.drafts.length > 0;
  const [hintId, trayHintId] = [useId(), useId()];
  // A voice note has its recording and text; files beside it are a message of their own.
  const hasAttachments = uploads.length > 0 || (playlist.attached !== null && !playlist.isMissing);
  const { body, isReady, isTooLong, remainingCharacters } = checkText(draft, hasAttachments || hasVoice);
  const checkedUploads = checkUploads(uploads);
  const canSend = isReady && checkedUploads.canSend;
  const trayMessage = checkedUploads.hint ?? files.rejectionReason;
  const describedBy = [remainingCharacters === null ? null : hintId, trayMessage === null ? null : trayHintId].filter((id) => id !== null).join(" ");
  const { fieldProps, onKey, list, moveCaret } = useSuggestions({
    field: input,
    text,
    mentions: draft.mentions,
    people: useMentionable(projectId),
    onChange: setDraft,
  });
  const isRecording = voice.strip !== null;

  // Focus the field only with a fine pointer, because on a phone the on-screen keyboard would cover the messages.
  useEffect(() => {
    if (matchMedia("(pointer: fine)").matches && !isModalOpen()) input.current?.focus({ preventScroll: true });
  }, []);

  // Text that is typed while nothing has the focus belongs to the message.
  useDocumentKeydown((event) => {
    const isText = event.key.length === 1 && event.key !== " " && isShortcutAllowed(event);
    if (isText && !event.defaultPrevented && document.activeElement === document.body && !isOverlayOpen()) input.current?.focus({ preventScroll: true });
  });

  const insertEmoji = (emoji: string) => {
    const { selectionStart, selectionEnd } = input.current!;
    setDraft(`${text.slice(0, selectionStart)}${emoji}${text.slice(selectionEnd)}`);
    moveCaret(selectionStart + emoji.length);
  };
  const send = () => {
    if (!canSend) return;
    const isVoiceNote = hasVoice && !hasAttachments;
    drafts.messages.onSent(accountId, projectId, draft, isVoiceNote ? voice.send(body, onSendVoice) : onSend(body));
    if (hasVoice && !isVoiceNote) void voice.send("", onSendVoice);
    typingSignal.reset();
    input.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) =>
    handleFieldKey(event, {
      onKey: () => onKey(event) || (event.key === "ArrowUp" && text === "" && uploads.length === 0 && onEditLast()),
      onEscape() {
        reply.clear();
        return reply.quote !== null;
      },
    });

  const onPaste = (event: ClipboardEvent) => {
    const pastedFiles = readPaste(event.clipboardData);
    if (pastedFiles.length === 0) return;
    event.preventDefault();
    addFiles(pastedFiles);
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
      onSubmit={submitTo(send)}
    >
      <div className="relative rounded-lg border border-field-line bg-bg focus-within:border-text-3 max-tablet:rounded-[26px]">
        {reply.quote && <ReplyBar quote={reply.quote} onCancel={reply.clear} />}
        {uploads.length > 0 && (
          <div className="px-2 pt-2 max-tablet:px-3 max-tablet:pt-3">
            <UploadTray uploads={uploads} />
          </div>
        )}
        <AttachedPlaylistChip attachment={playlist} />
        {trayMessage !== null && (
          <p id={trayHintId} role="status" className="px-3 pt-2 text-sm text-danger max-tablet:px-4">
            {trayMessage}
          </p>
        )}
        {voice.tray}
        <div className="flex items-end gap-2 px-2 py-2">
          {voice.strip}
          <span className={isRecording ? "hidden" : "contents"}>
            <AttachButtons projectId={projectId} files={files} playlist={playlist} onDone={() => input.current?.focus()} />
            <MessageField
              {...fieldProps}
              field={input}
              label={t("compose", { project: projectName })}
              text={text}
              maxHeight={MAX_HEIGHT_PX}
              isInvalid={isTooLong}
              onChange={(event) => {
                fieldProps.onChange(event);
                if (event.target.value !== "") typingSignal.notify();
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
            <SendButton
              ref={sendButton}
              type="submit"
              label={hasVoice && body === "" && !hasAttachments ? tVoice("send") : t("send")}
              canSend={canSend}
              // A key still held down from the button that ended a recording must not send it before the user can review it.
              onKeyDown={(event) => event.repeat && event.preventDefault()}
            />
          </span>
        </div>
        {list}
      </div>
      <OffHoursHint accountIds={[...draft.mentions.map((mention) => mention.accountId), ...(reply.quote ? [reply.quote.account_id] : [])]} />
      <FieldHint id={hintId} message={formatRemaining(remainingCharacters)} isError={isTooLong} className="px-3.5" />
    </form>
  );
}
