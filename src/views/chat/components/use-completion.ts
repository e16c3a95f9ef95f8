import { useEffect, useMemo, useState, type KeyboardEvent } from "react";
import type { Emoji } from "../../../parts/emoji/emoji-data.ts";
import type { Mention } from "../../../queries/drafts/drafts.ts";
import { applySuggestion, matchPeople, findTrigger, type Completion, type Mentionable, type Suggestion } from "../model/completion.ts";

interface Input {
  text: string;
  caret: number;
  /** Existing mentions, for which no suggestions appear. */
  mentions: readonly Mention[];
  people: readonly Mentionable[];
  /** Receives the completed text and the new caret position. */
  onSelect(result: Completion): void;
}

const MAX_SUGGESTIONS = 8;
type FindEmoji = (query: string, limit: number) => Emoji[];

/** Completes the name or emoji before the caret. */
export function useCompletion({ text, caret, mentions, people, onSelect }: Input) {
  const candidate = useMemo(() => findTrigger(text, caret), [text, caret]);
  const trigger = mentions.some(({ start }) => start === candidate?.start) ? null : candidate;
  const [findEmoji, setFindEmoji] = useState<{ find: FindEmoji } | null>(null);
  const [active, setActive] = useState(0);
  /** Start of the trigger whose suggestions were dismissed. */
  const [dismissedStart, setDismissedStart] = useState<number | null>(null);
  const [previousKey, setPreviousKey] = useState("");
  const triggerKey = trigger ? `${trigger.start}:${trigger.query}` : "";
  if (triggerKey !== previousKey) {
    setPreviousKey(triggerKey);
    setActive(0);
    if (!trigger) setDismissedStart(null);
  }

  const needsEmoji = trigger?.kind === "emoji";
  useEffect(() => {
    if (!needsEmoji || findEmoji) return;
    // Without a network there are no suggestions; the next trigger retries.
    import("../../../parts/emoji/emoji-data.ts").then(
      (module) => setFindEmoji({ find: module.findEmoji }),
      () => undefined,
    );
  }, [needsEmoji, findEmoji]);

  const suggestions = useMemo((): readonly Suggestion[] => {
    if (!trigger || dismissedStart === trigger.start) return [];
    if (trigger.kind === "person") return matchPeople(people, trigger.query, MAX_SUGGESTIONS).map((person) => ({ kind: "person", person }));
    return findEmoji?.find(trigger.query, MAX_SUGGESTIONS).map((emoji) => ({ kind: "emoji", emoji })) ?? [];
  }, [trigger, dismissedStart, people, findEmoji]);

  function choose(suggestion: Suggestion): void {
    if (trigger) onSelect(applySuggestion(text, caret, trigger.start, suggestion));
  }

  return {
    suggestions,
    active: Math.min(active, suggestions.length - 1),
    choose,
    /** Returns whether the key was handled. */
    onKeyDown({ key, shiftKey }: KeyboardEvent): boolean {
      const activeIndex = Math.min(active, suggestions.length - 1);
      if (suggestions.length === 0) return false;
      if (key === "ArrowDown") setActive((activeIndex + 1) % suggestions.length);
      else if (key === "ArrowUp") setActive((activeIndex + suggestions.length - 1) % suggestions.length);
      else if (key === "Escape") setDismissedStart(trigger?.start ?? null);
      else if ((key === "Enter" || key === "Tab") && !shiftKey) choose(suggestions[activeIndex]!);
      else return false;
      return true;
    },
  };
}
