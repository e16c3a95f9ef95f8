import { useMemo } from "react";
import type { TimeLinks } from "../../../components/message-text/MessageText.tsx";
import { useFileComments } from "./CommentsProvider.tsx";

/** Returns what plays the file from a time in the text of a comment; undefined if it cannot be played. */
export function useCommentTimes(): TimeLinks | undefined {
  const { playback } = useFileComments();
  return useMemo(
    () =>
      playback
        ? {
            nameAt: (seconds) => (seconds <= playback.duration ? playback.name : undefined),
            play(seconds) {
              playback.seek(seconds);
              playback.play();
            },
          }
        : undefined,
    [playback],
  );
}
