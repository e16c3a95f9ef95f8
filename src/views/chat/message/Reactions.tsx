import { SmilePlus } from "lucide-react";
import { useLayoutEffect, useRef, type ButtonHTMLAttributes } from "react";
import { LIMITS } from "../../../../contract/limits.ts";
import type { Message } from "../../../../contract/records.ts";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/chat.ts";
import { anchorRectOf } from "../../../ui/Floating.tsx";
import { useChat, useChatUser } from "../chat-context.ts";
import { hasReacted } from "./use-message-actions.ts";

const PILL_CLASS = "tabular inline-flex h-6.5 items-center gap-1 rounded-full border px-2 text-sm transition-colors";

/** Renders a message's reactions; a press adds or removes the reader's own. */
export function Reactions({ message }: { message: Message }) {
  const { nameOf } = useChat();
  const { accountId, hasMessageActions, actions } = useChatUser();
  const reactions = message.reactions ?? [];
  if (reactions.length === 0) return null;
  return (
    <div role="group" aria-label={t("reactions")} className="mt-1 mb-0.5 flex flex-wrap gap-1">
      {reactions.map(({ emoji, account_ids: ids }) => {
        const isOwn = hasReacted(message, emoji, accountId);
        const names = ids.map((id) => (id === accountId ? t("you") : nameOf(id))).join(", ");
        return (
          <ReactionButton
            key={emoji}
            aria-pressed={isOwn}
            aria-label={t("reaction", { emoji, count: ids.length, names })}
            title={names}
            disabled={!hasMessageActions}
            onClick={() => actions.react(message, emoji)}
            className={classNames(
              PILL_CLASS,
              isOwn ? "border-accent/70 bg-accent-soft text-text" : "border-line bg-raised text-text-2 hover:border-line-strong hover:text-text",
            )}
          >
            <span className="emoji text-md leading-none">{emoji}</span>
            {ids.length}
          </ReactionButton>
        );
      })}
      {hasMessageActions && reactions.length < LIMITS.reactions_per_message && (
        <button
          type="button"
          aria-label={t("addReaction")}
          data-tooltip={t("addReaction")}
          onClick={({ currentTarget }) => actions.openEmoji(message, anchorRectOf(currentTarget))}
          className={classNames(
            PILL_CLASS,
            "border-transparent text-text-3 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 hover:bg-raised hover:text-text focus-visible:opacity-100 pointer-coarse:opacity-100",
          )}
        >
          <SmilePlus size={15} aria-hidden />
        </button>
      )}
    </div>
  );
}

/** A button that passes the focus to its message when it disappears, because pressing the last reaction of an emoji removes it. */
function ReactionButton(props: ButtonHTMLAttributes<HTMLButtonElement>) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const element = button.current!;
    return () => {
      if (document.activeElement === element) element.closest<HTMLElement>("[role=article]")?.focus({ preventScroll: true });
    };
  }, []);
  return <button ref={button} type="button" {...props} />;
}
