import { Copy, Link, MailOpen, Pencil, Reply, SmilePlus, Trash2 } from "lucide-react";
import { useContext } from "react";
import { MenuItem as AriaMenuItem, MenuSection } from "react-aria-components/Menu";
import type { Message } from "../../../../contract/records.ts";
import { t } from "../../../lib/texts/chat-actions.ts";
import { t as tText } from "../../../lib/texts/message-text.ts";
import type { AnchorRect } from "../../../ui/Floating.tsx";
import { ContextMenu, MenuItem, MenuRunContext, MenuSeparator } from "../../../ui/Menu.tsx";
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
  return (
    <ContextMenu label={t("menu")} anchor={at} onClose={onClose} className="w-60">
      <MenuSection
        aria-label={t("react")}
        selectionMode="multiple"
        selectedKeys={QUICK_EMOJI.filter((emoji) => hasReacted(message, emoji, accountId))}
        className="flex justify-between gap-0.5 pb-1"
      >
        {QUICK_EMOJI.map((emoji) => (
          <QuickReaction key={emoji} emoji={emoji} onSelect={() => actions.react(message, emoji)} />
        ))}
      </MenuSection>
      <MenuSeparator />
      <MenuItem icon={<SmilePlus size={16} aria-hidden />} shortcut="+" onSelect={() => actions.openEmoji(message, at)}>
        {t("moreEmoji")}
      </MenuItem>
      <MenuItem icon={<Reply size={16} aria-hidden />} shortcut="R" onSelect={() => actions.reply(message)}>
        {t("reply")}
      </MenuItem>
      {canEditMessage(message, context) && (
        <MenuItem icon={<Pencil size={16} aria-hidden />} shortcut="E" onSelect={() => actions.edit(message)}>
          {tText("edit")}
        </MenuItem>
      )}
      {message.body !== "" && (
        <MenuItem icon={<Copy size={16} aria-hidden />} onSelect={() => actions.copyText(message)}>
          {tText("copyText")}
        </MenuItem>
      )}
      <MenuItem icon={<Link size={16} aria-hidden />} shortcut="C" onSelect={() => actions.copyLink(message)}>
        {tText("copyLink")}
      </MenuItem>
      <MenuItem icon={<MailOpen size={16} aria-hidden />} shortcut="U" onSelect={() => actions.markUnread(message)}>
        {t("markUnread")}
      </MenuItem>
      {canDeleteMessage(message, context) && (
        <>
          <MenuSeparator />
          <MenuItem danger icon={<Trash2 size={16} aria-hidden />} shortcut={t("deleteKey")} onSelect={() => actions.remove(message)}>
            {tText("delete")}
          </MenuItem>
        </>
      )}
    </ContextMenu>
  );
}

/** A quick reaction; the row of them is part of the menu. */
function QuickReaction({ emoji, onSelect }: { emoji: string; onSelect(): void }) {
  const run = useContext(MenuRunContext);
  return (
    <AriaMenuItem
      id={emoji}
      aria-label={t("reactWith", { emoji })}
      textValue={emoji}
      onAction={() => run(onSelect)}
      className="emoji flex size-9 cursor-pointer items-center justify-center rounded-md text-lg focus-visible:outline-offset-[-2px] data-focused:bg-hover data-selected:bg-accent-soft max-tablet:size-12 max-tablet:text-xl"
    >
      {emoji}
    </AriaMenuItem>
  );
}
