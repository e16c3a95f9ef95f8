import { type KeyboardEvent, type RefObject, useLayoutEffect, useMemo, useState } from "react";
import { matchScore } from "../../lib/search.ts";
import type { Mention } from "../../sync/drafts/draft-text.ts";
import { findEmoji } from "../emoji/emoji-data.ts";
import { applyTone, getSkinTone, useEmoji } from "../emoji/use-emoji.ts";

const MAX_SUGGESTIONS = 8;

/** Number of characters before the caret that are searched for a trigger. */
const MAX_QUERY_LENGTH = 40;

/** Characters that may precede a trigger, besides the start of the text. */
const ALLOWED_BEFORE = /[\s([{"'“‘>*]/;

/** Equals the score of a match on a later word of a name. */
const EMAIL_MATCH_SCORE = 2;

interface CompletionInput {
  text: string;
  caret: number;
  /** Existing mentions, for which no suggestions appear. */
  mentions: readonly Mention[];
  people: readonly Mentionable[];
  /** Receives the completed text and the new caret position. */
  onSelect(result: Completion): void;
}

/** Completes the name or emoji before the caret. */
export function useCompletion({ text, caret, mentions, people, onSelect }: CompletionInput) {
  const candidate = useMemo(() => findTrigger(text, caret), [text, caret]);
  const trigger = mentions.some(({ start }) => start === candidate?.start) ? null : candidate;
  // If loading fails, no emoji are suggested; the next trigger loads again.
  const { emoji } = useEmoji(trigger?.kind === "emoji");
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

  const suggestions = useMemo((): readonly Suggestion[] => {
    if (!trigger || dismissedStart === trigger.start) return [];
    if (trigger.kind === "person") return matchPeople(people, trigger.query, MAX_SUGGESTIONS).map((person) => ({ kind: "person", person }));
    const tone = getSkinTone();
    return (emoji ? findEmoji(emoji, trigger.query, MAX_SUGGESTIONS) : []).map((found) => ({ kind: "emoji", char: applyTone(found, tone), name: found.name }));
  }, [trigger, dismissedStart, people, emoji]);

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

/** Tracks the caret of a text field and moves it after the text changes. */
export function useCaret(field: RefObject<HTMLTextAreaElement | null>, text: string) {
  const [caret, setCaret] = useState(text.length);
  const [pendingCaret, setPendingCaret] = useState<number | null>(null);
  useLayoutEffect(() => {
    if (pendingCaret === null) return;
    field.current!.setSelectionRange(pendingCaret, pendingCaret);
    setPendingCaret(null);
  }, [field, pendingCaret]);
  return {
    caret: Math.min(caret, text.length),
    trackCaret: setCaret,
    moveCaret(at: number) {
      setCaret(at);
      setPendingCaret(at);
      field.current?.focus();
    },
  };
}

interface CompletionTrigger {
  kind: "person" | "emoji";
  /** Index of the trigger character. */
  start: number;
  query: string;
}

/** Returns the completion trigger before the caret: `@` for a person, `:` for an emoji; null for none. */
export function findTrigger(text: string, caret: number): CompletionTrigger | null {
  const from = Math.max(0, caret - MAX_QUERY_LENGTH);
  const textBeforeCaret = text.slice(from, caret);
  const emoji = /:([\p{L}\p{N}_+-]{2,})$/u.exec(textBeforeCaret);
  if (emoji && isTokenStart(text, from + emoji.index)) return { kind: "emoji", start: from + emoji.index, query: emoji[1]! };
  const at = textBeforeCaret.lastIndexOf("@");
  if (at < 0 || !isTokenStart(text, from + at)) return null;
  const query = textBeforeCaret.slice(at + 1);
  return /[\n<]|^\s/.test(query) ? null : { kind: "person", start: from + at, query };
}

const isTokenStart = (text: string, at: number) => at === 0 || ALLOWED_BEFORE.test(text[at - 1]!);

export interface Mentionable {
  id: number;
  name: string;
  email: string;
  avatarUrl: string | null;
}

export type Suggestion = { kind: "person"; person: Mentionable } | { kind: "emoji"; char: string; name: string };

/** Returns the people with a name word or an email that starts with the query, best first. */
export function matchPeople<P extends Pick<Mentionable, "id" | "name" | "email">>(people: readonly P[], query: string, limit: number): P[] {
  if (query === "") return people.slice(0, limit);
  return people
    .map((person) => ({ person, score: Math.max(matchScore(person.name, query), person.email.startsWith(query.toLowerCase()) ? EMAIL_MATCH_SCORE : 0) }))
    .filter(({ score }) => score >= EMAIL_MATCH_SCORE)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ person }) => person);
}

interface Completion {
  text: string;
  caret: number;
  mentions: readonly Mention[];
}

/** Replaces the query with the suggestion; a name is followed by a space, an emoji is not. */
export function applySuggestion(text: string, caret: number, start: number, suggestion: Suggestion): Completion {
  const before = text.slice(0, start);
  const after = text.slice(caret);
  if (suggestion.kind === "emoji") {
    const { char } = suggestion;
    return { text: `${before}${char}${after}`, caret: start + char.length, mentions: [] };
  }
  const { id, name } = suggestion.person;
  const mentionText = `@${name}`;
  const end = start + mentionText.length;
  return { text: `${before}${mentionText}${after.startsWith(" ") ? "" : " "}${after}`, caret: end + 1, mentions: [{ start, end, accountId: id }] };
}
