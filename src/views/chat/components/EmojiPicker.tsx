import { useId, useMemo, useState, type KeyboardEvent } from "react";
import { t } from "../../../lib/messages/chat-actions.ts";
import { recall, remember } from "../../../lib/remembered.ts";
import { EMOJI, EMOJI_BY_GROUP, findEmoji, GROUPS, type Emoji } from "../../../parts/emoji/emoji-data.ts";
import { Floating, type Spot } from "../../../ui/Floating.tsx";

interface Props {
  at: Spot;
  onPick(emoji: string): void;
  onClose(): void;
}

const TITLES = {
  smileys: "smileys",
  people: "people",
  nature: "nature",
  food: "food",
  places: "places",
  things: "things",
  symbols: "symbols",
} as const;
const COLUMNS = 8;
const MOST_FOUND = 64;
const RECENT = "recent-emoji";
const MOST_RECENT = 16;

const recentEmoji = (): Emoji[] => (recall(RECENT) ?? "").split(" ").flatMap((char) => EMOJI.find((one) => one.char === char) ?? []);

export function EmojiPicker({ at, onPick, onClose }: Props) {
  const [query, setQuery] = useState("");
  const [recent] = useState(recentEmoji);
  const found = useMemo(() => (query.trim() === "" ? null : findEmoji(query, MOST_FOUND)), [query]);

  const pick = (char: string) => {
    remember(RECENT, [char, ...recent.map((one) => one.char).filter((one) => one !== char)].slice(0, MOST_RECENT).join(" "));
    onClose();
    onPick(char);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const box = event.currentTarget as HTMLElement;
    const all = [...box.querySelectorAll<HTMLElement>("[data-emoji]")];
    const index = all.indexOf(document.activeElement as HTMLElement);
    const inField = index < 0;
    if (inField && event.key === "Enter" && found?.[0]) {
      event.preventDefault();
      return pick(found[0].char);
    }
    const step = inField
      ? { ArrowDown: 0 }[event.key]
      : { ArrowRight: index + 1, ArrowLeft: index - 1, ArrowDown: index + COLUMNS, ArrowUp: index - COLUMNS }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    if (step < 0) box.querySelector("input")?.focus();
    else all[Math.min(step, all.length - 1)]?.focus();
  };

  return (
    <Floating label={t("pickEmoji")} at={at} align="end" role="dialog" onClose={onClose} onKeyDown={onKeyDown} className="w-86 p-2">
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
        {found ? (
          <Grid emoji={found} onPick={pick} />
        ) : (
          <>
            {recent.length > 0 && <Grid title={t("recent")} emoji={recent} onPick={pick} />}
            {GROUPS.map((group) => (
              <Grid key={group} title={t(TITLES[group])} emoji={EMOJI_BY_GROUP[group]} onPick={pick} />
            ))}
          </>
        )}
        <p role="status" className="px-1 text-text-2">
          {found?.length === 0 ? t("noEmoji") : ""}
        </p>
      </div>
    </Floating>
  );
}

function Grid({ title, emoji, onPick }: { title?: string; emoji: readonly Emoji[]; onPick(char: string): void }) {
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
