import { AudioWaveform } from "lucide-react";
import { t } from "../../../../lib/messages/review-player.ts";
import { Menu, MenuItem } from "../../../../ui/Menu.tsx";
import type { Original } from "../../model/info.ts";
import { toolClasses } from "./tool.ts";

interface Props {
  /** The file itself, beside its streaming copy. */
  original: Original;
  /** The original is what plays. */
  chosen: boolean;
  onChoose(original: boolean): void;
}

/** The streaming copy, or the file as it was brought: what sounds goes on at its place. */
export function QualityMenu({ original: { lossless, type, playable }, chosen, onChoose }: Props) {
  const originalWords = t(lossless ? "lossless" : "original");
  const what = chosen ? originalWords : t("copy");
  return (
    <Menu
      label={t("quality", { what })}
      trigger={
        <>
          <AudioWaveform size={16} aria-hidden />
          <span className="max-desktop:sr-only">{chosen ? originalWords : t("copy")}</span>
        </>
      }
      triggerClass={toolClasses(chosen)}
      align="end"
    >
      <MenuItem checked={!chosen} onSelect={() => onChoose(false)}>
        {t("copy")}
      </MenuItem>
      <MenuItem checked={chosen} onSelect={() => onChoose(true)} disabledReason={playable ? undefined : t("unplayableOriginal", { type })}>
        {originalWords} <span className="text-text-2">{type}</span>
      </MenuItem>
    </Menu>
  );
}
