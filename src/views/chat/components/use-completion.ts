import { useEffect, useMemo, useState, type KeyboardEvent } from "react";
import type { Emoji } from "../../../parts/emoji/emoji-data.ts";
import type { Named } from "../../../queries/drafts/drafts.ts";
import { completed, peopleFor, wantedAt, type Completed, type Mentionable, type Suggestion } from "../model/completion.ts";

interface Input {
  text: string;
  caret: number;
  /** Who is named already: nothing is asked there any more. */
  named: readonly Named[];
  people: readonly Mentionable[];
  /** The text with what was chosen in it, and where the caret goes. */
  onChoose(completed: Completed): void;
}

const MOST = 8;
type FindEmoji = (query: string, most: number) => Emoji[];

/** Completes the name or emoji before the caret. */
export function useCompletion({ text, caret, named, people, onChoose }: Input) {
  const asking = useMemo(() => wantedAt(text, caret), [text, caret]);
  const wanted = named.some(({ start }) => start === asking?.start) ? null : asking;
  const [findEmoji, setFindEmoji] = useState<{ find: FindEmoji } | null>(null);
  const [active, setActive] = useState(0);
  /** The sign whose suggestions were waved away. */
  const [dismissed, setDismissed] = useState<number | null>(null);
  const [asked, setAsked] = useState("");
  const asks = wanted ? `${wanted.start}:${wanted.query}` : "";
  if (asks !== asked) {
    setAsked(asks);
    setActive(0);
    if (!wanted) setDismissed(null);
  }

  const wantsEmoji = wanted?.kind === "emoji";
  useEffect(() => {
    if (!wantsEmoji || findEmoji) return;
    // Without network there are no suggestions; the next time is tried again.
    import("../../../parts/emoji/emoji-data.ts").then(
      (module) => setFindEmoji({ find: module.findEmoji }),
      () => undefined,
    );
  }, [wantsEmoji, findEmoji]);

  const all = useMemo((): readonly Suggestion[] => {
    if (!wanted || dismissed === wanted.start) return [];
    if (wanted.kind === "person") return peopleFor(people, wanted.query, MOST).map((person) => ({ kind: "person", person }));
    return findEmoji?.find(wanted.query, MOST).map((emoji) => ({ kind: "emoji", emoji })) ?? [];
  }, [wanted, dismissed, people, findEmoji]);

  function choose(suggestion: Suggestion): void {
    if (wanted) onChoose(completed(text, caret, wanted.start, suggestion));
  }

  return {
    suggestions: all,
    active: Math.min(active, all.length - 1),
    choose,
    /** Answers whether the key was taken. */
    onKeyDown({ key, shiftKey }: KeyboardEvent): boolean {
      const at = Math.min(active, all.length - 1);
      if (all.length === 0) return false;
      if (key === "ArrowDown") setActive((at + 1) % all.length);
      else if (key === "ArrowUp") setActive((at + all.length - 1) % all.length);
      else if (key === "Escape") setDismissed(wanted?.start ?? null);
      else if ((key === "Enter" || key === "Tab") && !shiftKey) choose(all[at]!);
      else return false;
      return true;
    },
  };
}
