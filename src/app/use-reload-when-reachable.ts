import { useClient } from "../client/client.ts";
import { getTabValue, setTabValue } from "../lib/tab-storage.ts";
import { useWhenReachable } from "../queries/recovery.ts";
import { isModalOpen } from "../ui/use-document-keydown.ts";

const RELOADED_AT_KEY = "reloaded-at";
/** Milliseconds between two reloads that nobody asked for, so that what stays broken does not reload the page for ever. */
const MIN_INTERVAL_MS = 60_000;

/** Loads the page again once the service responds, unless that interrupts a dialog or playback: then at a later probe. */
export function useReloadWhenReachable(isNeeded: boolean): void {
  const { audio } = useClient();
  useWhenReachable(isNeeded, () => {
    const isBusy = isModalOpen() || audio.find()?.player.state().isPlaying;
    if (isBusy || Date.now() - Number(getTabValue(RELOADED_AT_KEY)) < MIN_INTERVAL_MS) return;
    setTabValue(RELOADED_AT_KEY, String(Date.now()));
    location.reload();
  });
}
