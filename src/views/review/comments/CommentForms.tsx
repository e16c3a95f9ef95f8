/** The forms of comments: the text area that all of them use, the edit form and the reply form. */
import { Paperclip, Send } from "lucide-react";
import { type ClipboardEvent, type ComponentProps, type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { InsertEmoji } from "../../../components/emoji/InsertEmoji.tsx";
import {
  EditButtons,
  InlineEditForm,
  FieldHint,
  formatRemaining,
  handleFieldKey,
  MessageField,
  useReturnFocus,
} from "../../../components/message-text/MessageField.tsx";
import { useSuggestions } from "../../../components/message-text/Suggestions.tsx";
import { FileButton } from "../../../components/uploads/FilePicker.tsx";
import { checkUploads, UploadTray } from "../../../components/uploads/MessageUploads.tsx";
import { readPaste } from "../../../components/uploads/use-file-drop.ts";
import { t } from "../../../lib/texts/comments.ts";
import { t as tUploads } from "../../../lib/texts/uploads.ts";
import { useMentionable } from "../../../queries/members.ts";
import { checkText, type EditableText, type Mention, shiftMentions } from "../../../sync/drafts/draft-text.ts";
import { EMPTY_COMMENT_DRAFT, useCommentDraft } from "../../../sync/drafts/use-comment-draft.ts";
import type { Edit } from "../../../sync/drafts/use-editing.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { isComposing, submitTo } from "../../../ui/text-input.ts";
import { moveFocusFromRow } from "./row-focus.ts";
import type { CommentItem, Thread } from "./threads.ts";
import type { CommentActions } from "./use-comment-actions.ts";
import { type CommentFiles, useCommentFiles } from "./use-comment-files.ts";

interface TextAreaProps extends Pick<ComponentProps<typeof MessageField>, "field" | "label" | "placeholder"> {
  projectId: number;
  draft: EditableText;
  /** null where no files can be attached, as in an edit. */
  files: CommentFiles | null;
  /** Whether more files can be attached. */
  canAttach?: boolean;
  /** `addedMentions` are those that the change adds. */
  onChange(text: string, addedMentions?: readonly Mention[]): void;
  onEscape(): void;
  /** Handles additional keys. Returns whether the key was handled. */
  onKey?(event: KeyboardEvent): boolean;
  errorMessage?: string | null;
  /** Content before and after the text. */
  leading?: ReactNode;
  trailing?: ReactNode;
}

const MAX_HEIGHT_PX = 240;

/** A text area for comments, with files and suggestions of people and emoji. Enter submits the form and Shift+Enter inserts a line break, as in the chat. */
export function CommentTextArea({
  field,
  label,
  placeholder,
  projectId,
  draft,
  files,
  canAttach = true,
  errorMessage = null,
  leading,
  trailing,
  ...handlers
}: TextAreaProps) {
  const hintId = useId();
  const { text, mentions } = draft;
  const uploads = files?.uploads ?? [];
  const { isTooLong, remainingCharacters } = checkText(draft);
  const message = errorMessage ?? formatRemaining(remainingCharacters) ?? checkUploads(uploads).hint;
  const isInvalid = isTooLong || errorMessage !== null;
  const { fieldProps, onKey, list, moveCaret } = useSuggestions({
    field,
    text,
    mentions,
    people: useMentionable(projectId),
    side: "below",
    onChange: handlers.onChange,
  });

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // Rows and the page have their own key handlers, which must not run while the user types.
    if (!isComposing(event)) event.stopPropagation();
    handleFieldKey(event, {
      onKey: (pressed) => onKey(pressed) || handlers.onKey?.(pressed) === true,
      onEscape() {
        handlers.onEscape();
        return true;
      },
    });
  };
  const onPaste = (event: ClipboardEvent) => {
    const pastedFiles = files && canAttach ? readPaste(event.clipboardData) : [];
    if (pastedFiles.length === 0) return;
    event.preventDefault();
    files?.add(pastedFiles);
  };
  const insertEmoji = (emoji: string) => {
    const { selectionStart, selectionEnd } = field.current!;
    handlers.onChange(`${text.slice(0, selectionStart)}${emoji}${text.slice(selectionEnd)}`);
    moveCaret(selectionStart + emoji.length);
  };
  return (
    <div className="min-w-0 flex-1">
      <div className="relative rounded-md border border-field-line bg-bg focus-within:border-text-3">
        {uploads.length > 0 && (
          <div className="px-2 pt-2">
            <UploadTray uploads={uploads} />
          </div>
        )}
        <div className="flex min-h-11 items-center gap-2.5 px-3 py-1">
          {leading}
          <MessageField
            {...fieldProps}
            field={field}
            label={label}
            text={text}
            maxHeight={MAX_HEIGHT_PX}
            isInvalid={isInvalid}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            aria-describedby={message === null ? undefined : hintId}
            placeholder={placeholder}
            enterKeyHint="send"
            autoComplete="off"
          />
          <span className="-mr-1.5 flex shrink-0 items-center self-end pb-0.5">
            {files && canAttach && <AttachFilesButton files={files} onDone={() => field.current?.focus()} />}
            <InsertEmoji onPick={insertEmoji} />
            {trailing}
          </span>
        </div>
        {list}
      </div>
      <FieldHint id={hintId} message={message} isError={isInvalid || message !== formatRemaining(remainingCharacters)} className="px-1" />
    </div>
  );
}

