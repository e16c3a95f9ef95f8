import { useTypingAccounts } from "../../../queries/nearby/use-nearby.ts";
import { formatTyping } from "../model/typing-words.ts";
import { useChat } from "./chat-room.ts";

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
