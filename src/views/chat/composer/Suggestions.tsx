import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/chat.ts";
import { Avatar } from "../../../ui/Avatar.tsx";
import type { Suggestion } from "./use-completion.ts";

interface Props {
  id: string;
  suggestions: readonly Suggestion[];
  active: number;
  onSelect(suggestion: Suggestion): void;
}

export const optionId = (id: string, index: number) => `${id}-${index}`;

/** Lists completions for the word before the caret; the focus stays in the text field. */
export function Suggestions({ id, suggestions, active, onSelect }: Props) {
  const [first] = suggestions;
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t(first?.kind === "emoji" ? "suggestEmoji" : "suggestPeople")}
      className="absolute bottom-full left-0 z-10 mb-1 max-h-76 w-96 max-w-full overflow-y-auto rounded-lg bg-raised p-1 text-text shadow-float"
    >
      {suggestions.map((suggestion, index) => (
        // The text field keeps the focus and handles the keys.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={suggestion.kind === "person" ? suggestion.person.id : suggestion.emoji.char}
          id={optionId(id, index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onSelect(suggestion)}
          ref={index === active ? (element) => element?.scrollIntoView({ block: "nearest" }) : undefined}
          className={classNames("flex h-9 cursor-pointer items-center gap-2 rounded-md px-2", index === active ? "bg-hover" : "hover:bg-hover/60")}
        >
          {suggestion.kind === "person" ? (
            <>
              <Avatar id={suggestion.person.id} name={suggestion.person.name} url={suggestion.person.avatarUrl} size="sm" />
              <bdi className="max-w-3/5 shrink-0 truncate">{suggestion.person.name}</bdi>
              <bdi className="min-w-0 truncate text-sm text-text-2">{suggestion.person.email}</bdi>
            </>
          ) : (
            <>
              <span aria-hidden className="w-6 text-center text-lg">
                {suggestion.emoji.char}
              </span>
              <span className="truncate">{suggestion.emoji.name}</span>
            </>
          )}
        </div>
      ))}
    </div>
  );
}