function AttachFilesButton({ files: { disabledReason, add }, onDone }: { files: CommentFiles; onDone(): void }) {
  return (
    <FileButton
      label={disabledReason === null ? tUploads("attach") : tUploads("attachDisabled", { reason: disabledReason })}
      icon={Paperclip}
      iconSize={18}
      multiple
      aria-disabled={disabledReason !== null || undefined}
      className={disabledReason === null ? undefined : "cursor-not-allowed text-text-3"}
      onClick={disabledReason === null ? undefined : () => add([])}
      onFiles={(chosen) => {
        add(chosen);
        onDone();
      }}
    />
  );
}

export function EditForm({ item, edit, projectId, actions }: { item: CommentItem; edit: Edit; projectId: number; actions: CommentActions }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const isDeleted = item.comment?.deleted === true;
  const { text, isSaving, error: saveError } = edit;
  const { body, isEmpty, isReady } = checkText(edit, (item.comment?.attachments ?? []).length > 0);
  const errorMessage = isDeleted ? t("editDeleted") : isEmpty ? t("editEmpty") : saveError;
  useReturnFocus(field, { scrolls: true });
  const save = () => isReady && !isDeleted && !isSaving && actions.saveEdit(item, body);
  const cancel = () => actions.cancelEdit(item);
  return (
    <InlineEditForm
      className="pb-2"
      isDeleted={isDeleted}
      isSaving={isSaving}
      onSave={save}
      onCancel={cancel}
      onCopyText={() => actions.copyText({ body: text, comment: null })}
    >
      <CommentTextArea
        field={field}
        label={t("editLabel")}
        projectId={projectId}
        draft={edit}
        files={null}
        onChange={(newText, added) => actions.setEditText(item, newText, added)}
        onEscape={() => !isDeleted && cancel()}
        errorMessage={errorMessage}
      />
    </InlineEditForm>
  );
}

/** Renders the reply form. A draft survives navigation and reload, and even deletion of the comment while the page stays open. */
export function ReplyForm({ thread, name, projectId, actions }: { thread: Thread; name: string; projectId: number; actions: CommentActions }) {
  const target = `comment.${thread.comment!.id}` as const;
  const [draft, { change, onSent }] = useCommentDraft(target);
  const { text } = draft;
  const files = useCommentFiles(projectId, target);
  const { uploads } = files;
  const textareaRef = useRef<HTMLTextAreaElement>(null);
  useReturnFocus(textareaRef, { scrolls: true });
  const isDeleted = thread.comment!.deleted;
  const { body, isReady } = checkText(draft, uploads.length > 0);
  const canSend = isReady && checkUploads(uploads).canSend && !isDeleted;
  const send = () => canSend && onSent(actions.sendReply(thread, body, uploads));
  const isKept = isDeleted && (text !== "" || uploads.length > 0);
  const close = () => {
    if (isDeleted) moveFocusFromRow(thread.key, false);
    actions.closeReply();
  };
  return (
    <form className="mt-2 max-w-160" onSubmit={submitTo(send)}>
      <CommentTextArea
        field={textareaRef}
        label={t("replyTo", { name })}
        placeholder={t("replyTo", { name })}
        projectId={projectId}
        draft={draft}
        files={files}
        canAttach={!isDeleted}
        onChange={(newText, added = []) =>
          change((previous) => ({ ...previous, text: newText, mentions: [...shiftMentions(previous.mentions, previous.text, newText), ...added] }))
        }
        onEscape={() => !isKept && close()}
        errorMessage={isKept ? t(text === "" ? "replyFilesDeleted" : "editDeleted") : null}
        trailing={canSend && <IconButton type="submit" label={t("sendReply")} icon={Send} className="text-accent-text" />}
      />
      {isDeleted && (
        <EditButtons
          isDeleted
          onCopyText={text === "" ? undefined : () => actions.copyText({ body: text, comment: null })}
          onCancel={() => {
            files.discard();
            change(() => EMPTY_COMMENT_DRAFT);
            close();
          }}
        />
      )}
    </form>
  );
}
