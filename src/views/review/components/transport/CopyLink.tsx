import { Link2 } from "lucide-react";
import type { TrackController } from "../../../../audio/deck.ts";
import { t } from "../../../../lib/messages/review-player.ts";
import { announce } from "../../../../ui/announce.ts";
import { iconButtonClasses } from "../../../../ui/IconButton.tsx";

/** Writes the position to the URL and, if the browser allows it, to the clipboard. `updateUrl` returns the new URL path. */
export function CopyLink({ trackController, updateUrl }: { trackController: TrackController; updateUrl(position: number): string }) {
  const label = t("copyLink");
  async function copy() {
    const path = updateUrl(trackController.state().position);
    try {
      await navigator.clipboard.writeText(location.origin + path);
      announce(t("copied"));
    } catch {
      // The clipboard needs HTTPS and permission. The address bar shows the link in any case.
      announce(t("copyFromAddressBar"));
    }
  }
  return (
    <button type="button" title={label} aria-label={label} className={`${iconButtonClasses} max-tablet:size-10`} onClick={() => void copy()}>
      <Link2 size={18} aria-hidden />
    </button>
  );
}
