import { Check, Pause, Play } from "lucide-react";
import { useState } from "react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { usePlayback } from "../../../../audio/use-player.ts";
import { classes } from "../../../../lib/classes.ts";
import { t } from "../../../../lib/messages/files.ts";
import { FileKindIcon } from "../../../../parts/files/FileKindIcon.tsx";

/** A sound can be heard, or will be: there is something in it. */
export const sounds = ({ kind, duration }: FileEntry): boolean => kind === "audio" && duration > 0;

/** What a row begins with: a button to hear it, its picture, or that of its kind. */
export function EntryPicture({ entry, tab, selected = false }: { entry: FileEntry; tab: 0 | -1; selected?: boolean }) {
  if (selected)
    return (
      <span aria-hidden className="flex size-10 shrink-0 items-center justify-center rounded-full bg-accent text-accent-ink">
        <Check size={20} />
      </span>
    );
  if (sounds(entry)) return <PlayButton entry={entry} tab={tab} className="size-8 bg-hover max-tablet:size-10" />;
  return (
    <span aria-hidden className="flex size-8 shrink-0 items-center justify-center overflow-hidden rounded-sm max-tablet:size-10">
      <Thumbnail entry={entry} fallback={<FileKindIcon entry={entry} size={20} />} />
    </span>
  );
}

/** The file's own picture, if it has one that can be drawn. */
export function Thumbnail({ entry, fallback }: { entry: FileEntry; fallback: React.ReactNode }) {
  const [broken, setBroken] = useState<string | null>(null);
  const { thumbnail_url: picture } = entry;
  if (!picture || broken === picture) return fallback;
  return <img src={picture} alt="" loading="lazy" decoding="async" draggable={false} onError={() => setBroken(picture)} className="size-full object-cover" />;
}

export function PlayButton({ entry, tab, className }: { entry: FileEntry; tab: 0 | -1; className: string }) {
  const { playing, waiting, current } = usePlayback(entry.id);
  const Icon = playing ? Pause : Play;
  return (
    <button
      type="button"
      data-act="play"
      tabIndex={tab}
      aria-label={t(playing ? "pause" : "play", { name: entry.name })}
      aria-busy={waiting || undefined}
      className={classes(
        "flex shrink-0 items-center justify-center rounded-full transition-colors",
        current ? "bg-accent! text-accent-ink" : "text-text-2 hover:bg-line hover:text-text",
        waiting && "animate-pulse",
        className,
      )}
    >
      <Icon size={15} aria-hidden className={playing ? undefined : "ml-0.5"} />
    </button>
  );
}
