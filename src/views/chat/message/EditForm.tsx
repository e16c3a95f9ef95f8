import { type KeyboardEvent, useId, useRef } from "react";
import type { Message } from "../../../../contract/records.ts";
import { InlineEditForm, formatRemaining, handleFieldKey, MessageField, useReturnFocus } from "../../../components/message-text/MessageField.tsx";
import { useSuggestions } from "../../../components/message-text/Suggestions.tsx";
import { t } from "../../../lib/texts/chat-actions.ts";
import { useMentionable } from "../../../queries/members.ts";
import { checkText } from "../../../sync/drafts/draft-text.ts";
import type { Edit } from "../../../sync/drafts/use-editing.ts";
import { useChatUser } from "../chat-context.ts";

/** Pixels; taller text scrolls inside the field. */
const MAX_HEIGHT_PX = 320;

export function EditForm({ message, edit }: { message: Message; edit: Edit }) {
  const { actions } = useChatUser();
  const field = useRef<HTMLTextAreaElement>(null);
  const hintId = useId();
  const isDeleted = message.deleted === true;
  const { isEmpty, isTooLong, isReady, remainingCharacters } = checkText(edit, message.attachments.length > 0 || Boolean(message.playlist));
  const errorMessage = isDeleted ? t("editDeleted") : isEmpty ? t("editEmpty") : isTooLong ? formatRemaining(remainingCharacters) : edit.error;
  const { fieldProps, onKey, list } = useSuggestions({
    field,
    text: edit.text,
    mentions: edit.mentions,
    people: useMentionable(message.chat_id),
    onChange: (text, mentions) => actions.changeEdit(message.id, text, mentions),
  });
  useReturnFocus(field);

  const save = () => !isDeleted && isReady && actions.saveEdit(message, edit);
  const cancel = () => actions.cancelEdit(message.id);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    event.stopPropagation();
    handleFieldKey(event, {
      onKey,
      onEscape() {
        if (!isDeleted) cancel();
        return !isDeleted;
      },
    });
  };
  const hint = (
    <p
      id={hintId}
      role={errorMessage === null ? undefined : "alert"}
      className={errorMessage === null ? "flex-1 text-xs text-text-3 pointer-coarse:invisible" : "flex-1 text-sm text-danger"}
    >
      {errorMessage ?? t("editHint")}
    </p>
  );
  return (
    <InlineEditForm
      // Leaves space below, because the next message's toolbar reaches up to here.
      className="pb-4 pointer-coarse:pb-1"
      isDeleted={isDeleted}
      hint={hint}
      onSave={save}
      onCancel={cancel}
      onCopyText={() => actions.copyText({ ...message, body: edit.text })}
    >
      <div className="relative">
        <MessageField
          {...fieldProps}
          field={field}
          label={t("editLabel")}
          text={edit.text}
          maxHeight={MAX_HEIGHT_PX}
          isInvalid={errorMessage !== null}
          onKeyDown={onKeyDown}
          aria-describedby={hintId}
          className="block w-full resize-none rounded-md border border-field-line bg-bg px-2.5 py-1.5 text-lg outline-none focus:border-text-3 tablet:text-md"
        />
        {list}
      </div>
    </InlineEditForm>
  );
}
