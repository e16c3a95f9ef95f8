import { type ChangeEvent, type RefObject, type SyntheticEvent, useId } from "react";
import { classNames } from "../../lib/class-names.ts";
import { t } from "../../lib/texts/message-text.ts";
import type { Mention } from "../../sync/drafts/draft-text.ts";
import { AgentBadge } from "../agents/AgentBadge.tsx";
import { Avatar } from "../Avatar.tsx";
import { type Mentionable, type Suggestion, useCaret, useCompletion } from "./use-completion.ts";

interface SuggestionsInput {
  field: RefObject<HTMLTextAreaElement | null>;
  text: string;
  mentions: readonly Mention[];
  people: readonly Mentionable[];
  /** Where the list opens: below in a part of the page that scrolls and would cut it off above. */
  side?: "above" | "below";
  /** `mentions` contains only the mentions that the change adds. */
  onChange(text: string, mentions?: readonly Mention[]): void;
}

/** Suggests names and emoji in a text field; returns the field's props and keys, the list of suggestions and a function that moves the caret. */
export function useSuggestions({ field, text, mentions, people, side = "above", onChange }: SuggestionsInput) {
  const listId = useId();
  const { caret, trackCaret, moveCaret } = useCaret(field, text);
  const { suggestions, active, choose, onKeyDown } = useCompletion({
    text,
    caret,
    mentions,
    people,
    onSelect(result) {
      onChange(result.text, result.mentions);
      moveCaret(result.caret);
    },
  });
  const hasSuggestions = suggestions.length > 0;
  const fieldProps = {
    onChange({ target }: ChangeEvent<HTMLTextAreaElement>) {
      onChange(target.value);
      trackCaret(target.selectionEnd);
    },
    onSelect: ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>) => trackCaret(currentTarget.selectionEnd),
    "aria-autocomplete": "list",
    "aria-haspopup": "listbox",
    "aria-controls": hasSuggestions ? listId : undefined,
    "aria-activedescendant": hasSuggestions ? optionId(listId, active) : undefined,
  } as const;
  const list = hasSuggestions && <Suggestions id={listId} suggestions={suggestions} active={active} side={side} onSelect={choose} />;
  return { fieldProps, onKey: onKeyDown, list, moveCaret };
}

interface Props {
  id: string;
  suggestions: readonly Suggestion[];
  active: number;
  side: "above" | "below";
  onSelect(suggestion: Suggestion): void;
}

const optionId = (id: string, index: number) => `${id}-${index}`;

/** Lists completions for the word before the caret; the focus stays in the text field. */
function Suggestions({ id, suggestions, active, side, onSelect }: Props) {
  const [first] = suggestions;
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t(first?.kind === "emoji" ? "suggestEmoji" : "suggestPeople")}
      className={classNames(
        "absolute left-0 z-10 max-h-76 w-96 max-w-full overflow-y-auto rounded-lg bg-raised p-1 text-text shadow-float",
        side === "above" ? "bottom-full mb-1" : "top-full mt-1",
      )}
    >
      {suggestions.map((suggestion, index) => (
        // The text field keeps the focus and handles the keys.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={suggestion.kind === "person" ? suggestion.person.id : suggestion.char}
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
              <AgentBadge accountId={suggestion.person.id} />
              <bdi className="min-w-0 truncate text-sm text-text-2">{suggestion.person.email}</bdi>
            </>
          ) : (
            <>
              <span aria-hidden className="w-6 text-center text-lg">
                {suggestion.char}
              </span>
              <span className="truncate">{suggestion.name}</span>
            </>
          )}
        </div>
      ))}
    </div>
  );
}
