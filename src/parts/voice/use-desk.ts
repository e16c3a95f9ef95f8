/** The recorder and what shows it: code that comes with the first press, or where something recorded waits to be sent. */
import { useSyncExternalStore } from "react";
import { recall, remember } from "../../lib/remembered.ts";

const load = async () => {
  const [{ recorder }, { VoiceStrip }, { VoiceTray }] = await Promise.all([
    import("../../audio/voice/recorder-here.ts"),
    import("./VoiceStrip.tsx"),
    import("./VoiceTray.tsx"),
  ]);
  return { recorder, VoiceStrip, VoiceTray };
};
export type Desk = Awaited<ReturnType<typeof load>>;

/** Somebody has recorded in this browser: something of it may be left. */
const USED = "voice-used";

let desk: Desk | null = null;
let loading: Promise<Desk> | undefined;
const listeners = new Set<() => void>();

/** Rejects where the code cannot be loaded; the next call tries again. */
export function openDesk(): Promise<Desk> {
  loading ??= load().then((loaded) => {
    desk = loaded;
    for (const listener of listeners) listener();
    return loaded;
  });
  loading.catch(() => (loading = undefined));
  return loading;
}

export const wasUsed = (): boolean => recall(USED) !== null;
export const noteUse = (): void => remember(USED, "1");

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Null until it has come. */
export const useDesk = (): Desk | null => useSyncExternalStore(subscribe, () => desk);
