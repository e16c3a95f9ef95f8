import { useRef, useState } from "react";
import { t } from "../../../lib/messages/comments.ts";
import { cleanDraft } from "../../../parts/message-text/draft.ts";
import { Button } from "../../../ui/Button.tsx";
import type { CommentActs, Editing } from "./comments-room.ts";
import type { Note } from "./model/threads.ts";
import { useReturnFocus } from "./use-return-focus.ts";
import { WordsField } from "./WordsField.tsx";

/** A comment's words as they are being changed, in the place of the words. */
export function EditForm({ note, editing, act }: { note: Note; editing: Editing; act: CommentActs }) {
  const [text, setText] = useState(note.body);
  const field = useRef<HTMLTextAreaElement>(null);
  const gone = note.comment?.deleted === true;
  const body = cleanDraft(text);
  const fault = gone ? t("editGone") : body === "" ? t("editEmpty") : editing.fault;
  useReturnFocus(field);
  const save = (now: string) => !gone && !editing.saving && act.saveEdit(note, now);
  return (
    <form
      className="max-w-160 pt-1 pb-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (body !== "") save(body);
      }}
    >
      <WordsField field={field} label={t("editLabel")} text={text} onText={setText} onSubmit={save} onLeave={() => !gone && act.leaveEdit()} fault={fault} />
      <div className="mt-1.5 flex justify-end gap-2">
        {gone && (
          <Button size="sm" onClick={() => act.copyText({ ...note, body: text })}>
            {t("copyText")}
          </Button>
        )}
        <Button size="sm" onClick={act.leaveEdit}>
          {t(gone ? "letGo" : "cancel")}
        </Button>
        {!gone && (
          <Button type="submit" size="sm" look="primary" pending={editing.saving} aria-disabled={body === "" || undefined}>
            {t("save")}
          </Button>
        )}
      </div>
    </form>
  );
}
