/** Controls that rows and tiles share. */
import { Check, GripVertical, MoreHorizontal } from "lucide-react";
import type { ComponentProps, MouseEvent, SyntheticEvent } from "react";
import { Button } from "react-aria-components/Button";
import type { FileEntry } from "../../../../contract/file-records.ts";
import { usePlayback } from "../../../audio/player/use-player.ts";
import { FileKindIcon } from "../../../components/file-kind.tsx";
import { PlayButton } from "../../../components/PlayButton.tsx";
import { Thumbnail } from "../../../components/Thumbnail.tsx";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/files.ts";
import { iconButtonClasses } from "../../../ui/IconButton.tsx";
import type { EntryHandlers } from "./use-entry-handlers.ts";

const stop = (event: SyntheticEvent) => event.stopPropagation();
/** Keeps presses on a control from also selecting or opening its row. */
export const ownPress = { onPointerDown: stop, onMouseDown: stop, onClick: stop, onDoubleClick: stop };

/** Adds a handler to `ownPress`. */
const ownClick = (onClick: (event: MouseEvent) => void) => ({
  ...ownPress,
  onClick(event: MouseEvent) {
    event.stopPropagation();
    onClick(event);
  },
});

/** What every control of a row or tile needs. */
export interface EntryControlProps {
  entry: FileEntry;
  /** 0 in the row in the tab order, otherwise -1. */
  tabIndex: 0 | -1;
  handlers: EntryHandlers;
}

/** True if the file is audio with a known duration, even while it is still processing. */
export const isPlayable = ({ kind, duration }: FileEntry): boolean => kind === "audio" && duration > 0;

/** Renders the start of a row: a play button, the thumbnail, or an icon of the kind. */
export function EntryThumbnail({ isSelected = false, ...control }: EntryControlProps & { isSelected?: boolean }) {
  const { entry } = control;
  if (isSelected)
    return (
      <span aria-hidden className="flex size-10 shrink-0 items-center justify-center rounded-full bg-accent text-accent-ink">
        <Check size={20} />
      </span>
    );
  if (isPlayable(entry)) {
    if (entry.thumbnail_url !== null) return <CoverPlayButton {...control} />;
    return <EntryPlayButton {...control} className="size-8 bg-hover max-tablet:size-10" />;
  }
  return (
    <span aria-hidden className="flex size-8 shrink-0 items-center justify-center overflow-hidden rounded-sm max-tablet:size-10">
      <Thumbnail url={entry.thumbnail_url} fallback={<FileKindIcon entry={entry} size={20} />} />
    </span>
  );
}

/** Renders a cover that plays the file. With a mouse, its button is visible only on hover, on focus and while the file is in the player. */
function CoverPlayButton(control: EntryControlProps) {
  return (
    <span className="relative flex size-8 shrink-0 items-center justify-center overflow-hidden rounded-sm bg-hover max-tablet:size-10">
      <Thumbnail url={control.entry.thumbnail_url} fallback={<FileKindIcon entry={control.entry} size={16} />} />
      <EntryPlayButton
        {...control}
        iconSize={13}
        className="absolute inset-0 m-auto size-6 bg-raised/85 after:absolute after:-inset-2 pointer-fine:opacity-0 pointer-fine:group-hover/row:opacity-100 pointer-fine:group-focus-within/row:opacity-100"
      />
    </span>
  );
}

interface EntryPlayButtonProps extends EntryControlProps {
  className: string;
  iconSize?: number;
}

export function EntryPlayButton({ entry, tabIndex, handlers, className, iconSize = 15 }: EntryPlayButtonProps) {
  const playback = usePlayback(entry.id);
  return (
    <PlayButton
      name={entry.name}
      playback={playback}
      iconSize={iconSize}
      tabIndex={tabIndex}
      {...ownClick(() => handlers.onPlay(entry))}
      className={classNames(playback.isCurrent ? "bg-accent! text-accent-ink opacity-100!" : "text-text-2 hover:bg-line hover:text-text", className)}
    />
  );
}

interface CheckBoxProps {
  label: string;
  isChecked: boolean;
  /** True if some of what it stands for is selected. */
  isMixed?: boolean;
  /** If false, an unchecked box is visible only on hover. */
  isAlwaysVisible: boolean;
  /** `isRange`: Shift was down. */
  onToggle(isRange: boolean): void;
  className?: string;
}

/** A checkbox for mouse and touch. The keyboard selects the rows themselves. */
export function CheckBox({ label, isChecked, isMixed = false, isAlwaysVisible, onToggle, className }: CheckBoxProps) {
  return (
    <span
      data-tooltip={label}
      {...ownPress}
      className={classNames("flex size-8 items-center justify-center", !isAlwaysVisible && !isChecked && "opacity-0", className)}
    >
      <input
        type="checkbox"
        aria-label={label}
        tabIndex={-1}
        checked={isChecked}
        ref={(input) => {
          if (input) input.indeterminate = isMixed;
        }}
        // The pseudo-element makes the whole span take presses. A label would do so too, but Firefox ignores a press on one while Shift is down.
        className="relative after:absolute after:-inset-[7px]"
        onChange={({ nativeEvent }) => onToggle((nativeEvent as globalThis.MouseEvent).shiftKey)}
      />
    </span>
  );
}

/** Renders the menu button of an entry. With a mouse, the button is visible only on hover or focus. */
export function EntryMenuButton({ entry, tabIndex, handlers, className }: EntryControlProps & { className?: string }) {
  const label = t("more", { name: entry.name });
  return (
    <button
      type="button"
      data-entry-menu
      tabIndex={tabIndex}
      aria-haspopup="menu"
      aria-label={label}
      data-tooltip={label}
      {...ownClick(({ currentTarget }) => handlers.onMenu(entry, currentTarget))}
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

/** Starts a drag by keyboard or screen reader; the mouse drags the row itself. It is visible only while it has the focus. */
export function DragHandle({ label, ...dragButtonProps }: ComponentProps<typeof Button> & { label: string }) {
  return (
    <Button
      {...dragButtonProps}
      aria-label={label}
      className="pointer-events-none flex size-8 items-center justify-center rounded-md bg-raised opacity-0 shadow-float focus-visible:opacity-100"
    >
      <GripVertical size={16} aria-hidden />
    </Button>
  );
}
