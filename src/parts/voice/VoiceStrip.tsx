/** Replaces the text field during a recording: shows time and level, and offers to cancel. */
import { Trash2 } from "lucide-react";
import { useEffect } from "react";
import { recorder } from "../../audio/voice/recorder-here.ts";
import { softCancelReason } from "../../audio/voice/recording.ts";
import { classes } from "../../lib/classes.ts";
import { formatPosition } from "../../lib/duration.ts";
import { t } from "../../lib/messages/voice.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { InputMenu } from "./InputMenu.tsx";
import { LevelCanvas } from "./LevelCanvas.tsx";
import { useRecorder } from "./use-recorder.ts";

export function VoiceStrip({ onNextInput }: { onNextInput(name: string): void }) {
  const asking = useRecorder(({ phase }) => phase === "asking");
  const device = useRecorder((recording) => recording.device);
  const input = useRecorder((recording) => recording.input);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // Open popovers and dialogs close first.
      if (event.key !== "Escape" || event.defaultPrevented || document.querySelector(":popover-open, dialog[open]")) return;
      event.preventDefault();
      recorder.end(softCancelReason(recorder.state()));
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <div role="group" aria-label={t("recordingControls")} className="flex h-8 min-w-0 flex-1 items-center gap-2 max-tablet:h-9">
      <IconButton label={t("cancel")} className="max-tablet:size-9" onClick={() => recorder.end("canceled")}>
        <Trash2 size={17} aria-hidden />
      </IconButton>
      {asking ? (
        <p className="min-w-0 truncate text-sm text-text-2">{t("asking")}</p>
      ) : (
        <>
          <Elapsed />
          <LevelCanvas className="h-8 min-w-0 flex-1 text-accent" />
          <InputMenu device={device} current={input} onNext={onNextInput} />
        </>
      )}
    </div>
  );
}

function Elapsed() {
  const time = useRecorder(({ seconds }) => formatPosition(seconds));
  const isRecording = useRecorder(({ phase }) => phase === "recording");
  return (
    <span role="timer" aria-label={t("elapsed")} className="tabular flex shrink-0 items-center gap-2 text-sm">
      <span aria-hidden className={classes("size-2 rounded-full bg-danger", isRecording && "motion-safe:animate-pulse")} />
      {time}
    </span>
  );
}
