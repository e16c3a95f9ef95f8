import { Send } from "lucide-react";
import { useRef } from "react";
import { t } from "../../../lib/messages/comments.ts";
import { cleanDraft } from "../../../parts/message-text/draft.ts";
import { useCommentDraft } from "../../../queries/drafts/use-comment-draft.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import type { CommentActs } from "./comments-room.ts";
import type { Thread } from "./model/threads.ts";
import { useReturnFocus } from "./use-return-focus.ts";
import { WordsField } from "./WordsField.tsx";

/** Where a comment is answered; half a reply outlasts other views and a reload. */
export function ReplyForm({ thread, name, act }: { thread: Thread; name: string; act: CommentActs }) {
  const [draft, { change, sent }] = useCommentDraft(`comment.${thread.comment!.id}`);
  const field = useRef<HTMLTextAreaElement>(null);
  useReturnFocus(field);
  const body = cleanDraft(draft.text);
  const send = (words: string) => sent(act.sendReply(thread, words));
  return (
    <form
      className="mt-2 max-w-160"
      onSubmit={(event) => {
        event.preventDefault();
        if (body !== "") send(body);
      }}
    >
      <WordsField
        field={field}
        label={t("replyTo", { name })}
        placeholder={t("replyTo", { name })}
        text={draft.text}
        onText={(text) => change((before) => ({ ...before, text }))}
        onSubmit={send}
        onLeave={act.leaveReply}
        after={
          body !== "" && (
            <IconButton type="submit" label={t("sendReply")} className="text-accent-text">
              <Send size={18} aria-hidden />
            </IconButton>
          )
        }
      />
    </form>
  );
}
