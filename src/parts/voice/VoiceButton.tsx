import { Mic, Square } from "lucide-react";
import type { ComponentProps, Ref } from "react";
import { classes } from "../../lib/classes.ts";
import { t } from "../../lib/messages/voice-note.ts";
import { IconButton } from "../../ui/IconButton.tsx";

interface Props extends Omit<ComponentProps<"button">, "className"> {
  phase: "idle" | "asking" | "recording" | "ending";
  isHeld: boolean;
  ref: Ref<HTMLButtonElement>;
}

/** Starts and ends a recording. It stays the same element throughout, so that a finger can rest on it. */
export function VoiceButton({ phase, isHeld, ...rest }: Props) {
  const on = phase === "recording" || phase === "ending";
  return (
    <IconButton
      {...rest}
      label={t(on ? "stop" : phase === "asking" ? "requestingMicrophone" : "record")}
      className={classes(
        "touch-none select-none max-tablet:size-9 max-tablet:rounded-full",
        phase !== "idle" && "bg-accent! text-accent-ink! hover:brightness-105",
        phase === "asking" && "motion-safe:animate-pulse",
        isHeld && "scale-125 rounded-full",
      )}
    >
      {on && !isHeld ? <Square size={15} aria-hidden fill="currentColor" /> : <Mic size={19} aria-hidden />}
    </IconButton>
  );
}
