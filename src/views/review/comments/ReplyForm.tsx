import { Send } from "lucide-react";
import { useRef } from "react";
import { t } from "../../../lib/messages/comments.ts";
import { BLANK } from "../../../queries/drafts/comment-drafts.ts";
import { useCommentDraft } from "../../../queries/drafts/use-comment-draft.ts";
import { Button } from "../../../ui/Button.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import type { CommentActs } from "./comments-room.ts";
import { readyBody } from "./model/ready.ts";
import type { Thread } from "./model/threads.ts";
import { leaveRow } from "./reveal.ts";
import { useReturnFocus } from "./use-return-focus.ts";
import { WordsField } from "./WordsField.tsx";

/** Where a comment is answered; half a reply outlasts other views and a reload, and the comment itself while the page is open. */
export function ReplyForm({ thread, name, act }: { thread: Thread; name: string; act: CommentActs }) {
  const [{ text }, { change, sent }] = useCommentDraft(`comment.${thread.comment!.id}`);
  const field = useRef<HTMLTextAreaElement>(null);
  useReturnFocus(field);
  const gone = thread.comment!.deleted;
  const body = readyBody(text);
  const send = (words: string) => void (!gone && sent(act.sendReply(thread, words)));
  const leave = () => {
    if (gone) leaveRow(thread.key, false);
    act.leaveReply();
  };
  return (
    <form
      className="mt-2 max-w-160"
      onSubmit={(event) => {
        event.preventDefault();
        if (body !== null) send(body);
      }}
    >
      <WordsField
        field={field}
        label={t("replyTo", { name })}
        placeholder={t("replyTo", { name })}
        text={text}
        onText={(now) => change((before) => ({ ...before, text: now }))}
        onSubmit={send}
        onLeave={() => (!gone || text === "") && leave()}
        fault={gone && text !== "" ? t("editGone") : null}
        after={
          !gone &&
          body !== null && (
            <IconButton type="submit" label={t("sendReply")} className="text-accent-text">
              <Send size={18} aria-hidden />
            </IconButton>
          )
        }
      />
      {gone && (
        <div className="mt-1.5 flex justify-end gap-2">
          <Button size="sm" onClick={() => act.copyText({ ...thread, body: text })}>
            {t("copyText")}
          </Button>
          <Button
            size="sm"
            onClick={() => {
              change(() => BLANK);
              leave();
            }}
          >
            {t("letGo")}
          </Button>
        </div>
      )}
    </form>
  );
}
