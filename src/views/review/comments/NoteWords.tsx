import { CircleAlert } from "lucide-react";
import { t } from "../../../lib/messages/comments.ts";
import { MessageText } from "../../../parts/message-text/MessageText.tsx";
import { Button } from "../../../ui/Button.tsx";
import type { CommentActs } from "./comments-room.ts";
import type { Note } from "./model/threads.ts";

/** What a comment says, and how it fares on its way out. */
export function NoteWords({ note, act }: { note: Note; act: CommentActs }) {
  const { comment, entry, body } = note;
  if (comment?.deleted) return <p className="text-text-3 italic">{t("deletedOne")}</p>;
  return (
    <>
      <div className={entry && entry.state !== "failed" ? "text-text-2" : undefined}>
        <MessageText body={body} edited={comment?.edited_at ? { at: comment.edited_at } : undefined} />
      </div>
      {entry && <OnItsWay note={note} act={act} />}
    </>
  );
}

function OnItsWay({ note, act }: { note: Note; act: CommentActs }) {
  const { state, delayed, kept, fault } = note.entry!;
  if (state !== "failed") {
    return (
      <>
        {delayed && <p className="text-xs text-text-3">{t("waiting")}</p>}
        {delayed && !kept && <p className="text-xs text-danger">{t("notKept")}</p>}
      </>
    );
  }
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-danger">
      <span className="flex items-start gap-1.5 wrap-anywhere">
        <CircleAlert size={15} aria-hidden className="mt-px shrink-0" />
        {fault ? t("failedBecause", { fault }) : t("failed")}
      </span>
      <span className="flex gap-2">
        <Button
          size="sm"
          onClick={({ currentTarget }) => {
            // The button goes with the failure.
            currentTarget.closest("article")?.focus();
            act.retry(note);
          }}
        >
          {t("retry")}
        </Button>
        <Button size="sm" onClick={() => act.takeBack(note)}>
          {t("takeBack")}
        </Button>
        <Button size="sm" look="danger" onClick={() => act.discard(note)}>
          {t("discard")}
        </Button>
      </span>
    </div>
  );
}
