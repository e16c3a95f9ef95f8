import { useSyncExternalStore } from "react";
import { useClient } from "../../client/client.ts";
import type { Recorder } from "./recorder.ts";
import type { Recording } from "./recording.ts";

export const useRecorder = (): Recorder => useClient().audio.get().recorder;

function useRecorderValue<T>(select: (recorder: Recorder) => T): T {
  const recorder = useRecorder();
  return useSyncExternalStore(recorder.subscribe, () => select(recorder));
}

/** Selects a value of the recording and rerenders when the value changes. `selector` must return a primitive or a stable object. */
export const useRecording = <T extends string | number | boolean | object | null>(selector: (recording: Recording) => T): T =>
  useRecorderValue((recorder) => selector(recorder.state()));

export const useVoiceDrafts = () => useRecorderValue((recorder) => recorder.drafts());
export const useDiscardedDraft = () => useRecorderValue((recorder) => recorder.discarded());
