import { useRef } from "react";
import { InlineEditForm } from "../../../components/message-text/InlineEditForm.tsx";
import { useReturnFocus } from "../../../components/message-text/MessageField.tsx";
import { MessageText } from "../../../components/message-text/MessageText.tsx";
import { SendStatus } from "../../../components/message-text/SendStatus.tsx";
import { t } from "../../../lib/texts/comments.ts";
import { t as tText } from "../../../lib/texts/message-text.ts";
import { checkText } from "../../../sync/drafts/draft-text.ts";
import type { Edit } from "../../../sync/drafts/use-editing.ts";
import { Button } from "../../../ui/Button.tsx";
import type { CommentActions } from "./comments-context.ts";
import { CommentTextArea } from "./CommentTextArea.tsx";
import type { CommentItem } from "./threads.ts";

/** Renders a comment's text and, while the comment is pending, its send status. */
export function CommentBody({ item, actions }: { item: CommentItem; actions: CommentActions }) {
  const { comment, entry, body } = item;
  if (comment?.deleted) return <p className="text-text-3 italic">{t("commentDeleted")}</p>;
  return (
    <>
      <div className={entry && entry.state !== "failed" ? "text-text-2" : undefined}>
        <MessageText body={body} edited={comment?.edited_at ? { at: comment.edited_at } : undefined} />
      </div>
      {entry && (
        <SendStatus
          entry={entry}
          isDelayed={entry.isDelayed}
          onRetry={({ currentTarget }) => {
            // The button disappears with the error, so the focus moves to the row first.
            currentTarget.closest("article")?.focus();
            actions.retry(item);
          }}
          onDiscard={() => actions.discard(item)}
        >
          <Button size="sm" onClick={() => actions.undoSend(item)}>
            {tText("edit")}
          </Button>
        </SendStatus>
      )}
    </>
  );
}

/** Edits a comment's text in place. */
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
        onSubmit={save}
        onEscape={() => !isDeleted && cancel()}
        errorMessage={errorMessage}
      />
    </InlineEditForm>
  );
}
