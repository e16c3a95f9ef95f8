import { Send } from "lucide-react";
import { useRef } from "react";
import { EditButtons } from "../../../components/message-text/InlineEditForm.tsx";
import { useReturnFocus } from "../../../components/message-text/MessageField.tsx";
import { t } from "../../../lib/texts/comments.ts";
import { checkText } from "../../../sync/drafts/draft-text.ts";
import { EMPTY_COMMENT_DRAFT, useCommentDraft } from "../../../sync/drafts/use-comment-draft.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import type { CommentActions } from "./comments-context.ts";
import { CommentTextArea } from "./CommentTextArea.tsx";
import { moveFocusFromRow } from "./row-focus.ts";
import type { Thread } from "./threads.ts";

/** Renders the reply form. A draft survives navigation and reload, and even deletion of the comment while the page stays open. */
export function ReplyForm({ thread, name, actions }: { thread: Thread; name: string; actions: CommentActions }) {
  const [{ text }, { change, onSent }] = useCommentDraft(`comment.${thread.comment!.id}`);
  const textareaRef = useRef<HTMLTextAreaElement>(null);
  useReturnFocus(textareaRef, { scrolls: true });
  const isDeleted = thread.comment!.deleted;
  const { body, isReady } = checkText({ text });
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
        if (isReady) send(body);
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
          isReady && (
            <IconButton type="submit" label={t("sendReply")} className="text-accent-text">
              <Send size={18} aria-hidden />
            </IconButton>
          )
        }
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
