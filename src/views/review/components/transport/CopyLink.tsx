import { Link2 } from "lucide-react";
import type { TrackController } from "../../../../audio/deck.ts";
import { t } from "../../../../lib/messages/review-player.ts";
import { announce } from "../../../../ui/announce.ts";
import { iconButtonClasses } from "../../../../ui/IconButton.tsx";

/** Puts the position into the address bar and, where the browser allows it, onto the clipboard. `updateUrl` answers the address. */
export function CopyLink({ trackController, updateUrl }: { trackController: TrackController; updateUrl(position: number): string }) {
  const label = t("copyLink");
  async function copy() {
    const path = updateUrl(trackController.state().position);
    try {
      await navigator.clipboard.writeText(location.origin + path);
      announce(t("copied"));
    } catch {
      // Not https, or not allowed: the address bar has it.
      announce(t("copiedToBar"));
    }
  }
  return (
    <button type="button" title={label} aria-label={label} className={`${iconButtonClasses} max-tablet:size-10`} onClick={() => void copy()}>
      <Link2 size={18} aria-hidden />
    </button>
  );
}
