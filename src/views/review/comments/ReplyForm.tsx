import { Send } from "lucide-react";
import { useRef } from "react";
import { t } from "../../../lib/texts/comments.ts";
import { EMPTY_COMMENT_DRAFT, useCommentDraft } from "../../../sync/drafts/use-comment-draft.ts";
import { Button } from "../../../ui/Button.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import type { CommentActions } from "./comments-context.ts";
import { CommentTextArea, toSendableBody, useReturnFocus } from "./CommentTextArea.tsx";
import { moveFocusFromRow } from "./row-focus.ts";
import type { Thread } from "./threads.ts";

/** Renders the reply form. A draft survives navigation and reload, and even deletion of the comment while the page stays open. */
export function ReplyForm({ thread, name, actions }: { thread: Thread; name: string; actions: CommentActions }) {
  const [{ text }, { change, onSent }] = useCommentDraft(`comment.${thread.comment!.id}`);
  const textareaRef = useRef<HTMLTextAreaElement>(null);
  useReturnFocus(textareaRef);
  const isDeleted = thread.comment!.deleted;
  const body = toSendableBody(text);
  const send = (replyText: string) => void (!isDeleted && onSent(actions.sendReply(thread, replyText)));
  const close = () => {
    if (isDeleted) moveFocusFromRow(thread.key, false);
    actions.closeReply();
  };
  return (
    <form
      className="mt-2 max-w-160"
      onSubmit={(event) => {
        event.preventDefault();
        if (body !== null) send(body);
      }}
    >
      <CommentTextArea
        field={textareaRef}
        label={t("replyTo", { name })}
        placeholder={t("replyTo", { name })}
        text={text}
        onChange={(newText) => change((previous) => ({ ...previous, text: newText }))}
        onSubmit={send}
        onEscape={() => (!isDeleted || text === "") && close()}
        errorMessage={isDeleted && text !== "" ? t("editDeleted") : null}
        trailing={
          !isDeleted &&
          body !== null && (
            <IconButton type="submit" label={t("sendReply")} className="text-accent-text">
              <Send size={18} aria-hidden />
            </IconButton>
          )
        }
      />
      {isDeleted && (
        <div className="mt-1.5 flex justify-end gap-2">
          <Button size="sm" onClick={() => actions.copyText({ ...thread, body: text })}>
            {t("copyText")}
          </Button>
          <Button
            size="sm"
            onClick={() => {
              change(() => EMPTY_COMMENT_DRAFT);
              close();
            }}
          >
            {t("discardText")}
          </Button>
        </div>
      )}
    </form>
  );
}
