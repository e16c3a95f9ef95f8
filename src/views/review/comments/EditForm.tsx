import { useRef } from "react";
import { t } from "../../../lib/messages/comments.ts";
import { cleanDraft } from "../../../parts/message-text/draft.ts";
import type { Edit } from "../../../queries/drafts/edits.ts";
import { Button } from "../../../ui/Button.tsx";
import type { CommentActs } from "./comments-room.ts";
import { readyBody } from "./model/ready.ts";
import type { Note } from "./model/threads.ts";
import { useReturnFocus } from "./use-return-focus.ts";
import { WordsField } from "./WordsField.tsx";

/** A comment's words as they are being changed, in the place of the words. */
export function EditForm({ note, edit: { text, saving, fault: refused }, act }: { note: Note; edit: Edit; act: CommentActs }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const gone = note.comment?.deleted === true;
  const body = readyBody(text);
  const fault = gone ? t("editGone") : cleanDraft(text) === "" ? t("editEmpty") : refused;
  useReturnFocus(field);
  const save = (now: string) => !gone && !saving && act.saveEdit(note, now);
  const leave = () => act.leaveEdit(note);
  return (
    <form
      className="max-w-160 pt-1 pb-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (body !== null) save(body);
      }}
    >
      <WordsField
        field={field}
        label={t("editLabel")}
        text={text}
        onText={(now) => act.typeEdit(note, now)}
        onSubmit={save}
        onLeave={() => !gone && leave()}
        fault={fault}
      />
      <div className="mt-1.5 flex justify-end gap-2">
        {gone && (
          <Button size="sm" onClick={() => act.copyText({ ...note, body: text })}>
            {t("copyText")}
          </Button>
        )}
        <Button size="sm" onClick={leave}>
          {t(gone ? "letGo" : "cancel")}
        </Button>
        {!gone && (
          <Button type="submit" size="sm" look="primary" pending={saving} aria-disabled={body === null || undefined}>
            {t("save")}
          </Button>
        )}
      </div>
    </form>
  );
}
