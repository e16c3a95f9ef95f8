import { useId, useMemo, useState, type KeyboardEvent } from "react";
import { getPersisted, setPersisted } from "../../lib/local-storage.ts";
import { t } from "../../lib/texts/chat-actions.ts";
import { Floating, type AnchorRect } from "../../ui/Floating.tsx";
import { EMOJI, EMOJI_BY_GROUP, findEmoji, GROUPS, type Emoji } from "./emoji-data.ts";

interface Props {
  at: AnchorRect;
  onPick(emoji: string): void;
  onClose(): void;
}

const GROUP_TITLES = {
  smileys: "smileys",
  people: "people",
  nature: "nature",
  food: "food",
  places: "places",
  things: "things",
  symbols: "symbols",
} as const;
const COLUMN_COUNT = 8;
const MAX_RESULTS = 64;
const RECENT_KEY = "recent-emoji";
const MAX_RECENT = 16;

const loadRecentEmoji = (): Emoji[] => (getPersisted(RECENT_KEY) ?? "").split(" ").flatMap((char) => EMOJI.find((emoji) => emoji.char === char) ?? []);

export function EmojiPicker({ at, onPick, onClose }: Props) {
  const [query, setQuery] = useState("");
  const [recent] = useState(loadRecentEmoji);
  const results = useMemo(() => (query.trim() === "" ? null : findEmoji(query, MAX_RESULTS)), [query]);

  const pick = (char: string) => {
    setPersisted(RECENT_KEY, [char, ...recent.map((item) => item.char).filter((item) => item !== char)].slice(0, MAX_RECENT).join(" "));
    onClose();
    onPick(char);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const container = event.currentTarget as HTMLElement;
    const buttons = [...container.querySelectorAll<HTMLElement>("[data-emoji]")];
    const index = buttons.indexOf(document.activeElement as HTMLElement);
    const isInField = index < 0;
    if (isInField && event.key === "Enter" && results?.[0]) {
      event.preventDefault();
      return pick(results[0].char);
    }
    const targetIndex = isInField
      ? { ArrowDown: 0 }[event.key]
      : { ArrowRight: index + 1, ArrowLeft: index - 1, ArrowDown: index + COLUMN_COUNT, ArrowUp: index - COLUMN_COUNT }[event.key];
    if (targetIndex === undefined) return;
    event.preventDefault();
    if (targetIndex < 0) container.querySelector("input")?.focus();
    else buttons[Math.min(targetIndex, buttons.length - 1)]?.focus();
  };

  return (
    <Floating label={t("pickEmoji")} anchor={at} align="end" role="dialog" onClose={onClose} onKeyDown={onKeyDown} className="w-86 p-2">
      <input
        type="search"
        autoFocus
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        aria-label={t("searchEmoji")}
        placeholder={t("searchEmoji")}
        className="mb-2 h-9 w-full rounded-md border border-field-line bg-bg px-3 text-lg tablet:text-md"
      />
      <div className="h-72 overflow-y-auto overscroll-contain max-tablet:h-[45dvh]">
        {results ? (
          <EmojiGrid emoji={results} onPick={pick} />
        ) : (
          <>
            {recent.length > 0 && <EmojiGrid title={t("recent")} emoji={recent} onPick={pick} />}
            {GROUPS.map((group) => (
              <EmojiGrid key={group} title={t(GROUP_TITLES[group])} emoji={EMOJI_BY_GROUP[group]} onPick={pick} />
            ))}
          </>
        )}
        <p role="status" className="px-1 text-text-2">
          {results?.length === 0 ? t("noEmoji") : ""}
        </p>
      </div>
    </Floating>
  );
}

function EmojiGrid({ title, emoji, onPick }: { title?: string; emoji: readonly Emoji[]; onPick(char: string): void }) {
  const id = useId();
  return (
    <section aria-labelledby={title ? id : undefined}>
      {title && (
        <h3 id={id} className="px-1 pt-1 pb-0.5 text-xs font-medium text-text-3">
          {title}
        </h3>
      )}
      <div className="grid grid-cols-8">
        {emoji.map(({ char, name }, index) => (
          <button
            key={char}
            type="button"
            data-emoji
            tabIndex={index === 0 ? 0 : -1}
            aria-label={name}
            title={name}
            onClick={() => onPick(char)}
            className="emoji flex aspect-square items-center justify-center rounded-md text-xl hover:bg-hover focus:bg-hover focus-visible:outline-offset-[-2px]"
          >
            {char}
          </button>
        ))}
      </div>
    </section>
  );
}
