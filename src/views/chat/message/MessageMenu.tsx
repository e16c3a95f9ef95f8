import { Copy, Link, MailOpen, Pencil, Reply, SmilePlus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { flushSync } from "react-dom";
import type { Message } from "../../../../contract/records.ts";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/chat-actions.ts";
import { t as tText } from "../../../lib/texts/message-text.ts";
import { Floating, type AnchorRect } from "../../../ui/Floating.tsx";
import { MenuItem, onMenuKey } from "../../../ui/Menu.tsx";
import { useChat } from "../chat-context.ts";
import { canDeleteMessage, canEditMessage, hasReacted, QUICK_EMOJI } from "./use-message-actions.ts";

interface Props {
  message: Message;
  at: AnchorRect;
  onClose(): void;
}

/** Lists every action available on a message. */
export function MessageMenu({ message, at, onClose }: Props) {
  const context = useChat();
  const { actions, accountId } = context;
  // The menu closes first, because closing restores the focus, and the action may then move the focus before the next key press.
  const closeAndRun = (action: () => void) => () => {
    flushSync(onClose);
    action();
  };
  return (
    <Floating
      label={t("menu")}
      anchor={at}
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
            aria-checked={hasReacted(message, emoji, accountId)}
            aria-label={t("reactWith", { emoji })}
            tabIndex={-1}
            onClick={closeAndRun(() => actions.react(message, emoji))}
            className={classNames(
              "emoji flex size-9 items-center justify-center rounded-md text-lg hover:bg-hover focus:bg-hover focus-visible:outline-offset-[-2px] max-tablet:size-12 max-tablet:text-xl",
              hasReacted(message, emoji, accountId) && "bg-accent-soft",
            )}
          >
            {emoji}
          </button>
        ))}
      </div>
      <Divider />
      <Item icon={<SmilePlus size={16} aria-hidden />} shortcut="+" onSelect={closeAndRun(() => actions.openEmoji(message, at))}>
        {t("moreEmoji")}
      </Item>
      <Item icon={<Reply size={16} aria-hidden />} shortcut="R" onSelect={closeAndRun(() => actions.reply(message))}>
        {t("reply")}
      </Item>
      {canEditMessage(message, context) && (
        <Item icon={<Pencil size={16} aria-hidden />} shortcut="E" onSelect={closeAndRun(() => actions.edit(message))}>
          {tText("edit")}
        </Item>
      )}
      {message.body !== "" && (
        <Item icon={<Copy size={16} aria-hidden />} onSelect={closeAndRun(() => actions.copyText(message))}>
          {tText("copyText")}
        </Item>
      )}
      <Item icon={<Link size={16} aria-hidden />} shortcut="C" onSelect={closeAndRun(() => actions.copyLink(message))}>
        {tText("copyLink")}
      </Item>
      <Item icon={<MailOpen size={16} aria-hidden />} shortcut="U" onSelect={closeAndRun(() => actions.markUnread(message))}>
        {t("markUnread")}
      </Item>
      {canDeleteMessage(message, context) && (
        <>
          <Divider />
          <Item danger icon={<Trash2 size={16} aria-hidden />} shortcut={t("deleteKey")} onSelect={closeAndRun(() => actions.remove(message))}>
            {tText("delete")}
          </Item>
        </>
      )}
    </Floating>
  );
}

interface ItemProps {
  icon: ReactNode;
  /** The shortcut for a focused message. */
  shortcut?: string;
  danger?: boolean;
  onSelect(): void;
  children: ReactNode;
}

function Item({ icon, shortcut, danger = false, onSelect, children }: ItemProps) {
  return (
    <div role="none" className="max-tablet:[&>button]:min-h-11">
      <MenuItem icon={icon} danger={danger} onSelect={onSelect}>
        <span className="flex items-center gap-3">
          <span className="flex-1">{children}</span>
          {shortcut && (
            <kbd aria-hidden className="font-sans text-xs text-text-3 pointer-coarse:hidden">
              {shortcut}
            </kbd>
          )}
        </span>
      </MenuItem>
    </div>
  );
}

const Divider = () => <hr className="my-1 border-line" />;
