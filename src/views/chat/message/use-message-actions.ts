import { authorFacts } from "../../../../contract/policy.ts";
import type { Message } from "../../../../contract/records.ts";
import { createActionNotices } from "../../../components/message-text/action-notices.ts";
import { t } from "../../../lib/texts/chat.ts";
import { useMessageMutations } from "../../../queries/messages/use-message-mutations.ts";
import type { Person } from "../../../queries/members.ts";
import { can, type CurrentUser } from "../../../queries/permissions.ts";
import { checkText, type EditableText, parseMentions, toEditableText } from "../../../sync/drafts/draft-text.ts";
import type { Editing } from "../../../sync/drafts/use-editing.ts";
import { announce } from "../../../ui/announce.ts";
import type { AnchorRect } from "../../../ui/Floating.tsx";

/** Reactions available with one press. */
export const QUICK_EMOJI = ["👍", "❤️", "😂", "🎉", "👀", "🔥"] as const;
export const TOOLBAR_EMOJI_COUNT = 3;

/** An open overlay of the chat: a message's menu, the emoji picker, the card of a person or the day picker. */
export type Overlay =
  | { kind: "menu" | "emoji"; message: Message; at: AnchorRect }
  | { kind: "person"; accountId: number; at: AnchorRect }
  | { kind: "days"; at: string };

interface MessageActionsInput {
  projectId: number;
  accountId: number;
  editing: Editing;
  nameOf(accountId: number): string;
  onOpen(overlay: Overlay): void;
  onNotify(text: string, isError?: boolean): void;
  /** Marks messages as unread from this one on; null reverts that. */
  onUnread(messageId: number | null): void;
}

export type MessageActions = ReturnType<typeof useMessageActions> & {
  /** Adds the message to the favorites, or removes it. */
  toggleFavorite(message: Message): void;
  reply(message: Message): void;
  retry(clientId: string): void;
  discard(clientId: string): void;
};

/** Returns the actions on stored messages, which show a notice if they fail. */
export function useMessageActions({ projectId, accountId, editing, nameOf, onOpen, onNotify, onUnread }: MessageActionsInput) {
  const mutations = useMessageMutations(projectId, accountId);
  const notices = createActionNotices(onNotify);
  const toEditable = ({ body, mentions = [] }: Message) => toEditableText(body, mentions, nameOf);
  return {
    edit: (message: Message) => editing.start(message.id, toEditable(message)),
    changeEdit: editing.setText,
    cancelEdit: editing.stop,
    saveEdit({ id, body: storedBody }: Message, text: EditableText) {
      const { body } = checkText(text);
      editing.save(id, { body, storedBody }, () => mutations.edit(id, body));
    },
    remove(message: Message) {
      editing.stop(message.id);
      announce(t("deleted"));
      mutations.remove(message.id).catch(notices.failure(t("notDeleted")));
    },
    restore: (message: Message) => void mutations.restore(message.id).then(() => onNotify(t("restored")), notices.failure(t("notRestored"))),
    /** Adds the reaction, or removes it if already given. */
    react(message: Message, emoji: string) {
      mutations.react(message.id, emoji, !hasReacted(message, emoji, accountId)).catch(notices.failure(t("notReacted")));
    },
    copyText: (message: Message) => notices.copyText(message.comment?.excerpt || toEditable(message).text),
    copyLink: ({ id }: Message) => notices.copyLink(`/projects/${projectId}/chat/${id}`),
    markUnread({ id }: Message) {
      // Set before the request, so that visible messages are not marked as read again while it runs.
      onUnread(id);
      onNotify(t("markedUnread"));
      mutations.markUnread(id).catch((error: unknown) => {
        onUnread(null);
        notices.failure(t("notUnread"))(error);
      });
    },
    openMenu: (message: Message, at: AnchorRect) => onOpen({ kind: "menu", message, at }),
    openEmoji: (message: Message, at: AnchorRect) => onOpen({ kind: "emoji", message, at }),
    openPerson: (account: number, at: AnchorRect) => onOpen({ kind: "person", accountId: account, at }),
    openDays: (at: string) => onOpen({ kind: "days", at }),
  };
}

export const hasReacted = ({ reactions }: Message, emoji: string, accountId: number): boolean =>
  reactions?.some((reaction) => reaction.emoji === emoji && reaction.account_ids.includes(accountId)) ?? false;

type MessageUser = CurrentUser & { hasMessageActions: boolean };

/** Returns whether the interface offers editing. A shared comment is edited where it was written. */
export const canEditMessage = (message: Message, user: MessageUser): boolean =>
  user.hasMessageActions &&
  !message.deleted &&
  !(message.is_audio_message && message.body === "") &&
  !message.comment &&
  can(user, "message.edit", authorFacts(message, user.accountId));

/** Returns whether the interface offers deletion. */
export const canDeleteMessage = (message: Message, user: MessageUser): boolean =>
  user.hasMessageActions && !message.deleted && can(user, "message.delete", authorFacts(message, user.accountId));

/** Returns the account ids that the service will recognize as mentions. */
export const parseMentionIds = (body: string, personOf: (accountId: number) => Person | undefined): number[] =>
  parseMentions(body).filter((id) => personOf(id) !== undefined);
