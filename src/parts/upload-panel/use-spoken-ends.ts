import { useEffect, useRef } from "react";
import { t } from "../../lib/messages/upload-panel.ts";
import { announce } from "../../ui/announce.ts";
import type { Summary } from "./summary.ts";

/** Announces once that all uploads are done or what failed, instead of each of hundreds of files. */
export function useCompletionAnnouncement({ moving, done, failed, lost }: Summary): void {
  const previousMoving = useRef(moving);
  useEffect(() => {
    const ended = previousMoving.current > 0 && moving === 0;
    previousMoving.current = moving;
    if (!ended) return;
    const messages = [done > 0 && t("finishedAnnouncement", { count: done }), failed + lost > 0 && t("failedAnnouncement", { count: failed + lost })];
    const text = messages.filter(Boolean).join(" ");
    if (text !== "") announce(text);
  }, [moving, done, failed, lost]);
}
