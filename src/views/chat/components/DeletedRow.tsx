import { Trash2 } from "lucide-react";
import type { Message } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/chat.ts";
import { Button } from "../../../ui/Button.tsx";
import { useChat } from "./chat-room.ts";

/** Replaces a deleted message for ten minutes and offers Undo to the reader who deleted it. */
export function DeletedRow({ message }: { message: Message }) {
  const { actions } = useChat();
  return (
    <div data-message={message.id} tabIndex={-1} className="mx-2.5 flex h-9 items-center gap-3 px-2.5 text-sm text-text-2 max-tablet:mx-0 max-tablet:px-3.5">
      <Trash2 size={15} aria-hidden className="w-9 shrink-0 text-text-3" />
      {t("deleted")}
      <Button size="sm" onClick={() => actions.restore(message)}>
        {t("undo")}
      </Button>
    </div>
  );
}
