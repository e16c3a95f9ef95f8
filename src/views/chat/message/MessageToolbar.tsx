import { Ellipsis, Pencil, Reply, SmilePlus } from "lucide-react";
import type { Message } from "../../../../contract/records.ts";
import { t } from "../../../lib/texts/chat-actions.ts";
import { t as tText } from "../../../lib/texts/message-text.ts";
import { anchorRectOf } from "../../../ui/Floating.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { useChat } from "../chat-context.ts";
import { canEditMessage, hasReacted, QUICK_EMOJI, TOOLBAR_EMOJI_COUNT } from "./use-message-actions.ts";

/** Renders the most used actions beside a message while it has the pointer or the focus. */
export function MessageToolbar({ message }: { message: Message }) {
  const context = useChat();
  const { actions, accountId } = context;
  return (
    <div
      role="toolbar"
      aria-label={t("actions")}
      className="absolute -top-4 right-3 z-2 flex gap-0.5 rounded-md bg-raised p-0.5 shadow-float pointer-coarse:hidden"
    >
      {QUICK_EMOJI.slice(0, TOOLBAR_EMOJI_COUNT).map((emoji) => (
        <IconButton
          key={emoji}
          label={t("reactWith", { emoji })}
          aria-pressed={hasReacted(message, emoji, accountId)}
          className="emoji size-7 text-md"
          onClick={() => actions.react(message, emoji)}
        >
          <span aria-hidden>{emoji}</span>
        </IconButton>
      ))}
      <IconButton label={t("react")} className="size-7" onClick={({ currentTarget }) => actions.openEmoji(message, anchorRectOf(currentTarget))}>
        <SmilePlus size={17} aria-hidden />
      </IconButton>
      <IconButton label={t("reply")} className="size-7" onClick={() => actions.reply(message)}>
        <Reply size={17} aria-hidden />
      </IconButton>
      {canEditMessage(message, context) && (
        <IconButton label={tText("edit")} className="size-7" onClick={() => actions.edit(message)}>
          <Pencil size={15} aria-hidden />
        </IconButton>
      )}
      <IconButton
        label={t("more")}
        aria-haspopup="menu"
        className="size-7"
        onClick={({ currentTarget }) => actions.openMenu(message, anchorRectOf(currentTarget))}
      >
        <Ellipsis size={17} aria-hidden />
      </IconButton>
    </div>
  );
}
