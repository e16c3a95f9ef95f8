import { useEffect, useMemo, useState, type KeyboardEvent } from "react";
import { Autocomplete } from "react-aria-components/Autocomplete";
import { Collection, Header, ListBox, ListBoxItem, ListBoxSection } from "react-aria-components/ListBox";
import { Input, TextField } from "react-aria-components/TextField";
import { Virtualizer } from "react-aria-components/Virtualizer";
import { classNames } from "../../lib/class-names.ts";
import { usePersistedState } from "../../lib/local-storage.ts";
import { t } from "../../lib/texts/emoji.ts";
import { Button } from "../../ui/Button.tsx";
import { Floating, type AnchorRect } from "../../ui/Floating.tsx";
import { findEmoji, type Emoji } from "./emoji-data.ts";
import { EmojiGridLayout } from "./grid-layout.ts";
import { addRecentEmoji, applyTone, getRecentEmoji, getSkinTone, setSkinTone, SKIN_TONES, useEmoji } from "./use-emoji.ts";

/** Titles by emojibase's group numbers. */
const GROUP_TITLES = {
  0: "smileys",
  1: "people",
  3: "nature",
  4: "food",
  5: "travel",
  6: "activities",
  7: "objects",
  8: "symbols",
  9: "flags",
} as const;
const TONE_NAMES = ["toneNone", "toneLight", "toneMediumLight", "toneMedium", "toneMediumDark", "toneDark"] as const;

/** Offers the recent emoji and all others by group, or those found by a search; the focus stays in the search field, and keys move through the grid. */
export function EmojiPicker({ at, onPick, onClose }: { at: AnchorRect; onPick(emoji: string): void; onClose(): void }) {
  const [query, setQuery] = useState("");
  /** True after Enter was pressed before the emoji had loaded: their first result is picked once they have. */
  const [isPickPending, setPickPending] = useState(false);
  const [tone, setTone] = usePersistedState(getSkinTone, setSkinTone);
  const [recent] = useState(getRecentEmoji);
  const { emoji, hasFailed, retry } = useEmoji(true);
  const sections = useMemo(() => buildSections(emoji, recent, query, tone), [emoji, recent, query, tone]);
  const firstResult = query.trim() === "" ? undefined : sections[0]?.items[0];

  const changeQuery = (next: string) => {
    setQuery(next);
    setPickPending(false);
  };
  const pick = (char: string) => {
    addRecentEmoji(char);
    onClose();
    onPick(char);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The list receives the key itself only while none of its options has the virtual focus, for example after a paste.
    if (event.key !== "Enter" || query.trim() === "" || !(event.target as Element).matches("[role=listbox]")) return;
    event.preventDefault();
    if (firstResult) pick(firstResult.char);
    else setPickPending(!emoji && !hasFailed);
  };
  useEffect(() => {
    if (!emoji || !isPickPending) return;
    setPickPending(false);
    if (firstResult) pick(firstResult.char);
  }, [emoji]); // oxlint-disable-line react-hooks/exhaustive-deps -- runs only when the emoji have loaded
  const tryAgain = () => {
    setPickPending(false);
    retry();
  };
  const isEmpty = emoji !== null && sections.length === 0;

  return (
    <Floating label={t("pickEmoji")} anchor={at} align="end" onClose={onClose} className="w-86 p-2">
      <Autocomplete inputValue={query} onInputChange={changeQuery}>
        <TextField aria-label={t("searchEmoji")} autoFocus>
          <Input
            type="search"
            // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- Autocomplete sets aria-controls
            role="combobox"
            aria-expanded
            placeholder={t("searchEmoji")}
            className="mb-2 h-9 w-full rounded-md border border-field-line bg-bg px-3 text-lg tablet:text-md"
          />
        </TextField>
        <div role="none" onKeyDown={onKeyDown} className="relative h-72 max-tablet:h-[45dvh]">
          <Virtualizer layout={EmojiGridLayout}>
            <ListBox
              aria-label={t("emoji")}
              layout="grid"
              items={sections}
              onAction={(key) => pick(charOf(String(key)))}
              className="block size-full overflow-y-auto overscroll-contain"
            >
              {({ id, title, items }) => (
                <ListBoxSection id={id}>
                  <Header className="px-1 pt-1.5 text-xs font-medium text-text-3">{title}</Header>
                  <Collection items={items}>
                    {({ id: itemId, char, name }) => (
                      <ListBoxItem
                        id={itemId}
                        textValue={name}
                        aria-label={name}
                        className="emoji flex size-full cursor-pointer items-center justify-center rounded-md text-xl outline-none hover:bg-hover data-focused:bg-hover data-focus-visible:outline-2 data-focus-visible:-outline-offset-2"
                      >
                        <span title={name}>{char}</span>
                      </ListBoxItem>
                    )}
                  </Collection>
                </ListBoxSection>
              )}
            </ListBox>
          </Virtualizer>
          <p role="status" className={classNames("pointer-events-none absolute inset-x-1 text-text-2", recent.length > 0 && !emoji ? "top-1/2" : "top-1")}>
            {isEmpty ? t("noEmoji") : hasFailed ? t("emojiFailed") : emoji ? "" : t("emojiLoading")}
          </p>
          {hasFailed && (
            <Button size="sm" className="absolute bottom-1 left-1" onClick={tryAgain}>
              {t("retry")}
            </Button>
          )}
        </div>
      </Autocomplete>
      <SkinTones tone={tone} onChange={setTone} />
    </Floating>
  );
}

