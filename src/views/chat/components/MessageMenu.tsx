import { Copy, Link, MailOpen, Pencil, Reply, SmilePlus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import type { Message } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/chat-actions.ts";
import { Floating, type Spot } from "../../../ui/Floating.tsx";
import { MenuItem } from "../../../ui/Menu.tsx";
import { onMenuKey } from "../../../ui/menu-keys.ts";
import { classes } from "../../../lib/classes.ts";
import { mayDelete, mayEdit } from "../model/message-rights.ts";
import { QUICK_EMOJI } from "../model/quick-emoji.ts";
import type { ChatRoom } from "./chat-room.ts";

interface Props {
  message: Message;
  at: Spot;
  room: ChatRoom;
  onClose(): void;
}

/** Everything that can be done with a message. */
export function MessageMenu({ message, at, room, onClose }: Props) {
  const { act, accountId } = room;
  const given = (emoji: string) => message.reactions?.some((one) => one.emoji === emoji && one.account_ids.includes(accountId)) ?? false;
  // Closed first: it gives the focus back to where it was, and what is chosen may take it from there.
  const choose = (run: () => void) => () => {
    onClose();
    requestAnimationFrame(run);
  };
  return (
    <Floating
      label={t("menu")}
      at={at}
      role="menu"
      onClose={onClose}
      onKeyDown={(event) => (event.key === "Tab" ? onClose() : onMenuKey(event, event.currentTarget as HTMLElement))}
      className="w-60 p-1 max-tablet:p-2"
    >
      <div role="group" aria-label={t("react")} className="flex justify-between gap-0.5 pb-1">
        {QUICK_EMOJI.map((emoji) => (
          <button
            key={emoji}
            type="button"
            role="menuitemcheckbox"
            aria-checked={given(emoji)}
            aria-label={t("reactWith", { emoji })}
            tabIndex={-1}
            onClick={choose(() => act.react(message, emoji))}
            className={classes(
              "emoji flex size-9 items-center justify-center rounded-md text-lg hover:bg-hover focus:bg-hover focus-visible:outline-offset-[-2px] max-tablet:size-12 max-tablet:text-xl",
              given(emoji) && "bg-accent-soft",
            )}
          >
            {emoji}
          </button>
        ))}
      </div>
      <Rule />
      <Item icon={<SmilePlus size={16} aria-hidden />} keys="+" onSelect={choose(() => act.openEmoji(message, at))}>
        {t("moreEmoji")}
      </Item>
      <Item icon={<Reply size={16} aria-hidden />} keys="R" onSelect={choose(() => act.reply(message))}>
        {t("reply")}
      </Item>
      {mayEdit(message, room) && (
        <Item icon={<Pencil size={16} aria-hidden />} keys="E" onSelect={choose(() => act.edit(message))}>
          {t("edit")}
        </Item>
      )}
      {message.body !== "" && (
        <Item icon={<Copy size={16} aria-hidden />} onSelect={choose(() => act.copyText(message))}>
          {t("copyText")}
        </Item>
      )}
      <Item icon={<Link size={16} aria-hidden />} keys="C" onSelect={choose(() => act.copyLink(message))}>
        {t("copyLink")}
      </Item>
      <Item icon={<MailOpen size={16} aria-hidden />} keys="U" onSelect={choose(() => act.markUnread(message))}>
        {t("markUnread")}
      </Item>
      {mayDelete(message, room) && (
        <>
          <Rule />
          <Item danger icon={<Trash2 size={16} aria-hidden />} keys={t("deleteKey")} onSelect={choose(() => act.remove(message))}>
            {t("delete")}
          </Item>
        </>
      )}
    </Floating>
  );
}

interface ItemProps {
  icon: ReactNode;
  /** The key that does the same on a focused message. */
  keys?: string;
  danger?: boolean;
  onSelect(): void;
  children: ReactNode;
}

function Item({ icon, keys, danger = false, onSelect, children }: ItemProps) {
  return (
    <div role="none" className="max-tablet:[&>button]:min-h-11">
      <MenuItem icon={icon} danger={danger} onSelect={onSelect}>
        <span className="flex items-center gap-3">
          <span className="flex-1">{children}</span>
          {keys && (
            <kbd aria-hidden className="font-sans text-xs text-text-3 pointer-coarse:hidden">
              {keys}
            </kbd>
          )}
        </span>
      </MenuItem>
    </div>
  );
}

const Rule = () => <hr className="my-1 border-line" />;
