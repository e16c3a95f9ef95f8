import { t } from "../../../lib/texts/chat.ts";
import { useTypingAccounts } from "../../../sync/presence.ts";
import { useChat } from "../chat-context.ts";

/** Shows who is typing below the timeline; its space is reserved so that nothing moves when typing starts. */
export function TypingIndicator({ projectId }: { projectId: number }) {
  const { nameOf } = useChat();
  const label = formatTyping(useTypingAccounts(projectId).map(nameOf));
  return (
    <p className="flex h-5 shrink-0 items-center gap-1.5 px-6 text-xs text-text-2 max-tablet:px-4">
      {label !== null && (
        <>
          <span aria-hidden className="flex gap-0.5">
            {[0, 1, 2].map((dot) => (
              <span key={dot} style={{ animationDelay: `${dot * 160}ms` }} className="size-1 animate-pulse rounded-full bg-text-2" />
            ))}
          </span>
          <span className="truncate">{label}</span>
        </>
      )}
    </p>
  );
}

/** Formats who is typing, such as "Ana is typing…"; null for nobody. */
export function formatTyping(names: readonly string[]): string | null {
  const [first, second] = names;
  if (first === undefined) return null;
  if (second === undefined) return t("typingOne", { name: first });
  return names.length === 2 ? t("typingTwo", { first, second }) : t("typingMany", { first, second, count: names.length - 2 });
}