/** Returns the sections to show: the results of a search, or the recent emoji and all groups. Before the emoji have loaded, only the recent ones, and no results. */
function buildSections(emoji: readonly Emoji[] | null, recent: readonly string[], query: string, tone: number) {
  const toSection = (id: string, title: string, items: readonly Emoji[]) => ({
    id,
    title,
    items: items.map((item) => ({ id: `${id} ${applyTone(item, tone)}`, char: applyTone(item, tone), name: item.name })),
  });
  const sections = [];
  if (query.trim() !== "") sections.push(toSection("results", t("results"), emoji ? findEmoji(emoji, query) : []));
  else {
    const names = new Map(emoji?.flatMap(({ char, tones, name }) => [char, ...tones].map((variant) => [variant, name])));
    const recentItems = recent.filter((char) => !emoji || names.has(char)).map((char) => ({ id: `recent ${char}`, char, name: names.get(char) ?? char }));
    sections.push({ id: "recent", title: t("recent"), items: recentItems });
    for (const [group, items] of Map.groupBy(emoji ?? [], (item) => item.group))
      sections.push(toSection(`${group}`, t(GROUP_TITLES[group as keyof typeof GROUP_TITLES]), items));
  }
  return sections.filter(({ items }) => items.length > 0);
}

/** Returns the emoji of an item's id. */
const charOf = (id: string) => id.slice(id.indexOf(" ") + 1);

function SkinTones({ tone, onChange }: { tone: number; onChange(tone: number): void }) {
  return (
    <fieldset className="mt-2 flex items-center justify-between border-t border-line pt-1.5">
      <legend className="sr-only">{t("skinTone")}</legend>
      <span aria-hidden className="px-1 text-sm text-text-2">
        {t("skinTone")}
      </span>
      <div className="flex">
        {SKIN_TONES.map((modifier, index) => (
          <label
            key={modifier}
            data-tooltip={t(TONE_NAMES[index]!)}
            className="emoji flex size-8 cursor-pointer items-center justify-center rounded-md text-lg hover:bg-hover has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent-text max-tablet:size-10"
          >
            <input
              type="radio"
              name="skin-tone"
              aria-label={t(TONE_NAMES[index]!)}
              checked={index === tone}
              onChange={() => onChange(index)}
              className="sr-only"
            />
            <span aria-hidden>{`✋${modifier}`}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
