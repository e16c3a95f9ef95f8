/** Controls that rows and tiles share. The listing handles their presses, which it distinguishes by `data-action`. */
import { Check, MoreHorizontal } from "lucide-react";
import { useState } from "react";
import type { FileEntry } from "../../../../contract/file-records.ts";
import { usePlayback } from "../../../audio/player/use-player.ts";
import { FileKindIcon } from "../../../components/file-kind.tsx";
import { PlayButton } from "../../../components/PlayButton.tsx";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/files.ts";
import { iconButtonClasses } from "../../../ui/IconButton.tsx";

/** True if the file is audio with a known duration, even while it is still processing. */
export const isPlayable = ({ kind, duration }: FileEntry): boolean => kind === "audio" && duration > 0;

/** Renders the start of a row: a play button, the thumbnail, or an icon of the kind. */
export function EntryThumbnail({ entry, tabIndex, isSelected = false }: { entry: FileEntry; tabIndex: 0 | -1; isSelected?: boolean }) {
  if (isSelected)
    return (
      <span aria-hidden className="flex size-10 shrink-0 items-center justify-center rounded-full bg-accent text-accent-ink">
        <Check size={20} />
      </span>
    );
  if (isPlayable(entry)) return <EntryPlayButton entry={entry} tabIndex={tabIndex} className="size-8 bg-hover max-tablet:size-10" />;
  return (
    <span aria-hidden className="flex size-8 shrink-0 items-center justify-center overflow-hidden rounded-sm max-tablet:size-10">
      <Thumbnail entry={entry} fallback={<FileKindIcon entry={entry} size={20} />} />
    </span>
  );
}

/** Renders the file's thumbnail, or the fallback if there is none or it fails to load. */
export function Thumbnail({ entry, fallback }: { entry: FileEntry; fallback: React.ReactNode }) {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null);
  const { thumbnail_url: thumbnailUrl } = entry;
  if (!thumbnailUrl || brokenUrl === thumbnailUrl) return fallback;
  return (
    <img
      src={thumbnailUrl}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setBrokenUrl(thumbnailUrl)}
      className="size-full object-cover"
    />
  );
}

export function EntryPlayButton({ entry, tabIndex, className }: { entry: FileEntry; tabIndex: 0 | -1; className: string }) {
  const playback = usePlayback(entry.id);
  return (
    <PlayButton
      name={entry.name}
      playback={playback}
      iconSize={15}
      data-action="play"
      tabIndex={tabIndex}
      className={classNames(playback.isCurrent ? "bg-accent! text-accent-ink" : "text-text-2 hover:bg-line hover:text-text", className)}
    />
  );
}

interface CheckBoxProps {
  label: string;
  isChecked: boolean;
  /** If false, an unchecked box is visible only on hover. */
  isAlwaysVisible: boolean;
  /** Without a handler, the surrounding list handles the press. */
  onPress?(): void;
  className?: string;
}

/** A checkbox for mouse and touch. The keyboard selects the rows themselves. */
export function CheckBox({ label, isChecked, isAlwaysVisible, onPress, className }: CheckBoxProps) {
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={isChecked}
      aria-label={label}
      data-tooltip={label}
      data-action={onPress ? undefined : "toggle"}
      tabIndex={-1}
      onClick={onPress}
      className={classNames("flex size-8 items-center justify-center", !isAlwaysVisible && !isChecked && "opacity-0", className)}
    >
      <span
        className={classNames(
          "flex size-4.5 items-center justify-center rounded-[5px] border",
          isChecked ? "border-accent bg-accent text-accent-ink" : "border-field-line bg-surface hover:border-text-2",
        )}
      >
        {isChecked && <Check size={13} strokeWidth={3} aria-hidden />}
      </span>
    </button>
  );
}

/** Renders the menu button of an entry. The list handles its press. With a mouse, the button is visible only on hover or focus. */
export function EntryMenuButton({ entry: { name }, tabIndex, className }: { entry: FileEntry; tabIndex: number; className?: string }) {
  return (
    <button
      type="button"
      data-action="menu"
      tabIndex={tabIndex}
      aria-haspopup="menu"
      aria-label={t("more", { name })}
      data-tooltip={t("more", { name })}
      className={classNames(
        iconButtonClasses,
        "pointer-fine:opacity-0 pointer-fine:group-hover/row:opacity-100 pointer-fine:group-focus-within/row:opacity-100",
        className,
      )}
    >
      <MoreHorizontal size={18} aria-hidden />
    </button>
  );
}
