import { useMemo } from "react";
import type { Message } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/chat.ts";
import { bodyOf } from "../../../queries/drafts/drafts.ts";
import { explain } from "../../../queries/problems.ts";
import { useChangeMessages } from "../../../queries/messages/use-change-messages.ts";
import { announce } from "../../../ui/announce.ts";
import type { Spot } from "../../../ui/Floating.tsx";
import { cleanDraft } from "../../../parts/message-text/draft.ts";
import { typedOf } from "../model/typed.ts";
import type { MessageActions } from "./chat-room.ts";
import type { Editing } from "../../../queries/drafts/use-editing.ts";

/** What floats over the chat: the menu of a message, the choice of an emoji, of a day. */
export type Open = { kind: "menu" | "emoji"; message: Message; at: Spot } | { kind: "days"; at: string };

interface Input {
  projectId: number;
  accountId: number;
  editing: Editing;
  nameOf(accountId: number): string;
  onReply(message: Message): void;
  onOpen(open: Open): void;
  /** Words about what was done, or why not. */
  onTell(text: string, fault?: boolean): void;
  /** Unread from this message on; null: not after all. */
  onUnread(messageId: number | null): void;
  onJump(messageId: number, from: number): void;
}

/** What can be done with messages, with a word about what fails. Every callback must stay the same. */
export function useMessageActions(input: Input): MessageActions {
  const { projectId, accountId, editing, nameOf, onReply, onOpen, onTell, onUnread, onJump } = input;
  const change = useChangeMessages(projectId, accountId);
  const { edit, type, change: changeEdit, stop } = editing;
  return useMemo(() => {
    const typed = ({ body, mentions = [] }: Message) => typedOf(body, mentions, nameOf);
    const failed = (text: string) => (error: unknown) => onTell(`${text} ${explain(error).title}`, true);
    const copy = async (text: string, done: string) => {
      try {
        await navigator.clipboard.writeText(text);
        onTell(done);
      } catch {
        // Not on plain http, and not where it is forbidden.
        onTell(t("notCopied", { text }), true);
      }
    };
    return {
      reply: onReply,
      edit: (message) => edit(message.id, typed(message)),
      changeEdit: type,
      leaveEdit: stop,
      saveEdit(message, { text, named }) {
        const body = cleanDraft(bodyOf(text, named));
        if (body === message.body) return stop(message.id);
        changeEdit(message.id, { saving: true, fault: null });
        change.edit(message.id, body).then(
          () => stop(message.id),
          (error: unknown) => changeEdit(message.id, { saving: false, fault: t("editFailed", { fault: explain(error).title }) }),
        );
      },
      remove(message) {
        stop(message.id);
        announce(t("deleted"));
        change.remove(message.id).catch(failed(t("notDeleted")));
      },
      restore: (message) => void change.restore(message.id).then(() => onTell(t("restored")), failed(t("notRestored"))),
      react(message, emoji) {
        const given = message.reactions?.some((one) => one.emoji === emoji && one.account_ids.includes(accountId)) ?? false;
        change.react(message.id, emoji, !given).catch(failed(t("notReacted")));
      },
      copyText: (message) => void copy(message.comment?.excerpt || typed(message).text, t("textCopied")),
      copyLink: (message) => void copy(`${location.origin}/projects/${projectId}/chat/${message.id}`, t("linkCopied")),
      markUnread(message) {
        // First: what is seen must not count as read again in between.
        onUnread(message.id);
        change.markUnread(message.id).catch((error: unknown) => {
          onUnread(null);
          failed(t("notUnread"))(error);
        });
      },
      openMenu: (message, at) => onOpen({ kind: "menu", message, at }),
      openEmoji: (message, at) => onOpen({ kind: "emoji", message, at }),
      openDays: (at) => onOpen({ kind: "days", at }),
      jump: onJump,
    };
  }, [projectId, accountId, change, edit, type, changeEdit, stop, nameOf, onReply, onOpen, onTell, onUnread, onJump]);
}
