import { useMemo } from "react";
import { authorFacts, isAllowed } from "../../../../contract/policy.ts";
import type { Message } from "../../../../contract/records.ts";
import { createActionNotices } from "../../../components/message-text/action-notices.ts";
import { t } from "../../../lib/texts/chat.ts";
import { useMessageMutations } from "../../../queries/messages/use-message-mutations.ts";
import type { CurrentUser } from "../../../queries/permissions.ts";
import { checkText, type EditableText, type Mention } from "../../../sync/drafts/draft-text.ts";
import type { Editing } from "../../../sync/drafts/use-editing.ts";
import { announce } from "../../../ui/announce.ts";
import type { AnchorRect } from "../../../ui/Floating.tsx";
import type { MessageActions } from "../chat-context.ts";

/** Reactions available with one press. */
export const QUICK_EMOJI = ["👍", "❤️", "😂", "🎉", "👀", "🔥"] as const;
/** Number of quick reactions in the toolbar beside a message. */
export const TOOLBAR_EMOJI_COUNT = 3;

/** An open overlay of the chat: a message's menu, the emoji picker or the day picker. */
export type Overlay = { kind: "menu" | "emoji"; message: Message; at: AnchorRect } | { kind: "days"; at: string };

interface MessageActionsInput {
  projectId: number;
  accountId: number;
  editing: Editing;
  nameOf(accountId: number): string;
  onReply(message: Message): void;
  onOpen(overlay: Overlay): void;
  /** Shows a notice about a completed or failed action. */
  onNotify(text: string, isError?: boolean): void;
  /** Marks messages as unread from this one on; null reverts that. */
  onUnread(messageId: number | null): void;
  onJump(messageId: number, from: number): void;
}

/** Creates the message actions, which show a notice if they fail. The input's callbacks must be stable, so that rows do not rerender. */
export function useMessageActions(input: MessageActionsInput): MessageActions {
  const { projectId, accountId, editing, nameOf, onReply, onOpen, onNotify, onUnread, onJump } = input;
  const mutations = useMessageMutations(projectId, accountId);
  const { start: startEdit, setText: setEditText, save, stop } = editing;
  return useMemo(() => {
    const toEditable = ({ body, mentions = [] }: Message) => toEditableText(body, mentions, nameOf);
    const notices = createActionNotices(onNotify);
    return {
      reply: onReply,
      edit: (message) => startEdit(message.id, toEditable(message)),
      changeEdit: setEditText,
      cancelEdit: stop,
      saveEdit({ id, body: storedBody }, text) {
        const { body } = checkText(text);
        save(id, { body, storedBody }, () => mutations.edit(id, body));
      },
      remove(message) {
        stop(message.id);
        announce(t("deleted"));
        mutations.remove(message.id).catch(notices.failure(t("notDeleted")));
      },
      restore: (message) => void mutations.restore(message.id).then(() => onNotify(t("restored")), notices.failure(t("notRestored"))),
      react(message, emoji) {
        mutations.react(message.id, emoji, !hasReacted(message, emoji, accountId)).catch(notices.failure(t("notReacted")));
      },
      copyText: (message) => notices.copyText(message.comment?.excerpt || toEditable(message).text),
      copyLink: ({ id }) => notices.copyLink(`/projects/${projectId}/chat/${id}`),
      markUnread(message) {
        // Set before the request, so that visible messages are not marked as read again while it runs.
        onUnread(message.id);
        mutations.markUnread(message.id).catch((error: unknown) => {
          onUnread(null);
          notices.failure(t("notUnread"))(error);
        });
      },
      openMenu: (message, at) => onOpen({ kind: "menu", message, at }),
      openEmoji: (message, at) => onOpen({ kind: "emoji", message, at }),
      openDays: (at) => onOpen({ kind: "days", at }),
      jump: onJump,
    };
  }, [projectId, accountId, mutations, startEdit, setEditText, save, stop, nameOf, onReply, onOpen, onNotify, onUnread, onJump]);
}

/** Returns whether an account has reacted to a message with an emoji. */
export const hasReacted = ({ reactions }: Message, emoji: string, accountId: number): boolean =>
  reactions?.some((reaction) => reaction.emoji === emoji && reaction.account_ids.includes(accountId)) ?? false;

/** Returns whether the interface offers editing. A voice note has no text, and a shared comment is edited where it was written. */
export const canEditMessage = (message: Message, { accountId, role }: CurrentUser): boolean =>
  !message.deleted && !message.is_audio_message && !message.comment && isAllowed("message.edit", role, authorFacts(message, accountId));

/** Returns whether the interface offers deletion. */
export const canDeleteMessage = (message: Message, { accountId, role }: CurrentUser): boolean =>
  !message.deleted && isAllowed("message.delete", role, authorFacts(message, accountId));

/** Converts a message's body to editable text with its mentions. */
export function toEditableText(body: string, mentions: readonly number[], nameOf: (accountId: number) => string): EditableText {
  const ranges: Mention[] = [];
  let text = "";
  let position = 0;
  for (const match of body.matchAll(/<@(\d+)>/g)) {
    const accountId = Number(match[1]);
    if (!mentions.includes(accountId)) continue;
    text += body.slice(position, match.index);
    const start = text.length;
    text += `@${nameOf(accountId)}`;
    ranges.push({ start, end: text.length, accountId });
    position = match.index + match[0].length;
  }
  return { text: text + body.slice(position), mentions: ranges };
}
