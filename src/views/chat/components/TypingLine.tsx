import { useTyping } from "../../../queries/nearby/use-nearby.ts";
import { typingWords } from "../model/typing-words.ts";
import { useChatRoom } from "./chat-room.ts";

/** Who is writing, under the timeline; its place is kept, so that nothing moves when they begin. */
export function TypingLine({ projectId }: { projectId: number }) {
  const { nameOf } = useChatRoom();
  const words = typingWords(useTyping(projectId).map(nameOf));
  return (
    <p className="flex h-5 shrink-0 items-center gap-1.5 px-6 text-xs text-text-2 max-tablet:px-4">
      {words !== null && (
        <>
          <span aria-hidden className="flex gap-0.5">
            {[0, 1, 2].map((dot) => (
              <span key={dot} style={{ animationDelay: `${dot * 160}ms` }} className="size-1 animate-pulse rounded-full bg-text-2" />
            ))}
          </span>
          <span className="truncate">{words}</span>
        </>
      )}
    </p>
  );
}
