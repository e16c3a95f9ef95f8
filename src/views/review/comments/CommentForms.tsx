/** The forms of comments: the text area that all of them use, the edit form and the reply form. */
import { Send } from "lucide-react";
import { type ComponentProps, type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import {
  EditButtons,
  InlineEditForm,
  FieldHint,
  formatRemaining,
  handleFieldKey,
  MessageField,
  useReturnFocus,
} from "../../../components/message-text/MessageField.tsx";
import { t } from "../../../lib/texts/comments.ts";
import { checkText } from "../../../sync/drafts/draft-text.ts";
import { EMPTY_COMMENT_DRAFT, useCommentDraft } from "../../../sync/drafts/use-comment-draft.ts";
import type { Edit } from "../../../sync/drafts/use-editing.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { isComposing, submitTo } from "../../../ui/text-input.ts";
import { moveFocusFromRow } from "./row-focus.ts";
import type { CommentItem, Thread } from "./threads.ts";
import type { CommentActions } from "./use-comment-actions.ts";

interface TextAreaProps extends Pick<ComponentProps<typeof MessageField>, "field" | "label" | "placeholder" | "text" | "onBlur"> {
  onChange(text: string): void;
  onEscape(): void;
  /** Handles additional keys. Returns whether the key was handled. */
  onKey?(event: KeyboardEvent): boolean;
  errorMessage?: string | null;
  /** Content before and after the text. */
  leading?: ReactNode;
  trailing?: ReactNode;
}

const MAX_HEIGHT_PX = 240;

/** A text area for comments. Enter submits the form and Shift+Enter inserts a line break, as in the chat. */
export function CommentTextArea({ field, label, placeholder, text, errorMessage = null, leading, trailing, ...handlers }: TextAreaProps) {
  const hintId = useId();
  const { isTooLong, remainingCharacters } = checkText({ text });
  const message = errorMessage ?? formatRemaining(remainingCharacters);
  const isInvalid = isTooLong || errorMessage !== null;

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // Rows and the page have their own key handlers, which must not run while the user types.
    if (!isComposing(event)) event.stopPropagation();
    handleFieldKey(event, {
      onKey: handlers.onKey,
      onEscape() {
        handlers.onEscape();
        return true;
      },
    });
  };
  return (
    <div className="min-w-0 flex-1">
      <div className="flex min-h-11 items-center gap-2.5 rounded-md border border-field-line bg-bg px-3 py-1 focus-within:border-text-3">
        {leading}
        <MessageField
          field={field}
          label={label}
          text={text}
          maxHeight={MAX_HEIGHT_PX}
          isInvalid={isInvalid}
          onChange={({ target }) => handlers.onChange(target.value)}
          onKeyDown={onKeyDown}
          onBlur={handlers.onBlur}
          aria-describedby={message === null ? undefined : hintId}
          placeholder={placeholder}
          enterKeyHint="send"
          autoComplete="off"
        />
        {trailing}
      </div>
      <FieldHint id={hintId} message={message} isError={isInvalid} className="px-1" />
    </div>
  );
}

export function EditForm({ item, edit: { text, isSaving, error: saveError }, actions }: { item: CommentItem; edit: Edit; actions: CommentActions }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const isDeleted = item.comment?.deleted === true;
  const { body, isEmpty, isReady } = checkText({ text });
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
      onCopyText={() => actions.copyText({ ...item, body: text })}
    >
      <CommentTextArea
        field={field}
        label={t("editLabel")}
        text={text}
        onChange={(newText) => actions.setEditText(item, newText)}
        onEscape={() => !isDeleted && cancel()}
        errorMessage={errorMessage}
      />
    </InlineEditForm>
  );
}

/** Renders the reply form. A draft survives navigation and reload, and even deletion of the comment while the page stays open. */
export function ReplyForm({ thread, name, actions }: { thread: Thread; name: string; actions: CommentActions }) {
  const [{ text }, { change, onSent }] = useCommentDraft(`comment.${thread.comment!.id}`);
  const textareaRef = useRef<HTMLTextAreaElement>(null);
  useReturnFocus(textareaRef, { scrolls: true });
  const isDeleted = thread.comment!.deleted;
  const { body, isReady } = checkText({ text });
  const send = () => isReady && !isDeleted && onSent(actions.sendReply(thread, body));
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
        text={text}
        onChange={(newText) => change((previous) => ({ ...previous, text: newText }))}
        onEscape={() => (!isDeleted || text === "") && close()}
        errorMessage={isDeleted && text !== "" ? t("editDeleted") : null}
        trailing={!isDeleted && isReady && <IconButton type="submit" label={t("sendReply")} icon={Send} className="text-accent-text" />}
      />
      {isDeleted && (
        <EditButtons
          isDeleted
          onCopyText={() => actions.copyText({ ...thread, body: text })}
          onCancel={() => {
            change(() => EMPTY_COMMENT_DRAFT);
            close();
          }}
        />
      )}
    </form>
  );
}
