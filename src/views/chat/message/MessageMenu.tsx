import { Copy, Link, MailOpen, Pencil, Reply, SmilePlus, Trash2, Ellipsis, User } from "lucide-react";
import { useContext } from "react";
import { MenuItem as AriaMenuItem, MenuSection } from "react-aria-components/Menu";
import type { Message } from "../../../../contract/records.ts";
import { FavoriteStar } from "../../../components/favorites/FavoriteButton.tsx";
import { t } from "../../../lib/texts/chat-actions.ts";
import { t as tPeople } from "../../../lib/texts/local-time.ts";
import { t as tFavorites } from "../../../lib/texts/favorites.ts";
import { t as tText } from "../../../lib/texts/message-text.ts";
import { type AnchorRect, anchorRectOf } from "../../../ui/Floating.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { ContextMenu, MenuItem, MenuRunContext, MenuSeparator } from "../../../ui/Menu.tsx";
import { useChat, useChatUser } from "../chat-context.ts";
import { canDeleteMessage, canEditMessage, hasReacted, QUICK_EMOJI, TOOLBAR_EMOJI_COUNT } from "./use-message-actions.ts";

export function MessageMenu({ message, at, onClose }: { message: Message; at: AnchorRect; onClose(): void }) {
  const user = useChatUser();
  const { personOf } = useChat();
  const { actions, accountId, canReply, hasMessageActions, favoriteIds } = user;
  const isFavorite = favoriteIds?.has(message.id) ?? false;
  return (
    <ContextMenu label={t("menu")} anchor={at} onClose={onClose} className="w-60">
      {hasMessageActions && (
        <>
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
          <MenuItem icon={<SmilePlus size={16} aria-hidden />} shortcut="+" text={t("moreEmoji")} onSelect={() => actions.openEmoji(message, at)} />
        </>
      )}
      {canReply && <MenuItem icon={<Reply size={16} aria-hidden />} shortcut="R" text={t("reply")} onSelect={() => actions.reply(message)} />}
      {canEditMessage(message, user) && (
        <MenuItem icon={<Pencil size={16} aria-hidden />} shortcut="E" text={tText("edit")} onSelect={() => actions.edit(message)} />
      )}
      {favoriteIds && (
        <MenuItem
          icon={<FavoriteStar isFavorite={isFavorite} size={16} />}
          shortcut="F"
          text={tFavorites(isFavorite ? "remove" : "add")}
          onSelect={() => actions.toggleFavorite(message)}
        />
      )}
      {message.body !== "" && <MenuItem icon={<Copy size={16} aria-hidden />} text={tText("copyText")} onSelect={() => actions.copyText(message)} />}
      <MenuItem icon={<Link size={16} aria-hidden />} shortcut="C" text={tText("copyLink")} onSelect={() => actions.copyLink(message)} />
      {hasMessageActions && (
        <MenuItem icon={<MailOpen size={16} aria-hidden />} shortcut="U" text={t("markUnread")} onSelect={() => actions.markUnread(message)} />
      )}
      {personOf(message.account_id)?.account && (
        <MenuItem icon={<User size={16} aria-hidden />} text={tPeople("viewProfile")} onSelect={() => actions.openPerson(message.account_id, at)} />
      )}
      {canDeleteMessage(message, user) && (
        <>
          <MenuSeparator />
          <MenuItem danger icon={<Trash2 size={16} aria-hidden />} shortcut={t("deleteKey")} text={tText("delete")} onSelect={() => actions.remove(message)} />
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

/** Renders the most used actions beside a message while it has the pointer or the focus. */
export function MessageToolbar({ message }: { message: Message }) {
  const user = useChatUser();
  const { actions, accountId, canReply, hasMessageActions } = user;
  return (
    <div
      role="toolbar"
      aria-label={t("actions")}
      className="absolute -top-4 right-3 z-2 flex gap-0.5 rounded-md bg-raised p-0.5 shadow-float pointer-coarse:hidden"
    >
      {hasMessageActions && (
        <>
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
          <IconButton
            label={t("react")}
            icon={SmilePlus}
            iconSize={17}
            className="size-7"
            onClick={({ currentTarget }) => actions.openEmoji(message, anchorRectOf(currentTarget))}
          />
        </>
      )}
      {canReply && <IconButton label={t("reply")} icon={Reply} iconSize={17} className="size-7" onClick={() => actions.reply(message)} />}
      {canEditMessage(message, user) && (
        <IconButton label={tText("edit")} icon={Pencil} iconSize={15} className="size-7" onClick={() => actions.edit(message)} />
      )}
      <IconButton
        label={t("more")}
        icon={Ellipsis}
        iconSize={17}
        aria-haspopup="menu"
        className="size-7"
        onClick={({ currentTarget }) => actions.openMenu(message, anchorRectOf(currentTarget))}
      />
    </div>
  );
}
