import { useMemo } from "react";
import type { Message } from "../../../../contract/records.ts";
import { cleanDraft } from "../../../components/message-text/draft.ts";
import { t } from "../../../lib/texts/chat.ts";
import { describeError } from "../../../queries/describe-error.ts";
import { useMessageMutations } from "../../../queries/messages/use-message-mutations.ts";
import { type Mention, serializeBody } from "../../../sync/drafts/message-drafts.ts";
import type { EditableText, Editing } from "../../../sync/drafts/use-editing.ts";
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

/** Creates the message actions, which report their failures; every callback must keep its identity. */
export function useMessageActions(input: MessageActionsInput): MessageActions {
  const { projectId, accountId, editing, nameOf, onReply, onOpen, onNotify, onUnread, onJump } = input;
  const mutations = useMessageMutations(projectId, accountId);
  const { start: edit, setText: type, change: changeEdit, stop } = editing;
  return useMemo(() => {
    const toEditable = ({ body, mentions = [] }: Message) => toEditableText(body, mentions, nameOf);
    const notifyFailure = (text: string) => (error: unknown) => onNotify(`${text} ${describeError(error).title}`, true);
    const copy = async (text: string, doneText: string) => {
      try {
        await navigator.clipboard.writeText(text);
        onNotify(doneText);
      } catch {
        // The clipboard is unavailable on plain HTTP and where permission is denied.
        onNotify(t("notCopied", { text }), true);
      }
    };
    return {
      reply: onReply,
      edit: (message) => edit(message.id, toEditable(message)),
      changeEdit: type,
      cancelEdit: stop,
      saveEdit(message, { text, named: mentions }) {
        const body = cleanDraft(serializeBody(text, mentions));
        if (body === message.body) return stop(message.id);
        changeEdit(message.id, { saving: true, error: null });
        mutations.edit(message.id, body).then(
          () => stop(message.id),
          (error: unknown) => changeEdit(message.id, { saving: false, error: t("editFailed", { reason: describeError(error).title }) }),
        );
      },
      remove(message) {
        stop(message.id);
        announce(t("deleted"));
        mutations.remove(message.id).catch(notifyFailure(t("notDeleted")));
      },
      restore: (message) => void mutations.restore(message.id).then(() => onNotify(t("restored")), notifyFailure(t("notRestored"))),
      react(message, emoji) {
        const hasReacted = message.reactions?.some((reaction) => reaction.emoji === emoji && reaction.account_ids.includes(accountId)) ?? false;
        mutations.react(message.id, emoji, !hasReacted).catch(notifyFailure(t("notReacted")));
      },
      copyText: (message) => void copy(message.comment?.excerpt || toEditable(message).text, t("textCopied")),
      copyLink: (message) => void copy(`${location.origin}/projects/${projectId}/chat/${message.id}`, t("linkCopied")),
      markUnread(message) {
        // Set first, so that visible messages are not marked as read again in between.
        onUnread(message.id);
        mutations.markUnread(message.id).catch((error: unknown) => {
          onUnread(null);
          notifyFailure(t("notUnread"))(error);
        });
      },
      openMenu: (message, at) => onOpen({ kind: "menu", message, at }),
      openEmoji: (message, at) => onOpen({ kind: "emoji", message, at }),
      openDays: (at) => onOpen({ kind: "days", at }),
      jump: onJump,
    };
  }, [projectId, accountId, mutations, edit, type, changeEdit, stop, nameOf, onReply, onOpen, onNotify, onUnread, onJump]);
}

interface CurrentUser {
  accountId: number;
  canManage: boolean;
}

/**
 * Returns whether the interface offers editing; the service authorizes each request itself. A voice note has no text, and a shared comment is edited
 * where it was written.
 */
export const canEditMessage = (message: Message, { accountId }: CurrentUser): boolean =>
  !message.deleted && message.account_id === accountId && !message.is_audio_message && !message.comment;

/** Returns whether the interface offers deletion. */
export const canDeleteMessage = (message: Message, { accountId, canManage }: CurrentUser): boolean =>
  !message.deleted && (message.account_id === accountId || canManage);

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
  return { text: text + body.slice(position), named: ranges };
}
