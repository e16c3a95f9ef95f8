import { useEffect, useId, useRef, type KeyboardEvent } from "react";
import type { Message } from "../../../../contract/records.ts";
import { charactersLeft, cleanDraft } from "../../../components/message-text/draft.ts";
import { t } from "../../../lib/texts/chat-actions.ts";
import { useMentionable } from "../../../queries/members.ts";
import { serializeBody } from "../../../sync/drafts/message-drafts.ts";
import type { Edit } from "../../../sync/drafts/use-editing.ts";
import { Button } from "../../../ui/Button.tsx";
import { isComposing, useAutoHeight } from "../../../ui/text-input.ts";
import { useChat } from "../chat-context.ts";
import { optionId, Suggestions } from "../composer/Suggestions.tsx";
import { useCaret, useCompletion } from "../composer/use-completion.ts";

/** Pixels; taller text scrolls inside the field. */
const MAX_HEIGHT_PX = 320;

/** Edits a message's text in place. */
export function EditForm({ message, edit }: { message: Message; edit: Edit }) {
  const { actions } = useChat();
  const input = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const isDeleted = message.deleted === true;
  const fullBody = serializeBody(edit.text, edit.named);
  const remainingCharacters = charactersLeft(fullBody) ?? 0;
  const isEmpty = cleanDraft(fullBody) === "" && message.attachments.length === 0;
  const errorMessage = isDeleted
    ? t("editDeleted")
    : isEmpty
      ? t("editEmpty")
      : remainingCharacters < 0
        ? t("editTooLong", { count: -remainingCharacters })
        : edit.error;
  const canSave = !isDeleted && !isEmpty && remainingCharacters >= 0;

  const { caret, trackCaret, moveCaret } = useCaret(input, edit.text);
  const listId = `${id}-list`;
  const { suggestions, active, ...completion } = useCompletion({
    text: edit.text,
    caret,
    mentions: edit.named,
    people: useMentionable(message.chat_id),
    onSelect(result) {
      actions.changeEdit(message.id, result.text, result.mentions);
      moveCaret(result.caret);
    },
  });

  // Focuses the field, and on close restores the previous focus: the message itself or the composer.
  useEffect(() => {
    const previousFocus = document.activeElement;
    const textarea = input.current!;
    textarea.focus({ preventScroll: true });
    textarea.setSelectionRange(textarea.value.length, textarea.value.length);
    return () => {
      if (previousFocus instanceof HTMLElement && previousFocus !== textarea && previousFocus.isConnected && document.activeElement === document.body)
        previousFocus.focus({ preventScroll: true });
    };
  }, []);

  useAutoHeight(input, edit.text, MAX_HEIGHT_PX);

  const save = () => canSave && actions.saveEdit(message, edit);
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (isComposing(event)) return;
    if (completion.onKeyDown(event)) return event.preventDefault();
    if (event.key === "Escape" && !isDeleted) {
      event.preventDefault();
      actions.cancelEdit(message.id);
    }
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      save();
    }
  };

  return (
    <form
      // Leaves space below, because the next message's toolbar reaches up to here.
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
            actions.changeEdit(message.id, target.value);
            trackCaret(target.selectionEnd);
          }}
          onSelect={({ currentTarget }) => trackCaret(currentTarget.selectionEnd)}
          onKeyDown={onKeyDown}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={suggestions.length > 0 ? listId : undefined}
          aria-activedescendant={suggestions.length > 0 ? optionId(listId, active) : undefined}
          aria-label={t("editLabel")}
          aria-describedby={`${id}-hint`}
          aria-invalid={errorMessage !== null || undefined}
          className="block w-full resize-none rounded-md border border-field-line bg-bg px-2.5 py-1.5 text-lg outline-none focus:border-text-3 tablet:text-md"
        />
        {suggestions.length > 0 && <Suggestions id={listId} suggestions={suggestions} active={active} onSelect={completion.choose} />}
      </div>
      <div className="mt-1 flex flex-wrap items-center gap-2">
        <p
          id={`${id}-hint`}
          role={errorMessage === null ? undefined : "alert"}
          className={errorMessage === null ? "flex-1 text-xs text-text-3 pointer-coarse:invisible" : "flex-1 text-sm text-danger"}
        >
          {errorMessage ?? t("editHint")}
        </p>
        {isDeleted && (
          <Button size="sm" onClick={() => actions.copyText({ ...message, body: edit.text })}>
            {t("copyText")}
          </Button>
        )}
        <Button size="sm" onClick={() => actions.cancelEdit(message.id)}>
          {t(isDeleted ? "discard" : "cancel")}
        </Button>
        {!isDeleted && (
          <Button type="submit" size="sm" variant="primary" aria-disabled={!canSave}>
            {t("save")}
          </Button>
        )}
      </div>
    </form>
  );
}
