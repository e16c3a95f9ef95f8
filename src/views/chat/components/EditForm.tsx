import { useEffect, useId, useRef, type KeyboardEvent } from "react";
import type { Message } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/chat-actions.ts";
import { bodyOf } from "../../../queries/drafts/drafts.ts";
import { useMentionable } from "../../../queries/members/use-people.ts";
import { Button } from "../../../ui/Button.tsx";
import { isComposing } from "../../../ui/composing.ts";
import { charactersLeft, cleanDraft } from "../../../parts/message-text/draft.ts";
import type { Edit } from "../../../queries/drafts/edits.ts";
import { useChatRoom } from "./chat-room.ts";
import { optionId, Suggestions } from "./Suggestions.tsx";
import { useCaret } from "./use-caret.ts";
import { useCompletion } from "./use-completion.ts";
import { useGrownHeight } from "../../../ui/use-grown-height.ts";

/** Pixels; beyond this the text scrolls inside. */
const TALLEST = 320;

/** A message's words as they are being changed, in the place of the words. */
export function EditForm({ message, edit }: { message: Message; edit: Edit }) {
  const { act } = useChatRoom();
  const input = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const gone = message.deleted === true;
  const whole = bodyOf(edit.text, edit.named);
  const left = charactersLeft(whole) ?? 0;
  const empty = cleanDraft(whole) === "" && message.attachments.length === 0;
  const fault = gone ? t("editDeleted") : empty ? t("editEmpty") : left < 0 ? t("editTooLong", { count: -left }) : edit.fault;
  const ready = !gone && !empty && left >= 0;

  const { caret, moved, put } = useCaret(input, edit.text);
  const list = `${id}-list`;
  const { suggestions, active, ...completion } = useCompletion({
    text: edit.text,
    caret,
    named: edit.named,
    people: useMentionable(message.chat_id),
    onChoose(completed) {
      act.changeEdit(message.id, completed.text, completed.named);
      put(completed.caret);
    },
  });

  // Back to where one was, which is the message itself or the composer.
  useEffect(() => {
    const before = document.activeElement;
    const field = input.current!;
    field.focus({ preventScroll: true });
    field.setSelectionRange(field.value.length, field.value.length);
    return () => {
      if (before instanceof HTMLElement && before !== field && before.isConnected && document.activeElement === document.body)
        before.focus({ preventScroll: true });
    };
  }, []);

  useGrownHeight(input, edit.text, TALLEST);

  const save = () => ready && act.saveEdit(message, edit);
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (isComposing(event)) return;
    if (completion.onKeyDown(event)) return event.preventDefault();
    if (event.key === "Escape" && !gone) {
      event.preventDefault();
      act.leaveEdit(message.id);
    }
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      save();
    }
  };

  return (
    <form
      // Room below: the bar of the next message reaches up to here.
      className="max-w-160 pt-1 pb-4 pointer-coarse:pb-1"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <div className="relative">
        <textarea
          ref={input}
          rows={1}
          dir="auto"
          value={edit.text}
          onChange={({ target }) => {
            act.changeEdit(message.id, target.value);
            moved(target.selectionEnd);
          }}
          onSelect={({ currentTarget }) => moved(currentTarget.selectionEnd)}
          onKeyDown={onKeyDown}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={suggestions.length > 0 ? list : undefined}
          aria-activedescendant={suggestions.length > 0 ? optionId(list, active) : undefined}
          aria-label={t("editLabel")}
          aria-describedby={`${id}-hint`}
          aria-invalid={fault !== null || undefined}
          className="block w-full resize-none rounded-md border border-field-line bg-bg px-2.5 py-1.5 text-lg outline-none focus:border-text-3 tablet:text-md"
        />
        {suggestions.length > 0 && <Suggestions id={list} suggestions={suggestions} active={active} onChoose={completion.choose} />}
      </div>
      <div className="mt-1 flex flex-wrap items-center gap-2">
        <p
          id={`${id}-hint`}
          role={fault === null ? undefined : "alert"}
          className={fault === null ? "flex-1 text-xs text-text-3 pointer-coarse:invisible" : "flex-1 text-sm text-danger"}
        >
          {fault ?? t("editHint")}
        </p>
        {gone && (
          <Button size="sm" onClick={() => act.copyText({ ...message, body: edit.text })}>
            {t("copyText")}
          </Button>
        )}
        <Button size="sm" onClick={() => act.leaveEdit(message.id)}>
          {t(gone ? "letGo" : "cancel")}
        </Button>
        {!gone && (
          <Button type="submit" size="sm" look="primary" aria-disabled={!ready}>
            {t("save")}
          </Button>
        )}
      </div>
    </form>
  );
}
