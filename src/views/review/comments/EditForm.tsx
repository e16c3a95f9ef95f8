import { useRef } from "react";
import { t } from "../../../lib/messages/comments.ts";
import { cleanDraft } from "../../../parts/message-text/draft.ts";
import type { Edit } from "../../../queries/drafts/edits.ts";
import { Button } from "../../../ui/Button.tsx";
import type { CommentActions } from "./comments-room.ts";
import { toSendableBody } from "./model/ready.ts";
import type { CommentItem } from "./model/threads.ts";
import { useReturnFocus } from "./use-return-focus.ts";
import { CommentTextArea } from "./WordsField.tsx";

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
