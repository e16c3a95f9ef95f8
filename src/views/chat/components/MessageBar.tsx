import { Ellipsis, Pencil, Reply, SmilePlus } from "lucide-react";
import type { Message } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/chat-actions.ts";
import { spotOf } from "../../../ui/Floating.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { mayEdit } from "../model/message-rights.ts";
import { IN_BAR, QUICK_EMOJI } from "../model/quick-emoji.ts";
import { useChatRoom } from "./chat-room.ts";

/** What is done most with a message, beside it while the pointer or the focus is there. */
export function MessageBar({ message }: { message: Message }) {
  const room = useChatRoom();
  const { act, accountId } = room;
  const given = (emoji: string) => message.reactions?.some((one) => one.emoji === emoji && one.account_ids.includes(accountId)) ?? false;
  return (
    <div
      role="toolbar"
      aria-label={t("actions")}
      className="absolute -top-4 right-3 z-2 flex gap-0.5 rounded-md bg-raised p-0.5 shadow-float pointer-coarse:hidden"
    >
      {QUICK_EMOJI.slice(0, IN_BAR).map((emoji) => (
        <IconButton
          key={emoji}
          label={t("reactWith", { emoji })}
          aria-pressed={given(emoji)}
          className="emoji size-7 text-md"
          onClick={() => act.react(message, emoji)}
        >
          <span aria-hidden>{emoji}</span>
        </IconButton>
      ))}
      <IconButton label={t("react")} className="size-7" onClick={({ currentTarget }) => act.openEmoji(message, spotOf(currentTarget))}>
        <SmilePlus size={17} aria-hidden />
      </IconButton>
      <IconButton label={t("reply")} className="size-7" onClick={() => act.reply(message)}>
        <Reply size={17} aria-hidden />
      </IconButton>
      {mayEdit(message, room) && (
        <IconButton label={t("edit")} className="size-7" onClick={() => act.edit(message)}>
          <Pencil size={15} aria-hidden />
        </IconButton>
      )}
      <IconButton label={t("more")} aria-haspopup="menu" className="size-7" onClick={({ currentTarget }) => act.openMenu(message, spotOf(currentTarget))}>
        <Ellipsis size={17} aria-hidden />
      </IconButton>
    </div>
  );
}
