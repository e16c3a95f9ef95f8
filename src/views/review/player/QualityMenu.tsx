import { AudioWaveform } from "lucide-react";
import { getPersisted, setPersisted } from "../../../lib/local-storage.ts";
import { t } from "../../../lib/texts/review-player.ts";
import { Menu, MenuItem } from "../../../ui/Menu.tsx";
import type { Original } from "../file-info.ts";
import { toolClasses } from "./Transport.tsx";

const STORAGE_KEY = "plays-original";

interface Props {
  /** The uploaded file, in contrast to its streaming copy. */
  original: Original;
  /** True if the original is the selected source. */
  isOriginalSelected: boolean;
  onSelect(isOriginal: boolean): void;
}

/** Switches between the streaming copy and the original. Playback continues at the same position. */
export function QualityMenu({ original: { isLossless, type, isPlayable }, isOriginalSelected, onSelect }: Props) {
  const originalLabel = t(isLossless ? "lossless" : "original");
  const selectedLabel = isOriginalSelected ? originalLabel : t("compressed");
  return (
    <Menu
      label={t("quality", { what: selectedLabel })}
      trigger={
        <>
          <AudioWaveform size={16} aria-hidden />
          <span className="max-desktop:sr-only">{isOriginalSelected ? originalLabel : t("compressed")}</span>
        </>
      }
      triggerClassName={toolClasses(isOriginalSelected)}
      align="end"
      checked={isOriginalSelected ? "original" : "compressed"}
    >
      <MenuItem id="compressed" onSelect={() => onSelect(false)}>
        {t("compressed")}
      </MenuItem>
      <MenuItem id="original" text={originalLabel} onSelect={() => onSelect(true)} disabledReason={isPlayable ? undefined : t("unplayableOriginal", { type })}>
        {originalLabel} <span className="text-text-2">{type}</span>
      </MenuItem>
    </Menu>
  );
}

/** Returns whether this browser plays originals instead of streaming copies. */
export const loadPrefersOriginal = (): boolean => getPersisted(STORAGE_KEY) === "yes";

export const savePrefersOriginal = (prefersOriginal: boolean): void => setPersisted(STORAGE_KEY, prefersOriginal ? "yes" : null);
