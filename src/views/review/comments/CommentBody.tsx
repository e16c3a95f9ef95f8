import { CircleAlert } from "lucide-react";
import { useRef } from "react";
import { cleanDraft } from "../../../components/message-text/draft.ts";
import { MessageText } from "../../../components/message-text/MessageText.tsx";
import { t } from "../../../lib/texts/comments.ts";
import type { Edit } from "../../../sync/drafts/use-editing.ts";
import { Button } from "../../../ui/Button.tsx";
import type { CommentActions } from "./comments-context.ts";
import { CommentTextArea, toSendableBody, useReturnFocus } from "./CommentTextArea.tsx";
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
      {entry && <SendStatus item={item} actions={actions} />}
    </>
  );
}

function SendStatus({ item, actions }: { item: CommentItem; actions: CommentActions }) {
  const { state, delayed, kept: persisted, fault: error } = item.entry!;
  if (state !== "failed") {
    return (
      <>
        {delayed && <p className="text-xs text-text-3">{t("waiting")}</p>}
        {delayed && !persisted && <p className="text-xs text-danger">{t("notPersisted")}</p>}
      </>
    );
  }
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-danger">
      <span className="flex items-start gap-1.5 wrap-anywhere">
        <CircleAlert size={15} aria-hidden className="mt-px shrink-0" />
        {error ? t("failedBecause", { reason: error }) : t("failed")}
      </span>
      <span className="flex gap-2">
        <Button
          size="sm"
          onClick={({ currentTarget }) => {
            // The button disappears with the error, so the focus moves to the row first.
            currentTarget.closest("article")?.focus();
            actions.retry(item);
          }}
        >
          {t("retry")}
        </Button>
        <Button size="sm" onClick={() => actions.undoSend(item)}>
          {t("editUnsent")}
        </Button>
        <Button size="sm" variant="danger" onClick={() => actions.discard(item)}>
          {t("discard")}
        </Button>
      </span>
    </div>
  );
}

/** Edits a comment's text in place. */
export function EditForm({ item, edit: { text, saving, error: saveError }, actions }: { item: CommentItem; edit: Edit; actions: CommentActions }) {
  const textareaRef = useRef<HTMLTextAreaElement>(null);
  const isDeleted = item.comment?.deleted === true;
  const body = toSendableBody(text);
  const errorMessage = isDeleted ? t("editDeleted") : cleanDraft(text) === "" ? t("editEmpty") : saveError;
  useReturnFocus(textareaRef);
  const save = (newText: string) => !isDeleted && !saving && actions.saveEdit(item, newText);
  const cancel = () => actions.cancelEdit(item);
  return (
    <form
      className="max-w-160 pt-1 pb-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (body !== null) save(body);
      }}
    >
      <CommentTextArea
        field={textareaRef}
        label={t("editLabel")}
        text={text}
        onChange={(newText) => actions.setEditText(item, newText)}
        onSubmit={save}
        onEscape={() => !isDeleted && cancel()}
        errorMessage={errorMessage}
      />
      <div className="mt-1.5 flex justify-end gap-2">
        {isDeleted && (
          <Button size="sm" onClick={() => actions.copyText({ ...item, body: text })}>
            {t("copyText")}
          </Button>
        )}
        <Button size="sm" onClick={cancel}>
          {t(isDeleted ? "discardText" : "cancel")}
        </Button>
        {!isDeleted && (
          <Button type="submit" size="sm" variant="primary" pending={saving} aria-disabled={body === null || undefined}>
            {t("save")}
          </Button>
        )}
      </div>
    </form>
  );
}
